import { parse } from 'csv-parse/sync';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sampled } from '../../support/run/scale.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { chooseTheme, dialogGone, dialogThere, focusIn, heldNotice, tabTo, THEMES, undo } from '../steps.ts';

const SPEED = 'Bottling.Line1.Filler.Speed.Value';
const SAMPLE = 'Fill volume check';
const AWKWARD = 'Speed "Prüfung", שלום 🧪';

describe('the Aggregations view', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ view: 'aggregations', reducedMotion: 'reduce' }));
  beforeEach(async () => {
    window = await shared();
    await window.page.getByRole('searchbox', { name: 'Filter rules' }).fill('');
    await show(window.page);
    await window.page.keyboard.press('Alt+1');
  });

  const show = async (page: Page) => {
    await page.getByRole('button', { name: 'Aggregations' }).click();
    await page
      .getByRole('status')
      .getByText(/^\d+ rules?$/)
      .waitFor();
  };
  const rule = (name: string) => window.page.getByRole('grid', { name: 'Rules' }).getByRole('row', { name });
  const field = (name: string) => {
    const form = window.page.getByRole('form', { name: 'Rule' });
    // The asterisk of a required field is part of the label's text, but not of the field's name.
    return name === 'Name' ? form.getByRole('textbox', { name, exact: true }) : form.getByLabel(name, { exact: true });
  };
  const rows = () => window.page.getByRole('grid', { name: 'Rows' }).getByRole('row');
  const notice = (text: string | RegExp) => window.page.getByText(text).first().waitFor();
  const grid = (name: string) => window.page.getByRole('grid', { name, exact: true });
  const newRule = async () => {
    await window.page.keyboard.press('Alt+N');
    await expect.poll(() => field('Name').inputValue()).toBe('');
    await focusIn(field('Name'));
  };
  const choose = async (name: string) => {
    await rule(name).click();
    await expect.poll(() => field('Name').inputValue()).toBe(name);
  };
  const chooseFunction = async (name: string) => {
    await field('Function of output 1').click();
    await window.page.getByRole('option', { name }).first().click();
    await expect.poll(() => field('Function of output 1').innerText()).toBe(name);
  };
  const rulesOf = async () => (await workbench.client()).rules.list();
  const ruleOf = async (name: string) => (await rulesOf()).find((one) => one.name === name);

  test('by keyboard, from an empty editor over its preview to a saved rule and its rows', async () => {
    const { page } = window;
    await rule(SAMPLE).waitFor();
    await newRule();
    await page.keyboard.type(AWKWARD);
    await tabTo(field('Source tag 1'));
    await page.keyboard.type('line1 filler speed value');
    await page.getByRole('option', { name: SPEED }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => field('Source tag 1').inputValue()).toBe(SPEED);
    await tabTo(field('Window of'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('1 s');
    await tabTo(field('Name of output 1'));
    await page.keyboard.press('Enter');
    await focusIn(field('Name of output 2'));
    await page.keyboard.type('states');
    await tabTo(field('Function of output 2'));
    await page.keyboard.press('Enter');
    const count = page.getByRole('option', { name: /^Count/ });
    await expect.poll(() => count.innerText()).toContain('Number of usable samples');
    await page.keyboard.press('Home');
    // Average, Minimum, Maximum, Sum, Count.
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => field('Function of output 2').innerText()).toBe('Count');
    // No rule has to sample the tag: its signal is computed for the past hour.
    const windows = page.getByRole('grid', { name: 'Windows' });
    await windows.getByRole('row').nth(1).getByText('fires').waitFor({ timeout: 60_000 });
    await expect.poll(() => windows.getByRole('columnheader').allInnerTexts()).toContain('states');
    expect(await ruleOf(AWKWARD)).toBeUndefined();

    await page.keyboard.press('Control+S');
    await notice(`Saved “${AWKWARD}”`);
    expect(await ruleOf(AWKWARD)).toMatchObject({ enabled: true, triggersEvents: true });
    await page.keyboard.press('Alt+2');
    await tabTo(page.getByRole('textbox', { name: '×' }));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('3');
    await page.keyboard.press('F5');
    await notice(/fired 3 times/);
    await expect.poll(() => rows().filter({ hasText: 'hand' }).count()).toBe(3);
    // It continues by itself, because its windows are clock-aligned.
    await rows().filter({ hasText: 'window' }).first().waitFor();
    await expect
      .poll(async () => Number(await rule(AWKWARD).getByRole('gridcell').nth(7).innerText()))
      .toBeGreaterThan(4);
  });

  test('problems are shown at their field while typing, and text is kept as a draft', async () => {
    const { page } = window;
    const wrong = (text: string | RegExp) => page.getByRole('form', { name: 'Rule' }).getByText(text).first().waitFor();
    await newRule();
    await field('Name').fill('fill VOLUME check');
    await wrong('Another rule is named "Fill volume check". Choose another name.');
    await field('Name').fill('Drafted');
    await field('Source tag 1').fill('Bottling.Line1.Filler.Sped.Value');
    await wrong(new RegExp(`did you mean.*${SPEED}|${SPEED}`, 'i'));
    await field('Window of').fill('7 s');
    await wrong(/cannot be aligned to the clock/);
    await field('Window of').fill('soon');
    await wrong(/Enter a number and a unit/);
    await field('Window of').fill('1,5 s');
    await field('Condition').fill('average >');
    await wrong(/Not an expression/);
    await expect.poll(() => page.locator('[data-pane="rule-editor"] .code-problem').allInnerTexts()).toEqual(['>']);
    await chooseFunction('Time in state (s)');
    await page.keyboard.press('Control+S');
    await wrong(/Enter the value/);
    expect(await ruleOf('Drafted')).toBeUndefined();

    await choose('Line report');
    await page.reload();
    await choose('Drafted');
    await page.getByText('Not saved; draft kept').waitFor();
    await expect.poll(() => field('Condition').innerText()).toBe('average >');
    await field('Source tag 1').fill(SPEED);
    await field('Condition').fill('average > 1e9');
    await chooseFunction('Average');
    await page
      .getByText(/condition not met/)
      .first()
      .waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Discard' }).click();
    await rule('Drafted').waitFor({ state: 'detached' });
    await undo(page, 'New rule discarded');
    await expect.poll(() => field('Condition').innerText()).toBe('average > 1e9');
    await page.keyboard.press('Control+S');
    await notice('Saved “Drafted”');
    expect(await ruleOf('Drafted')).toBeDefined();
  });

  test('another window that saves first is not overwritten', async () => {
    const { page } = window;
    await choose('Line report');
    await field('Description').fill('mine');
    const other = await workbench.another(window.context);
    await show(other.page);
    await other.page.getByRole('grid', { name: 'Rules' }).getByRole('row', { name: 'Line report' }).click();
    await other.page.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => other.page.getByLabel('Description').inputValue()).not.toBe('mine');
    await other.page.getByLabel('Description').fill('theirs');
    await other.page.keyboard.press('Control+S');
    await page.getByText('Another window saved this rule.').waitFor();
    await page.keyboard.press('Control+S');
    await notice(/Nothing was saved: keep your version, or use theirs/);
    expect(await ruleOf('Line report')).toMatchObject({ description: 'theirs' });
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.keyboard.press('Control+S');
    await expect.poll(() => ruleOf('Line report')).toMatchObject({ description: 'mine' });
    await other.page.close();
  });

  test('rules are switched, filtered, duplicated, deleted and restored by keyboard', async () => {
    const { page } = window;
    await choose('Line report');
    await grid('Rules').focus();
    await focusIn(grid('Rules'));
    await page.keyboard.press('Space');
    await expect.poll(() => ruleOf('Line report')).toMatchObject({ enabled: false });
    await page.getByText('The rule is disabled: it takes no samples.').waitFor();
    await page.keyboard.press('t');
    await expect.poll(() => ruleOf('Line report')).toMatchObject({ triggersEvents: true });
    await page.getByRole('checkbox', { name: 'Triggers Events: Line report', checked: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Enabled: Line report' }).click();
    await expect.poll(() => ruleOf('Line report')).toMatchObject({ enabled: true });
    // The copy is one of the shown rule, which is updated after the saved one.
    await page.getByRole('switch', { name: 'Enabled', checked: true }).waitFor();

    await page.keyboard.press('Control+F');
    await focusIn(page.getByRole('searchbox', { name: 'Filter rules' }));
    await page.keyboard.type('report line');
    await rule(SAMPLE).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+D');
    await expect.poll(() => field('Name').inputValue()).toBe('Line report copy');
    await page.keyboard.press('Control+S');
    await notice('Saved “Line report copy”');
    await choose('Line report copy');
    await grid('Rules').focus();
    await focusIn(grid('Rules'));
    await page.keyboard.press('Delete');
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Delete “Line report copy”' }));
    await dialog.getByRole('radio', { name: /^Keep the table agg_/ }).waitFor();
    await dialog.getByRole('radio', { name: /^Delete the rows/ }).click();
    await page.keyboard.press('Enter');
    const deleted = await heldNotice(page, 'Deleted “Line report copy”');
    await expect.poll(() => ruleOf('Line report copy')).toBeUndefined();
    await deleted.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => ruleOf('Line report copy')).toMatchObject({ enabled: true });
    await rule('Line report copy').waitFor();
  });

  test('rows fired by other clients are shown, and all rows are exported', async () => {
    const { page } = window;
    await page.getByRole('checkbox', { name: `Enabled: ${SAMPLE}` }).click();
    await expect.poll(() => ruleOf(SAMPLE)).toMatchObject({ enabled: false });
    await workbench.tagwright('fire', SAMPLE, '--times', '1200');
    await page.keyboard.press('Control+K');
    await focusIn(page.getByRole('combobox', { name: 'Command palette' }));
    await page.keyboard.type('volume check');
    await page.getByRole('option', { name: SAMPLE }).first().click();
    await dialogGone(page.getByRole('dialog'));
    await expect.poll(() => field('Name').inputValue()).toBe(SAMPLE);
    await page.keyboard.press('Alt+2');
    const total = page.getByText(/^[\d,]+ rows in agg_/);
    const count = async () => Number.parseInt((await total.innerText()).replaceAll(',', ''));
    // The pane may still show the number of before.
    const { total: before } = await (await workbench.client()).rules.rows({ name: SAMPLE, limit: 1 });
    await expect.poll(count).toBe(before);
    await workbench.tagwright('fire', SAMPLE, '--times', '2');
    await expect.poll(count).toBe(before + 2);
    await page.getByRole('img', { name: /^Outputs of the rows: average_valve_1 from/ }).waitFor();
    await grid('Rows').focus();
    await focusIn(grid('Rows'));
    await expect
      .poll(
        async () => {
          await page.keyboard.press('End');
          return await grid('Rows').getByRole('row', { selected: true }).innerText();
        },
        { timeout: 60_000 },
      )
      .toMatch(/^1\s/);

    for (const format of ['CSV', 'JSON'] as const) {
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: `Export ${format}` }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe(`Fill volume check.${format.toLowerCase()}`);
      const text = await readFile(await download.path(), 'utf8');
      const read: Record<string, unknown>[] = format === 'CSV' ? parse(text, { columns: true }) : JSON.parse(text);
      expect(read).toHaveLength(before + 2);
      expect(Number(read[0]?.['id'])).toBe(1);
      expect(Number(read[0]?.['average_valve_1'])).toBeGreaterThan(0);
    }
    await page.getByRole('checkbox', { name: `Enabled: ${SAMPLE}` }).click();
    await expect.poll(() => ruleOf(SAMPLE)).toMatchObject({ enabled: true });
  });

  test('outputs in the unit of their tag have its number format', async () => {
    const { page } = window;
    const { tags, rules } = await workbench.client();
    const name = 'Shown in a format';
    const definition = {
      path: 'Formats.Level.Value',
      kind: 'storage' as const,
      type: 'Double' as const,
      unit: 'l',
      description: '',
      settings: {},
    };
    await tags.save({ ...definition, format: '0.0 "lit"' });
    await tags.set({ items: [{ tag: definition.path, value: 12.3456 }] });
    const outputs = (['last', 'count'] as const).map((reducer) => ({ name: reducer, reducer, tag: definition.path }));
    await rules.save({
      name,
      description: '',
      enabled: true,
      triggersEvents: true,
      tags: [definition.path],
      sampling: { kind: 'interval', everyMs: 100 },
      window: { kind: 'manual' },
      outputs,
      condition: '',
    });
    await choose(name);
    await page.getByRole('group', { name: 'Open window' }).getByText('12.3 lit').waitFor();
    await page.getByRole('tab', { name: 'Rows' }).click();
    await expect.poll(async () => (await rules.fire({ name })).fired).toBe(1);
    const cell = grid('Rows').getByRole('gridcell', { name: '12.3 lit' }).first();
    await cell.waitFor();
    expect(await cell.getAttribute('title')).toBe('12.3456');
    await page
      .getByRole('img', { name: /last from 12\.3 lit to 12\.3 lit l; count from \d+ to \d+ samples/ })
      .waitFor();
    await page.getByRole('button', { name: 'Events of this rule' }).click();
    const events = page.getByRole('grid', { name: 'Events', exact: true }).getByRole('row');
    // Those of other rules leave the list a moment later.
    await expect.poll(() => events.count()).toBe(2);
    await events.nth(1).click();
    const details = page.getByRole('region', { name: 'Event details' });
    await details.getByText('12.3 lit').waitFor();
    expect(await details.getByTitle('12.3456').innerText()).toBe('12.3 lit');
    await show(page);
    // Another format applies to the rows that are shown.
    await tags.save({ ...definition, format: '0.00' });
    await grid('Rows').getByRole('gridcell', { name: '12.35' }).first().waitFor();
    await rules.delete({ name, rows: 'drop' });
    await tags.delete({ paths: [definition.path] });
  });

  test.for(sampled(THEMES, 1))('axe finds nothing in theme %s', async (theme) => {
    const { page } = window;
    const found: string[] = [];
    const look = async (state: string) => {
      found.push(...(await accessibilityFindings(page, state)));
    };
    await chooseTheme(page, theme);
    await choose(SAMPLE);
    await page.getByRole('grid', { name: 'Windows' }).waitFor();
    await look('preview');
    await page.keyboard.press('Alt+2');
    await workbench.tagwright('fire', SAMPLE);
    await rows().nth(1).waitFor();
    await look('rows');
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = await dialogThere(page.getByRole('dialog'));
    await look('delete');
    await page.keyboard.press('Escape');
    await dialogGone(dialog);
    await newRule();
    await field('Source tag 1').fill('No.Such.Tag');
    await page.keyboard.press('Control+S');
    await page.locator('[aria-invalid="true"]').first().waitFor();
    await look('new rule');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(found).toEqual([]);
  });

  test('a plot has an axis for each unit, and each function is explained in a line', async () => {
    const { page } = window;
    await choose(SAMPLE);
    await page.getByRole('tab', { name: 'Preview' }).click();
    const plot = page
      .getByRole('tabpanel')
      .getByRole('img')
      .filter({ has: page.locator('.u-axis') });
    // Time, ml and bottles/min: four outputs share two units.
    await expect.poll(() => plot.locator('.u-axis').count()).toBe(3);
    // Several series have a legend.
    await expect.poll(() => plot.locator('.u-legend th').filter({ visible: true }).count()).toBeGreaterThanOrEqual(4);
    await field('Function of output 1').click();
    // Not those of the lists of tags.
    const options = page.locator('[role="option"]');
    await options.first().waitFor();
    const lines = await options.evaluateAll((all) =>
      all.map((one) => [...one.querySelectorAll('span')].map((part) => part.textContent)),
    );
    expect(lines.length).toBeGreaterThan(10);
    for (const texts of lines) expect(texts.at(-1)?.length).toBeGreaterThan(10);
    await page.keyboard.press('Escape');
  });

  test('the functions of outputs are readable next to the pane that explains a rule', async () => {
    const { page } = window;
    await choose(SAMPLE);
    const isWhole = (name: string) =>
      field(name)
        .locator('span span')
        .evaluate((text) => text.scrollWidth <= text.clientWidth);
    await chooseFunction('Time-weighted average');
    await expect.poll(() => isWhole('Function of output 1')).toBe(true);
    await page.keyboard.press('Alt+Y');
    const pane = page.getByRole('complementary', { name: 'Why?' });
    await pane.waitFor();
    await expect.poll(() => isWhole('Function of output 1')).toBe(true);
    // Its outputs are what a preview is for: the other columns make room for them.
    await page.getByRole('tab', { name: 'Preview' }).click();
    const windows = page.getByRole('grid', { name: 'Windows' });
    await windows.getByRole('columnheader', { name: /^Outcome/ }).waitFor();
    const names = async () => (await windows.getByRole('columnheader').allInnerTexts()).map((name) => name.trim());
    await expect.poll(async () => (await names()).includes('Bad')).toBe(false);
    const isShown = async (name: string) => {
      const [head, box] = [
        await windows.getByRole('columnheader', { name: new RegExp(`^${name}`) }).boundingBox(),
        await windows.boundingBox(),
      ];
      return head !== null && box !== null && head.x + head.width <= box.x + box.width;
    };
    for (const name of ['average_valve_1', 'average_valve_2']) await expect.poll(() => isShown(name)).toBe(true);
    await page.getByRole('button', { name: 'Discard' }).click();
    await pane.getByRole('button', { name: 'Close' }).click();
    await pane.waitFor({ state: 'detached' });
  });

  test('without a rule, the view says how to start', async () => {
    const { page } = window;
    for (const { name } of await rulesOf()) await workbench.tagwright('rules', 'delete', name);
    await page.getByText('There are no rules yet.').waitFor();
    await newRule();
    expect(await rulesOf()).toEqual([]);
  });
});
