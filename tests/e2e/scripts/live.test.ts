import { stat } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import { sampled } from '../../support/run/scale.ts';
import {
  autoRun,
  cursorAt,
  dialogGone,
  dialogThere,
  editorIsThere,
  editorText,
  openOwnScript,
  openScript,
  OWN_GROUP,
  putCursor,
  runToEnd,
  showPane,
  valuesInEditor,
  write,
} from '../steps.ts';

const FLAG = 'Bottling.Scripts.Error.Message.Value';
const SET_POINT = 'Bottling.Line1.Filler.SpeedSetPoint.Value';
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SPEED = 'Bottling.Line1.Filler.Speed.Value';

const preview = (page: Page) => page.getByRole('region', { name: 'Preview' });
const foot = (page: Page) => preview(page).locator('[data-foot]');
const head = (page: Page) => preview(page).getByRole('status');
const liveHead = (page: Page) => head(page).getByText('Auto-run, nothing saved');
const liveResult = (page: Page) => preview(page).getByRole('region', { name: 'Result as JSON' });

/** The parts of a line that are not wholly visible. */
const cutOff = (line: Locator) =>
  line.evaluate((bar) => {
    const end = bar.getBoundingClientRect().right;
    return [...bar.children]
      .filter((part) => part.scrollWidth > part.clientWidth + 1 || part.getBoundingClientRect().right > end)
      .map((part) => part.textContent);
  });

describe('typed text runs at once, and saves nothing', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    // A busy machine may need more than the default for a hundred reads.
    await limit(20_000);
  });
  afterAll(() => workbench.close());
  const limit = async (ms: number) => (await workbench.client()).settings.update({ 'limits.liveMs': ms });
  const shared = sharedWindow(() => workbench.open({ permissions: ['clipboard-read', 'clipboard-write'] }));
  let script: string;
  beforeEach(async () => {
    window = await shared();
    script = await openOwnScript(workbench, window.page);
    await showPane(window.page, 'Result');
    await autoRun(window.page, true);
  });

  test('the result follows the text; the tag that it writes is not changed', async () => {
    const { page } = window;
    await workbench.tagwright('tags', 'set', `${FLAG}="before"`);
    await head(page).getByText('Not run yet').waitFor();
    await write(
      page,
      `TagValueManager.Set([{ tag: '${FLAG}', value: 'live' }]);\nconsole.info('said live');\nreturn { answer: 41 };`,
    );
    await liveHead(page).waitFor();
    await liveResult(page).getByText('41').waitFor();
    await putCursor(page, 'end');
    for (let back = 0; back < 3; back += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('2');
    await liveResult(page).getByText('42').waitFor();
    await expect.poll(() => showPane(page, 'Console')).toContain('said live');
    await expect.poll(() => showPane(page, 'Trace')).toMatch(/before → live[\s\S]+not saved/);
    expect(await workbench.tagValue(FLAG)).toBe('before');
  });

  test('values are shown at their lines, move with them, and disappear on changes', async () => {
    const { page } = window;
    await workbench.tagwright('tags', 'set', `${FLAG}="ok"`);
    await write(
      page,
      `const flag = TagValueManager.Get(['${FLAG}']);\nfor (let n = 0; n < 100; n += 1) TagValueManager.Get(['${FLAG}']);\nreturn TagValueManager.Get(['No.Such.Tag']).Success;`,
    );
    await expect.poll(() => valuesInEditor(page)).toEqual(['ok', 'ok ×100', 'null BadNodeIdUnknown']);
    // Without live runs, so that removed values are not shown again.
    await page.keyboard.press('Alt+L');
    await expect.poll(() => valuesInEditor(page)).toEqual([]);
    await runToEnd(page, 'ok');
    await expect.poll(() => valuesInEditor(page)).toEqual(['ok', 'ok ×100', 'null BadNodeIdUnknown']);
    await putCursor(page, 'start');
    await page.keyboard.press('Enter');
    // Redrawn below an empty line.
    await expect.poll(() => editorText(page)).toMatch(/^\n/);
    await expect.poll(() => valuesInEditor(page)).toEqual(['ok', 'ok ×100', 'null BadNodeIdUnknown']);
    await page.keyboard.press('Control+End');
    await cursorAt(page, /^Ln 4, /);
    await page.keyboard.insertText(' // changed');
    await expect.poll(() => valuesInEditor(page)).toEqual(['ok', 'ok ×100']);
  });

  test('values in every sample script are within the editor of a small window', async () => {
    const { page } = window;
    const client = await workbench.client();
    const samples = (await client.scripts.list()).scripts.filter(({ group }) => group !== OWN_GROUP);
    // So high that the editor draws every line.
    await page.setViewportSize({ width: 1024, height: 1600 });
    /** The texts of the values, and of those that are outside of the editor. */
    const seen = () =>
      page.locator('[data-pane="editor"] .monaco-editor .overflow-guard').evaluate((editor) => {
        const { left, right } = editor.getBoundingClientRect();
        const values = [...editor.querySelectorAll('.run-value')];
        const outside = values.filter((value) =>
          [...value.getClientRects()].some((part) => part.left < left || part.right > right),
        );
        return { count: values.length, outside: outside.map((value) => value.textContent) };
      });
    for (const { name } of sampled(samples, 3)) {
      await openScript(page, name);
      await runToEnd(page, 'ok', 'Shift+F5');
      await expect.poll(async () => (await seen()).count, { message: name }).toBeGreaterThan(0);
      await expect.poll(async () => (await seen()).outside, { message: name }).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('the header of the preview keeps its height, and the tabs below it their place', async () => {
    const { page } = window;
    const places: string[] = [];
    const look = async (text: string) => {
      await head(page).getByText(text).first().waitFor();
      const top = await page
        .getByRole('tab', { name: 'Result', exact: true })
        .evaluate((tab) => tab.getBoundingClientRect().top);
      places.push(`${await head(page).evaluate((bar) => bar.getBoundingClientRect().height)} ${top}`);
    };
    await look('Not run yet');
    await write(page, 'return 1;');
    await look('OK');
    await write(page, "TagValueManager.Get(['No.Such.Tag']);\nthrow new Error('no\\nlines');");
    await look('Error');
    await expect.poll(() => cutOff(head(page))).toEqual([]);
    await autoRun(page, false);
    await write(page, `ApiValueManager.Fetch('http://127.0.0.1:9/', 'get');\nreturn 2;`);
    await runToEnd(page, 'ok');
    await look('OK');
    await write(page, 'const end = Date.now() + 3500;\nwhile (Date.now() < end);');
    await look('The text has changed since');
    await page.keyboard.press('F5');
    await look('Running');
    await page.locator('[data-running="false"]').waitFor();
    await look('OK');
    // The most that the line can have: a manual dry run after a live one.
    await autoRun(page, true);
    await write(page, "TagValueManager.Get(['No.Such.Tag']);\nthrow new Error('none');");
    await look('Error');
    await page.keyboard.press('Shift+F5');
    await preview(page).getByRole('button', { name: 'Why?' }).waitFor();
    await look('Error');
    // These two have tooltips.
    await expect.poll(async () => (await cutOff(head(page))).filter((text) => !/saved|written/.test(text))).toEqual([]);
    expect(new Set(places).size, places.join()).toBe(1);
  });

  test('text that does not compile is not run; the previous result stays', async () => {
    const { page } = window;
    await write(page, "return { good: 'result' };");
    await liveResult(page).getByText('"result"').waitFor();
    await putCursor(page, 'start');
    await page.keyboard.insertText('let broken = ;\n');
    await foot(page).getByText('Auto-run skipped').waitFor();
    await liveResult(page).getByText('"result"').waitFor();
    await foot(page).getByRole('button', { name: 'line 1' }).click();
    await cursorAt(page, 'Ln 1, Col 14');
    await write(page, "throw new RangeError('too far');");
    await preview(page).getByRole('group', { name: 'Error' }).getByText('too far').waitFor();
    await expect.poll(() => foot(page).innerText()).not.toContain('Auto-run skipped');
    await page.locator('.run-error-line').waitFor();
  });

  test('an endless loop ends by itself, affects nothing else, and the next run works', async () => {
    const { page } = window;
    const status = page.getByRole('contentinfo', { name: 'Status' });
    await limit(1_000);
    const restarts = async () => Number(/(\d+) restarted/.exec(await status.innerText())?.[1] ?? 0);
    let loops = 0;
    const endsItself = async () => {
      const before = await restarts();
      loops += 1;
      await write(page, `for (;;) {} // ${loops}`);
      await page.locator('[data-status="timeout"]').waitFor();
      await preview(page).getByRole('group', { name: 'Error' }).getByText('limits.liveMs').waitFor();
      await write(page, `return { after: ${70 + loops} };`);
      await liveResult(page)
        .getByText(String(70 + loops))
        .waitFor();
      return (await restarts()) === before;
    };
    // If the machine gives the host no time for 150 ms, main ends the host: then another loop shows what it does itself.
    await expect.poll(endsItself, { timeout: 180_000 }).toBe(true);
    await limit(20_000);
  });

  test('API calls of a live run reach only mocks, even in live mode', async () => {
    const { page } = window;
    await workbench.tagwright('settings', 'set', 'api.mode="live"');
    await write(page, `return ApiValueManager.Fetch('http://127.0.0.1:9/never', 'get').ErrorMessage;`);
    await liveResult(page).getByText('NoMock').waitFor();
    await expect.poll(() => head(page).innerText()).toContain('API calls to mocks only');
    await workbench.tagwright('settings', 'set', 'api.mode="mockFirst"');
  });

  test('a manual run has its own tab: both results can be viewed', async () => {
    const { page } = window;
    await write(page, `TagValueManager.Set([{ tag: '${FLAG}', value: 'manual' }]);\nreturn { from: 'hand' };`);
    await liveHead(page).waitFor();
    await runToEnd(page, 'ok');
    expect(await workbench.tagValue(FLAG)).toBe('manual');
    await expect.poll(() => head(page).innerText()).not.toContain('Auto-run, nothing saved');
    await write(page, "return { from: 'typing' };");
    await liveResult(page).getByText('"typing"').waitFor();
    await page.getByRole('button', { name: 'Manual' }).click();
    await liveResult(page).getByText('"hand"').waitFor();
    await head(page).getByText('The text has changed since').waitFor();
    await page.getByRole('button', { name: 'Auto-run', exact: true }).click();
    await liveResult(page).getByText('"typing"').waitFor();
    expect(await accessibilityFindings(page, 'a live run')).toEqual([]);
  });

  test('the trace opens the line in the script of a tag, and an API call', async () => {
    const { page } = window;
    await write(
      page,
      `ApiValueManager.Fetch('http://127.0.0.1:9/never', 'get');\nreturn { setPoint: TagValueManager.Get(['${SET_POINT}']).Success };`,
    );
    await liveResult(page).getByText('"setPoint"').waitFor();
    await showPane(page, 'Trace');
    const trace = page.getByRole('region', { name: 'Trace' });
    await trace.getByText(/^NoMock: no mock matches .*, and a dry run reaches mocks only/).waitFor();
    await trace.getByRole('button', { name: 'http://127.0.0.1:9/never' }).click();
    const dialog = await dialogThere(page.getByRole('dialog'));
    await expect.poll(() => dialog.innerText()).toMatch(/NoMock[\s\S]+not sent[\s\S]+No response/);
    expect(await accessibilityFindings(page, 'an API call')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialogGone(dialog);
    await trace.getByRole('button', { name: 'line 1', exact: true }).click();
    await cursorAt(page, 'Ln 1, Col 1');
    const inner = trace.getByTitle(`In the script of ${SET_POINT}`).first();
    const line = /\d+/.exec(await inner.innerText())?.[0];
    await inner.click();
    await page.getByRole('tab', { name: 'Read the speed set point', selected: true }).waitFor();
    await cursorAt(page, `Ln ${line}, Col 1`);
    await page.getByRole('tab', { name: script }).click();
    await showPane(page, 'Trace');
    await trace.getByRole('button', { name: 'Read script' }).click();
    await page.getByRole('tab', { name: 'Read the speed set point', selected: true }).waitFor();
  });

  test('results: a sorted and copied table, an image, a saved long text', async () => {
    const { page } = window;
    await write(page, "return [{ n: 10, t: 'a' }, { n: 9, t: 'b,c' }];");
    const table = preview(page).getByRole('region', { name: 'Result as table' });
    await table.getByRole('button', { name: 'n', exact: true }).click();
    await table
      .getByRole('columnheader', { name: 'n', exact: true })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    await expect.poll(() => table.getByRole('row').nth(1).innerText()).toMatch(/1\s+9\s+b,c/);
    await preview(page).getByRole('button', { name: 'CSV' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('n,t\r\n9,"b,c"\r\n10,a\r\n');

    await write(page, `return { Base64Image: '${PNG}', ImageData: [] };`);
    const image = preview(page).getByRole('img', { name: 'Returned by the script' });
    await image.waitFor();
    await preview(page).getByText('PNG 1 × 1').waitFor();
    await preview(page).getByRole('button', { name: 'Show as JSON' }).click();
    await liveResult(page).getByText('"Base64Image"').waitFor();

    await write(page, "return 'long '.repeat(500_000);");
    await preview(page).getByText('the beginning of 2.5 MB').waitFor();
    const download = page.waitForEvent('download');
    await preview(page).getByRole('button', { name: 'Save the result' }).click();
    expect((await stat(await (await download).path())).size).toBe(2_500_002);
  });

  test('contexts are suggested: from the sample, from tags with the script, used ones', async () => {
    const { page } = window;
    await openScript(page, 'Set the speed set point');
    const offer = async (name: string | RegExp) => {
      await preview(page)
        .getByRole('button', { name: /^Contexts: / })
        .click();
      await page.getByRole('menuitem', { name }).click();
    };
    const tagName = page.getByRole('combobox', { name: 'tagName' });
    const value = page.getByRole('textbox', { name: 'The value being written' });
    await offer(/tagValue 430/);
    await expect.poll(async () => [await tagName.inputValue(), await value.inputValue()]).toEqual([SET_POINT, '430']);
    await page.getByRole('textbox', { name: 'workcenter' }).fill('W9');
    // A changed context counts as typing, so it runs live.
    await liveHead(page).waitFor();
    await runToEnd(page, 'ok', 'Shift+F5');
    await offer('Empty');
    await expect.poll(() => tagName.inputValue()).toBe('');
    await offer(`A write of ${SET_POINT}`);
    await expect.poll(() => tagName.inputValue()).toBe(SET_POINT);
    await offer(/workcenter W9/);
    await expect.poll(() => page.getByRole('textbox', { name: 'workcenter' }).inputValue()).toBe('W9');
    await preview(page)
      .getByRole('button', { name: /^Contexts: / })
      .click();
    await page.getByRole('menuitem', { name: 'Empty' }).waitFor();
    expect(await accessibilityFindings(page, 'contexts', '[role=menu]')).toEqual([]);
    await page.keyboard.press('Escape');
  });

  test('the Diagram of the context shows its values and the writes of the run', async () => {
    const { page } = window;
    await openScript(page, 'Show the label drawing');
    await runToEnd(page, 'ok', 'Shift+F5');
    await page.keyboard.press('Alt+4');
    const shown = preview(page).getByRole('region', { name: 'What the Diagram shows' });
    const drawn = shown.getByRole('region', { name: 'Label drawing' });
    await drawn.getByText('LBL-0042').waitFor();
    await expect.poll(() => drawn.getByText('dry run', { exact: true }).count()).toBe(3);
    await drawn.getByRole('img').waitFor();
    expect(await accessibilityFindings(page, 'a Diagram as a page')).toEqual([]);
    await preview(page).getByRole('button', { name: 'Table', exact: true }).click();
    await shown.getByRole('row', { name: /^Document .*→ LBL-0042/ }).waitFor();
    await page.getByRole('tabpanel').getByText('Dry run: its writes').waitFor();
    await page.getByRole('textbox', { name: 'Diagram' }).fill('Manager');
    await page.getByRole('textbox', { name: 'workcenter' }).fill('Line2');
    await shown.getByRole('row', { name: /^Reject rate .*Good/ }).waitFor();
    expect(await accessibilityFindings(page, 'a Diagram')).toEqual([]);
    const [diagram] = await Promise.all([
      page.context().waitForEvent('page'),
      preview(page).getByRole('button', { name: 'Open in new window' }).click(),
    ]);
    await expect.poll(() => diagram.url()).toContain('/diagrams/Manager?workcenter=Line2');
    await diagram.close();
  });

  test('a script reruns when a tag changes that it read, and saves nothing', async () => {
    const { page } = window;
    await autoRun(page, false);
    const client = await workbench.client();
    const say = (text: string) => client.tags.set({ items: [{ tag: FLAG, value: text }] });
    await say('one');
    const other = 'Bottling.Line1.Order.Product.Value';
    const product = await workbench.tagValue(other);
    await write(
      page,
      `const { Value } = TagValueManager.Get(['${FLAG}']);
TagValueManager.Set([{ tag: '${other}', value: 'rerun ' + Value[0].Value }]);
return 'read ' + Value[0].Value;`,
    );
    const rerun = preview(page).getByRole('switch', { name: 'Rerun when a tag changes' });
    expect(await rerun.isChecked()).toBe(false);
    await page.keyboard.press('Alt+R');
    await expect.poll(() => rerun.isChecked()).toBe(true);
    await preview(page).getByText('1 tag of the last run. Dry runs only, at most one per second.').waitFor();
    await liveResult(page).getByText('read one').waitFor();
    await say('two');
    await liveResult(page).getByText('read two').waitFor();
    await head(page).getByText('Rerun, nothing saved').waitFor();
    expect(await workbench.tagValue(other)).toBe(product);
    expect(await accessibilityFindings(page, 'reruns')).toEqual([]);
    await page.keyboard.press('Alt+R');
    await expect.poll(() => rerun.isChecked()).toBe(false);
    await say('three');
    await runToEnd(page, 'ok', 'Shift+F5');
    await liveResult(page).getByText('read three').waitFor();
    await autoRun(page, true);
  });

  test('live runs can be switched off, and stay off after a reload', async () => {
    const { page } = window;
    await autoRun(page, false);
    await write(page, 'return 5;');
    await page.reload();
    await editorIsThere(page);
    await page.getByRole('switch', { name: 'Auto-run', checked: false }).waitFor();
    await write(page, `return TagValueManager.Get(['${SPEED}']).Success;`);
    await runToEnd(page, 'ok');
    await expect.poll(() => head(page).innerText()).not.toContain('Auto-run');
  });
});
