import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import {
  dialogGone,
  dialogThere,
  editorHasFocus,
  editorIsThere,
  focusIn,
  newScript,
  pickInPalette,
  putCursor,
} from '../steps.ts';

/** Keyboard focus never stays on the document, where keys have no effect. */
describe('the focus', () => {
  let workbench: BrowserWorkbench;
  let page: Page;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    await workbench.stopRules();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open());
  beforeEach(async () => {
    ({ page } = await shared());
    await page.keyboard.press('Control+1');
    await editorIsThere(page);
  });

  const isLost = () => page.evaluate(() => document.activeElement === document.body);
  const grid = (name: string): Locator => page.getByRole('grid', { name, exact: true });

  test('moves into a view when it opens, and back to its previous position', async () => {
    await putCursor(page, 'end');
    await page.keyboard.press('Control+2');
    await focusIn(grid('Tags'));
    await page.keyboard.press('Control+4');
    await focusIn(page.getByRole('main', { name: 'Events' }));
    await page.keyboard.press('Control+7');
    const settings = page.getByRole('region', { name: 'All settings' });
    await focusIn(settings);
    await settings.getByRole('textbox', { name: 'Port' }).focus();
    await page.keyboard.press('Control+1');
    await editorHasFocus(page);
    await page.keyboard.press('Control+2');
    await focusIn(grid('Tags'));
    await page.keyboard.press('Control+Shift+E');
    await focusIn(page.getByRole('tree', { name: 'Scripts by group' }));
    await page.keyboard.press('Control+7');
    await focusIn(settings.getByRole('textbox', { name: 'Port' }));
    expect(await isLost()).toBe(false);
  });

  test('is moved by a command before the next key', async () => {
    await putCursor(page, 'end');
    await page.keyboard.press('Control+2');
    await focusIn(grid('Tags'));
    const paneAfter = (key: string) =>
      page.evaluate((pressed) => {
        const press = { key: pressed, ctrlKey: true, shiftKey: true, bubbles: true, cancelable: true };
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', press));
        return document.activeElement?.closest('[data-pane]')?.getAttribute('data-pane');
      }, key);
    expect(await paneAfter('E')).toBe('explorer');
    expect(await paneAfter('L')).toBe('editor');
    await editorHasFocus(page);
  });

  test('waits for the editor when the view of scripts opens for the first time', async () => {
    const own = await workbench.open();
    ({ page } = own);
    await editorIsThere(page);
    // Nothing had the focus yet.
    await page.keyboard.press('Control+1');
    await editorHasFocus(page);
    await page.keyboard.press('Control+2');
    await focusIn(grid('Tags'));
    await page.reload();
    await expect.poll(() => grid('Tags').getByRole('row').count()).toBeGreaterThan(1);
    await page.keyboard.press('Control+1');
    await editorHasFocus(page);
    expect(await isLost()).toBe(false);
    await own.close();
  });

  test('returns from a dialog to the control that opened it', async () => {
    await page.keyboard.press('Control+7');
    const button = page.getByRole('button', { name: 'Set…' });
    await button.press('Enter');
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Key of the events API' }));
    await page.keyboard.press('Escape');
    await dialogGone(dialog);
    await focusIn(button);
    expect(await isLost()).toBe(false);
  });

  test('returns to its previous position after the first steps', async () => {
    await putCursor(page, 'end');
    await pickInPalette(page, 'first steps', 'Show the first steps');
    const steps = page.getByRole('complementary', { name: 'First steps' });
    await steps.getByRole('button', { name: 'Skip' }).press('Enter');
    await steps.waitFor({ state: 'detached' });
    await editorHasFocus(page);
    expect(await isLost()).toBe(false);
  });

  test('stays after a click on an empty area', async () => {
    await putCursor(page, 'end');
    await page.getByRole('heading', { name: 'Scripts', exact: true }).click();
    // Longer than the page searches for the focus.
    const until = Date.now() + 1_000;
    while (Date.now() < until) expect(await isLost()).toBe(true);
    await page.keyboard.press('Control+1');
    await editorHasFocus(page);
    await page.keyboard.press('Control+2');
    await focusIn(grid('Tags'));
  });

  test('the palette has commands of other views, and moves there', async () => {
    await page.keyboard.press('Control+7');
    await focusIn(page.getByRole('region', { name: 'All settings' }));
    await pickInPalette(page, 'new rule', 'New rule');
    const form = page.getByRole('form', { name: 'Rule' });
    await focusIn(form.getByRole('textbox', { name: 'Name', exact: true }));
    await pickInPalette(page, 'new script', 'New script');
    await page.getByRole('tab', { name: 'Untitled', selected: true }).waitFor();
    await editorHasFocus(page);
    await pickInPalette(page, 'new diagram', 'New Diagram');
    const naming = await dialogThere(page.getByRole('dialog', { name: 'New Diagram' }));
    await page.keyboard.press('Escape');
    await dialogGone(naming);
    await expect.poll(isLost).toBe(false);
  });

  test('stays in its pane when the focused element disappears', async () => {
    await newScript(page, 'return 1;');
    const editor = page.locator('[data-pane="editor"]');
    const save = editor.getByRole('button', { name: 'Save', exact: true });
    await save.press('Enter');
    const naming = await dialogThere(page.getByRole('dialog'));
    await naming.getByRole('textbox', { name: 'Name' }).fill('Saved by a button');
    // Simulates a search between the two steps, which by itself happens only in a slow page.
    await editor.getByTitle('Save (Ctrl+S)').evaluate((button) => {
      const looking = new MutationObserver(() => {
        if (document.querySelector('[role="dialog"]')) return;
        looking.disconnect();
        button.focus();
      });
      looking.observe(document.body, { childList: true, subtree: true });
    });
    await page.keyboard.press('Enter');
    await dialogGone(naming);
    await editor.getByText('Version 1').waitFor();
    await editorHasFocus(page);
    await putCursor(page, 'end');
    await page.keyboard.insertText(' ');
    await save.press('Enter');
    await editor.getByText('Version 2').waitFor();
    await focusIn(editor);

    await page.keyboard.press('Control+2');
    await focusIn(grid('Tags'));
    await page.keyboard.press('Home');
    const details = page.getByRole('region', { name: 'Tag details' });
    await details.getByRole('heading', { name: 'Definition' }).waitFor();
    await page.keyboard.press('F2');
    await focusIn(details.getByRole('form', { name: /^Edit / }));
    await page.keyboard.press('Control+S');
    await details.getByRole('heading', { name: 'Definition' }).waitFor();
    await focusIn(details);

    await page.keyboard.press('Control+4');
    await page.getByRole('button', { name: 'Create test events' }).press('Enter');
    await focusIn(page.getByRole('button', { name: 'Create test events' }));
    await expect.poll(() => grid('Events').getByRole('row').count()).toBeGreaterThan(1);
    await grid('Events').focus();
    await focusIn(grid('Events'));
    await page.keyboard.press('Home');
    await grid('Events').locator('[aria-selected="true"]').waitFor();
    await page.getByRole('region', { name: 'Event details' }).getByText('fired_by').waitFor();
    await page.getByRole('button', { name: 'Disable' }).press('Enter');
    await page.getByText('1 of 1 disabled').first().waitFor();
    await focusIn(page.getByRole('region', { name: 'Event list' }));
    expect(await isLost()).toBe(false);
  });
});
