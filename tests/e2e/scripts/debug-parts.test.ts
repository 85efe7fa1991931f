import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { goToLine, moveTo, nothingDebugged, pane, pausedAt, state, tree } from './debug-steps.ts';
import { dialogGone, dialogThere, focusIn, goTo, openOwnScript, openScript, showPane } from '../steps.ts';

const SPEED = 'Bottling.Line1.Filler.Speed.Value';
const SET_POINT = 'Bottling.Line1.Filler.SpeedSetPoint.Value';

/** Rests the pointer on the begin of a text in the editor until its value is shown. */
async function hoverOver(page: Page, text: string, shown: Locator): Promise<void> {
  const look = async () => {
    const at = await page
      .locator('.monaco-editor .view-lines')
      .first()
      .evaluate((lines, wanted) => {
        const walker = document.createTreeWalker(lines, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const place = (node.textContent ?? '').indexOf(wanted);
          if (place === -1) continue;
          const range = document.createRange();
          range.setStart(node, place);
          range.setEnd(node, place + 2);
          const { x, y, width, height } = range.getBoundingClientRect();
          return { x: x + width / 2, y: y + height / 2 };
        }
        return null;
      }, text);
    if (!at) return false;
    await page.mouse.move(0, 0);
    await page.mouse.move(at.x, at.y);
    return shown.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    );
  };
  await expect.poll(look, { timeout: 120_000 }).toBe(true);
}

describe('parts of the debugger', () => {
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

  const variable = (name: string | RegExp) =>
    tree(window.page, 'Variables').getByRole('treeitem', { name, ...(typeof name === 'string' && { exact: true }) });

  test('values on hover; getters, ranges of arrays and the menu of a variable', async () => {
    const { page } = window;
    const body = `const order = { id: 7, get late() { return 'yes'; } };
const big = Array.from({ length: 12_345 }, (_, index) => index * 2);
return order.id + big.length;
`;
    await openOwnScript(workbench, page, body);
    await goToLine(page, 3);
    await page.keyboard.press('F9');
    await page.keyboard.press('Alt+F5');
    await pausedAt(page, 3);
    const value = page.locator('.monaco-hover').getByText(/id: 7/).first();
    await hoverOver(page, 'order.id', value);
    await page.keyboard.press('Escape');

    await variable(/^order: /).click();
    await variable('late: (…)').click();
    await variable('late: "yes"').waitFor();
    // By keyboard: ranges of 100, of ranges.
    await moveTo(tree(page, 'Variables'), variable(/^big: /));
    await page.keyboard.press('ArrowRight');
    await variable('[10000 … 12344]').click();
    await variable('[10000 … 10099]').click();
    await variable('10001: 20002').waitFor();

    await variable('id: 7').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Edit the value' }).waitFor();
    await page.getByRole('menuitem', { name: 'Watch' }).click();
    await tree(page, 'Watched expressions').getByRole('treeitem', { name: 'order.id: 7' }).waitFor();
    await moveTo(tree(page, 'Variables'), variable('id: 7'));
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Edit the value' }).press('Enter');
    const field = page.getByRole('textbox', { name: 'New value' });
    await focusIn(field);
    await field.fill('70');
    await page.keyboard.press('Enter');
    await variable('id: 70').waitFor();
    const watched = tree(page, 'Watched expressions');
    await moveTo(watched, watched.getByRole('treeitem', { name: 'order.id: 70' }));
    await page.keyboard.press('Delete');
    await expect.poll(() => tree(page, 'Watched expressions').getByRole('treeitem').count()).toBe(0);
    await page.keyboard.press('F5');
    await expect.poll(() => page.getByRole('region', { name: 'Preview' }).innerText()).toContain('12415');
    await nothingDebugged(page);
  });

  test('tags are written, overridden and forced; the next Get sees it', async () => {
    const { page } = window;
    const path = 'Debugged.Line.Level.Value';
    const client = await workbench.client();
    const text = { description: '', unit: '', type: 'Double' as const };
    await client.tags.save({ ...text, path, kind: 'storage', settings: { initial: 12.4 } });
    const body = `const tags = [
  '${path}',
  '${SPEED}',
];
const read = () => TagValueManager.Get(tags).Value;
const first = read();
const second = read();
const third = read();
return third.length;
`;
    await openOwnScript(workbench, page, body);
    await goToLine(page, 7);
    await page.keyboard.press('F9');
    await page.keyboard.press('Alt+Shift+F5');
    await pausedAt(page, 7);
    const tags = page.getByRole('list', { name: 'Tags of the paused run' });
    await tags.getByText(/read 12\.4 at \d\d:/).waitFor();
    await page.getByRole('button', { name: `Write or force ${path}` }).press('Enter');
    const write = await dialogThere(page.getByRole('dialog', { name: path }));
    await write.getByRole('textbox', { name: 'Value (Double)' }).fill('14.1');
    await page.keyboard.press('Enter');
    await dialogGone(write);
    await tags.getByText('now 14.1').waitFor();
    await page.getByRole('button', { name: `Write or force ${SPEED}` }).click();
    const override = await dialogThere(page.getByRole('dialog', { name: SPEED }));
    await override.getByRole('textbox', { name: /^Value/ }).fill('321');
    await override.getByRole('button', { name: 'Override the signal' }).click();
    await dialogGone(override);
    await tags.getByText('now 321').waitFor();
    await page.keyboard.press('F10');
    await pausedAt(page, 8);
    await page.getByRole('button', { name: `Write or force ${SPEED}` }).click();
    const force = await dialogThere(page.getByRole('dialog', { name: SPEED }));
    await force.getByRole('combobox', { name: 'Quality to force' }).selectOption('BadTimeout');
    await force.getByRole('button', { name: 'Force', exact: true }).click();
    await dialogGone(force);
    await page.keyboard.press('F10');
    await pausedAt(page, 9);
    const input = page.getByRole('combobox', { name: 'Evaluate in the selected frame' });
    await input.fill('second.map((one) => one.Value).join()');
    await input.press('Enter');
    await tree(page, 'Output').getByRole('treeitem', { name: '"14.1,321"', exact: true }).waitFor();
    await input.fill('third[1].Quality');
    await input.press('Enter');
    await tree(page, 'Output').getByRole('treeitem', { name: '"BadTimeout"', exact: true }).waitFor();
    expect(await client.tags.get({ paths: [path, SPEED] })).toMatchObject([{ value: 14.1 }, { quality: 'BadTimeout' }]);
    await client.tags.force({ path: SPEED, quality: null });
    await client.tags.release({ paths: [SPEED] });
    await nothingDebugged(page);
  });

  test('a call of an API is answered by hand', async () => {
    const { page } = window;
    const body = `const r = ApiValueManager.Fetch('http://plant.invalid/orders', null, 'GET', null);
return [r.statusCode, r.responseObject];
`;
    await openOwnScript(workbench, page, body);
    const apiCalls = page.getByRole('checkbox', { name: 'API calls' });
    await page.keyboard.press('Alt+6');
    await apiCalls.press('Space');
    await page.keyboard.press('Alt+F5');
    await expect.poll(() => pane(page).innerText()).toContain('Paused before an API call');
    await pane(page).getByText('Fetch http://plant.invalid/orders').waitFor();
    await page.getByRole('button', { name: 'Answer by hand…' }).press('Enter');
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Answer the API call' }));
    expect(await accessibilityFindings(page, 'an answer by hand', '[role="dialog"]')).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Status' }).fill('99');
    await dialog.getByText('A status from 100 to 599').waitFor();
    await dialog.getByRole('textbox', { name: 'Status' }).fill('418');
    await dialog.getByRole('button', { name: /^Answer and continue/ }).click();
    await dialogGone(dialog);
    await pausedAt(page, 2);
    await page.keyboard.press('F5');
    await expect.poll(() => page.getByRole('region', { name: 'Preview' }).innerText()).toContain('"418"');
    await page.keyboard.press('Alt+6');
    await apiCalls.press('Space');
    await nothingDebugged(page);
  });

  test('a breakpoint has a hit count; the menu of the gutter edits and removes it', async () => {
    const { page } = window;
    const body = 'let sum = 0;\nfor (const one of [1, 2, 3, 4]) {\n  sum += one;\n}\nreturn sum;\n';
    await openOwnScript(workbench, page, body);
    await goToLine(page, 3);
    const glyph = page.locator('.monaco-editor .margin-view-overlays > div').nth(2);
    // The hint of a breakpoint may be above it, where the pointer was before.
    await glyph.click({ button: 'right', position: { x: 6, y: 6 }, force: true });
    await page.getByRole('menuitem', { name: /^Add a conditional breakpoint/ }).click();
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Breakpoint at line 3' }));
    expect(await accessibilityFindings(page, 'a breakpoint', '[role="dialog"]')).toEqual([]);
    const hits = dialog.getByRole('textbox', { name: 'Pause from this hit on' });
    await hits.fill('often');
    await dialog.getByText('A whole number from 1').waitFor();
    await hits.fill('3');
    await hits.press('Enter');
    await dialogGone(dialog);
    await page.keyboard.press('Alt+F5');
    await pausedAt(page, 3);
    await variable('one: 3').waitFor();
    const listed = tree(page, 'Breakpoints');
    await moveTo(listed, listed.getByRole('treeitem', { name: /from hit 3/ }));
    await page.keyboard.press('Delete');
    await page.keyboard.press('F5');
    await expect.poll(() => page.getByRole('region', { name: 'Preview' }).innerText()).toContain('10');
    await nothingDebugged(page);
  });

  test('break in all runs pauses runs of others, says so, and is turned off', async () => {
    const { page } = window;
    await openScript(page, 'Read the speed set point');
    await goToLine(page, 1);
    await page.keyboard.press('F9');
    await page.keyboard.press('Alt+6');
    await page.getByRole('checkbox', { name: 'Break in all runs' }).press('Space');
    await page.getByText('Break in all runs is on').waitFor();
    const client = await workbench.client();
    const reading = client.tags.get({ paths: [SET_POINT] });
    await page.getByText(/1 run waits for you/).waitFor();
    await goTo(page, 'Tags');
    await page.getByText('Break in all runs is on').waitFor();
    await page.getByRole('button', { name: 'Show scripts' }).click();
    await page.keyboard.press('Alt+6');
    const others = tree(page, 'Other debugged runs');
    await moveTo(others, others.getByRole('treeitem', { name: /Read the speed set point/ }));
    await page.keyboard.press('Enter');
    await expect.poll(() => state(page).innerText()).toMatch(/^Paused/);
    await page.keyboard.press('F5');
    expect(await reading).toMatchObject([{ quality: 'Good' }]);
    await page.getByRole('button', { name: 'Turn off' }).press('Enter');
    await expect.poll(() => page.getByText('Break in all runs is on').count()).toBe(0);
    await nothingDebugged(page);
    await page.getByRole('button', { name: 'Remove all breakpoints' }).click();
  });

  test('a calculation is debugged from its tag, with its text read-only', async () => {
    const { page } = window;
    const path = 'Bottling.Line1.Filler.BottlesPerHour.Value';
    await goTo(page, 'Tags');
    await page.getByRole('searchbox').first().fill('BottlesPerHour');
    await page.getByRole('row').filter({ hasText: 'BottlesPerHour' }).first().click();
    await page.getByRole('button', { name: 'Debug', exact: true }).press('Enter');
    await pausedAt(page, 1);
    const source = page.getByRole('region', { name: `Source of ${path}` });
    await source.getByText(`tag('${SPEED}') * 60`).waitFor();
    await source.getByText('read only').waitFor();
    expect(await accessibilityFindings(page, 'the text of a calculation')).toEqual([]);
    await page.keyboard.press('F11');
    await pausedAt(page, 6);
    await variable(`path: "${SPEED}"`).waitFor();
    await page.keyboard.press('F5');
    await tree(page, 'Output')
      .getByRole('treeitem', { name: /^Result: \d/ })
      .waitFor();
    await nothingDebugged(page);
  });

  test('a test is debugged with its tags, by keyboard', async () => {
    const { page } = window;
    const client = await workbench.client();
    const body = `const tag = '${SPEED}';\nconst read = TagValueManager.Get([tag]).Value[0];\nreturn read.Value * 2;\n`;
    const { id: scriptId } = await client.scripts.save({ group: 'A test', name: 'Tested', description: '', body });
    await client.scriptTests.save({
      scriptId,
      name: 'twice',
      tags: [{ tag: SPEED, value: 21 }],
      expect: { result: 42 },
    });
    await openScript(page, 'Tested');
    await goToLine(page, 3);
    await page.keyboard.press('F9');
    await page.keyboard.press('Alt+5');
    await page.getByRole('button', { name: 'Debug the test twice' }).press('Enter');
    await pausedAt(page, 3);
    await variable(/^read: \{.*21/).waitFor();
    await page.getByRole('button', { name: 'Paused in twice' }).waitFor();
    await page.keyboard.press('F5');
    await page.getByRole('tab', { name: 'Preview', selected: true }).waitFor();
    await expect.poll(() => showPane(page, 'Result')).toContain('42');
    await page.keyboard.press('Alt+5');
    await page.getByRole('listitem').filter({ hasText: 'twice' }).getByRole('img', { name: 'passed' }).waitFor();
    await page.getByText('1 of 1 passed').waitFor();
    await nothingDebugged(page);
  });
});
