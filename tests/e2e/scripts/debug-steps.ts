import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { cursorAt, putCursor } from '../steps.ts';

/** The debugger of the Scripts view. */
export const pane = (page: Page) => page.getByRole('region', { name: 'Debugger' });
export const tree = (page: Page, name: string) => pane(page).getByRole('tree', { name });
export const state = (page: Page) => pane(page).getByRole('status').first();

/** Waits until the run is paused at a line. */
export async function pausedAt(page: Page, line: number): Promise<void> {
  await expect.poll(() => state(page).innerText()).toMatch(new RegExp(`^Paused.*line ${line}\\b`, 's'));
  await tree(page, 'Variables').getByRole('treeitem').first().waitFor();
}

export async function goToLine(page: Page, line: number): Promise<void> {
  await putCursor(page, 'start');
  for (let at = 1; at < line; at += 1) await page.keyboard.press('ArrowDown');
  // Lines that wrap would be several steps.
  await cursorAt(page, `Ln ${line}, Col 1`);
}

/** Ends the run of an earlier test, and its breakpoints. */
export async function nothingDebugged(page: Page): Promise<void> {
  const status = page.getByRole('button', { name: /^(?:Paused in|Debugging) / });
  if ((await status.count()) > 0) await page.keyboard.press('Shift+F5');
  await expect.poll(() => status.count()).toBe(0);
}

/** Makes a row of a tree the active one, by the arrow keys. */
export async function moveTo(rows: Locator, row: Locator): Promise<void> {
  const { keyboard } = rows.page();
  await rows.focus();
  await keyboard.press('Home');
  const active = () => rows.getAttribute('aria-activedescendant');
  const isActive = async () => {
    const before = await active();
    if (before === (await row.getAttribute('id'))) return true;
    await keyboard.press('ArrowDown');
    // From the top again: the row may have come after its place was passed.
    if ((await active()) === before) await keyboard.press('Home');
    return false;
  };
  await expect.poll(isActive).toBe(true);
}
