import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, OpenOptions } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sampled } from '../../support/run/scale.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { dialogThere, focusIn, goTo, heldNotice, nextTurn, openScript } from '../steps.ts';

interface Table {
  grid: string;
  view: NonNullable<OpenOptions['view']>;
  /** Brings the table into sight. */
  show?: (page: Page) => Promise<unknown>;
  /** The column that stays visible. */
  main: string;
  /** A column that is resized, then hidden. */
  column: string;
}

const tab = (name: string) => (page: Page) => page.getByRole('tab', { name, exact: true }).click();

const TABLES: readonly Table[] = [
  { grid: 'Tags', view: 'tags', main: 'Path', column: 'Quality' },
  { grid: 'Records', view: 'tags', show: tab('ERP outbox'), main: 'Record', column: 'Sent' },
  { grid: 'Rules', view: 'aggregations', main: 'Rule', column: 'Window' },
  { grid: 'Windows', view: 'aggregations', main: 'Start', column: 'Outcome' },
  { grid: 'Rows', view: 'aggregations', show: tab('Rows'), main: 'id', column: 'fired_by' },
  { grid: 'Events', view: 'events', main: 'Id', column: 'Rule' },
  { grid: 'Requests', view: 'events', show: tab('Requests'), main: 'Path', column: 'Status' },
  { grid: 'Mocks', view: 'mocks', main: 'Mock', column: 'Response' },
  { grid: 'Calls', view: 'mocks', show: tab('Call log'), main: 'URL', column: 'Tag' },
  { grid: 'Secrets', view: 'mocks', show: tab('Secrets'), main: 'Name', column: 'Set' },
  { grid: 'Diagrams', view: 'diagrams', main: 'Name', column: 'Parts' },
  {
    grid: 'Versions',
    view: 'scripts',
    show: async (page) => {
      await openScript(page, 'Saved twice');
      await page.keyboard.press('Alt+H');
      await dialogThere(page.getByRole('dialog', { name: /^History of/ }));
    },
    main: 'No.',
    column: 'Saved',
  },
];

describe('the columns of tables', () => {
  let workbench: BrowserWorkbench;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    const client = await workbench.client();
    await client.settings.update({ 'api.mode': 'offline' });
    const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
    const body = `TagValueManager.Set([{ Tag: 'Columns.Sent.Record', Value: { n: 1 } }]);
      return ApiValueManager.Fetch('https://nobody.example/', 'get').StatusCode;`;
    const tag = { path: 'Columns.Sent.Record', kind: 'erp' as const, type: 'Json' as const };
    await client.tags.save({ ...tag, description: '', unit: '', settings: {} });
    await client.tags.set({ items: [{ tag: tag.path, value: { n: 1 } }] });
    await client.runs.execute({ body, context, dryRun: false });
    for (const name of ['KEY_10', 'KEY_2']) await client.secrets.set({ name, value: 'a secret value' });
    for (const { id } of await client.rules.list()) await client.rules.fire({ id, times: 1 });
    await fetch(`${workbench.eventsApi}/api/events`);
    for (const text of ['return 1;', 'return 2;']) await workbench.saveScript('Columns/Saved twice', text);
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ view: 'events', reducedMotion: 'reduce' }));

  test.for(sampled(TABLES, 1))('$grid: columns are resized, hidden, shown, reset, and stay so', async (table) => {
    const window = await workbench.open({ view: table.view, reducedMotion: 'reduce' });
    const { page } = window;
    const { keyboard } = page;
    const grid = page.getByRole('grid', { name: table.grid, exact: true });
    const head = (name: string) => grid.getByRole('columnheader', { name, exact: true });
    const column = head(table.column);
    const width = async () => Math.round((await column.boundingBox())?.width ?? 0);
    const menu = async (name: string) => {
      await head(name).focus();
      await keyboard.press('Shift+F10');
      await page.getByRole('menuitem', { name: 'Reset the columns' }).waitFor();
    };
    const pick = async (title: string) => {
      await page.getByRole('menuitem', { name: title, exact: true }).press('Enter');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await nextTurn(page);
    };
    const show = async () => {
      await table.show?.(page);
      await grid.locator('[role="rowgroup"] [role="row"]:not([aria-busy="true"])').first().waitFor();
    };
    await show();
    const names = await grid.getByRole('columnheader').allInnerTexts();

    // One tab stop for all headers; the arrows move between them.
    await grid.focus();
    await keyboard.press('Tab');
    await focusIn(grid.getByRole('columnheader').first());
    await keyboard.press('End');
    await focusIn(grid.getByRole('columnheader').last());
    await keyboard.press('Tab');
    expect(await grid.evaluate((element) => element.contains(document.activeElement))).toBe(false);
    await keyboard.press('Shift+Tab');
    await focusIn(grid.getByRole('columnheader').last());
    await keyboard.press('Home');
    await focusIn(grid.getByRole('columnheader').first());
    const place = names.findIndex((name) => name.replace(/[↑↓]/, '').trim() === table.column);
    for (let step = 0; step < place; step += 1) await keyboard.press('ArrowRight');
    await focusIn(column);

    const sorting = await column.getAttribute('aria-sort');
    // From the first key on, the width no longer follows content, which changes in some tables.
    await keyboard.press('Shift+ArrowRight');
    await nextTurn(page);
    const first = await width();
    await keyboard.press('Shift+ArrowRight');
    await keyboard.press('Shift+ArrowRight');
    await expect.poll(width).toBe(first + 32);
    await keyboard.press('Shift+ArrowLeft');
    await expect.poll(width).toBe(first + 16);
    const box = await column.boundingBox();
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) - 3, (box?.y ?? 0) + 12];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 20, y);
    await page.mouse.move(x + 43, y);
    await page.mouse.up();
    await expect.poll(width).toBe(first + 59);
    // A drag does not sort.
    expect(await column.getAttribute('aria-sort')).toBe(sorting);

    // The main column stays.
    await menu(table.main);
    expect(await page.getByRole('menuitem', { name: /^(Hide|Show) / }).count()).toBe(0);
    await keyboard.press('Escape');
    await focusIn(head(table.main));
    await menu(table.column);
    await pick(`Hide ${table.column}`);
    await expect.poll(() => column.count()).toBe(0);
    await focusIn(grid.locator('[data-grid-head]'));
    expect(await accessibilityFindings(page, table.grid)).toEqual([]);

    await page.reload();
    await show();
    await expect.poll(() => grid.getByRole('columnheader').count()).toBe(names.length - 1);
    await expect.poll(() => column.count()).toBe(0);
    await menu(table.main);
    await pick(`Show ${table.column}`);
    await expect.poll(width).toBe(first + 59);
    await focusIn(head(table.main));
    await menu(table.main);
    await pick('Reset the columns');
    await expect.poll(width).not.toBe(first + 59);
    await expect.poll(() => grid.getByRole('columnheader').allInnerTexts()).toEqual(names);
    await window.close();
  });

  test('a second window shows the columns that the first one chooses, and keeps them', async () => {
    const first = await workbench.open({ view: 'diagrams', reducedMotion: 'reduce' });
    const second = await workbench.another(first.context);
    const name = (page: Page) => page.getByRole('columnheader', { name: 'Name', exact: true });
    const parts = (page: Page) => page.getByRole('columnheader', { name: 'Parts', exact: true });
    const width = async (page: Page) => Math.round((await name(page).boundingBox())?.width ?? 0);
    const choose = async (page: Page, column: Locator, title: string) => {
      await column.press('Shift+F10');
      await page.getByRole('menuitem', { name: title, exact: true }).press('Enter');
    };
    await second.page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Diagrams' }).click();
    await parts(second.page).waitFor();
    await choose(first.page, parts(first.page), 'Hide Parts');
    await parts(second.page).waitFor({ state: 'detached' });
    const before = await width(second.page);
    await name(second.page).press('Shift+ArrowRight');
    await expect.poll(() => width(second.page)).toBe(before + 16);
    await expect.poll(() => width(first.page)).toBe(before + 16);
    expect(await parts(first.page).count()).toBe(0);
    await choose(first.page, name(first.page), 'Reset the columns');
    await parts(second.page).waitFor();
    await expect.poll(() => width(first.page)).not.toBe(before + 16);
    await expect.poll(() => width(second.page)).not.toBe(before + 16);
    second.check();
    await first.close();
  });

  /** The texts of a column from top to bottom, all of one moment: rows come and go. */
  const textsOf = (page: Page, grid: string, name: string) => {
    const table = page.getByRole('grid', { name: grid }).or(page.getByRole('treegrid', { name: grid }));
    return table.evaluate((element, wanted) => {
      const all = (parent: Element, role: string) => [...parent.querySelectorAll<HTMLElement>(`[role="${role}"]`)];
      const heads = all(element, 'columnheader').map(({ innerText }) => innerText.replace(/[↑↓]/, '').trim());
      const place = heads.indexOf(wanted);
      const rows = all(element, 'rowgroup').flatMap((group) => all(group, 'row'));
      const inOrder = rows.toSorted((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y);
      return inOrder.map((row) => {
        const cells = all(row, 'gridcell');
        return (cells.length === 1 ? cells[0] : cells[place])?.innerText ?? '';
      });
    }, name);
  };

  const TIMES: readonly { grid: string; columns: readonly string[] }[] = [
    { grid: 'Tags', columns: ['Time'] },
    { grid: 'Records', columns: ['Sent'] },
    { grid: 'Rules', columns: ['Open since', 'Last fired'] },
    { grid: 'Windows', columns: ['Start'] },
    { grid: 'Rows', columns: ['window_start', 'window_end', 'fired_at'] },
    { grid: 'Events', columns: ['Time'] },
    { grid: 'Requests', columns: ['Time'] },
    { grid: 'Calls', columns: ['Time'] },
    { grid: 'Secrets', columns: ['Set'] },
    { grid: 'Versions', columns: ['Saved'] },
  ];

  test.for(sampled(TIMES, 1))('$grid: all times have the same format, with the date', async ({ grid, columns }) => {
    const table = TABLES.find((one) => one.grid === grid);
    const window = await workbench.open({ view: table?.view ?? 'tags', reducedMotion: 'reduce' });
    const { page } = window;
    await table?.show?.(page);
    await page.getByRole('grid', { name: grid, exact: true }).getByRole('row').nth(1).waitFor();
    for (const column of columns) {
      const isTime = (text: string) => /\d/.test(text);
      await expect.poll(async () => (await textsOf(page, grid, column)).filter(isTime).length).toBeGreaterThan(0);
      const shapes = (await textsOf(page, grid, column)).filter(isTime).map((text) => text.replaceAll(/\d/g, '0'));
      const shape = grid === 'Events' ? '0000-00-00 00:00:00.000' : '0000-00-00 00:00:00';
      expect(new Set(shapes)).toEqual(new Set([shape]));
      const times = page.getByRole('grid', { name: grid, exact: true }).locator('time');
      expect(await times.first().getAttribute('title')).toMatch(/\d\d:\d\d:\d\d\.\d{3} [+-]\d\d:\d\d$/);
      const widths = await times.evaluateAll((all) => all.map((time) => time.getBoundingClientRect().width));
      if (columns.length === 1) expect(Math.max(...widths) - Math.min(...widths)).toBeLessThan(1);
    }
    await window.close();
  });

  test('requests are sorted by each column, and those that come later do not move them', async () => {
    const { page } = await shared();
    await goTo(page, 'Events');
    const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
    const paths = () => textsOf(page, 'Requests', 'Path');
    const request = (path: string) =>
      fetch(`${workbench.eventsApi}/api/events${path}`).then((response) => response.text());
    await tab('Requests')(page);
    for (const path of ['/10', '/2']) await request(path);
    await page.getByRole('searchbox', { name: 'Filter requests' }).fill('/api/events/');
    await expect.poll(paths).toEqual(['/api/events/2', '/api/events/10']);
    expect(await head('Time').getAttribute('aria-sort')).toBe('descending');
    await head('Time').click();
    await expect.poll(paths).toEqual(['/api/events/10', '/api/events/2']);
    await head('Path').click();
    await expect.poll(paths).toEqual(['/api/events/2', '/api/events/10']);
    await request('/1');
    await request('/3');
    await expect.poll(paths).toEqual(['/api/events/2', '/api/events/10', '/api/events/1', '/api/events/3']);
    expect(await head('Path').getAttribute('title')).toBe('New requests are at the end until you sort again');
    expect(await accessibilityFindings(page, 'sorted requests')).toEqual([]);
    await head('Path').press('Enter');
    await expect.poll(paths).toEqual(['/api/events/10', '/api/events/3', '/api/events/2', '/api/events/1']);
    await page.reload();
    await tab('Requests')(page);
    await expect.poll(() => head('Path').getAttribute('aria-sort')).toBe('descending');
  });

  test('API calls are sorted by each column, and those that come later do not move them', async () => {
    const { page } = await shared();
    await goTo(page, 'API mocks');
    const client = await workbench.client();
    const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
    // The host and the path are two boxes.
    const urls = async () => (await textsOf(page, 'Calls', 'URL')).map((url) => url.replace('\n', ''));
    const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
    const call = (name: string) =>
      client.runs.execute({
        body: `ApiValueManager.Fetch('https://sorted.example/${name}', 'get');`,
        context,
        dryRun: false,
      });
    await tab('Call log')(page);
    for (const name of ['b10', 'b2']) await call(name);
    await page.getByRole('searchbox', { name: 'Filter calls' }).fill('sorted.example');
    await expect.poll(urls).toEqual(['sorted.example/b2', 'sorted.example/b10']);
    await head('URL').click();
    await head('URL').click();
    await expect.poll(urls).toEqual(['sorted.example/b10', 'sorted.example/b2']);
    await call('b30');
    await expect.poll(urls).toEqual(['sorted.example/b10', 'sorted.example/b2', 'sorted.example/b30']);
    await head('Time').click();
    await expect.poll(urls).toEqual(['sorted.example/b30', 'sorted.example/b2', 'sorted.example/b10']);
  });

  test('the windows of a preview and the versions of a script are sorted', async () => {
    const { page } = await shared();
    await goTo(page, 'Aggregations');
    const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
    const starts = () => textsOf(page, 'Windows', 'Start');
    await page.getByRole('row', { name: 'Fill volume check' }).click();
    await expect.poll(async () => (await starts()).length).toBeGreaterThan(2);
    const newestFirst = async () => {
      const shown = await starts();
      return shown.length > 2 && JSON.stringify(shown) === JSON.stringify(shown.toSorted().toReversed());
    };
    await expect.poll(newestFirst).toBe(true);
    await head('Start').press('Enter');
    const oldestFirst = async () => {
      const shown = await starts();
      return shown.length > 2 && JSON.stringify(shown) === JSON.stringify(shown.toSorted());
    };
    await expect.poll(oldestFirst).toBe(true);
    await head('Start').press('Enter');
    await goTo(page, 'Scripts');
    await TABLES.find(({ grid }) => grid === 'Versions')?.show?.(page);
    const versions = () => textsOf(page, 'Versions', 'No.');
    await expect.poll(versions).toEqual(['2', '1']);
    await page.getByRole('grid', { name: 'Versions' }).getByRole('row').last().click();
    await head('No.').click();
    await expect.poll(versions).toEqual(['1', '2']);
    for (const name of ['Saved', 'By', 'Changed', 'Bytes']) {
      await head(name).last().click();
      await expect
        .poll(() => head(name).last().getAttribute('aria-sort'), { message: name })
        .toMatch(/^(as|des)cending$/);
    }
    await expect.poll(async () => (await textsOf(page, 'Versions', 'Bytes')).length).toBe(2);
    await head('No.').click();
    await head('No.').click();
    await expect.poll(versions).toEqual(['1', '2']);
    // The selected version moves with its row.
    await page.getByRole('button', { name: 'Restore version 1' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('secrets and Diagrams are sorted in natural order, and stay so', async () => {
    const { page } = await shared();
    await goTo(page, 'API mocks');
    const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
    const secrets = () => textsOf(page, 'Secrets', 'Name');
    await tab('Secrets')(page);
    await expect.poll(secrets).toEqual(['KEY_2', 'KEY_10']);
    expect(await head('Name').getAttribute('aria-sort')).toBe('ascending');
    await head('Name').click();
    await expect.poll(secrets).toEqual(['KEY_10', 'KEY_2']);
    expect(await accessibilityFindings(page, 'sorted secrets')).toEqual([]);
    await head('Set').press('Enter');
    await expect.poll(() => head('Set').getAttribute('aria-sort')).toBe('descending');
    await expect.poll(secrets).toEqual(['KEY_2', 'KEY_10']);
    await page.reload();
    await tab('Secrets')(page);
    await expect.poll(() => head('Set').getAttribute('aria-sort')).toBe('descending');
    await expect.poll(secrets).toEqual(['KEY_2', 'KEY_10']);

    await goTo(page, 'Diagrams');
    const parts = async () => (await textsOf(page, 'Diagrams', 'Parts')).map(Number);
    await expect.poll(async () => (await parts()).length).toBeGreaterThan(1);
    await head('Parts').focus();
    await page.keyboard.press('Enter');
    await expect.poll(parts).toEqual((await parts()).toSorted((a, b) => b - a));
    await page.keyboard.press('Enter');
    await expect.poll(parts).toEqual((await parts()).toSorted((a, b) => a - b));
  });

  test('a rule stays at its place while its values change, until it is sorted again', async () => {
    const { page } = await shared();
    await goTo(page, 'Aggregations');
    const client = await workbench.client();
    const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
    const rules = async () => (await textsOf(page, 'Rules', 'Rule')).map((text) => text.trim());
    const firings = async () => (await textsOf(page, 'Rules', 'Firings')).map(Number);
    await expect.poll(async () => (await rules()).length).toBeGreaterThan(1);
    const byName = await rules();
    await head('Firings').click();
    await expect.poll(() => head('Firings').getAttribute('aria-sort')).toBe('descending');
    const sorted = async () => (await firings()).toSorted((a, b) => b - a);
    await expect.poll(async () => JSON.stringify(await firings()) === JSON.stringify(await sorted())).toBe(true);
    const before = await rules();
    const last = before.at(-1) ?? '';
    await client.rules.fire({ name: last, times: 1_000 });
    await expect.poll(async () => (await firings()).at(-1)).toBeGreaterThan(999);
    expect(await rules()).toEqual(before);
    await head('Firings').press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Sort descending' }).press('Enter');
    await expect.poll(async () => (await rules())[0]).toBe(last);

    await page.reload();
    await expect.poll(async () => (await firings()).every((count) => count > 0)).toBe(true);
    await expect.poll(async () => (await rules())[0]).toBe(last);

    // Delete and Space in the header are not about the selected rule.
    await head('Rule').focus();
    await page.keyboard.press('Delete');
    await nextTurn(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Space');
    await expect.poll(rules).toEqual(byName);
    expect((await client.rules.list()).every(({ enabled }) => enabled)).toBe(true);
  });

  test('mocks are sorted in their folders, and moved in matching order only', async () => {
    const { page } = await shared();
    await goTo(page, 'API mocks');
    const client = await workbench.client();
    const save = async (name: string, folder: string) => {
      const request = { method: 'GET' as const, url: 'https://columns.example/', query: [], headers: [], body: null };
      const answer = { status: 200, headers: [], body: { kind: 'none' as const }, delayMs: 0, fault: null };
      await client.mocks.save({ name, folder, enabled: true, priority: 0, request, answer });
    };
    for (const name of ['Sort 2', 'Sort 10', 'Sort 1']) await save(name, 'Sorted');
    await page.getByRole('searchbox', { name: 'Filter mocks' }).fill('sort');
    const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
    const mocks = async () => (await textsOf(page, 'Mocks', 'Mock')).map((text) => text.replaceAll(/\s+/g, ' ').trim());
    const matching = ['Sorted 3 mocks', 'Sort 2', 'Sort 10', 'Sort 1'];
    await expect.poll(mocks).toEqual(matching);
    expect(await head('Mock').getAttribute('aria-sort')).toBe('none');
    await head('Mock').press('Enter');
    await expect.poll(mocks).toEqual(['Sorted 3 mocks', 'Sort 1', 'Sort 2', 'Sort 10']);
    expect(await accessibilityFindings(page, 'sorted mocks')).toEqual([]);
    await page.getByRole('row', { name: 'Sort 10' }).click();
    await page.keyboard.press('Alt+ArrowUp');
    const notice = await heldNotice(page, 'The mock was not moved: the list is sorted by Mock');
    await notice.getByRole('button', { name: 'Matching order' }).click();
    await expect.poll(mocks).toEqual(matching);
    await page.getByRole('row', { name: 'Sort 10' }).click();
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(mocks).toEqual(['Sorted 3 mocks', 'Sort 10', 'Sort 2', 'Sort 1']);

    for (const order of ['ascending', 'descending', 'none']) {
      await head('Mock').click();
      await expect.poll(() => head('Mock').getAttribute('aria-sort')).toBe(order);
    }
  });

  test('columns wider than the pane scroll sideways with their header', async () => {
    const { page } = await shared();
    await goTo(page, 'Diagrams');
    const grid = page.getByRole('grid', { name: 'Diagrams' });
    const name = grid.getByRole('columnheader', { name: 'Name' });
    await name.focus();
    for (let step = 0; step < 12; step += 1) await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(() => grid.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeGreaterThan(100);
    await page.keyboard.press('ArrowRight');
    const parts = grid.getByRole('columnheader', { name: 'Parts' });
    await focusIn(parts);
    await expect.poll(() => grid.evaluate((element) => element.scrollLeft)).toBeGreaterThan(50);
    const box = async (part: Locator) => (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const [header, row] = [grid.getByRole('row').first(), grid.getByRole('row').nth(1)];
    const cell = row.getByRole('gridcell').nth(1);
    await expect.poll(async () => (await box(parts)).x - (await box(cell)).x).toBe(0);
    // Backgrounds and lines are as wide as the columns.
    const end = async (part: Locator) => (await box(part)).x + (await box(part)).width;
    await expect.poll(async () => (await end(row)) - (await end(header))).toBe(0);
    await expect.poll(async () => (await end(row)) - (await end(cell))).toBeGreaterThanOrEqual(0);
    expect(await accessibilityFindings(page, 'scrolled sideways')).toEqual([]);
  });
});
