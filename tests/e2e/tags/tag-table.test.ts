import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TagDefinition } from '#domain/tag/tag';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sampled } from '../../support/run/scale.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import {
  chooseTheme,
  dialogGone,
  dialogThere,
  focusIn,
  goTo,
  openOwnScript,
  paneShows,
  runToEnd,
  THEMES,
  undo,
} from '../steps.ts';

const LOOKS = [...THEMES, 'forced colors'] as const;
const RATIO = 'Formats.Line.Ratio.Value';
const COUNT = 'Formats.Line.Count.Value';
const STATE = 'Formats.Line.State.Value';
const VALUE = 0.123_456_789_012_345;

const storage = (path: string, initial: TagDefinition['settings'][string], more: Partial<TagDefinition> = {}) => ({
  path,
  kind: 'storage' as const,
  type: 'Double' as const,
  description: '',
  unit: '',
  settings: { initial: initial ?? null },
  ...more,
});

describe('the table of tags', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() =>
    workbench.open({ view: 'tags', permissions: ['clipboard-read', 'clipboard-write'], reducedMotion: 'reduce' }),
  );
  beforeEach(async () => {
    window = await shared();
    await window.page.emulateMedia({ forcedColors: null });
    await goTo(window.page, 'Tags');
    await window.page.getByRole('row').nth(1).waitFor();
  });

  const grid = () => window.page.getByRole('grid', { name: 'Tags' });
  const row = (path: string) => grid().getByRole('row', { name: path });
  const value = (path: string) => row(path).getByRole('gridcell').nth(1);
  const filter = (text: string) => window.page.getByRole('searchbox', { name: 'Filter tags' }).fill(text);
  const clipboard = () => window.page.evaluate(() => navigator.clipboard.readText());
  const saveAll = async (tags: readonly TagDefinition[]) => {
    const client = await workbench.client();
    for (const tag of tags) await client.tags.save(tag);
  };

  test('groups are dimmed, names start at one place, and a long path is cut at groups', async () => {
    const { page } = window;
    const deep = `Paths.${'A deep group.'.repeat(8)}The last group.Speed.Value`;
    await saveAll([storage('Paths.A.Speed.Value', 1), storage('Paths.A.Torque.Value', 1), storage(deep, 1)]);
    await filter('Paths.');
    // The kind belongs to the name of the row, because its column is hidden where there is little space.
    for (const path of ['Paths.A.Speed.Value', deep]) await row(`${path} Storage`).waitFor();
    const names = grid()
      .getByRole('gridcell')
      .filter({ hasText: /\.Value$/ });
    const look = (cells: readonly Element[]) =>
      cells.map((cell) => {
        const [, groups, name] = [...(cell.lastElementChild?.children ?? [])];
        const top = groups?.getBoundingClientRect().top ?? 0;
        // Groups that do not fit are below the line.
        const parts = [...(groups?.querySelectorAll('[data-shared]') ?? [])]
          .filter((part) => part.getBoundingClientRect().top < top + 12)
          .map((part) => `${part.textContent}${part.getAttribute('data-shared') === 'true' ? ' dimmed' : ''}`);
        const more = groups?.firstElementChild?.getBoundingClientRect().width ?? 0;
        return { parts: parts.toReversed(), isCut: more > 0, left: name?.getBoundingClientRect().left };
      });
    // Their places follow the width of the column, a moment after they are shown.
    const shown = () => names.evaluateAll(look);
    await expect.poll(shown).toMatchObject([
      { parts: ['Paths.', 'A.'], isCut: false },
      { parts: ['Paths. dimmed', 'A. dimmed'], isCut: false },
      // As many groups as fit.
      { parts: expect.arrayContaining(['The last group.']), isCut: true },
    ]);
    await expect.poll(async () => (await shown())[2]?.parts.at(-1)).toBe('The last group.');
    await expect.poll(async () => (await shown())[2]?.parts.length).toBeLessThan(9);
    await expect.poll(async () => new Set((await shown()).map(({ left }) => left)).size).toBe(1);
    expect(await accessibilityFindings(page, 'paths')).toEqual([]);
  });

  test.for(sampled(LOOKS, 2))('the focus ring is whole, and rows have a line: %s', async (look) => {
    const { page } = window;
    if (look === 'forced colors') await page.emulateMedia({ forcedColors: 'active' });
    else await chooseTheme(page, look);
    // Without the active row of the look before.
    await page.reload();
    await page.getByText('Connected', { exact: true }).waitFor();
    await filter('Bottling.Line1');
    await row('Bottling.Line1.Capper.Speed.Value').waitFor();
    /** The colors of a part of the window. */
    const colorsIn = async (clip: { x: number; y: number; width: number; height: number }) => {
      const picture = (await page.screenshot({ clip })).toString('base64');
      return page.evaluate(async (encoded) => {
        const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
        context?.drawImage(image, 0, 0);
        const { data = new Uint8ClampedArray() } = context?.getImageData(0, 0, image.width, image.height) ?? {};
        return [...new Set(Array.from({ length: data.length / 4 }, (_, at) => data.slice(at * 4, at * 4 + 3).join()))];
      }, picture);
    };
    const boxOf = async (element: ReturnType<typeof grid>) =>
      (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

    // Without an active row.
    await grid().getByRole('columnheader', { name: 'Path' }).focus();
    await page.keyboard.press('ArrowDown');
    await focusIn(grid());
    const { x, y, height, width } = await boxOf(grid());
    await expect.poll(() => colorsIn({ x, y, width: 1, height })).toHaveLength(1);
    const left = await colorsIn({ x, y, width: 1, height });
    await expect.poll(() => colorsIn({ x, y, width, height: 1 })).toEqual(left);

    // Every row has the same border, which differs from its background.
    const lines = await grid()
      .getByRole('row')
      .evaluateAll((rows) =>
        rows.slice(1, 6).map((one) => {
          const { borderBottomColor, borderBottomStyle, borderBottomWidth } = getComputedStyle(one);
          return `${borderBottomStyle} ${borderBottomWidth} ${borderBottomColor}`;
        }),
      );
    expect(new Set(lines).size, lines.join()).toBe(1);
    expect(lines[0]).toMatch(/^solid 1px rgb\(/);

    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowUp');
    const active = grid().locator('[data-active="true"]');
    await expect.poll(() => grid().getByRole('row', { selected: true }).count()).toBe(2);
    const edge = async (place: 'top' | 'bottom') => {
      const line = await boxOf(active);
      const at = place === 'top' ? line.y : line.y + line.height - 1;
      return colorsIn({ x: line.x, y: at, width: line.width, height: 1 });
    };
    await expect.poll(() => edge('bottom')).toEqual(left);
    await expect.poll(() => edge('top')).toEqual(left);
  });

  test('a curve alone has no legend, only its value under the pointer', async () => {
    const { page } = window;
    await filter('Line1.Filler.Speed.Value');
    await row('Bottling.Line1.Filler.Speed.Value').click();
    const plot = page.getByRole('img', { name: /^Trend of/ });
    await plot.locator('.u-over').waitFor();
    const names = plot.locator('.u-legend th').filter({ visible: true });
    const values = plot.locator('.u-legend .u-value').filter({ visible: true });
    await page.mouse.move(0, 0);
    await expect.poll(() => values.count()).toBe(0);
    await expect.poll(() => names.count()).toBe(0);
    await plot.locator('.u-over').hover();
    await expect.poll(() => values.allInnerTexts()).toContainEqual(expect.stringMatching(/^\d{3}/));
    await expect.poll(() => names.count()).toBe(0);
    await page.mouse.move(0, 0);
  });

  test('kinds have an icon wherever tags are listed', async () => {
    const { page } = window;
    const path = 'Icons.Line.Sum.Value';
    const client = await workbench.client();
    await client.tags.save({
      ...storage(path, null),
      kind: 'calculation',
      settings: { expression: '1 + 41.5' },
    });
    await filter(path);
    await row(path).locator('[data-kind="calculation"]').waitFor();
    await row(path).click();
    await page
      .getByRole('region', { name: `Tag ${path}` })
      .locator('header [data-kind="calculation"]')
      .waitFor();

    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: 'Command palette' }).fill(path);
    const found = page.getByRole('option', { name: path });
    await found.locator('[data-kind="calculation"]').waitFor();
    // Results of the former text that do not match are gone at once: Enter takes the command.
    await page.getByRole('combobox', { name: 'Command palette' }).fill('Theme: light');
    expect(await found.count()).toBe(0);
    await page.keyboard.press('Enter');
    await dialogGone(page.getByRole('dialog', { name: 'Command palette' }));
    await page.locator('[data-theme="light"]').waitFor();

    await page.keyboard.press('Control+Shift+F');
    await page.getByRole('searchbox', { name: 'Search' }).fill('1 + 41.5');
    await page.getByRole('treeitem', { name: path }).locator('[data-kind="calculation"]').waitFor();
    expect(await accessibilityFindings(page, 'search')).toEqual([]);

    await goTo(page, 'Aggregations');
    const rule = page.getByRole('grid', { name: 'Rules' }).getByRole('row', { name: 'Fill volume check' });
    await rule.locator('[title="Clock-aligned"]').waitFor();
    await rule.locator('[title="At a fixed interval"] svg').waitFor();
    expect(await accessibilityFindings(page, 'rules')).toEqual([]);
    await page.getByRole('button', { name: 'New rule' }).click();
    const source = page.getByRole('combobox', { name: /source tag/i }).first();
    await source.fill('Icons.Line');
    await page.getByRole('option', { name: path, exact: true }).locator('[data-kind="calculation"]').waitFor();
    await page.keyboard.press('Escape');
    await goTo(page, 'Tags');
  });

  test('values, qualities and times are sorted by one reading, and then stay', async () => {
    const { page } = window;
    const client = await workbench.client();
    const path = (name: string) => `Orders.Line.${name}.Value`;
    await saveAll([
      storage(path('A'), 10),
      storage(path('B'), 2.5),
      storage(path('C'), 'Valve 10', { type: 'String' }),
      storage(path('D'), 'Valve 2', { type: 'String' }),
      storage(path('E'), null),
    ]);
    await filter('Orders.Line');
    const shown = async () =>
      (
        await grid()
          .getByRole('row')
          .getByText(/^Orders/)
          .allInnerTexts()
      )
        .map((text) => text.split('.')[2])
        .join('');
    await expect.poll(shown).toBe('ABCDE');
    const head = (name: string) => grid().getByRole('columnheader', { name });
    await head('Path').focus();
    await page.keyboard.press('ArrowRight');
    await focusIn(head('Value'));
    await page.keyboard.press('Enter');
    await expect.poll(shown).toBe('BADCE');
    await page.getByText(/^5 of \d+ tags, sorted at \d\d:\d\d:\d\d$/).waitFor();
    expect(await head('Value').getAttribute('title')).toMatch(/^Sorted at \d\d:\d\d:\d\d\. Click to sort again/);
    expect(await head('Value').getAttribute('aria-sort')).toBe('ascending');
    expect(await accessibilityFindings(page, 'sorted')).toEqual([]);

    await client.tags.set({ items: [{ tag: path('B'), value: 99 }] });
    await expect.poll(() => value(path('B')).innerText()).toBe('99');
    expect(await shown()).toBe('BADCE');
    await page.getByRole('button', { name: 'Sort again' }).click();
    await expect.poll(shown).toBe('ABDCE');
    await head('Value').click();
    await expect.poll(shown).toBe('CDBAE');

    await head('Quality').click();
    await expect.poll(async () => (await shown()).slice(0, 1)).toBe('E');
    await head('Time').press('Enter');
    await expect.poll(async () => (await shown()).slice(0, 1)).toBe('B');
    expect(await head('Time').getAttribute('aria-sort')).toBe('descending');

    // A tag that was not read yet gets its place with the next reading, which is the following one.
    await saveAll([storage(path('F'), 1)]);
    await client.tags.set({ items: [{ tag: path('F'), value: 3 }] });
    await expect.poll(async () => (await shown()).length).toBe(6);
    await head('Path').click();
    await expect.poll(shown).toBe('ABCDEF');
    await expect.poll(() => page.getByRole('button', { name: 'Sort again' }).count()).toBe(0);
  });

  test('a number format is suggested, checked and shown; copies have all digits', async () => {
    const { page } = window;
    await saveAll([storage(RATIO, VALUE)]);
    await filter(RATIO);
    await row(RATIO).click();
    await expect.poll(() => value(RATIO).innerText()).toBe('0.123457');
    await page.keyboard.press('F2');
    const format = page.getByRole('form').getByRole('combobox', { name: 'Format' });
    await format.fill('0.0 kg');
    await page.getByText('"g" is not a part of a number. Write a pattern such as 0.00').waitFor();
    expect(await accessibilityFindings(page, 'format')).toEqual([]);
    await format.fill('');
    await format.press('ArrowDown');
    await page.getByRole('option', { name: '0.0 % 12.3 %' }).click();
    await page.getByText('Now: 12.3 %').waitFor();
    await page.keyboard.press('Control+S');

    const details = page.getByRole('region', { name: `Tag ${RATIO}` });
    await expect.poll(() => details.getByRole('status').first().innerText()).toContain('12.3 %');
    await expect.poll(() => value(RATIO).innerText()).toBe('12.3 %');
    await expect.poll(() => value(RATIO).locator('span').getAttribute('title')).toBe(String(VALUE));
    await details.getByRole('button', { name: 'Copy the value' }).click();
    await expect.poll(clipboard).toBe(String(VALUE));
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await grid().focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Copy value' }).press('Enter');
    await expect.poll(clipboard).toBe(String(VALUE));
    expect(JSON.parse(await workbench.tagwright('tags', 'list', 'formats', 'ratio', '--json'))).toMatchObject([
      { path: RATIO, format: '0.0 %' },
    ]);

    // Enter keeps a typed format that is none of the suggestions.
    await grid().focus();
    await page.keyboard.press('F2');
    await format.fill('0.00 "kg"');
    await page.getByText('Now: 0.12 kg').waitFor();
    await format.press('Enter');
    await expect.poll(() => value(RATIO).innerText()).toBe('0.12 kg');
  });

  test('a format of several tags is of their numbers, and is undone', async () => {
    const { page } = window;
    await saveAll([
      storage(RATIO, VALUE),
      storage(COUNT, 12_345, { type: 'Int' }),
      storage(STATE, 'on', { type: 'String' }),
    ]);
    await filter('Formats.Line');
    // The list of the filter before can have only the first one.
    for (const path of [COUNT, STATE]) await row(path).waitFor();
    await row(RATIO).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('F2');
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Edit 3 tags' }));
    await dialog.getByRole('checkbox', { name: 'Format' }).check();
    const format = dialog.getByRole('combobox', { name: 'New format' });
    await dialog.getByText('Applies only to the 2 numeric tags.').waitFor();
    await format.fill('#.##');
    await dialog.getByText('It shows nothing for 0.').waitFor();
    await dialog.getByRole('button', { name: 'Change', disabled: true }).waitFor();
    await format.fill('#,##0.00');
    await dialog.getByRole('button', { name: 'Change' }).press('Enter');
    await dialogGone(dialog);
    await expect.poll(() => value(COUNT).innerText()).toBe('12,345.00');
    await expect.poll(() => value(RATIO).innerText()).toBe('0.12');
    await expect.poll(() => value(STATE).innerText()).toBe('on');
    await undo(page, '3 tags changed');
    await expect.poll(() => value(COUNT).innerText()).toBe('12345');
  });

  test('a format is used by the trace, next to the lines, and in Diagrams', async () => {
    const { page } = window;
    await saveAll([storage(RATIO, VALUE, { format: '0.0 %' })]);
    const client = await workbench.client();
    const part = { x: 16, y: 16, width: 240, height: 120, label: '', tag: RATIO, value: null };
    await client.diagrams.save({
      name: 'Formats',
      width: 640,
      height: 480,
      parts: [
        { ...part, id: 'a', kind: 'value' },
        { ...part, id: 'b', kind: 'gauge', y: 160, gauge: { min: 0, max: 1, low: null, high: 0.1 } },
        { ...part, id: 'c', kind: 'trend', x: 300, tag: '', trend: { tags: [RATIO], spanMs: 60_000 } },
      ],
    });
    await goTo(page, 'Scripts');
    await openOwnScript(workbench, page, `return TagValueManager.Get(['${RATIO}']).Value[0].Value;\n`);
    await runToEnd(page, 'ok');
    await expect.poll(() => page.locator('.run-value').first().innerText()).toContain('12.3');
    await paneShows(page, 'Trace', '12.3 %');
    // The result is that of the script.
    await paneShows(page, 'Result', String(VALUE));
    await goTo(page, 'Diagrams');
    await page.getByRole('grid', { name: 'Diagrams' }).getByRole('row', { name: 'Formats' }).click();
    await page.getByRole('meter').waitFor();
    await expect.poll(() => page.getByRole('meter').getAttribute('aria-valuetext')).toBe('12.3 %, above 10.0 %');
    const drawn = page.getByRole('region', { name: 'Formats', exact: true }).getByText('12.3 %', { exact: true });
    await expect.poll(() => drawn.count()).toBe(3);
    await goTo(page, 'Tags');
    await focusIn(page.getByRole('main', { name: 'Tags' }));
  });
});
