import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { InstanceClient } from '../../../src-main/host/instance-client.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sampled } from '../../support/run/scale.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import {
  ALL_NAMES,
  BACKSLASH,
  LONG,
  NAMES,
  PASTED,
  PATHS,
  RIGHT_TO_LEFT_TAG,
  SHORT,
  compared,
  fillWithNames,
  longName,
  override,
  pathOf,
  quotes,
  rightToLeft,
} from './awkward-workspace.ts';
import { checkNames, troublesOf } from './shown-names.ts';
import {
  dialogGone,
  dialogThere,
  editorHasFocus,
  editorIsThere,
  focusIn,
  heldNotice,
  newScript,
  pickInPalette,
  renameTo,
  runToEnd,
  undo,
} from '../steps.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

describe('unusual names', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  let client: InstanceClient;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    client = await workbench.client();
    await workbench.stopRules();
    await fillWithNames(client);
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ reducedMotion: 'reduce' }));
  beforeEach(async () => {
    window = await shared();
    await show('Scripts');
  });

  const look = (what: string) => checkNames(window.page, what, ALL_NAMES);
  const show = async (name: string) => {
    await window.page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name, exact: true }).click();
    await window.page.getByRole('main', { name, exact: true }).waitFor();
  };
  const grid = (name: string) => window.page.getByRole('grid', { name, exact: true });
  const row = (list: string, text: string) => grid(list).getByRole('row').filter({ hasText: text }).first();
  const reload = async () => {
    await window.page.reload();
    await window.page.getByRole('contentinfo', { name: 'Status' }).getByText('Connected', { exact: true }).waitFor();
  };

  test('groups and scripts in the tree, tabs and palette; renamed, deleted, restored', async () => {
    const { page } = window;
    await editorIsThere(page);
    const item = (name: string) => page.getByRole('treeitem', { name: compared(name), exact: true });
    for (const name of NAMES) {
      await pickInPalette(page, name, compared(name));
      await page.getByRole('tab', { name: compared(name), selected: true }).waitFor();
    }
    await editorIsThere(page);
    await look('scripts');

    await item(rightToLeft).last().click();
    await page.getByRole('tab', { name: rightToLeft, selected: true }).waitFor();
    const fold = page.getByRole('button', { name: `${rightToLeft} ${rightToLeft}` });
    await fold.click();
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await look('scripts with details');
    await fold.click();

    await page.keyboard.press('Control+Shift+E');
    await focusIn(page.getByRole('tree', { name: 'Scripts by group' }));
    // Text that is too long is reported while it is typed, and is kept.
    await renameTo(page, PASTED);
    await page.getByRole('alert').getByText('at most 100 characters, but this one has 500').waitFor();
    const field = page.getByRole('textbox', { name: 'New name' });
    expect(await field.inputValue()).toBe(PASTED);
    await look('script renamed');
    await field.fill(`  ${override} 2 `);
    await field.press('Enter');
    await page.getByRole('tab', { name: `${override} 2`, selected: true }).waitFor();
    await focusIn(page.getByRole('tree', { name: 'Scripts by group' }));
    await page.keyboard.press('Delete');
    const asking = await dialogThere(page.getByRole('dialog', { name: 'Delete the script' }));
    await look('script deleted');
    await asking.getByRole('button', { name: 'Delete' }).press('Enter');
    await heldNotice(page, `Deleted “${override} 2”`);
    await page.keyboard.press('Alt+Shift+N');
    const notices = await dialogThere(page.getByRole('dialog', { name: 'Notices' }));
    await look('notices');
    await notices.getByRole('button', { name: 'Undo' }).click();
    await dialogGone(notices);
    await item(`${override} 2`).waitFor();

    await reload();
    await editorIsThere(page);
    for (const name of NAMES) await item(name).first().waitFor();
    const script = await client.scripts.get({ group: rightToLeft, name: `${override} 2` });
    await client.scripts.save({ ...script, name: rightToLeft, baseVersion: script.version });
  });

  test('invalid names are reported at once when a script is saved, moved or grouped', async () => {
    const { page } = window;
    await editorIsThere(page);
    await newScript(page, 'return 1;');
    await page.keyboard.press('Control+S');
    const save = await dialogThere(page.getByRole('dialog', { name: 'Save the new script' }));
    const name = save.getByRole('textbox', { name: 'Name' });
    await focusIn(name);
    await name.fill(PASTED);
    await save.getByText('Name has at most 100 characters, but this one has 500').waitFor();
    await save.getByRole('combobox', { name: 'Script Group' }).fill(PASTED);
    await save.getByText('Script Group has at most 100 characters, but this one has 500').waitFor();
    await look('save dialog');
    expect(await name.inputValue()).toBe(PASTED);
    await name.fill(' By hand ');
    await save.getByRole('combobox', { name: 'Script Group' }).fill(`${BACKSLASH} `);
    await save.getByRole('button', { name: 'Save' }).click();
    await dialogGone(save);
    await expect.poll(async () => (await client.scripts.get({ group: BACKSLASH, name: 'By hand' })).version).toBe(1);

    await page.keyboard.press('Control+Shift+E');
    await focusIn(page.getByRole('tree', { name: 'Scripts by group' }));
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Move to another group…' }).press('Enter');
    const move = await dialogThere(page.getByRole('dialog', { name: 'Move “By hand”' }));
    const group = move.getByRole('combobox', { name: 'To group' });
    await group.fill(PASTED);
    await move.getByText('Script Group has at most 100 characters, but this one has 500').waitFor();
    await group.fill('');
    await group.press('ArrowDown');
    await page.getByRole('option', { name: override, exact: true }).waitFor();
    await look('move dialog');
    await page.getByRole('option', { name: override, exact: true }).click();
    await expect.poll(() => group.inputValue()).toBe(override);
    await move.getByRole('button', { name: 'Move' }).press('Enter');
    await dialogGone(move);
    await expect.poll(async () => (await client.scripts.get({ group: override, name: 'By hand' })).version).toBe(2);

    await page.getByRole('button', { name: 'New group' }).click();
    const made = await dialogThere(page.getByRole('dialog', { name: 'New group' }));
    await made.getByRole('textbox').fill(PASTED);
    await made.getByText('Script Group has at most 100 characters, but this one has 500').waitFor();
    await page.keyboard.press('Escape');
    await dialogGone(made);
  });

  test('the context of a run, and tests of a script', async () => {
    const { page } = window;
    await editorIsThere(page);
    await pickInPalette(page, rightToLeft, rightToLeft);
    await page.getByRole('tab', { name: rightToLeft, selected: true }).waitFor();
    await editorHasFocus(page);
    const context = page.getByRole('group', { name: 'Context of the run' });
    for (const [diagram, location] of [
      [rightToLeft, override],
      [quotes, LONG],
    ] as const) {
      await context.getByRole('combobox', { name: 'tagName' }).fill(RIGHT_TO_LEFT_TAG);
      await context.getByRole('textbox', { name: 'Diagram' }).fill(diagram);
      await context.getByRole('textbox', { name: 'workcenter' }).fill(location);
      await page.keyboard.press('Escape');
      await runToEnd(page, 'ok');
    }
    await page.getByRole('tab', { name: /^Diagram/ }).click();
    await page.getByRole('region', { name: 'What the Diagram shows' }).waitFor();
    await look('preview');
    await page.getByRole('button', { name: /^Contexts: / }).click();
    await page.getByRole('menuitem').filter({ hasText: override }).waitFor();
    await look('contexts');
    await page.getByRole('menuitem').filter({ hasText: override }).press('Enter');
    await expect.poll(() => context.getByRole('textbox', { name: 'workcenter' }).inputValue()).toBe(override);

    await page.getByRole('tab', { name: /^Tests/ }).click();
    const list = page.getByRole('list', { name: 'Tests' });
    await expect.poll(() => list.getByRole('listitem').count()).toBe(NAMES.length);
    await page.getByRole('button', { name: 'Run all', exact: true }).click();
    await page.getByText(`${NAMES.length} of ${NAMES.length} passed`).waitFor();
    await look('tests');
    await page.getByRole('button', { name: `Edit the test ${override}` }).click();
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Edit the test' }));
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await name.fill(PASTED);
    await dialog.getByText('At most 200 characters').waitFor();
    await look('test changed');
    await name.fill(`${override} 2`);
    await name.press('Enter');
    await dialogGone(dialog);
    await page.getByRole('button', { name: `Delete the test ${override} 2` }).click();
    await undo(page, `Deleted the test "${override} 2"`);
    await page.getByRole('button', { name: `Run the test ${override} 2` }).waitFor();
  });

  test('tags: paths, units, descriptions and values, renamed and deleted', async () => {
    const { page } = window;
    await show('Tags');
    const filter = page.getByRole('searchbox', { name: 'Filter tags' });
    await filter.fill('odd');
    await page.getByText(`${PATHS.length + 1} of`).waitFor();
    for (const path of PATHS) {
      await row('Tags', path).click();
      await page.getByRole('heading', { name: compared(path) }).waitFor();
    }
    await look('tags');
    await row('Tags', RIGHT_TO_LEFT_TAG).click();
    await page.getByRole('heading', { name: RIGHT_TO_LEFT_TAG }).waitFor();
    await page.getByRole('gridcell', { name: quotes }).first().waitFor();
    await look('tag');

    await page.keyboard.press('F2');
    const form = page.getByRole('form', { name: `Edit ${RIGHT_TO_LEFT_TAG}` });
    await form.getByRole('textbox', { name: 'Unit' }).fill(PASTED);
    await form.getByText('at most 64 characters, but it has 500').waitFor();
    expect(await form.getByRole('textbox', { name: 'Unit' }).inputValue()).toBe(PASTED);
    await look('tag changed');
    await form.getByRole('textbox', { name: 'Unit' }).fill('תא (2)');
    await page.keyboard.press('Control+S');
    await page.getByRole('heading', { name: RIGHT_TO_LEFT_TAG }).waitFor();

    await page.getByRole('button', { name: 'Rename the tag' }).click();
    const rename = await dialogThere(page.getByRole('dialog', { name: 'Rename the tag' }));
    const path = rename.getByRole('textbox', { name: 'New path' });
    await path.fill(`Odd.${longName(600)}.Value`);
    await rename.getByText('a tag path has at most 512 characters, but this one has 610').waitFor();
    await look('tag renamed');
    await path.fill(pathOf(`${rightToLeft} 2`));
    await rename.getByRole('button', { name: 'Rename' }).click();
    await dialogGone(rename);
    await page.getByRole('heading', { name: pathOf(`${rightToLeft} 2`) }).waitFor();
    expect(await workbench.tagValue(pathOf(`${rightToLeft} 2`))).toBe(rightToLeft);

    await filter.fill('odd');
    await row('Tags', pathOf(BACKSLASH)).click();
    await page.getByRole('heading', { name: pathOf(BACKSLASH) }).waitFor();
    await grid('Tags').focus();
    await focusIn(grid('Tags'));
    await page.keyboard.press('Delete');
    await expect.poll(() => row('Tags', pathOf(BACKSLASH)).count()).toBe(0);
    await undo(page, 'Tag deleted');
    await row('Tags', pathOf(BACKSLASH)).waitFor();
    await reload();
    await filter.fill('odd');
    await row('Tags', pathOf(`${rightToLeft} 2`)).waitFor();
    await client.tags.rename({ path: pathOf(`${rightToLeft} 2`), newPath: RIGHT_TO_LEFT_TAG, updateScripts: true });
  });

  test('rules and their outputs, data rows, events, and responses of the events API', async () => {
    const { page } = window;
    await show('Aggregations');
    const field = page.getByRole('form', { name: 'Rule' }).getByRole('textbox', { name: 'Name', exact: true });
    const chosen = async (name: string) => {
      await row('Rules', name).click();
      await expect.poll(() => field.inputValue()).toBe(name);
    };
    for (const name of NAMES) await chosen(name);
    await look('rule with a long name');
    await chosen(rightToLeft);
    await page.getByRole('tab', { name: 'Rows' }).click();
    await grid('Rows').getByRole('row').nth(1).waitFor();
    await look('rule');
    await field.fill(PASTED);
    await page.getByText(/Write 1 to 100 characters/).waitFor();
    expect(await field.inputValue()).toBe(PASTED);
    await look('rule renamed');
    await field.fill(`${override} 2`);
    await field.press('Control+S');
    await page.getByText(`Saved “${override} 2”`).first().waitFor();
    await grid('Rules').focus();
    await focusIn(grid('Rules'));
    await page.keyboard.press('Delete');
    const dialog = await dialogThere(page.getByRole('dialog', { name: `Delete “${override} 2”` }));
    await look('rule asked for');
    await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
    await dialogGone(dialog);
    await undo(page, `Deleted “${override} 2”`);
    await reload();
    await chosen(`${override} 2`);

    const events: { ResultTableName: string; RuleId: number }[] = await (
      await fetch(`${workbench.eventsApi}/api/events?limit=1000`)
    ).json();
    const rules = (await client.rules.list()).filter(({ name }) => name === `${override} 2` || NAMES.includes(name));
    expect(rules).toHaveLength(NAMES.length);
    for (const { id, resultTable } of rules) {
      expect(resultTable).toMatch(/^agg_\d+_[a-z][a-z0-9_]{0,62}$/);
      expect(events.find(({ RuleId }) => RuleId === id)?.ResultTableName).toBe(resultTable);
    }

    await show('Events');
    await row('Events', LONG).click();
    await page.getByRole('region', { name: 'Event details' }).getByText('fired_by').waitFor();
    await look('event');
    await page.getByRole('combobox', { name: 'Filter by rule' }).click();
    await page.getByRole('option', { name: LONG }).waitFor();
    await look('events by rule');
    await page.getByRole('option', { name: LONG }).click();
    await expect.poll(() => row('Events', rightToLeft).count()).toBe(0);
    await row('Events', LONG).click();
    await look('events of a rule');
    await page.getByRole('region', { name: 'Event details' }).getByRole('button', { name: LONG }).click();
    await page.getByRole('main', { name: 'Aggregations' }).waitFor();
    await expect.poll(() => field.inputValue()).toBe(LONG);
  });

  test('mocks by name and URL, their responses, and secrets, which need plain names', async () => {
    const { page } = window;
    await show('API mocks');
    const form = page.getByRole('form', { name: 'Mock', exact: true });
    const field = form.getByRole('textbox', { name: 'Name', exact: true });
    const chosen = async (name: string) => {
      await row('Mocks', name).click();
      await expect.poll(() => field.inputValue()).toBe(name);
    };
    for (const name of [...SHORT, BACKSLASH, longName(200)]) await chosen(name);
    await look('mock with a long name');
    await chosen(rightToLeft);
    await page.keyboard.press('F5');
    await page.getByText(`Response from “${rightToLeft}”`).waitFor();
    await look('mock');
    await field.fill(PASTED);
    await form.getByText('At most 200 characters').waitFor();
    expect(await field.inputValue()).toBe(PASTED);
    await look('mock renamed');
    await field.fill(`${override} 2`);
    await field.press('Control+S');
    await page.getByText(`Saved “${override} 2”`).first().waitFor();
    await grid('Mocks').focus();
    await focusIn(grid('Mocks'));
    await page.keyboard.press('Delete');
    await undo(page, `Deleted “${override} 2”`);
    await reload();
    await chosen(`${override} 2`);

    await page.getByRole('tab', { name: 'Call log' }).click();
    await row('Calls', LONG).click();
    await page
      .getByRole('region', { name: 'Call details' })
      .getByText(/from the mock/)
      .waitFor();
    await look('calls');

    await page.getByRole('tab', { name: 'Secrets' }).click();
    await page.getByRole('button', { name: 'New secret' }).click();
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'New secret' }));
    for (const name of [PASTED, rightToLeft, quotes]) {
      await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
      await dialog
        .getByText('Enter a letter, then letters, digits, points, _ or -; at most 64 characters in total.')
        .waitFor();
      expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(name);
    }
    await dialog.getByRole('textbox', { name: 'Name' }).fill(longName(64));
    await dialog.getByLabel('Value').fill('long enough');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialogGone(dialog);
    await row('Secrets', longName(64)).click();
    await look('secrets');
  });

  test('Diagrams: names, texts, labels and tags, in the view and at their address', async () => {
    const { page, context } = window;
    await show('Diagrams');
    const chosen = async (name: string) => {
      await row('Diagrams', name).click();
      await page.getByRole('region', { name: compared(name), exact: true }).waitFor();
    };
    for (const name of NAMES) await chosen(name);
    await look('Diagram with a long name');
    await chosen(rightToLeft);
    await look('Diagram');
    await page.getByRole('button', { name: 'Arrange' }).click();
    const name = page.getByRole('form', { name: 'Properties of the page' }).getByRole('textbox', { name: /^Name/ });
    await name.fill(PASTED);
    await page.getByText('Name has at most 100 characters, but this one has 500').waitFor();
    await look('Diagram renamed');
    await name.fill(BACKSLASH);
    await page.getByText('Name cannot contain "/" or "\\"').waitFor();
    await name.fill(`${override} 2`);
    await name.press('Control+S');
    await page.getByRole('button', { name: 'Saved', exact: true }).waitFor();
    await row('Diagrams', `${override} 2`).waitFor();
    await grid('Diagrams').focus();
    await focusIn(grid('Diagrams'));
    await page.keyboard.press('Delete');
    await expect.poll(() => row('Diagrams', `${override} 2`).count()).toBe(0);
    await undo(page, 'Deleted');
    await row('Diagrams', `${override} 2`).waitFor();

    const own = await context.newPage();
    const opened = [
      [`${override} 2`, rightToLeft],
      [quotes, override],
      [LONG, `${BACKSLASH} & ${rightToLeft}`],
    ] as const;
    for (const [diagram, workcenter] of sampled(opened, 1)) {
      const address = `/diagrams/${encodeURIComponent(diagram)}?${new URLSearchParams({ workcenter }).toString()}`;
      await own.goto(new URL(address, page.url()).href);
      await own.getByRole('region', { name: diagram, exact: true }).waitFor();
      await expect.poll(() => own.getByRole('textbox', { name: 'workcenter' }).inputValue()).toBe(workcenter);
      await expect.poll(() => troublesOf(own, [diagram, workcenter, PASTED])).toEqual([]);
      await own.reload();
      await own.getByRole('region', { name: diagram, exact: true }).waitFor();
    }
    await own.close();
  });

  test('exported with file names valid on every system, and imported unchanged', async () => {
    const folder = temporaryFolder();
    await workbench.tagwright('export', folder);
    for (const name of await readdir(folder, { recursive: true })) {
      expect(name).not.toMatch(/[<>:"\\|?*\u0000-\u001F]/);
      expect(Buffer.byteLength(name.split('/').at(-1) ?? '')).toBeLessThanOrEqual(255);
    }
    const report: Record<string, { created: number; updated: number; deleted?: number }> = JSON.parse(
      await workbench.tagwright('import', folder, '--mirror', '--json'),
    );
    for (const sort of ['scripts', 'tags', 'mocks', 'rules', 'diagrams']) {
      expect(report[sort], sort).toMatchObject({ created: 0, updated: 0 });
    }
  });
});
