import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import {
  covers,
  dialogGone,
  dialogThere,
  focusIn,
  heldNotice,
  isOnTop,
  openOwnScript,
  openScript,
  pickInPalette,
  runToEnd,
  showPane,
  typeAhead,
  undo,
} from '../steps.ts';

describe('the preview', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    await workbench.saveScript(
      'Tests/Nested',
      "return { orders: [{ number: 7, 'due date': null }], deep: { a: [true, 'x'] }, none: [] };",
    );
    window = await workbench.open({ permissions: ['clipboard-read', 'clipboard-write'], reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await window.close();
    await workbench.close();
  });

  test('a result expands and collapses by keyboard; values and paths are copied', async () => {
    const { page } = window;
    await openScript(page, 'Nested');
    await runToEnd(page, 'ok', 'Shift+F5');
    const tree = page.getByRole('tree', { name: 'Result as JSON' });
    const row = (name: string) => tree.getByRole('treeitem', { name, exact: true });
    const active = async (name: string) => {
      const id = (await row(name).getAttribute('id')) ?? '';
      await expect.poll(() => tree.getAttribute('aria-activedescendant')).toBe(id);
    };
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await row('due date: null').waitFor();
    expect(await accessibilityFindings(page, 'a result as a tree')).toEqual([]);

    await tree.focus();
    await focusIn(tree);
    await typeAhead(page, 'orders', () => tree.locator('[data-active="true"]').getAttribute('aria-label'));
    await active('orders: Array of 1');
    await page.keyboard.press('ArrowRight');
    await active('0: Object of 2');
    await page.keyboard.press('Shift+Alt+C');
    await expect.poll(copied).toBe('orders[0]');
    await page.keyboard.press('Control+C');
    await expect.poll(copied).toBe('{\n  "number": 7,\n  "due date": null\n}');
    await page.keyboard.press('ArrowLeft');
    await row('due date: null').waitFor({ state: 'detached' });
    await row('0: Object of 2: number: 7, due date: null').waitFor();

    // Collapsed parts stay collapsed in the next result.
    await runToEnd(page, 'ok', 'Shift+F5');
    await row('0: Object of 2: number: 7, due date: null').waitFor();
    await tree.focus();
    await focusIn(tree);
    await page.keyboard.press('Home');
    await active('Object of 3');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Unfold all' }).press('Enter');
    await row('due date: null').waitFor();
    await expect.poll(() => tree.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Fold all', exact: true }).press('Enter');
    await expect.poll(() => tree.getByRole('treeitem').count()).toBe(1);
  });

  test('the context of a script is the same in another browser', async () => {
    const { page } = window;
    await openScript(page, 'Nested');
    await page.getByRole('combobox', { name: 'tagName' }).fill('Bottling.Line1.Filler.Speed.Value');
    await page.getByRole('textbox', { name: 'workcenter' }).fill('W7');
    await runToEnd(page, 'ok', 'Shift+F5');
    await page.getByRole('textbox', { name: 'workcenter' }).fill('W8');
    const kept = async () => {
      const client = await workbench.client();
      const { id } = await client.scripts.get({ group: 'Tests', name: 'Nested' });
      const { current, used } = await client.runContexts.get({ id });
      return [current?.location, ...used.map(({ location }) => location)];
    };
    await expect.poll(kept).toEqual(['W8', 'W7']);

    const other = await workbench.open();
    await openScript(other.page, 'Nested');
    const workcenter = other.page.getByRole('textbox', { name: 'workcenter' });
    await expect.poll(() => workcenter.inputValue()).toBe('W8');
    await other.page.getByRole('button', { name: /^Contexts: / }).click();
    await other.page.getByRole('menuitem', { name: /workcenter W7/ }).click();
    await expect.poll(() => workcenter.inputValue()).toBe('W7');
    await other.close();
  });

  test('F5 runs a script of a fresh sample with its first saved context', async () => {
    const other = await workbench.open();
    const { page } = other;
    await openScript(page, 'Start an order');
    await page.getByRole('button', { name: 'Contexts: Order 4720', exact: true }).waitFor();
    await runToEnd(page, 'ok');
    await expect.poll(() => showPane(page, 'Result')).toContain('Order 4720 is started');
    await other.close();
  });

  test('contexts are saved, renamed, duplicated and deleted by keyboard, with undo', async () => {
    const { page } = window;
    await openOwnScript(workbench, page);
    const chosen = (name: string) => page.getByRole('button', { name: `Contexts: ${name}`, exact: true }).waitFor();
    const edit = async (item: string) => {
      const menu = page.getByRole('button', { name: 'Edit the contexts' });
      await menu.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: item }).press('Enter');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    };
    const name = async (text: string) => {
      const dialog = await dialogThere(page.getByRole('dialog'));
      await dialog.getByRole('textbox', { name: 'Name of the context' }).fill(text);
      await page.keyboard.press('Enter');
      await dialogGone(dialog);
    };
    const workcenter = page.getByRole('textbox', { name: 'workcenter' });
    await chosen('Empty');
    await workcenter.fill('W1');
    await chosen('Not saved');
    await pickInPalette(page, 'Save the context', /Save the context…/);
    await name('Hall one');
    await chosen('Hall one');

    await workcenter.fill('W2');
    await chosen('Hall one changed');
    await page.getByRole('button', { name: 'Save the context Hall one' }).press('Enter');
    await chosen('Hall one');
    await undo(page, 'Saved the context “Hall one”');
    await chosen('Hall one changed');

    await edit('Rename…');
    await name('Hall 1');
    await edit('Save as…');
    const dialog = await dialogThere(page.getByRole('dialog'));
    await dialog.getByRole('textbox', { name: 'Name of the context' }).fill('hall 1');
    await dialog.getByText('already has a context named "Hall 1"').waitFor();
    await dialog.getByRole('textbox', { name: 'Name of the context' }).fill('Hall 2');
    await page.keyboard.press('Enter');
    await dialogGone(dialog);
    await chosen('Hall 2');
    await edit('Duplicate');
    await chosen('Hall 2 copy');
    await edit('Make it the first');
    await edit('Delete');
    await chosen('Not saved');
    // The preview is in use, on the right.
    const deleted = await heldNotice(page, 'Deleted the context “Hall 2 copy”');
    await expect.poll(() => covers(deleted, page.getByRole('region', { name: 'Preview' }))).toBe(false);
    // It lies over the line between the explorer and the editor.
    await expect.poll(() => covers(deleted, page.getByRole('separator', { name: 'Width of the explorer' }))).toBe(true);
    await expect.poll(() => isOnTop(deleted)).toBe(true);
    await undo(page, 'Deleted the context “Hall 2 copy”');
    await chosen('Hall 2 copy');

    const contexts = page.getByRole('button', { name: /^Contexts: / });
    await contexts.focus();
    await page.keyboard.press('Enter');
    const saved = page.getByRole('group', { name: 'Saved' }).getByRole('menuitem');
    await expect.poll(() => saved.locator('strong').allInnerTexts()).toEqual(['Hall 2 copy', 'Hall 1', 'Hall 2']);
    await saved.filter({ hasText: 'Hall 1' }).press('Enter');
    await chosen('Hall 1');
    expect(await accessibilityFindings(page, 'the bar of contexts')).toEqual([]);
    await expect.poll(() => workcenter.inputValue()).toBe('W1');
  });
});
