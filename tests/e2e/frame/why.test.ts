import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sampled } from '../../support/run/scale.ts';
import { chooseTheme, focusIn, goTo, openScript, tabTo, THEMES } from '../steps.ts';

const TAG = 'Bottling.Line1.Shift.Target.Value';
const BODY = `// The target of the shift.\nconst target = 125;\nTagValueManager.Set([{ tag: '${TAG}', value: target }]);\n`;

describe('the pane that explains things', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    await workbench.stopRules();
    await workbench.saveScript('Line 1/Set the target', BODY);
    await workbench.tagwright('tags', 'set', `${TAG}=120`);
    window = await workbench.open({ reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await window.close();
    await workbench.close();
  });

  const pane = () => window.page.getByRole('complementary', { name: 'Why?' });
  const causes = () => pane().getByRole('list', { name: 'Causes' }).getByRole('listitem');
  const effects = () => pane().getByRole('list', { name: 'Effects' }).getByRole('listitem');
  const chooseTag = async () => {
    const { page } = window;
    await goTo(page, 'Tags');
    const filter = page.getByRole('searchbox', { name: 'Filter tags' });
    await filter.fill('shift target');
    const row = page.getByRole('row', { name: TAG });
    await row.waitFor();
    const grid = page.getByRole('grid', { name: 'Tags' });
    await tabTo(grid);
    await page.keyboard.press('Home');
    await page.getByRole('region', { name: `Tag ${TAG}` }).waitFor();
    return grid;
  };

  /** Selects the newest data row of a rule. Earlier, Alt+Y would explain the rule, or a row of the previous one. */
  const chooseRow = async (rule: string) => {
    const { page } = window;
    await goTo(page, 'Aggregations');
    await page.getByRole('grid', { name: 'Rules' }).getByRole('row', { name: rule }).click();
    const name = page.getByRole('form', { name: 'Rule' }).getByRole('textbox', { name: 'Name', exact: true });
    await expect.poll(() => name.inputValue()).toBe(rule);
    await page.getByRole('tab', { name: /^Rows/ }).click();
    const grid = page.getByRole('grid', { name: 'Rows' });
    await grid.getByRole('row').nth(1).waitFor();
    await grid.focus();
    await page.keyboard.press('Home');
    await grid.getByRole('row', { selected: true }).waitFor();
  };

  test('a run shows what it wrote; Escape returns the focus', async () => {
    const { page } = window;
    await openScript(page, 'Set the target');
    await page.keyboard.press('F5');
    await page.getByRole('button', { name: 'Why?', exact: true }).waitFor();
    await page.keyboard.press('Alt+Y');
    await pane()
      .getByText(/^Run \d+$/)
      .waitFor();
    await expect.poll(() => causes().first().innerText()).toContain('ran Line 1/Set the target (version 1)');
    await expect.poll(() => effects().first().innerText()).toMatch(/120 → 125/);
    await focusIn(pane());
    await page.keyboard.press('Escape');
    await expect.poll(() => pane().count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[data-pane]') !== null)).toBe(true);
  });

  test('a tag shows script, version, line and values; a link opens the line', async () => {
    const { page } = window;
    const grid = await chooseTag();
    await page.keyboard.press('Alt+Y');
    const textOf = (place: number) => causes().nth(place).innerText();
    await expect.poll(() => textOf(0)).toContain(`wrote ${TAG}`);
    await expect.poll(() => textOf(0)).toContain('120 → 125');
    await expect.poll(() => textOf(0)).toContain('script Line 1/Set the target (version 1), line 3');
    await expect.poll(() => textOf(1)).toMatch(/in the window/);
    // The line as it was in that version.
    await causes().first().getByText("TagValueManager.Set([{ tag: '").waitFor();

    // By keyboard: to the run, and back to the line.
    await focusIn(causes().first());
    await page.keyboard.press('Enter');
    await pane()
      .getByText(/^Run \d+$/)
      .waitFor();
    await focusIn(causes().first());
    await page.keyboard.press('ArrowDown');
    await focusIn(effects().first());
    await page.keyboard.press('Alt+ArrowLeft');
    await pane().getByRole('button', { name: TAG, exact: true }).waitFor();
    await focusIn(causes().first());

    await tabTo(
      causes()
        .first()
        .getByRole('button', { name: /line 3/ }),
    );
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Set the target', selected: true }).waitFor();
    await page.getByText('Ln 3, Col 1').waitFor();

    await goTo(page, 'Tags');
    await grid.focus();
    await page.keyboard.press('Alt+Y');
    await focusIn(causes().first());
    await page.keyboard.press('Escape');
    await focusIn(grid);
  });

  test('a deleted tag has no link; what became of it is the first sentence', async () => {
    const { page } = window;
    const client = await workbench.client();
    const gone = 'Bottling.Test.Gone.Value';
    await client.tags.save({ path: gone, kind: 'storage', type: 'Int', description: '', unit: '', settings: {} });
    await client.tags.set({ items: [{ tag: gone, value: 7 }] });
    await workbench.saveScript('Line 1/Read a tag that is gone', `return TagValueManager.Get(['${gone}']);\n`);
    await client.tags.delete({ paths: [gone] });
    await goTo(page, 'Scripts');
    await openScript(page, 'Read a tag that is gone');
    await page.keyboard.press('F5');
    await page.getByRole('button', { name: 'Why?', exact: true }).waitFor();
    await page.keyboard.press('Alt+2');
    const row = page.getByRole('region', { name: 'Trace' }).getByRole('listitem').filter({ hasText: 'Gone' });
    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: /^Why\?/ }).click();
    await expect
      .poll(() => causes().allInnerTexts())
      .toEqual([expect.stringContaining(`deleted ${gone}`), expect.stringMatching(/null → 7/)]);
    const text = await pane().innerText();
    expect(text.indexOf('does not exist.')).toBeGreaterThan(0);
    expect(text.indexOf('does not exist.')).toBeLessThan(text.indexOf('Causes'));
    expect(await pane().getByRole('button', { name: gone, exact: true }).count()).toBe(0);
    expect(await accessibilityFindings(page, 'why of a deleted tag', '[data-pane="why"]')).toEqual([]);
    await page.keyboard.press('Escape');
  });

  test('an event shows its rule, its window and the request that disabled it', async () => {
    const { page } = window;
    await workbench.tagwright('fire', 'Fill volume check');
    const events: { AggregationEventId: number }[] = JSON.parse(
      await (await fetch(`${workbench.eventsApi}/api/events`)).text(),
    );
    const id = Math.max(...events.map(({ AggregationEventId }) => AggregationEventId));
    await fetch(`${workbench.eventsApi}/api/events/${id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"Active": false}',
    });
    await goTo(page, 'Events');
    const grid = page.getByRole('grid', { name: 'Events' });
    await grid.getByRole('row', { name: /disabled/ }).waitFor();
    await grid.focus();
    await page.keyboard.press('Home');
    await page.getByRole('heading', { name: `Event ${id}` }).waitFor();
    // From the menu of the row.
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: /^Why\?/ }).click();
    await pane().getByText(`Event ${id} of Fill volume check`).waitFor();
    await expect.poll(() => causes().first().innerText()).toMatch(new RegExp(`disabled event ${id}`));
    await expect.poll(() => causes().nth(1).innerText()).toContain('fired Fill volume check');
    await pane().getByText('average_valve_1', { exact: true }).waitFor();
    await causes()
      .first()
      .getByRole('button', { name: /^PUT from/ })
      .press('Enter');
    const requests = page.getByRole('grid', { name: 'Requests' });
    await requests.getByRole('row', { name: new RegExp(`PUT /api/events/${id}`) }).waitFor();
    await causes().nth(1).getByRole('button', { name: 'Rule' }).press('Enter');
    await page.getByRole('main', { name: 'Aggregations' }).waitFor();
  });

  test('the plot of a window has its samples, and crosses for excluded ones', async () => {
    const { page } = window;
    const client = await workbench.client();
    const [running, signal] = ['Bottling.Test.Batch.Running', 'Bottling.Test.Batch.Level'];
    const base = { description: '', unit: '', settings: {} };
    await client.tags.save({ ...base, path: running, kind: 'storage', type: 'Boolean' });
    const constant = { signal: { kind: 'constant', value: 20 } };
    await client.tags.save({ ...base, path: signal, kind: 'machine', type: 'Double', settings: constant });
    const { id: ruleId, resultTable: table } = await client.rules.save({
      name: 'Test batch',
      description: '',
      enabled: true,
      triggersEvents: false,
      tags: [signal],
      sampling: { kind: 'interval', everyMs: 100 },
      window: { kind: 'while', tag: running },
      outputs: [{ name: 'mean', reducer: 'avg', tag: signal }],
      condition: '',
    });
    const set = (tag: string, value: number | boolean) => client.tags.set({ items: [{ tag, value }] });
    const row = { kind: 'row' as const, table, row: 1 };
    /** Waits until the open window has two more samples: the second begins after the change. */
    const untilSampled = async (samples: 'samples' | 'badSamples') => {
      const openWindow = async () => {
        for await (const states of await client.rules.state())
          return states.find((state) => state.id === ruleId)?.window;
        return null;
      };
      const count = async () => (await openWindow())?.[samples] ?? 0;
      const before = await count();
      await expect.poll(count).toBeGreaterThan(before + 1);
    };
    await set(signal, 5);
    await set(running, true);
    for (const value of [5, 7]) {
      await set(signal, value);
      await untilSampled('samples');
    }
    await client.tags.force({ path: signal, quality: 'BadSensorFailure' });
    await untilSampled('badSamples');
    await set(running, false);
    await expect
      .poll(async () => (await client.journal.why({ thing: row })).window?.badSamples ?? 0)
      .toBeGreaterThan(0);
    await chooseRow('Test batch');
    await page.keyboard.press('Alt+Y');
    await pane()
      .getByText(/^Row 1 of/)
      .waitFor();
    const plot = pane().getByRole('img', { name: /^Samples of the window, \d+ excluded: .*Level from 5 to 7/ });
    await plot.waitFor();
    await pane()
      .getByText(/excluded: BadSensorFailure/)
      .first()
      .waitFor();
    await expect.poll(() => causes().allInnerTexts()).toContainEqual(expect.stringMatching(/Running[^]*true → false/));
    await page.keyboard.press('Escape');
    await client.rules.delete({ name: 'Test batch', rows: 'drop' });
  });

  test('a data row shows its firing and what happened to its event', async () => {
    const { page } = window;
    await chooseRow('Fill volume check');
    await page.keyboard.press('Shift+F10');
    const menu = page.getByRole('menu');
    await focusIn(menu.getByRole('menuitem', { name: /^Why\?/ }));
    // Nothing is before it.
    expect(await menu.locator('.fui-MenuDivider').count()).toBe(0);
    await page.keyboard.press('Enter');
    await pane()
      .getByText(/^Row \d+ of/)
      .waitFor();
    await expect.poll(() => causes().first().innerText()).toContain('fired Fill volume check');
    await expect.poll(() => effects().first().innerText()).toMatch(/disabled event/);
  });

  test('links to a rule show it, also a new one, or say that it was deleted', async () => {
    const { page } = window;
    const client = await workbench.client();
    // Its list of rules is not followed while another view is shown.
    await goTo(page, 'Aggregations');
    await page.getByRole('grid', { name: 'Rules' }).getByRole('row').nth(1).waitFor();
    await goTo(page, 'Events');
    await page.getByRole('tab', { name: 'Events', exact: true }).click();
    const { name } = await client.rules.save({
      name: 'Saved elsewhere',
      description: '',
      enabled: true,
      triggersEvents: true,
      tags: [TAG],
      sampling: { kind: 'onChange' },
      window: { kind: 'manual' },
      outputs: [{ name: 'last', reducer: 'last', tag: TAG }],
      condition: '',
    });
    await workbench.tagwright('fire', name);
    const row = page.getByRole('grid', { name: 'Events' }).getByRole('row', { name });
    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: /^Why\?/ }).click();
    const link = causes().first().getByRole('button', { name: 'Rule', exact: true });
    await link.press('Enter');
    const shown = page.getByRole('form', { name: 'Rule' }).getByRole('textbox', { name: 'Name', exact: true });
    await expect.poll(() => shown.inputValue()).toBe(name);

    await client.rules.delete({ name, rows: 'drop' });
    await link.press('Enter');
    await page.getByText('The rule no longer exists').first().waitFor();
    await pane().getByRole('button', { name: 'Read again' }).press('Enter');
    await pane().getByText('its window is not known').waitFor();
    await page.keyboard.press('Escape');
  });

  test('shares its place with the manual: the one with the focus is on top', async () => {
    const { page } = window;
    await chooseTag();
    await page.keyboard.press('Alt+Y');
    await focusIn(pane());
    const view = await page.getByRole('main', { name: 'Tags' }).boundingBox();
    await page.keyboard.press('F1');
    const help = page.getByRole('complementary', { name: 'Help' });
    await focusIn(help);
    await expect.poll(() => page.getByRole('main', { name: 'Tags' }).boundingBox()).toEqual(view);
    const onTop = () =>
      page.evaluate(() => document.elementFromPoint(innerWidth - 200, 400)?.closest('[data-pane]')?.ariaLabel);
    await expect.poll(onTop).toBe('Help');
    await page.keyboard.press('Alt+Y');
    await focusIn(pane());
    await expect.poll(onTop).toBe('Why?');
    await page.keyboard.press('Escape');
    await expect.poll(onTop).toBe('Help');
    await help.getByRole('button', { name: 'Close' }).press('Enter');
    await help.waitFor({ state: 'detached' });
  });

  test('has no accessibility findings, and says since when there is data', async () => {
    const { page } = window;
    await chooseTag();
    await page.keyboard.press('Alt+Y');
    await causes().first().waitFor();
    for (const theme of sampled(THEMES, 1)) {
      await chooseTheme(page, theme);
      expect(await accessibilityFindings(page, 'why', '[data-pane="why"]')).toEqual([]);
    }
    await workbench.tagwright('journal', 'clear');
    await chooseTag();
    await page.keyboard.press('Alt+Y');
    await pane()
      .getByText(/The journal has no entry about the value of/)
      .waitFor();
    expect(await accessibilityFindings(page, 'why without entries', '[data-pane="why"]')).toEqual([]);
    await page.getByRole('searchbox', { name: 'Filter tags' }).fill('limits speedlow');
    await page.getByRole('row', { name: 'Bottling.Settings.Limits.SpeedLow.Value' }).click();
    await page.keyboard.press('Alt+Y');
    await pane().getByText('has its initial value in the default scope').waitFor();
    await pane()
      .getByText(/^The journal has data since/)
      .waitFor();
    await pane().getByRole('button', { name: 'the settings of the journal' }).press('Enter');
    await page.getByRole('main', { name: 'Settings' }).getByText('journal.megabytes').waitFor();
  });
});
