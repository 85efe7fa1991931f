import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { storePicture } from '../../support/browser/picture.ts';
import { sampled } from '../../support/run/scale.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { goToLine, nothingDebugged, pane, pausedAt, state, tree } from './debug-steps.ts';
import { chooseTheme, dialogGone, dialogThere, focusIn, openOwnScript } from '../steps.ts';

const SPEED = 'Bottling.Line1.Filler.Speed.Value';
const BODY = `const tag = '${SPEED}';
const speed = TagValueManager.Get([tag]).Value[0].Value;
// No statement here.
const order = { id: 7, lines: [1, 2, 3] };
let sum = 0;
for (const line of order.lines) {
  sum += line;
}
console.log('sum', sum);
return { sum, speed };
`;

const NESTED = `const tag = 'Bottling.Line1.Filler.SpeedSetPoint.Value';
const read = TagValueManager.Get([tag]);
return read.Value[0].Value;
`;

describe('debugging in the workbench', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open());
  beforeEach(async () => {
    window = await shared();
  });

  test('breakpoint, steps, variables, console, a changed variable, and the result', async () => {
    const { page } = window;
    await openOwnScript(workbench, page, BODY);
    await goToLine(page, 3);
    await page.keyboard.press('F9');
    await page.locator('.monaco-editor .breakpoint').waitFor();
    await page.keyboard.press('Alt+F5');
    // The comment has no statement: the run pauses at the next one, and the breakpoint shows that.
    await pausedAt(page, 4);
    await page.locator('.monaco-editor .breakpoint-moved').waitFor();
    await page.locator('.monaco-editor .debug-line').waitFor();
    await page.getByRole('button', { name: /^Paused in Own/ }).waitFor();
    await expect.poll(() => tree(page, 'Call stack').getByRole('treeitem').count()).toBe(1);

    await page.keyboard.press('F10');
    await pausedAt(page, 5);
    // At the line before, it was not initialized yet.
    const order = tree(page, 'Variables').getByRole('treeitem', { name: /^order: \{/ });
    await order.click();
    await tree(page, 'Variables').getByRole('treeitem', { name: 'id: 7', exact: true }).waitFor();
    await page.keyboard.press('F10');
    await pausedAt(page, 6);

    const sum = tree(page, 'Variables').getByRole('treeitem', { name: /^sum: 0/ });
    await sum.dblclick();
    const field = page.getByRole('textbox', { name: 'New value' });
    await focusIn(field);
    await field.fill('100');
    await page.keyboard.press('Enter');
    await tree(page, 'Variables').getByRole('treeitem', { name: 'sum: 100' }).waitFor();

    const input = page.getByRole('combobox', { name: 'Evaluate in the selected frame' });
    await input.click();
    await page.keyboard.type('order.id');
    await page.keyboard.press('Enter');
    await tree(page, 'Output').getByRole('treeitem', { name: '7', exact: true }).waitFor();
    await page.keyboard.type('ord');
    await page.getByRole('option', { name: 'order' }).waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => input.inputValue()).toBe('order');
    await input.fill('');

    await page.getByRole('textbox', { name: 'Expression to watch' }).fill('sum * 2');
    await page.keyboard.press('Enter');
    await tree(page, 'Watched expressions').getByRole('treeitem', { name: 'sum * 2: 200' }).waitFor();

    await page
      .getByRole('list', { name: 'Tags of the paused run' })
      .getByText(/read .* at \d\d:/)
      .waitFor();
    for (const theme of sampled(['dark', 'light'] as const, 1)) {
      await chooseTheme(page, theme);
      await storePicture(page, `debugger-${theme}`);
      expect(await accessibilityFindings(page, 'a paused run')).toEqual([]);
    }

    await page.keyboard.press('F5');
    await page.getByRole('tab', { name: /^Result/, selected: true }).waitFor();
    const preview = page.getByRole('region', { name: 'Preview' });
    await expect.poll(() => preview.innerText()).toContain('"sum": 106');
    await nothingDebugged(page);
  });

  test('a conditional breakpoint, a log point, and run to the cursor', async () => {
    const { page } = window;
    await openOwnScript(workbench, page, BODY);
    await goToLine(page, 7);
    await page.keyboard.press('Shift+F9');
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Breakpoint at line 7' }));
    await dialog.getByRole('textbox', { name: 'Pause only if this is true' }).fill('line === 2');
    await page.keyboard.press('Enter');
    await dialogGone(dialog);
    await goToLine(page, 9);
    await page.keyboard.press('Shift+F9');
    const log = await dialogThere(page.getByRole('dialog', { name: 'Breakpoint at line 9' }));
    await log.getByRole('textbox', { name: 'Log this text instead of pausing' }).fill('total {sum}');
    await page.keyboard.press('Enter');
    await dialogGone(log);
    await page.keyboard.press('Alt+F5');
    await pausedAt(page, 7);
    await tree(page, 'Variables').getByRole('treeitem', { name: 'line: 2' }).waitFor();
    await goToLine(page, 10);
    await page.keyboard.press('Control+F10');
    await pausedAt(page, 10);
    await expect.poll(() => tree(page, 'Output').getByRole('treeitem').allInnerTexts()).toContain('total 6\nline 9');
    await nothingDebugged(page);
  });

  test('an exception pauses at its line with its message', async () => {
    const { page } = window;
    // So long that the editor wraps the line.
    const reason = `'too far'${" + ' and further'".repeat(20)}`;
    await openOwnScript(workbench, page, `const limit = 5;\nif (limit > 3) {\n  throw new RangeError(${reason});\n}\n`);
    await page.keyboard.press('Alt+F5');
    await pausedAt(page, 3);
    await expect.poll(() => page.locator('.monaco-editor .debug-line').count()).toBeGreaterThan(1);
    await expect.poll(() => page.locator('.monaco-editor .debug-frame').count()).toBe(1);
    await expect.poll(() => pane(page).getByRole('alert').innerText()).toContain('RangeError: too far');
    await tree(page, 'Variables').getByRole('treeitem', { name: 'limit: 5' }).waitFor();
    await nothingDebugged(page);
  });

  test('step into the script of a tag: its own tab, one call stack', async () => {
    const { page } = window;
    const name = await openOwnScript(workbench, page, NESTED);
    await page.keyboard.press('F10');
    await pausedAt(page, 1);
    await page.keyboard.press('F10');
    await pausedAt(page, 2);
    await page.keyboard.press('F11');
    await page.getByRole('tab', { name: 'Read the speed set point', selected: true }).waitFor();
    const stack = tree(page, 'Call stack').getByRole('treeitem');
    await expect.poll(() => stack.count()).toBe(2);
    await stack.last().click();
    await page.getByRole('tab', { name, selected: true }).waitFor();
    await page.locator('.monaco-editor .debug-line-caller').waitFor();
    // The script that waits has variables too.
    await tree(page, 'Variables')
      .getByRole('treeitem', { name: /^tag: "Bottling/ })
      .waitFor();
    await tree(page, 'Variables').getByRole('treeitem', { name: 'read: not initialized' }).waitFor();
    await stack.first().click();
    await page.keyboard.press('Shift+F11');
    await page.getByRole('tab', { name, selected: true }).waitFor();
    await expect.poll(() => stack.count()).toBe(1);
    await nothingDebugged(page);
  });

  test('an endless loop is paused, and stopped', async () => {
    const { page } = window;
    await openOwnScript(workbench, page, 'let turns = 0;\nfor (;;) {\n  turns += 1;\n}\n');
    await page.keyboard.press('Alt+F5');
    await expect.poll(() => state(page).innerText()).toContain('Running');
    await page.keyboard.press('Control+F6');
    await expect.poll(() => state(page).innerText()).toContain('Paused');
    await page.keyboard.press('Shift+F5');
    await expect.poll(() => page.getByRole('region', { name: 'Preview' }).innerText()).toContain('Stopped');
  });

  test('breakpoints and the paused run survive a reload', async () => {
    const own = await workbench.open();
    const { page } = own;
    await openOwnScript(workbench, page, BODY);
    await goToLine(page, 4);
    await page.keyboard.press('F9');
    await page.keyboard.press('Alt+F5');
    await pausedAt(page, 4);
    await page.reload();
    await pausedAt(page, 4);
    const breakpoint = page.locator('.monaco-editor .debug-frame-breakpoint');
    await breakpoint.waitFor();
    await expect.poll(() => breakpoint.count()).toBe(1);
    await page.keyboard.press('F10');
    await pausedAt(page, 5);
    await nothingDebugged(page);
    await own.close();
  });
});
