import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { cursorAt, dialogGone, editorHasFocus, focusIn, goTo, openScript } from '../steps.ts';

describe('symbols and references', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    await workbench.saveScript('A test/Clamp', 'function clampTo(x) {\n  return x;\n}\nreturn clampTo(1); // clampTo');
    await workbench.saveScript('A test/Copy', 'const clampTo = (x) => x;\nreturn [1].map(clampTo);');
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ view: 'tags' }));
  beforeEach(async () => {
    window = await shared();
  });

  test('Ctrl+T goes to a symbol of any script', async () => {
    const { page } = window;
    await page.keyboard.press('Control+T');
    const field = page.getByRole('combobox', { name: 'Symbols' });
    await focusIn(field);
    // Also when the first result is not in the former list.
    await page.keyboard.type('clampto');
    await page.getByRole('option', { name: /^clampTo.*Clamp/, selected: true }).waitFor();
    await page.keyboard.type(' copy');
    await page.getByRole('option', { name: /^clampTo\s*function, A test\/Copy, line 1$/, selected: true }).waitFor();
    expect(await accessibilityFindings(page, 'symbols', '[role="dialog"]')).toEqual([]);
    await page.keyboard.press('Enter');
    await dialogGone(field);
    await page.getByRole('tab', { name: 'Copy', selected: true }).waitFor();
    await cursorAt(page, 'Ln 1, Col 14');
    await editorHasFocus(page);
  });

  test('Alt+Shift+F12 lists the references to the name at the cursor in all scripts', async () => {
    const { page } = window;
    await goTo(page, 'Scripts');
    await openScript(page, 'Clamp');
    await page.locator('[data-pane="editor"] .view-lines').first().click();
    await editorHasFocus(page);
    await page.keyboard.press('Control+Home');
    for (let times = 0; times < 10; times += 1) await page.keyboard.press('ArrowRight');
    await cursorAt(page, 'Ln 1, Col 11');
    await page.keyboard.press('Alt+Shift+F12');
    const results = page.getByRole('tree', { name: 'Results of the search' });
    await expect
      .poll(() => results.getByRole('treeitem').evaluateAll((all) => all.map((row) => row.getAttribute('aria-label'))))
      .toEqual([
        'A test/Clamp, script, 2 matches',
        'function clampTo(x) {, line 1, definition',
        'return clampTo(1); // clampTo, line 4, call',
        'A test/Copy, script, 2 matches',
        'const clampTo = (x) => x;, line 1, definition',
        'return [1].map(clampTo);, line 2, use',
      ]);
    await page.getByText('Scripts do not share code').waitFor();
    await focusIn(results);
    expect(await accessibilityFindings(page, 'references')).toEqual([]);
    await page.keyboard.press('F4');
    await page.getByRole('tab', { name: 'Clamp', selected: true }).waitFor();
    await cursorAt(page, 'Ln 1, Col 17');
    await goTo(page, 'Search');
    await page.getByRole('button', { name: 'Back to the search' }).press('Enter');
    await expect.poll(() => results.count()).toBe(0);
  });

  test('the editor goes to a symbol of its script', async () => {
    const { page } = window;
    await goTo(page, 'Scripts');
    await openScript(page, 'Clamp');
    await page.locator('[data-pane="editor"] .view-lines').first().click();
    await editorHasFocus(page);
    await page.keyboard.press('Control+Shift+O');
    await page.locator('.quick-input-list').getByText('clampTo').first().waitFor();
    expect(await page.locator('.quick-input-list').innerText()).toContain('clampTo');
    await page.keyboard.press('Escape');
    await editorHasFocus(page);
  });
});
