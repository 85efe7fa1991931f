import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { cursorAt, dialogGone, dialogThere, editorHasFocus, goTo } from '../steps.ts';

const SENSOR = 'Bottling.Line2.Capper.Torque.Value';
const RENAMED = 'Bottling.Line2.Capper.ClosingTorque.Value';

describe('where a tag is used', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ view: 'tags' }));
  beforeEach(async () => {
    window = await shared();
    await goTo(window.page, 'Tags');
    await choose(SENSOR);
  });

  const choose = async (path: string) => {
    const { page } = window;
    await page.getByRole('searchbox', { name: 'Filter tags' }).fill(path);
    await page.getByRole('row', { name: path }).click();
    await page.getByRole('heading', { name: path }).waitFor();
  };
  const used = () => window.page.getByRole('region', { name: 'Where used' });

  test('scripts are listed with their lines, updated on save, and open with a click', async () => {
    const { page } = window;
    const item = used().getByRole('listitem').filter({ hasText: 'Line 2/Check the sensors' });
    await expect.poll(() => item.allInnerTexts()).toEqual([expect.stringContaining('line 7')]);
    await workbench.saveScript('Line 2/Torque', `\nreturn TagValueManager.Get(['${SENSOR}']);`);
    await used().getByRole('button', { name: 'Line 2/Torque' }).waitFor();
    await used().getByRole('button', { name: 'Line 2/Check the sensors' }).click();
    await page.getByRole('tab', { name: 'Check the sensors', selected: true }).waitFor();
    // With the cursor in the line, as when the line itself is selected.
    await cursorAt(page, /^Ln 7, /);
    await editorHasFocus(page);
    await page.keyboard.press('Control+Home');
    await cursorAt(page, 'Ln 1, Col 1');
    await goTo(page, 'Tags');
    await item.getByRole('button', { name: '7', exact: true }).press('Enter');
    await cursorAt(page, /^Ln 7, /);
  });

  test('a script shows the tags that run it', async () => {
    const { page } = window;
    const client = await workbench.client();
    const { id } = await client.scripts.save({
      group: 'Tests',
      name: 'Run by a tag',
      description: '',
      body: 'return 1;',
    });
    const path = 'Tests.Runs.Script.Value';
    await client.tags.save({
      path,
      kind: 'script',
      type: 'Int',
      unit: '',
      description: '',
      settings: { readScript: { id } },
    });
    await goTo(page, 'Scripts');
    await page.getByRole('treeitem', { name: 'Run by a tag' }).click();
    await page.getByRole('button', { name: /Tests.*Run by a tag/ }).click();
    const runBy = page.getByRole('region', { name: 'Where used' });
    await workbench.saveScript('Tests/Reads it', `return TagValueManager.Get(['${path}']);`);
    await runBy.getByRole('button', { name: 'Tests/Reads it (script)' }).waitFor();
    await runBy.getByRole('button', { name: path }).press('Enter');
    await page.getByRole('heading', { name: path }).waitFor();
    await client.tags.delete({ paths: [path] });
    await goTo(page, 'Scripts');
    await expect.poll(() => runBy.innerText()).toBe('No tag runs this script.');
  });

  test('a used tag and a used script are deleted only after a list of what uses them', async () => {
    const { page } = window;
    const client = await workbench.client();
    const speed = 'Bottling.Line1.Filler.Speed.Value';
    await choose(speed);
    await used().getByRole('button', { name: 'Line overview' }).waitFor();
    await page
      .getByRole('region', { name: `Tag ${speed}` })
      .getByRole('button', { name: 'Delete', disabled: false })
      .press('Enter');
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Delete the tag' }));
    await dialog.getByText(/^Used by .*scripts?, .*Diagrams? and \d+ tests?\./).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialogGone(dialog);
    expect((await client.tags.definition({ path: speed })).path).toBe(speed);

    const { id } = await client.scripts.save({ group: 'Tests', name: 'Used', description: '', body: 'return 1;' });
    const settings = { readScript: { id } };
    const path = 'Tests.Used.Script.Value';
    await client.tags.save({ path, kind: 'script', type: 'Int', unit: '', description: '', settings });
    await goTo(page, 'Scripts');
    await page.getByRole('treeitem', { name: 'Used' }).click();
    await page.getByRole('treeitem', { name: 'Used' }).press('Delete');
    const asking = await dialogThere(page.getByRole('dialog', { name: 'Delete the script' }));
    await asking.getByText('is used by 1 tag').waitFor();
    await asking.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(async () => (await client.scripts.list()).scripts.some((script) => script.id === id)).toBe(false);
  });

  test('a rename shows the references to the tag, and changes them', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'Rename the tag' }).click();
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Rename the tag' }));
    await dialog.getByText('Line 2/Check the sensors').waitFor();
    const field = dialog.getByRole('textbox', { name: 'New path' });
    await field.fill('Bottling..Torque');
    await dialog.getByText('cannot have an empty segment').waitFor();
    await field.fill('Bottling.Line2.Capper.Speed.Value');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await dialog.getByText('A tag "Bottling.Line2.Capper.Speed.Value" already exists').waitFor();
    await field.fill(RENAMED);
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: RENAMED }).waitFor();
    await used().getByText('Line 2/Check the sensors').waitFor();
    expect(await workbench.tagValue(RENAMED)).toBeTypeOf('number');
    expect(await workbench.tagwright('scripts', 'show', 'Line 2/Check the sensors')).toContain(`'${RENAMED}'`);
  });
});
