import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../support/browser-workbench.ts';
import { startBrowserWorkbench } from '../support/browser-workbench.ts';
import { focusIn, openScript, runToEnd, typeAhead } from './steps.ts';

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
    await other.page.getByRole('button', { name: 'Contexts' }).click();
    await other.page.getByRole('menuitem', { name: /workcenter W7/ }).click();
    await expect.poll(() => workcenter.inputValue()).toBe('W7');
    await other.close();
  });
});
