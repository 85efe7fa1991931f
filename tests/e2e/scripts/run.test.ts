import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import {
  cursorAt,
  editorIsThere,
  editorText,
  heldNotice,
  openOwnScript,
  openScript,
  paneShows,
  runToEnd,
  showPane,
  write,
} from '../steps.ts';

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
    await workbench.saveScript(
      'Tests/Catches',
      "try {\n  TagValueManager.Set([{ tag: 'No.Such.Tag.Value', value: 1 }]);\n} catch {}\nreturn 'done';\n",
    );
    await workbench.saveScript(
      'Tests/Logs',
      "for (let i = 0; i < 3; i += 1) console.debug('again');\nconsole.warn('low', { order: { id: 7, lines: [1, 2] } });\nconsole.log('done');\n",
    );
    await workbench.saveScript('Tests/Floods', "for (let i = 0; i < 1500; i += 1)\n  console.log('entry', i);\n");
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
    await paneShows(page, 'Trace', 'Capper.Speed.Value');
    await paneShows(page, 'Trace', /^Tags in Bottling\.Line1\n[\s\S]+\nFiller\.\s+Speed\.Value\n/);
    await page.getByRole('button', { name: 'Bottling.Line1.Filler.Speed.Value', exact: true }).waitFor();
    await paneShows(page, 'Trace', /Read[\s\S]+Good[\s\S]+Double · Line overview \/ Line1/);
  });

  test('a run with a collapsed preview says how it ended, and leads to it', async () => {
    const { page } = window;
    const preview = page.getByRole('region', { name: 'Preview' });
    await openScript(page, 'Fails');
    await page.keyboard.press('Control+Alt+B');
    await preview.waitFor({ state: 'hidden' });
    await page.keyboard.press('F5');
    const notice = await heldNotice(page, '“Fails”: Error after ');
    expect(await notice.innerText()).toContain('too far');
    await notice.getByRole('button', { name: 'Show the preview' }).click();
    await preview.getByRole('group', { name: 'Error' }).waitFor();
  });

  test('an error is shown in every pane, and opens its line', async () => {
    const { page } = window;
    await openScript(page, 'Fails');
    await runToEnd(page, 'error');
    await showPane(page, 'Trace');
    const foot = page.getByRole('region', { name: 'Preview' }).locator('[data-foot]');
    await foot.getByText('RangeError: too far').waitFor();
    await foot.getByRole('button', { name: 'line 2, column 9' }).click();
    await showPane(page, 'Console');
    await foot.getByText('RangeError: too far').waitFor();
    await showPane(page, 'Result');
    await expect.poll(() => foot.innerText()).not.toContain('too far');
  });

  test('a rejected Set is red in the trace and counted, even if the script catches it', async () => {
    const { page } = window;
    await openScript(page, 'Catches');
    await runToEnd(page, 'ok');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('status').getByText('1 failed').waitFor();
    await showPane(page, 'Trace');
    const row = preview.locator('[data-failed="true"]');
    await row.getByText('1: the tag does not exist').waitFor();
    expect(await row.count()).toBe(1);
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

    await paneShows(page, 'Result', '"tagName": "Bottling.Line1.Filler.Speed.Value"');
    await paneShows(page, 'Result', '"tagScopeLocation": "W1"');
    await paneShows(page, 'Result', '"id": 1');
    await expect.poll(() => showPane(page, 'Console')).toMatch(/warn\s+before:/);
    await expect
      .poll(() => showPane(page, 'Trace'))
      .toMatch(/Read[\s\S]+Overview \/ W1[\s\S]+Write[\s\S]+→ written by a test[\s\S]+default scope/);
    expect(await workbench.tagValue(FLAG)).toBe('written by a test');
    await page.getByRole('button', { name: 'line 3' }).click();
    await cursorAt(page, 'Ln 3, Col 1');
  });

  test('the console links to lines, unfolds objects with the keyboard, and filters', async () => {
    const { page } = window;
    await openScript(page, 'Logs');
    await runToEnd(page, 'ok');
    await showPane(page, 'Console');
    const log = page.getByRole('log', { name: 'Console' });
    await log.getByText('×3').waitFor();
    const tree = log.getByRole('tree', { name: 'Object' });
    await tree.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await tree.getByRole('treeitem', { name: 'id: 7' }).waitFor();
    await tree.getByRole('treeitem', { name: 'lines: Array (2) [1, 2]', expanded: false }).waitFor();
    expect(await accessibilityFindings(page, 'an unfolded object in the console')).toEqual([]);
    await page.getByRole('button', { name: 'debug 3', pressed: true }).click();
    await expect.poll(() => log.innerText()).not.toContain('again');
    await page.getByRole('searchbox', { name: 'Filter the console' }).fill('DONE');
    await expect.poll(() => log.innerText()).not.toContain('low');
    await log.getByRole('button', { name: 'line 3' }).or(log.getByText('line 3')).click();
    await cursorAt(page, 'Ln 3, Col 1');
    await page.getByRole('searchbox', { name: 'Filter the console' }).fill('');
    await page.getByRole('button', { name: 'debug 3', pressed: false }).click();
    await page.getByRole('button', { name: 'Clear the console' }).click();
    await page.getByText('Cleared until the next run.').waitFor();
    expect(await showPane(page, 'Result')).not.toContain('Cleared');
    await paneShows(page, 'Console', 'Cleared until the next run.');
  });

  test('the console of a flood has the last entries, and says how many were dropped', async () => {
    const { page } = window;
    await openScript(page, 'Floods');
    await runToEnd(page, 'ok');
    await expect
      .poll(() => showPane(page, 'Console'))
      .toMatch(/500 earlier entries were dropped[\s\S]+entry 1499\s+line 2/);
    const log = page.getByRole('log', { name: 'Console' });
    const atTheStart = async () => {
      await log.press('Home');
      return log.innerText();
    };
    await expect.poll(atTheStart).toMatch(/entry 500\s+line 2/);
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
    const apart = async () => ((await marked.boundingBox())?.y ?? 0) - ((await thrown.boundingBox())?.y ?? 0);
    await expect.poll(apart).toBe(0);
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

  /** A window that opens a script with late responses: its tab is there, but not its context. */
  async function justOpened(): Promise<WorkbenchPage> {
    const delay = { ms: 0 };
    const own = await workbench.open({
      prepare: (page) =>
        page.routeWebSocket(/./, (socket) => {
          const server = socket.connectToServer();
          server.onMessage((message) => void setTimeout(() => socket.send(message), delay.ms));
        }),
    });
    await editorIsThere(own.page);
    delay.ms = 1_000;
    await own.page.getByRole('treeitem', { name: 'Records' }).click();
    await own.page.getByRole('tab', { name: 'Records', selected: true }).waitFor();
    return own;
  }

  test('F5 runs a script that was opened a moment ago', async () => {
    const { page, close } = await justOpened();
    await page.keyboard.press('F5');
    await page.locator('[data-status="ok"]').first().waitFor();
    await expect.poll(() => showPane(page, 'Result')).toContain('id');
    await close();
  });

  test('F5 runs a character that was typed less than a frame before', async () => {
    const { page } = window;
    await openOwnScript(workbench, page, 'return 4');
    await write(page, 'return 4');
    for (const [key, result] of [
      ['2', '42'],
      ['0', '420'],
    ] as const) {
      const outcome = page.locator('[data-run-by-hand]');
      const before = await outcome.getAttribute('data-run-by-hand');
      // Both are sent before the page answers the first one.
      await Promise.all([page.keyboard.press(key), page.keyboard.press('F5')]);
      await expect.poll(() => outcome.getAttribute('data-run-by-hand')).not.toBe(before);
      await expect.poll(() => showPane(page, 'Result')).toMatch(new RegExp(`\\b${result}\\b`));
      await page.locator('[data-pane="editor"] .view-lines').first().click();
      await page.keyboard.press('Control+End');
    }
  });

  test('keys show a pane of, and debug, a script that was opened a moment ago', async () => {
    const { page, close } = await justOpened();
    await page.keyboard.press('Alt+3');
    await page.keyboard.press('F10');
    await page.getByRole('button', { name: /^Paused in Records/ }).waitFor();
    await page.keyboard.press('Shift+F5');
    const selected = page.getByRole('tabpanel', { name: /^Console/ });
    await expect.poll(() => selected.isVisible()).toBe(true);
    await close();
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
