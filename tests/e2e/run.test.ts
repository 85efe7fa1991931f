import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrowserWorkbench, WorkbenchPage } from '../support/browser-workbench.ts';
import { startBrowserWorkbench } from '../support/browser-workbench.ts';
import { sharedWindow } from '../support/shared-window.ts';
import { cursorAt, editorIsThere, editorText, openScript, runToEnd, showPane, write } from './steps.ts';

const FLAG = 'Bottling.Scripts.Error.Message.Value';

describe('running scripts in the workbench', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    await workbench.saveScript('Tests/Records', "return [{ id: 1, name: 'a' }, { id: 2, name: 'b' }];");
    await workbench.saveScript(
      'Tests/Writes',
      `const before = TagValueManager.Get(['${FLAG}'], 'Overview', 'W1').Value[0].Value;\nconsole.warn('before:', before);\nTagValueManager.Set([{ tag: '${FLAG}', value: 'written by a test' }]);\nreturn { tagName, tagScopeDiagram, tagScopeLocation, tagValue };`,
    );
    await workbench.saveScript(
      'Tests/Fails',
      "function inner() {\n  throw new RangeError('too far');\n}\n\ninner();\n",
    );
    await workbench.saveScript('Tests/Endless', 'for (;;) {}\n');
    // One call of the engine that takes hours and cannot be interrupted, so its host is ended.
    await workbench.saveScript('Tests/Native', 'const all = [];\nall.length = 2 ** 32 - 1;\nreturn all.indexOf(1);\n');
    // Longer than pressing Stop takes.
    await workbench.tagwright('settings', 'set', 'limits.scriptMs=600000', 'limits.totalMs=600000');
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open());
  beforeEach(async () => {
    window = await shared();
    await editorIsThere(window.page);
    await showPane(window.page, 'Result');
  });

  test('the first start opens a script; F5 shows its result and every tag it read', async () => {
    const { page } = window;
    await page.getByRole('tab', { name: 'Capper keeps up', selected: true }).waitFor();
    await expect.poll(() => editorText(page)).toContain('TagValueManager');
    await runToEnd(page, 'ok');
    await expect.poll(() => showPane(page, 'Result')).toMatch(/\b[01]\b/);
    await expect.poll(() => showPane(page, 'Trace')).toContain('Bottling.Line1.Capper.Speed.Value');
    const trace = await showPane(page, 'Trace');
    expect(trace).toContain('Bottling.Line1.Filler.Speed.Value');
    expect(trace).toMatch(/Read[\s\S]+Good[\s\S]+Double · default scope/);
  });

  test('an error is shown in every pane, and opens its line', async () => {
    const { page } = window;
    await openScript(page, 'Fails');
    await runToEnd(page, 'error');
    await showPane(page, 'Trace');
    const head = page.getByRole('region', { name: 'Preview' }).getByRole('status');
    await head.getByText('RangeError: too far').waitFor();
    await head.getByRole('button', { name: 'line 2, column 9' }).click();
    await showPane(page, 'Console');
    await head.getByText('RangeError: too far').waitFor();
    await showPane(page, 'Result');
    await expect.poll(() => head.innerText()).not.toContain('too far');
  });

  test('context, console and writes: before and after, with scopes and the line', async () => {
    const { page } = window;
    await openScript(page, 'Writes');
    await page.getByRole('combobox', { name: 'tagName' }).fill('Bottling.Line1.Filler.Speed.Value');
    await page.getByRole('textbox', { name: 'Diagram' }).fill('Overview');
    await page.getByRole('textbox', { name: 'workcenter' }).fill('W1');
    await page.getByRole('combobox', { name: 'tagValue' }).click();
    await page.getByRole('option', { name: 'JSON' }).click();
    const value = page.getByRole('textbox', { name: 'The value being written' });
    await value.fill('[{"id": 1,}]');
    await page.getByText(/Invalid JSON.*line 1, column 11/).waitFor();
    await page.getByRole('button', { name: /^Run/, disabled: true }).waitFor();
    await value.fill('[{"id": 1}]');
    await runToEnd(page, 'ok');

    await expect.poll(() => showPane(page, 'Result')).toContain('"tagName": "Bottling.Line1.Filler.Speed.Value"');
    const result = await showPane(page, 'Result');
    expect(result).toContain('"tagScopeLocation": "W1"');
    expect(result).toContain('"id": 1');
    await expect.poll(() => showPane(page, 'Console')).toMatch(/warn\s+before:/);
    await expect
      .poll(() => showPane(page, 'Trace'))
      .toMatch(/Read[\s\S]+Overview · W1[\s\S]+Write[\s\S]+→ written by a test[\s\S]+default scope/);
    expect(await workbench.tagValue(FLAG)).toBe('written by a test');
    await page.getByRole('button', { name: 'line 3' }).click();
    await cursorAt(page, 'Ln 3, Col 1');
  });

  test('a dry run shows what it would write and saves nothing', async () => {
    const { page } = window;
    await workbench.tagwright('tags', 'set', `${FLAG}="as it was"`);
    await openScript(page, 'Writes');
    await runToEnd(page, 'ok', 'Shift+F5');
    await page.getByText('Dry run, nothing saved').waitFor();
    await expect.poll(() => showPane(page, 'Trace')).toMatch(/as it was → written by a test[\s\S]+not saved/);
    expect(await workbench.tagValue(FLAG)).toBe('as it was');
  });

  test('an error is marked at its line, and its stack opens the line', async () => {
    const { page } = window;
    await openScript(page, 'Fails');
    await runToEnd(page, 'error');
    await expect.poll(() => showPane(page, 'Result')).toMatch(/RangeError: too far[\s\S]+inner, line 2[\s\S]+line 5/);
    const marked = page.locator('.run-error-line');
    const thrown = page.locator('.monaco-editor .view-line').filter({ hasText: 'throw' });
    await expect.poll(async () => (await marked.boundingBox())?.y).toBe((await thrown.boundingBox())?.y);
    await page.getByRole('button', { name: /line 5/ }).click();
    await cursorAt(page, 'Ln 5, Col 1');
    await write(page, 'return 1;');
    await runToEnd(page, 'ok');
    await expect.poll(() => page.locator('.run-error-line').count()).toBe(0);
  });

  test('Stop ends an endless loop, and the next run is not affected', async () => {
    const { page } = window;
    await openScript(page, 'Endless');
    await page.keyboard.press('F5');
    await page.getByText(/^\d+\.\d s$/).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('[data-status="cancelled"]').waitFor();
    await expect.poll(() => showPane(page, 'Result')).toContain('You stopped this run');
    await write(page, 'return 2;');
    await runToEnd(page, 'ok');
    await expect.poll(() => showPane(page, 'Result')).toContain('2');
  });

  test('a stopped host is replaced and reported; the next run is not affected', async () => {
    // Without the report of an earlier test.
    const own = await workbench.open();
    const { page } = own;
    await editorIsThere(page);
    await openScript(page, 'Native');
    await page.keyboard.press('F5');
    // By now the script is in that call.
    await page.getByText(/^[1-9]\d*\.\d s$/).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('[data-status="cancelled"]').first().waitFor();
    const notice = page.locator('.fui-Toast').filter({ hasText: 'A script host was restarted' });
    await notice.getByText('Other runs were not affected').waitFor();
    const status = page.getByRole('contentinfo', { name: 'Status' });
    await expect.poll(() => status.innerText()).toMatch(/Hosts: .*\d restarted/);
    await openScript(page, 'Records');
    await runToEnd(page, 'ok');
    await own.close();
  });

  test('records are shown as a table, and as JSON', async () => {
    const { page } = window;
    await openScript(page, 'Records');
    await runToEnd(page, 'ok');
    await expect.poll(() => page.getByRole('columnheader').allInnerTexts()).toEqual(['#', 'id', 'name']);
    await expect.poll(() => page.getByRole('row').nth(2).innerText()).toMatch(/2\s+2\s+b/);
    await page.getByRole('button', { name: 'Show as JSON' }).click();
    await page.getByRole('region', { name: 'Result as JSON' }).getByText('"name": "b"').waitFor();
  });
});
