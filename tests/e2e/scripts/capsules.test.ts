import { readFile } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { sharedFolder } from '../../support/temp-folder.ts';
import { goToLine } from './debug-steps.ts';
import {
  editorText,
  focusIn,
  OWN_GROUP,
  openOwnScript,
  openScript,
  pickInPalette,
  valuesInEditor,
  write,
} from '../steps.ts';

const LEVEL = 'Bottling.Line1.Filler.TankLevel.Value';
const NUMBER = 'Bottling.Line1.Order.Number.Value';
const BODY = `const [level] = TagValueManager.Get(['${LEVEL}']).Value;
const order = Math.round(Math.random() * 1000);
TagValueManager.Set([{ tag: '${NUMBER}', value: order }]);
console.log(new Date().toISOString());
return { order, quality: level.Quality };
`;

const panel = (page: Page) => page.getByRole('tabpanel', { name: 'Replay' });
const runs = (page: Page) => page.getByRole('list', { name: 'Recorded runs' }).getByRole('listitem');
const verdict = (page: Page) => panel(page).getByRole('region', { name: 'Comparison' }).getByRole('status');

/** Runs the open script, and shows its recorded runs. */
async function runAndList(page: Page): Promise<void> {
  await page.keyboard.press('F5');
  await page.locator('[data-status="ok"]').first().waitFor();
  await page.keyboard.press('Alt+8');
  // The list may be that of before.
  await runs(page)
    .first()
    .getByText(/^Version/)
    .waitFor();
}

describe('capsules', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  let folder: string;
  beforeAll(async () => {
    folder = sharedFolder();
    workbench = await startBrowserWorkbench();
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ reducedMotion: 'reduce' }));
  beforeEach(async () => {
    window = await shared();
  });

  const fileOf = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const openFile = async (page: Page, path: string) => {
    const choosing = page.waitForEvent('filechooser');
    await pickInPalette(page, 'capsule', /Open a capsule/);
    await (await choosing).setFiles(path);
  };

  test('replays a run, shows the first difference of an edited text, and makes a test', async () => {
    const { page } = window;
    await openOwnScript(workbench, page, BODY);
    await runAndList(page);
    await expect.poll(() => runs(page).first().innerText()).toContain('Version 1');
    await runs(page).first().getByRole('button', { name: 'Replay' }).click();
    await expect.poll(() => verdict(page).innerText()).toContain('Identical: result, writes, calls and console');
    expect(await panel(page).getByRole('region', { name: 'First difference' }).count()).toBe(0);

    const written = await workbench.tagValue(NUMBER);
    await write(page, BODY.replace('value: order', 'value: order + 1000'));
    await panel(page).getByRole('button', { name: 'Replay edited text' }).click();
    await expect.poll(() => verdict(page).innerText()).toContain('Different: writes and calls');
    const first = panel(page).getByRole('region', { name: 'First difference' });
    await expect.poll(() => first.innerText()).toMatch(/write .*Order\.Number\.Value = \d{1,3} [^]* = 1\d{3} /);
    expect(await accessibilityFindings(page, 'replay')).toEqual([]);
    // Only the replay ran the text in the editor.
    await first.getByRole('button', { name: 'line 3' }).click();
    await page.locator('[data-pane="editor"] .monaco-editor.focused').waitFor();
    await expect.poll(() => first.getByRole('button').count()).toBe(1);
    await panel(page).getByRole('region', { name: 'Not recorded, taken as written' }).waitFor();
    expect(await workbench.tagValue(NUMBER)).toBe(written);

    await panel(page).getByRole('button', { name: 'Make a test' }).click();
    await page
      .getByText(/Added the test “Run of /)
      .first()
      .waitFor();
    await page.keyboard.press('Alt+5');
    await page.getByRole('list', { name: 'Tests' }).getByText('Run of ').waitFor();
  });

  test('steps forward and back through a replay, with the values of each step', async () => {
    const { page } = window;
    const body = `let total = 0;
for (const one of [5, 7]) {
  total += one;
}
const [level] = TagValueManager.Get(['${LEVEL}']).Value;
return total;
`;
    await openOwnScript(workbench, page, body);
    await runAndList(page);
    await runs(page)
      .first()
      .getByRole('button', { name: /^\d{4}-/ })
      .click();
    const start = panel(page).getByRole('button', { name: 'Step through the replay' });
    await start.focus();
    await page.keyboard.press('Enter');
    const steps = panel(page).getByRole('group', { name: 'Steps of the replay' });
    const slider = steps.getByRole('slider', { name: 'Step' });
    await focusIn(slider);
    await expect.poll(() => steps.getByRole('status').innerText()).toBe('Step 1 of 6, line 1');
    await page.locator('.debug-line').waitFor();
    const values = async () => (await valuesInEditor(page)).map((text) => text.trim());
    await expect.poll(values).toEqual(['total = 0']);
    await page.keyboard.press('F7');
    await page.keyboard.press('F7');
    await expect.poll(values).toEqual(['total = 0', 'one = 5', 'total = 5']);
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('Step 3 of 6, line 3');
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(values).toEqual(['total = 0', 'one = 7', 'total = 12']);
    expect(await accessibilityFindings(page, 'steps of a replay')).toEqual([]);
    await page.keyboard.press('Shift+F7');
    await expect.poll(values).toEqual(['total = 0', 'one = 5', 'total = 5']);
    await page.keyboard.press('End');
    await expect.poll(() => steps.getByRole('status').innerText()).toBe('Step 6 of 6, line 6');
    await expect.poll(async () => (await values()).join(' ')).toContain('level = {Path');

    // The line of the cursor.
    await goToLine(page, 3);
    await page.keyboard.press('Alt+Shift+F7');
    await expect.poll(() => steps.getByRole('status').innerText()).toBe('Step 4 of 6, line 3');
    await page.keyboard.insertText('x');
    await steps.getByText('The text has changed').waitFor();
    await expect.poll(() => page.locator('.debug-line').count()).toBe(0);
    await page.keyboard.press('Control+Z');
    await page.locator('.debug-line').waitFor();
    // Another tab shows another run: its values, and no step.
    await page.keyboard.press('Alt+2');
    await expect.poll(() => page.locator('.debug-line').count()).toBe(0);
    await page.keyboard.press('Alt+8');
    await page.locator('.debug-line').waitFor();
    await steps.getByRole('button', { name: 'End stepping' }).press('Enter');
    await steps.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.debug-line').count()).toBe(0);
    await focusIn(start);
    await page.keyboard.press('Enter');
    await focusIn(slider);
    await goToLine(page, 3);
    await page.keyboard.press('Escape');
    await steps.waitFor({ state: 'detached' });
    await panel(page).getByRole('button', { name: 'All runs' }).press('Enter');
    await focusIn(panel(page).getByRole('button', { name: 'Open capsule…' }));
    await runs(page).first().getByRole('button', { name: 'Replay' }).press('Enter');
    await panel(page)
      .getByText('Same as recorded')
      .or(panel(page).getByRole('button', { name: 'All runs' }))
      .first()
      .waitFor();
    await focusIn(panel(page).getByRole('button', { name: 'Replay', exact: true }));
  });

  test('compares two runs side by side', async () => {
    const { page } = window;
    const body = (limit: number) => `const [level] = TagValueManager.Get(['${LEVEL}']).Value;
let state = 'low';
if (level.Value > ${limit}) {
  state = 'high';
}
TagValueManager.Set([{ tag: '${NUMBER}', value: state.length }]);
return state;
`;
    await openOwnScript(workbench, page, body(-1));
    await runAndList(page);
    await write(page, body(1e9).replaceAll('\n}', '\n').replace('{\n  state', '\n  state'));
    await page.keyboard.press('F5');
    await expect.poll(() => runs(page).count()).toBe(2);
    await runs(page)
      .first()
      .getByRole('button', { name: /^\d{4}-/ })
      .click();
    // By keyboard: the first item keeps the focus while the runs are loaded.
    await panel(page).getByRole('button', { name: 'Compare with' }).press('Enter');
    await focusIn(page.getByRole('menuitem', { name: /Version 1/ }).first());
    await page.keyboard.press('Enter');
    const compared = panel(page).getByRole('region', { name: 'Compared runs' });
    await expect.poll(() => compared.getByRole('status').innerText()).toMatch(/Different: .*path and output/);
    const output = compared.getByRole('region', { name: 'First difference in output' });
    await expect.poll(() => output.innerText()).toMatch(/= 3[^]*= 4/);
    const table = compared.getByRole('table', { name: 'Exchanges' });
    const equal = async () => (await table.getByRole('row').count()) - (await table.getByLabel('differs').count());
    // Only the header.
    await expect.poll(equal).toBe(1);
    expect(await accessibilityFindings(page, 'compared runs')).toEqual([]);
    await compared.getByRole('button', { name: 'Close the comparison' }).click();
    await verdict(page).getByText('Not replayed yet').waitFor();

    // With the capsule of a file.
    const downloading = page.waitForEvent('download');
    await panel(page).getByRole('button', { name: 'Save as capsule' }).click();
    const path = await (await downloading).path();
    await panel(page).getByRole('button', { name: 'Compare with' }).click();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('menuitem', { name: 'A capsule file…' }).click();
    await (await choosing).setFiles(fileOf('same.json', await readFile(path, 'utf8')));
    await compared.getByText('Equal: input, path and output').waitFor();
    await panel(page).getByRole('button', { name: 'All runs' }).click();
  });

  test('saves a run as a capsule, and opens it with its script', async () => {
    const { page } = window;
    const name = await openOwnScript(workbench, page, BODY);
    await runAndList(page);
    const downloading = page.waitForEvent('download');
    await runs(page).first().getByRole('button', { name: 'Save as capsule' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^A-test-Own-\d+-\d{4}-\d\d-\d\d-\d{6}\.capsule\.json$/);
    await page.getByText('It contains no secret that Tagwright knows.').first().waitFor();
    const text = await readFile(await download.path(), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ format: 'tagwright-capsule', script: { name: `${OWN_GROUP}/${name}` } });

    await openOwnScript(workbench, page);
    await openFile(page, fileOf('saved.json', text));
    await page.getByRole('tab', { name, selected: true }).waitFor();
    await panel(page).getByText('saved.json').waitFor();
    await panel(page).getByRole('button', { name: 'Replay', exact: true }).click();
    await expect.poll(() => verdict(page).innerText()).toContain('Identical');
    await panel(page).getByRole('button', { name: 'Show values of the replay' }).click();
    await expect.poll(async () => (await valuesInEditor(page)).join('\n')).toMatch(/order = \d+/);
    await page.keyboard.press('Alt+1');
    await expect.poll(() => page.getByRole('tabpanel', { name: 'Result' }).innerText()).toContain('quality');

    // Of another workspace: its text becomes a script that is not saved.
    await page.keyboard.press('Alt+8');
    const other = text.replace(`${OWN_GROUP}/${name}`, 'Else/Where').replace('console.log(', 'console.info(');
    await dropOn(page, panel(page), fileOf('other.json', other));
    await page.getByRole('tab', { name: 'Untitled', selected: true }).waitFor();
    await expect.poll(() => editorText(page)).toContain('const [level]');
    await panel(page).getByText('its content does not match its hash').waitFor();
    await panel(page).getByRole('button', { name: 'All runs' }).click();
  });

  test('says where a file is no capsule, and which call a capsule does not have', async () => {
    const { page } = window;
    const name = await openOwnScript(workbench, page, `return TagValueManager.Get(['${LEVEL}']).Value[0].Quality;\n`);
    await openFile(page, fileOf('cut.json', '{\n  "format": "tagwright-capsule",\n  "version"'));
    await page
      .getByText(/The capsule cannot be read: it is not JSON: .*line 3/)
      .first()
      .waitFor();
    await openScript(page, name);
    await runAndList(page);
    await runs(page)
      .first()
      .getByRole('button', { name: /^\d{4}-/ })
      .click();
    await verdict(page).getByText('Not replayed yet').waitFor();
    await write(page, `return TagValueManager.Get(['${NUMBER}']).Value[0].Value;\n`);
    await panel(page).getByRole('button', { name: 'Replay edited text' }).click();
    const missing = panel(page).getByRole('alert');
    await missing.getByText('is not in the capsule').waitFor();
    await expect.poll(() => missing.innerText()).toContain(LEVEL);
    // Longer than pressing Stop takes.
    await workbench.tagwright('settings', 'set', 'limits.scriptMs=600000', 'limits.totalMs=600000');
    await write(page, 'for (;;);\n');
    await panel(page).getByRole('button', { name: 'Replay edited text' }).click();
    await panel(page).getByRole('button', { name: 'Stop' }).click();
    await panel(page).getByRole('button', { name: 'Replay edited text' }).waitFor();
    await expect.poll(() => panel(page).getByRole('alert').innerText()).toContain('is not in the capsule');
  });
});

/** Drops a file as the operating system does. */
async function dropOn(page: Page, target: Locator, file: string): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error('the target is not visible');
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  const session = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one by one
    await session.send('Input.dispatchDragEvent', { type, ...at, data });
  }
  await session.detach();
}
