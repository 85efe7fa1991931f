import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { dialogGone, dialogThere, focusIn, undo } from '../steps.ts';

const SPEED = 'Bottling.Line1.Filler.Speed.Value';
const TITLE = 'Bottling.Settings.Display.Title.Value';

describe('the Tags view', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ view: 'tags' }));
  beforeEach(async () => {
    window = await shared();
    await window.page.getByRole('searchbox', { name: 'Filter tags' }).fill('');
    await window.page.getByRole('textbox', { name: 'workcenter' }).first().fill('');
    await window.page.getByRole('row').nth(1).waitFor();
  });

  const row = (path: string) => window.page.getByRole('row', { name: path });
  const cells = (path: string) => row(path).getByRole('gridcell').allInnerTexts();
  const choose = async (path: string) => {
    await window.page.getByRole('searchbox', { name: 'Filter tags' }).fill(path);
    await row(path).click();
    await window.page.getByRole('heading', { name: path }).waitFor();
  };

  test('values are live, with kind, type, unit, and quality as icon and name', async () => {
    await expect.poll(async () => (await cells(SPEED))[1]).toMatch(/^\d+(\.\d+)?$/);
    await expect
      .poll(async () => (await cells(SPEED)).slice(2))
      .toEqual(['bottles/min', 'Good', expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)]);
    await row(`${SPEED} Machine`).waitFor();
    const seen = new Set<string | undefined>();
    await expect.poll(async () => seen.add((await cells(SPEED))[1]).size, { timeout: 60_000 }).toBeGreaterThan(2);
  });

  test('only visible rows are in the document; scrolling to the end loads values', async () => {
    const { page } = window;
    const total = Number(/\d+/.exec(await page.getByText(/^\d+ tags$/).innerText())?.[0]);
    expect(total).toBeGreaterThanOrEqual(60);
    expect(await page.getByRole('row').count()).toBeLessThan(total);
    await page.getByRole('grid', { name: 'Tags' }).focus();
    await focusIn(page.getByRole('grid', { name: 'Tags' }));
    await page.keyboard.press('End');
    const last = page.getByRole('row', { selected: true });
    await last.waitFor();
    await expect.poll(() => last.getByRole('gridcell').nth(1).innerText()).not.toBe('…');
  });

  test('a narrow window has details once a tag is selected', async () => {
    const narrow = await workbench.open({ view: 'tags', viewport: { width: 720, height: 450 } });
    const { page } = narrow;
    const details = page.getByRole('region', { name: 'Tag details' });
    const list = page.getByRole('region', { name: 'Tag list' });
    const tag = page.getByRole('row', { name: 'Label' }).first();
    await tag.waitFor();
    await expect.poll(() => details.count()).toBe(0);
    const widthOf = async () => (await list.boundingBox())?.width ?? 0;
    await expect.poll(widthOf).toBeGreaterThan(500);
    await tag.click();
    await details.getByRole('button', { name: 'Why?' }).waitFor();
    await expect.poll(widthOf).toBeGreaterThanOrEqual(290);
    await page.setViewportSize({ width: 1440, height: 900 });
    await details.waitFor();
    await narrow.close();
  });

  test('in a narrow window, groups and details make room for each other', async () => {
    const opened = await workbench.open({ view: 'tags' });
    const { page } = opened;
    const group = page.getByRole('treeitem', { name: 'Bottling' });
    await group.click();
    await page.getByRole('treeitem', { name: 'Line1' }).waitFor();
    await page.getByRole('row', { name: 'Label' }).first().click();
    const details = page.getByRole('region', { name: 'Tag details' });
    const sizes = async () => {
      const boxes = [
        await page.locator('#tags-groups').boundingBox(),
        await page.locator('#tags-details').boundingBox(),
      ];
      return boxes.map((box) => Math.round(box?.width ?? 0));
    };
    await details.waitFor();
    const wide = await sizes();
    await page.setViewportSize({ width: 720, height: 900 });
    await page.getByRole('button', { name: 'Show the groups' }).click();
    await group.waitFor();
    expect(await group.getAttribute('aria-expanded')).toBe('true');
    await page.getByRole('button', { name: 'Show the details' }).waitFor();
    // Another tag is shown with its details.
    await page.getByRole('row', { name: 'Speed' }).first().click();
    await details.waitFor();
    await page.getByRole('button', { name: 'Show the groups' }).waitFor();
    await page.keyboard.press('Control+b');
    await group.waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await details.waitFor();
    await expect.poll(sizes).toEqual(wide);
    await opened.close();
  });

  test('between two tags, the details of the former one stay', async () => {
    const opened = await workbench.open({ view: 'tags' });
    const { page } = opened;
    await page.getByRole('row', { name: 'Label' }).first().click();
    const shown = page.getByRole('region', { name: /^Tag Bottling/ });
    await shown.waitFor();
    // Each change of the pane, with the name and the number of its details.
    await page.evaluate(() => {
      const pane = document.querySelector('[data-pane="tag-details"]');
      const seen: number[] = [];
      Object.assign(window, { seen });
      if (!pane) return;
      new MutationObserver(() => seen.push(pane.querySelectorAll('h2').length)).observe(pane, {
        childList: true,
        subtree: true,
      });
    });
    const before = await shown.getAttribute('aria-label');
    await page.getByRole('row', { name: 'Speed' }).first().click();
    await expect.poll(() => shown.getAttribute('aria-label')).not.toBe(before);
    expect(new Set(await page.evaluate(() => Reflect.get(window, 'seen')))).toEqual(new Set([1]));
    await opened.close();
  });

  test('an invalid value is rejected in its field; a valid one is written for its scope', async () => {
    const { page } = window;
    await choose(TITLE);
    const form = page.getByRole('form', { name: 'Write a value' });
    await form.getByRole('textbox', { name: 'Value (String)' }).fill('Shared title');
    await form.getByRole('button', { name: 'Write', disabled: false }).press('Enter');
    await expect.poll(() => workbench.tagValue(TITLE)).toBe('Shared title');
    await form.getByRole('textbox', { name: 'workcenter' }).fill('Line9');
    await form.getByRole('textbox', { name: 'Value (String)' }).fill('Title of line 9');
    await form.getByRole('button', { name: 'Write', disabled: false }).press('Enter');
    await page.getByText('Written').first().waitFor();
    await expect.poll(async () => (await cells(TITLE))[1]).toBe('Shared title');
    await page.getByRole('textbox', { name: 'workcenter' }).first().fill('Line9');
    await expect.poll(async () => (await cells(TITLE))[1]).toBe('Title of line 9');

    await choose(SPEED);
    await page.getByRole('textbox', { name: 'Value (Double)' }).fill('fast');
    await page.getByText(/the text "fast" cannot be converted to Double/).waitFor();
    await page.getByRole('button', { name: 'Override the signal', disabled: true }).waitFor();
  });

  test('the whole list stays while it is read again, after another view or an import', async () => {
    const { page } = window;
    const client = await workbench.client();
    const pathOf = (number: number) => `Whole.List.Tag${number}.Value`;
    const rows = Array.from({ length: 400 }, (_, number) => `${pathOf(number)},storage,Int`);
    await client.tags.import({ format: 'csv', text: `path,kind,type\n${rows.join('\n')}\n` });
    await page.getByRole('searchbox', { name: 'Filter tags' }).fill('');
    const grid = page.getByRole('grid', { name: 'Tags', exact: true });
    const rowCount = async () => Number(await grid.getAttribute('aria-rowcount'));
    await expect.poll(rowCount).toBeGreaterThan(400);
    const before = await rowCount();
    await grid.evaluate((element) => {
      const seen: number[] = [];
      Object.assign(globalThis, { seenRowCounts: seen });
      new MutationObserver(() => seen.push(Number(element.getAttribute('aria-rowcount')))).observe(element, {
        attributeFilter: ['aria-rowcount'],
      });
    });
    await page.keyboard.press('Control+7');
    await page.getByRole('main', { name: 'Settings' }).waitFor();
    const tag = { kind: 'storage' as const, type: 'Int' as const, description: '', unit: '', settings: {} };
    await client.tags.save({ ...tag, path: pathOf(400) });
    await page.keyboard.press('Control+2');
    await expect.poll(rowCount).toBe(before + 1);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import' }).click();
    const buffer = Buffer.from(`path,kind,type\n${pathOf(401)},storage,Int\n`);
    await (await chooser).setFiles({ name: 'one.csv', mimeType: 'text/csv', buffer });
    const dialog = page.getByRole('dialog', { name: 'Import tags' });
    await dialog.getByText('1 created, 0 replaced.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(rowCount).toBe(before + 2);
    const seen = await page.evaluate(() => [...(Reflect.get(globalThis, 'seenRowCounts') ?? [])].map(Number));
    expect(seen).toEqual([before + 1, before + 2]);
    await client.tags.delete({ paths: Array.from({ length: 402 }, (_, number) => pathOf(number)) });
  });

  test('the time is when the value changed, not when the view received it', async () => {
    const { page } = window;
    const path = 'Bottling.Settings.Display.Footer.Value';
    const client = await workbench.client();
    await client.tags.save({
      path,
      kind: 'storage',
      type: 'String',
      description: '',
      unit: '',
      settings: { initial: 'x' },
    });
    await choose(path);
    await expect.poll(async () => (await cells(path))[4]).toBe('—');
    await client.tags.set({ items: [{ tag: path, value: 'y' }] });
    const [written] = await client.tags.get({ paths: [path], times: true });
    const time = row(path).locator('time');
    await expect.poll(() => time.getAttribute('datetime')).toBe(written?.changedAt);
    await choose(SPEED);
    await choose(path);
    await expect.poll(() => time.getAttribute('datetime')).toBe(written?.changedAt);
    await page.getByText(/^Last changed \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/).waitFor();
  });

  test('the quality of a group is forced, and undone', async () => {
    const { page } = window;
    const groups = page.getByRole('tree', { name: 'Groups of tags' });
    const plc = groups.getByRole('treeitem', { name: /^Bottling/ });
    const client = await workbench.client();
    const paths = (await client.tags.list({ filter: 'Bottling' })).tags
      .filter(({ kind }) => kind === 'machine')
      .map(({ path }) => path);
    const forced = async () => (await client.tags.get({ paths })).filter((value) => value.forced === true).length;
    await client.tags.force({ path: paths[0] ?? '', quality: 'BadSensorFailure' });
    const before = await forced();
    await plc.click();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Force the quality of its machine tags…' }).press('Enter');
    const dialog = await dialogThere(page.getByRole('dialog', { name: /^Force the quality of \d+ machine tags$/ }));
    await dialog.getByRole('combobox', { name: 'Quality' }).selectOption('BadNotConnected');
    await dialog.getByRole('button', { name: 'Force' }).press('Enter');
    await dialogGone(dialog);
    await expect.poll(forced).toBe(paths.length);
    await undo(page, `Quality of ${paths.length} tags forced`);
    await expect.poll(forced).toBe(before);
    const [first] = await client.tags.get({ paths });
    expect(first).toMatchObject({ quality: 'BadSensorFailure', forced: true });
    await client.tags.force({ path: paths[0] ?? '', quality: null });
    await groups.getByRole('treeitem', { name: 'All tags' }).click();
  });

  test('columns are sorted, hidden and resized by keyboard, and stay so', async () => {
    const separate = await workbench.open({ view: 'tags' });
    const { page } = separate;
    const head = (name: string) => page.getByRole('columnheader', { name });
    await page.getByRole('row').nth(1).waitFor();
    await head('Path').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => head('Path').getAttribute('aria-sort')).toBe('descending');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await focusIn(head('Unit'));
    const width = async () => (await head('Unit').boundingBox())?.width ?? 0;
    const before = await width();
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(width).toBeGreaterThan(before);
    await page.keyboard.press('ArrowRight');
    await focusIn(head('Quality'));
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Hide Quality' }).press('Enter');
    await expect.poll(() => head('Quality').count()).toBe(0);
    await page.reload();
    await page.getByRole('row').nth(1).waitFor();
    await expect.poll(() => head('Path').getAttribute('aria-sort')).toBe('descending');
    await expect.poll(() => head('Quality').count()).toBe(0);
    await expect.poll(width).toBeGreaterThan(before);
    await head('Path').press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Reset the columns' }).press('Enter');
    await head('Quality').waitFor();
    await page.close();
  });

  test('problems are counted, grouped by cause, and lead to their tags', async () => {
    const { page } = window;
    const client = await workbench.client();
    await client.tags.force({ path: SPEED, quality: 'BadNotConnected' });
    await page.keyboard.press('Control+Shift+M');
    const cause = page.getByRole('treeitem', { name: /^BadNotConnected: the quality is forced/ });
    await cause.waitFor();
    await page.getByRole('tab', { name: /^Problems \([1-9]/ }).waitFor();
    await page.getByRole('treeitem', { name: `${SPEED} Machine` }).click();
    await page.getByRole('heading', { name: SPEED }).waitFor();
    await client.tags.force({ path: SPEED, quality: null });
    await page.getByRole('tab', { name: /^Problems/ }).click();
    await expect.poll(() => cause.count()).toBe(0);
    await page.getByRole('tab', { name: 'Tags', exact: true }).click();
  });

  test('a machine tag is overridden and released, its quality forced and cleared', async () => {
    const { page } = window;
    await choose(SPEED);
    await page.getByRole('textbox', { name: 'Value (Double)' }).fill('123.5');
    await page.getByRole('button', { name: 'Override the signal', disabled: false }).press('Enter');
    await expect
      .poll(async () => (await cells(SPEED)).slice(1, 4))
      .toEqual(['123.5', 'bottles/min', expect.stringMatching(/^GoodLocalOverride\s+O$/)]);
    await page.getByRole('button', { name: 'Release override', disabled: false }).press('Enter');
    await expect.poll(async () => (await cells(SPEED))[3]).toBe('Good');
    // By keyboard, because the lines above move while the released value arrives.
    await page.getByRole('combobox', { name: 'Quality to force' }).press('Enter');
    await page.getByRole('option', { name: 'BadSensorFailure' }).click();
    await page.getByRole('button', { name: 'Force quality', disabled: false }).press('Enter');
    await expect.poll(async () => (await cells(SPEED))[3]).toMatch(/^BadSensorFailure\s+F$/);

    // Overridden while forced: one state in table, details and on the command line.
    await page.getByRole('button', { name: 'Release override', disabled: true }).waitFor();
    await page.getByRole('textbox', { name: 'Value (Double)' }).fill('1.6');
    await page.getByRole('button', { name: 'Override the signal', disabled: false }).press('Enter');
    await expect.poll(async () => (await cells(SPEED))[3]).toMatch(/^BadSensorFailure\s+O\s+F$/);
    await expect.poll(async () => (await cells(SPEED))[1]).toBe('null');
    const details = page.getByRole('region', { name: `Tag ${SPEED}` });
    await expect.poll(() => details.getByRole('status').first().innerText()).toContain('null');
    await details.getByText('overridden', { exact: true }).waitFor();
    expect(await (await workbench.client()).tags.get({ paths: [SPEED] })).toMatchObject([
      { value: null, quality: 'BadSensorFailure', overridden: true, forced: true },
    ]);
    await page.getByRole('button', { name: 'Release override', disabled: false }).press('Enter');
    await expect.poll(async () => (await cells(SPEED))[3]).toMatch(/^BadSensorFailure\s+F$/);
    await page.getByRole('button', { name: 'Clear forced quality', disabled: false }).press('Enter');
    await expect.poll(async () => (await cells(SPEED))[3]).toBe('Good');
  });

  test('the filter requires every word, and reports when nothing matches', async () => {
    const { page } = window;
    await page.keyboard.press('Control+F');
    await focusIn(page.getByRole('searchbox', { name: 'Filter tags' }));
    await page.keyboard.type('filler speed line1');
    await expect.poll(() => page.getByRole('row').count()).toBeLessThan(10);
    await row(SPEED).waitFor();
    await page.keyboard.type(' nonsense');
    await page.getByText('No tags match.').waitFor();
    await page.getByRole('button', { name: 'Show all tags' }).click();
    await row(SPEED).waitFor();
  });

  test('a path on two lines breaks between segments; in the list it stays on one line', async () => {
    const path = 'Bottling.Documents.LabelDrawing.DocumentId.Value';
    await choose(path);
    const { page } = window;
    // The number of lines of each part, and of the whole path.
    const linesOf = (element: HTMLElement | SVGElement) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const parts: Set<number>[] = [];
      while (walker.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        parts.push(new Set([...range.getClientRects()].map(({ top }) => Math.round(top))));
      }
      const whole = new Set(parts.flatMap((tops) => [...tops]));
      return { parts: parts.map(({ size }) => size), whole: whole.size };
    };
    const heading = () => page.getByRole('heading', { name: path }).evaluate(linesOf);
    await expect.poll(async () => (await heading()).whole).toBeGreaterThan(1);
    await expect.poll(async () => (await heading()).parts).toEqual([1, 1, 1, 1, 1]);
    const listed = () => row(path).getByText('DocumentId.Value', { exact: true }).evaluate(linesOf);
    await expect.poll(async () => (await listed()).whole).toBe(1);
  });

  test('the ERP outbox lists records live, filters them, and is cleared on request', async () => {
    const { page } = window;
    const client = await workbench.client();
    const tag = { path: 'Tags.Outbox.Sent.Record', kind: 'erp' as const, type: 'Json' as const };
    await client.tags.save({ ...tag, description: '', unit: '', settings: {} });
    await page.getByRole('tab', { name: 'ERP outbox' }).click();
    await page.getByRole('region', { name: 'ERP outbox' }).waitFor();
    for (const note of ['first', 'second']) {
      await client.tags.set({ items: [{ tag: tag.path, value: { note } }] });
    }
    await expect.poll(() => page.getByRole('row', { name: 'Tags.Outbox.Sent.Record' }).count()).toBe(2);
    await page.getByRole('searchbox', { name: 'Filter records' }).fill('second');
    await expect.poll(() => page.getByRole('row', { name: 'Tags.Outbox.Sent.Record' }).count()).toBe(1);
    await page.getByRole('row', { name: 'Tags.Outbox.Sent.Record' }).click();
    await expect.poll(() => page.getByLabel('Record as JSON').innerText()).toContain('"note": "second"');
    await page.getByRole('button', { name: 'Clear…' }).click();
    await page.getByRole('dialog', { name: 'Clear the outbox' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No records yet').waitFor();
  });
});
