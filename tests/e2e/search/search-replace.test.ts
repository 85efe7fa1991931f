import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { editorHasFocus, editorText, focusIn, goTo, heldNotice, openScript, undo, write } from '../steps.ts';

describe('replacing in the Search view', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ view: 'search' }));
  beforeEach(async () => {
    window = await shared();
  });

  const results = () => window.page.getByRole('tree', { name: 'Results of the search' });
  const rows = () =>
    results()
      .getByRole('treeitem')
      .evaluateAll((all) => all.map((row) => row.getAttribute('aria-label')));
  const bodyOf = async (name: string) =>
    (await (await workbench.client()).scripts.get({ group: 'Replace', name })).body;

  /** Types a search and a replacement after Ctrl+Shift+H, which moves to the second once there is a search. */
  const replaceBy = async (text: string, by: string) => {
    const { page } = window;
    const replacement = page.getByRole('textbox', { name: 'Replace with' });
    const searched = page.getByRole('searchbox', { name: 'Search for' });
    await page.keyboard.press('Control+Shift+H');
    await focusIn((await searched.inputValue()) === '' ? searched : replacement);
    await searched.fill(text);
    await replacement.fill(by);
  };

  test('shows each replacement, replaces all by keyboard, and undoes it', async () => {
    const { page } = window;
    await workbench.saveScript('Replace/One', 'const pump = 1;\nreturn pump;');
    await workbench.saveScript('Replace/Two', 'return "pump";');
    await goTo(page, 'Tags');
    await replaceBy('pump', 'valve');
    await expect
      .poll(rows)
      .toEqual([
        'Replace/One, script, 2 matches',
        'const pumpvalve = 1;, line 1, “pump” becomes “valve”',
        'return pumpvalve;, line 2, “pump” becomes “valve”',
        'Replace/Two, script, 1 match',
        'return "pumpvalve";, line 1, “pump” becomes “valve”',
      ]);
    expect(await accessibilityFindings(page, 'replacements')).toEqual([]);
    // Without the second match.
    await page.keyboard.press('F6');
    await focusIn(results());
    for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'Delete']) await page.keyboard.press(key);
    await expect.poll(rows).toHaveLength(4);
    await page.keyboard.press('Control+Alt+Enter');
    await heldNotice(page, 'Replaced 2 matches in 2 items');
    const bodies = async () => [await bodyOf('One'), await bodyOf('Two')];
    await expect.poll(bodies).toEqual(['const valve = 1;\nreturn pump;', 'return "valve";']);
    await undo(page, 'Replaced 2 matches in 2 items');
    await heldNotice(page, 'Undone in 2 items');
    await expect.poll(bodies).toEqual(['const pump = 1;\nreturn pump;', 'return "pump";']);
  });

  test('replaces one match with groups, and keeps the case', async () => {
    const { page } = window;
    await workbench.saveScript('Replace/Groups', 'Motor(1); motor(2);');
    await page.getByRole('button', { name: 'Regular expression' }).press('Space');
    await replaceBy('motor\\((\\d)\\)', 'drive[$1]');
    await page.getByRole('button', { name: 'Preserve case' }).press('Space');
    await expect.poll(rows).toHaveLength(3);
    await page.keyboard.press('F6');
    await focusIn(results());
    for (const key of ['Home', 'ArrowDown', 'Control+Enter']) await page.keyboard.press(key);
    await expect.poll(() => bodyOf('Groups')).toBe('Drive[1]; motor(2);');
    await expect.poll(rows).toEqual(['Replace/Groups, script, 1 match', expect.stringContaining('drive[2]')]);
    await page.getByRole('button', { name: 'Preserve case' }).press('Space');
    await page.getByRole('button', { name: 'Regular expression' }).press('Space');
  });

  test('what could not be saved is marked, and stays', async () => {
    const { page } = window;
    const client = await workbench.client();
    const path = 'Tests.Replace.Sum.Value';
    const settings = { expression: '1 + 2 /* gearbox */' };
    await client.tags.save({ path, kind: 'calculation', type: 'Int', description: '', unit: '', settings });
    await workbench.saveScript('Replace/Gear', '// gearbox');
    await replaceBy('gearbox', '*/ (');
    await expect
      .poll(rows)
      .toContainEqual(expect.stringMatching(/^Tests.Replace.Sum.Value, .*not replaced: .*expression/));
    await page.getByRole('button', { name: 'Replace all' }).click();
    await heldNotice(page, 'Replaced 1 match in 1 item');
    // The notice may be that of the test before.
    await expect.poll(() => bodyOf('Gear')).toBe('// */ (');
    expect((await client.tags.definition({ path })).settings).toEqual(settings);
  });

  test('an unsaved text is replaced in its editor, where Ctrl+Z reverses it', async () => {
    const { page } = window;
    await workbench.saveScript('Replace/Unsaved', 'return "turbine";');
    await goTo(page, 'Scripts');
    await openScript(page, 'Unsaved');
    await write(page, 'return "turbine 2";');
    await replaceBy('turbine', 'wheel');
    await expect.poll(rows).toEqual(['Replace/Unsaved, draft, 1 match', expect.stringContaining('turbinewheel')]);
    await page.keyboard.press('Control+Alt+Enter');
    await heldNotice(page, 'Replaced 1 match in 1 item');
    expect(await bodyOf('Unsaved')).toBe('return "turbine";');
    await goTo(page, 'Scripts');
    await expect.poll(() => editorText(page)).toBe('return "wheel 2";');
    await page.keyboard.press('Control+Shift+L');
    await editorHasFocus(page);
    await page.keyboard.press('Control+Z');
    await expect.poll(() => editorText(page)).toBe('return "turbine 2";');
  });
});
