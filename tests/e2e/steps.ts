import { expect } from 'vitest';
import type { Locator, Page } from 'playwright';
import type { BrowserWorkbench } from '../support/browser/browser-workbench.ts';

/**
 * The actions of a user in the workbench. Each step waits for its effect, as a person does: the next key goes to the
 * focused element, and a page moves the focus in a separate turn.
 */

/** The editor of the script, not the editors of dialogs that compare texts. */
const EDITOR = '[data-pane="editor"] .monaco-editor';

const hasFocus = (wanted: Locator): Promise<boolean> =>
  wanted.evaluate((element) => element.contains(document.activeElement));

/** Waits until an element or one of its descendants has the focus. */
export async function focusIn(wanted: Locator): Promise<void> {
  await expect.poll(() => hasFocus(wanted), { message: `the focus is in ${String(wanted)}` }).toBe(true);
}

/** Presses Tab until an element has the focus. */
export async function tabTo(wanted: Locator): Promise<void> {
  for (let times = 0; times < 40; times += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await wanted.page().keyboard.press('Tab');
  }
  throw new Error(`Tab does not come to ${String(wanted)}`);
}

/** Waits until a dialog has taken the focus. Before that, it would take the focus from the field being filled. */
export async function dialogThere(dialog: Locator): Promise<Locator> {
  await dialog.waitFor();
  await focusIn(dialog);
  await nextTurn(dialog.page());
  return dialog;
}

/** Waits until a dialog is closed and has returned the focus. */
export async function dialogGone(dialog: Locator): Promise<void> {
  await dialog.waitFor({ state: 'detached' });
  await nextTurn(dialog.page());
}

/** Waits until the page has done its deferred work. */
export async function nextTurn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0))));
}

/** Waits until the page has requested nothing for half a second: views load further code after they have the focus. */
export async function networkIdle(page: Page): Promise<void> {
  const requested = () => page.evaluate(() => performance.getEntriesByType('resource').length);
  for (let [before, now] = [-1, await requested()]; before !== now; [before, now] = [now, await requested()]) {
    await page.waitForTimeout(500);
  }
}

/** A notice that stays, because the pointer rests on it. */
export async function heldNotice(page: Page, text: string): Promise<Locator> {
  const notice = page.locator('.fui-Toast').filter({ hasText: text }).first();
  await notice.hover();
  return notice;
}

/** Whether an element covers a part of another one. */
export async function covers(upper: Locator, lower: Locator): Promise<boolean> {
  const [one, other] = [await upper.boundingBox(), await lower.boundingBox()];
  if (!one || !other) throw new Error(`${String(upper)} or ${String(lower)} is not shown`);
  const overlap = (at: 'x' | 'y', size: 'width' | 'height') =>
    Math.min(one[at] + one[size], other[at] + other[size]) - Math.max(one[at], other[at]);
  return overlap('x', 'width') > 0 && overlap('y', 'height') > 0;
}

/** Whether no other element crosses the middle of an element, from its left to its right edge. */
export function isOnTop(upper: Locator): Promise<boolean> {
  return upper.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const columns = Array.from({ length: Math.floor(right - left) - 2 }, (_, index) => left + 1 + index);
    return columns.every((x) => element.contains(document.elementFromPoint(x, (top + bottom) / 2)));
  });
}

async function dismissNotices(page: Page): Promise<void> {
  const notices = page.locator('.fui-ToastContainer');
  await expect
    .poll(async () => {
      // A notice that is just disappearing ignores keys.
      if ((await notices.count()) > 0)
        await notices
          .first()
          .press('Delete', { timeout: 1_000 })
          .catch(() => undefined);
      return notices.count();
    })
    .toBe(0);
}

/** Undoes the action of a notice. */
export async function undo(page: Page, text: string): Promise<void> {
  const notice = await heldNotice(page, text);
  await notice.getByRole('button', { name: 'Undo' }).click();
}

/** The views, by the number of their key. */
const VIEWS = ['Scripts', 'Tags', 'Aggregations', 'Events', 'API mocks', 'Diagrams', 'Settings', 'Search'] as const;

/**
 * Opens a view by its key, and waits until the focus has moved there. Before that, a key would go to the previous view,
 * whose parts can have the same names.
 */
export async function goTo(page: Page, view: (typeof VIEWS)[number]): Promise<void> {
  const main = page.getByRole('main', { name: view, exact: true });
  const isShown = await main.isVisible();
  await page.keyboard.press(`Control+${VIEWS.indexOf(view) + 1}`);
  // The key of the shown view leaves the focus where it is.
  if (!isShown) await focusIn(main);
  await nextTurn(page);
}

/** Selects an entry of the palette by keyboard. */
export async function pickInPalette(page: Page, text: string, option: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+K');
  const palette = page.getByRole('combobox', { name: 'Command palette' });
  await focusIn(palette);
  await palette.fill(text);
  await page.getByRole('option', { name: option, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await dialogGone(palette);
}

export const THEMES = ['light', 'dark', 'high-contrast'] as const;

/** Selects a theme of the workbench, and closes earlier notices, as in a fresh page. */
export async function chooseTheme(page: Page, theme: (typeof THEMES)[number]): Promise<void> {
  await dismissNotices(page);
  const command = `Theme: ${theme.replace('-', ' ')}`;
  await pickInPalette(page, command, new RegExp(command));
  await page.locator(`[data-theme="${theme}"]`).waitFor();
}

/** Switches live runs on or off. */
export async function autoRun(page: Page, on: boolean): Promise<void> {
  const switched = page.getByRole('switch', { name: 'Auto-run' });
  if ((await switched.isChecked()) !== on) await switched.press('Space');
  await page.getByRole('switch', { name: 'Auto-run', checked: on }).waitFor();
}

/**
 * Rests the pointer on an element until its tooltip is shown. Repeats that, because a change of the text hides the
 * tooltip.
 */
export async function hoverFor(target: Locator, shown: Locator): Promise<void> {
  const page = target.page();
  await expect
    .poll(
      async () => {
        if (await shown.isVisible()) return true;
        await page.mouse.move(0, 0);
        await target.hover();
        return shown.waitFor({ timeout: 10_000 }).then(
          () => true,
          () => false,
        );
      },
      { timeout: 120_000 },
    )
    .toBe(true);
}

/** Types ahead in the focused list or tree. Repeats that if the letters were typed too slowly to count as one word. */
export async function typeAhead(page: Page, text: string, chosen: () => Promise<string | null>): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.keyboard.type(text);
        return (await chosen())?.toLowerCase();
      },
      // Longer than the pause that ends a word.
      { interval: 1_500, timeout: 60_000 },
    )
    .toContain(text.toLowerCase());
}

/** Waits until the editor, not the plain text before it, shows the open script. */
export async function editorIsThere(page: Page): Promise<void> {
  await page.locator(`${EDITOR} .view-line`).first().waitFor();
  const [open, shown] = [
    page.getByRole('tablist', { name: 'Open scripts' }).getByRole('tab', { selected: true }),
    page.locator(EDITOR).first(),
  ];
  await expect
    .poll(async () => (await shown.getAttribute('data-uri'))?.split('/').at(-1))
    .toBe(`${await open.getAttribute('data-doc')}.js`);
  // Its lines are placed later than they are added.
  await expect
    .poll(async () => (await shown.locator('.view-line').first().boundingBox())?.height ?? 0)
    .toBeGreaterThan(0);
}

/** Waits until the editor receives typed text. */
export async function editorHasFocus(page: Page): Promise<void> {
  await editorIsThere(page);
  await focusIn(page.locator(EDITOR).first());
}

export async function openScript(page: Page, name: string): Promise<void> {
  await page.getByRole('treeitem', { name, exact: false }).click();
  await page.getByRole('tab', { name, selected: true }).waitFor();
  await editorIsThere(page);
}

/** At the top of the tree, so that its items can be clicked. */
export const OWN_GROUP = 'A test';
let ownScripts = 0;

/** Saves a script for one test and opens it. Returns its name. */
export async function openOwnScript(workbench: BrowserWorkbench, page: Page, body = 'return 1;\n'): Promise<string> {
  ownScripts += 1;
  const name = `Own ${String(ownScripts).padStart(3, '0')}`;
  await workbench.saveScript(`${OWN_GROUP}/${name}`, body);
  await openScript(page, name);
  return name;
}

/** Starts a new script with a text. */
export async function newScript(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Alt+N');
  await page.getByRole('tab', { name: 'Untitled', selected: true }).waitFor();
  await editorHasFocus(page);
  await page.keyboard.insertText(text);
  await shows(page, text);
}

/** Renames the selected script or group of the explorer inline. */
export async function renameTo(page: Page, name: string): Promise<void> {
  await page.keyboard.press('F2');
  await focusIn(page.getByRole('textbox', { name: 'New name' }));
  await page.keyboard.insertText(name);
  await page.keyboard.press('Enter');
}

/** The visible text in the editor. */
export async function editorText(page: Page): Promise<string> {
  const lines = await page.locator(`${EDITOR} .view-line`).evaluateAll((all) =>
    all
      .map((line) => ({ top: line.getBoundingClientRect().top, text: line.textContent }))
      .toSorted((a, b) => a.top - b.top)
      .map(({ text }) => text),
  );
  return lines.join('\n').replaceAll('\u00a0', ' ');
}

/** The inline values at the ends of lines, from the top. */
export const valuesInEditor = (page: Page): Promise<string[]> =>
  page.locator('.run-value').evaluateAll((all) =>
    all
      .map((part) => ({ top: part.getBoundingClientRect().top, text: part.textContent }))
      .toSorted((a, b) => a.top - b.top)
      .map(({ text }) => text.replaceAll('\u00a0', ' ').trim()),
  );

/** Waits until the editor shows the first line of a text, which may be wrapped. */
async function shows(page: Page, text: string): Promise<void> {
  const packed = (shown = '') => shown.replaceAll(/\s/g, '');
  await expect.poll(async () => packed(await editorText(page))).toContain(packed(text.split('\n')[0]));
}

/** Replaces the whole text in the editor. Inserted as from a clipboard, so that nothing is completed automatically. */
export async function write(page: Page, text: string): Promise<void> {
  await page.locator(`${EDITOR} .view-lines`).first().click();
  await editorHasFocus(page);
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await expect.poll(() => editorText(page)).toBe('');
  if (text === '') return;
  await page.keyboard.insertText(text);
  await shows(page, text);
}

export async function putCursor(page: Page, where: 'start' | 'end'): Promise<void> {
  await page.locator(`${EDITOR} .view-lines`).first().click();
  await editorHasFocus(page);
  await page.keyboard.press(where === 'start' ? 'Control+Home' : 'Control+End');
  if (where === 'start') await cursorAt(page, 'Ln 1, Col 1');
}

/** Waits until the status bar shows the position of the cursor. */
export async function cursorAt(page: Page, place: string | RegExp): Promise<void> {
  const status = page.getByRole('contentinfo', { name: 'Status' });
  await (typeof place === 'string' ? status.getByText(place, { exact: true }) : status.getByText(place)).waitFor();
}

/** Runs with F5 (or Shift+F5) and waits for the end of that run, not of an earlier or live run. */
export async function runToEnd(page: Page, status: string, keys = 'F5'): Promise<void> {
  const outcome = page.locator('[data-run-by-hand]');
  const before = await outcome.getAttribute('data-run-by-hand');
  await page.keyboard.press(keys);
  await expect.poll(() => outcome.getAttribute('data-run-by-hand'), { timeout: 60_000 }).not.toBe(before);
  await page.locator(`[role="status"]:not(:has([data-live])) [data-status="${status}"]`).waitFor();
}

/** Opens a tab of the preview, and waits until its content matches. */
export async function paneShows(
  page: Page,
  pane: 'Result' | 'Trace' | 'Console',
  text: string | RegExp,
): Promise<void> {
  const polled = expect.poll(() => showPane(page, pane), { message: pane });
  await (typeof text === 'string' ? polled.toContain(text) : polled.toMatch(text));
}

/** Opens a tab of the preview. Returns its content, which may still be that of before. */
export async function showPane(page: Page, pane: 'Result' | 'Trace' | 'Console'): Promise<string> {
  await page.getByRole('tab', { name: new RegExp(`^${pane}`) }).click();
  return page.getByRole('tabpanel', { name: new RegExp(`^${pane}`) }).innerText();
}

/** A position where no tooltip of the activity bar covers a row. */
const NEXT_TO_TOOLTIP = { x: 220, y: 13 };

export async function openDiagrams(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: 'Diagrams' })
    .or(page.getByRole('tab', { name: 'Diagrams' }))
    .first()
    .click();
  await page.getByRole('grid', { name: 'Diagrams' }).waitFor();
}

export async function openDiagram(page: Page, name: string): Promise<void> {
  await openDiagrams(page);
  await page.getByRole('grid', { name: 'Diagrams' }).getByRole('row', { name }).click({ position: NEXT_TO_TOOLTIP });
  await page.getByRole('region', { name, exact: true }).waitFor();
}

/** Where a part of a Diagram is on its page, whatever the zoom. */
export async function placeOf(part: Locator): Promise<number[]> {
  const label = (await part.getAttribute('aria-label')) ?? '';
  return (/at (\d+), (\d+)/.exec(label) ?? []).slice(1).map(Number);
}

/** Retries a lost connection by the button of its banner, after which the server can be reached. */
export async function retryConnection(page: Page, makeReachable: () => void): Promise<void> {
  // Only with the click: a retry of the page itself would remove the button while it is clicked.
  await page.exposeFunction('makeReachable', makeReachable);
  const retry = page.getByRole('button', { name: 'Retry now' });
  await retry.evaluate((button) => {
    button.addEventListener('click', () => void Reflect.get(globalThis, 'makeReachable')());
  });
  await retry.click();
}
