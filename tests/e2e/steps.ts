import { expect } from 'vitest';
import type { Page } from 'playwright';

/** What a user does in the workbench, in the words of the tests. */

/** Waits until the editor (not the plain text before it) shows a script. */
export async function editorIsThere(page: Page): Promise<void> {
  await page.locator('.monaco-editor .view-line').first().waitFor();
}

export async function openScript(page: Page, name: string): Promise<void> {
  await page.getByRole('treeitem', { name, exact: false }).click();
  await page.getByRole('tab', { name, selected: true }).waitFor();
  await editorIsThere(page);
}

/** What is seen of the text in the editor. */
export async function editorText(page: Page): Promise<string> {
  const lines = await page.locator('.monaco-editor .view-line').evaluateAll((all) =>
    all
      .map((line) => ({ top: line.getBoundingClientRect().top, text: line.textContent }))
      .toSorted((a, b) => a.top - b.top)
      .map(({ text }) => text),
  );
  return lines.join('\n').replaceAll('\u00a0', ' ');
}

/** Replaces the whole text in the editor. Typed as from a clipboard, so that nothing is completed or closed. */
export async function write(page: Page, text: string): Promise<void> {
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
  await expect.poll(() => editorText(page)).toContain(text.split('\n')[0]);
}

export async function putCursor(page: Page, where: 'start' | 'end'): Promise<void> {
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press(where === 'start' ? 'Control+Home' : 'Control+End');
}

/** Runs with F5 (or Shift+F5) and waits for how it ended. */
export async function runToEnd(page: Page, status: string, keys = 'F5'): Promise<void> {
  const before = await page.locator('[role="tabpanel"]').elementHandle();
  await page.keyboard.press(keys);
  await before?.waitForElementState('hidden');
  await page.locator(`[data-status="${status}"]`).waitFor();
}

export async function showPane(page: Page, pane: 'Result' | 'Trace' | 'Console'): Promise<string> {
  await page.getByRole('tab', { name: new RegExp(`^${pane}`) }).click();
  return page.getByRole('tabpanel').innerText();
}
