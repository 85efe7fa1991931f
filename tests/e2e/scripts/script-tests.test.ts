import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import {
  cursorAt,
  dialogGone,
  dialogThere,
  editorIsThere,
  focusIn,
  openScript,
  runToEnd,
  typeAhead,
  undo,
  write,
} from '../steps.ts';

describe('tests of a script in the workbench', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    await workbench.saveScript('Tests/Answer', 'return { answer: 42 };');
    window = await workbench.open({ reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await window.close();
    await workbench.close();
  });

  const item = (name: string) =>
    window.page.getByRole('list', { name: 'Tests' }).getByRole('listitem').filter({ hasText: name });

  test('a run becomes a test; it fails on a different result, which can be accepted', async () => {
    const { page } = window;
    await editorIsThere(page);
    await openScript(page, 'Answer');
    await runToEnd(page, 'ok');
    await page.keyboard.press('Alt+5');
    await page.getByText('No tests yet').waitFor();
    await page.getByRole('button', { name: 'Save run as test' }).click();
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'New test' }));
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await focusIn(name);
    expect(await name.inputValue()).toMatch(/^Run of \d{4}-/);
    // The suggested name is selected, so the first key replaces it.
    await page.keyboard.type('says 42');
    expect(await name.inputValue()).toBe('says 42');
    expect(await accessibilityFindings(page, 'dialog of a test', '[role="dialog"]')).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Name' }).press('Enter');
    await dialogGone(dialog);
    await item('says 42').getByRole('img', { name: 'not run' }).waitFor();
    await page.getByRole('button', { name: 'Run all', exact: true }).click();
    await item('says 42').getByRole('img', { name: 'passed' }).waitFor();
    await page.getByText('1 of 1 passed').waitFor();

    await write(page, 'return { answer: 43 };');
    await item('says 42').getByText('changed since').waitFor();
    await page.getByRole('button', { name: 'Run the test says 42' }).click();
    const difference = item('says 42').getByRole('row', { name: 'result.answer' });
    await expect.poll(() => difference.getByRole('cell').allInnerTexts()).toEqual(['42', '43']);
    expect(await accessibilityFindings(page, 'a failed test')).toEqual([]);
    await page.getByRole('button', { name: 'Accept as expected' }).click();
    await item('says 42').getByRole('img', { name: 'passed' }).waitFor();
  });

  test('a test is written in a form by keyboard, with completion', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'New', exact: true }).press('Enter');
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'New test' }));
    await dialog.getByRole('textbox', { name: 'Name' }).fill('in a form');
    await dialog.getByRole('button', { name: 'Add a value of a tag' }).press('Enter');
    const tag = dialog.getByRole('combobox', { name: 'Value of a tag 1: tag' });
    const hasFocus = () => tag.evaluate((element) => element === document.activeElement);
    await expect.poll(hasFocus).toBe(true);
    await dialog.getByRole('button', { name: 'Add a value of a tag' }).press('Enter');
    await dialog.getByRole('combobox', { name: 'Value of a tag 2: tag' }).waitFor();
    await dialog.getByRole('button', { name: 'Remove: Value of a tag 2' }).press('Enter');
    await expect.poll(hasFocus).toBe(true);
    await tag.pressSequentially('filler speed');
    await page.getByRole('option', { name: 'Bottling.Line1.Filler.Speed.Value' }).waitFor();
    await tag.press('ArrowDown');
    await tag.press('Enter');
    await expect.poll(() => tag.inputValue()).toContain('Bottling.Line1.Filler.Speed');
    await dialog.getByRole('textbox', { name: 'Value of a tag 1: value' }).fill('{');
    const quality = dialog.getByRole('combobox', { name: 'Value of a tag 1: quality' });
    await quality.focus();
    await typeAhead(page, 'BadTi', () => quality.inputValue());
    await expect.poll(() => quality.inputValue()).toBe('BadTimeout');
    await dialog.getByRole('button', { name: 'Add a mock' }).press('Enter');
    await dialog.getByRole('textbox', { name: 'Mock 1: name' }).fill('erp');
    await dialog.getByRole('textbox', { name: 'Mock 1: URL' }).fill('https://erp.example/**');
    await dialog.getByRole('combobox', { name: 'Mock 1: method' }).selectOption('POST');
    await dialog.getByRole('checkbox', { name: 'The result is' }).press('Space');
    await dialog.getByRole('textbox', { name: 'Expected result as JSON' }).fill('{ "answer": 43 }');
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await dialog.getByText(/^value: Invalid JSON/).waitFor();
    const value = dialog.getByRole('textbox', { name: 'Value of a tag 1: value' });
    await expect.poll(() => value.evaluate((element) => element === document.activeElement)).toBe(true);
    await dialog.getByRole('textbox', { name: 'Mock 1: name' }).fill('erp ');
    expect(await dialog.getByText(/^value: Invalid JSON/).count()).toBe(1);
    expect(await accessibilityFindings(page, 'form of a test', '[role="dialog"]')).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Value of a tag 1: value' }).fill('12.5');
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await dialogGone(dialog);
    const client = await workbench.client();
    const saved = (await client.scriptTests.list({})).find(({ name }) => name === 'in a form');
    expect(saved).toMatchObject({
      tags: [{ value: 12.5, quality: 'BadTimeout' }],
      mocks: [{ name: 'erp', request: { method: 'POST', url: 'https://erp.example/**' } }],
      expect: { status: 'ok', result: { answer: 43 }, writes: null },
    });
    await page.getByRole('button', { name: 'Run the test in a form' }).press('Enter');
    await item('in a form').getByRole('img', { name: 'passed' }).waitFor();
    await page.getByRole('button', { name: 'Delete the test in a form' }).press('Enter');
    await item('in a form').waitFor({ state: 'detached' });
  });

  test('lines that the tests did not run are marked, until the text changes', async () => {
    const { page } = window;
    const client = await workbench.client();
    const body = 'if (tagValue) {\n  throw tagValue;\n}\nreturn 1;';
    const { id: scriptId } = await client.scripts.save({ group: 'Tests', name: 'Covered', description: '', body });
    await client.scriptTests.save({ scriptId, name: 'one', expect: { result: 1 } });
    await openScript(page, 'Covered');
    await page.getByRole('button', { name: 'Run all', exact: true }).click();
    await page.getByText('Coverage 66%: 2 of 3 lines').waitFor();
    const marks = (state: string) => page.locator(`.coverage-${state}`).count();
    await expect.poll(async () => [await marks('all'), await marks('some'), await marks('none')]).toEqual([2, 0, 1]);
    expect(await accessibilityFindings(page, 'coverage')).toEqual([]);
    await page.getByRole('button', { name: 'line 2' }).press('Enter');
    await cursorAt(page, 'Ln 2, Col 1');
    await page.keyboard.type(' ');
    await expect.poll(() => page.locator('.coverage-line').count()).toBe(0);
    await openScript(page, 'Answer');
  });

  test('tests run again after changes while that is on', async () => {
    const { page } = window;
    await write(page, 'return { answer: 43 };');
    const rerun = page.getByRole('switch', { name: 'Rerun on change' });
    expect(await rerun.isChecked()).toBe(false);
    await rerun.press('Space');
    await item('says 42').getByRole('img', { name: 'passed' }).waitFor();
    await write(page, 'return { answer: 44 };');
    await item('says 42').getByRole('img', { name: 'failed' }).waitFor();
    await write(page, 'return { answer: 43 };');
    await item('says 42').getByRole('img', { name: 'passed' }).waitFor();
    await rerun.press('Space');
  });

  test('all tests run by keyboard; the explorer shows which scripts passed', async () => {
    const { page } = window;
    const script = (name: RegExp) => page.getByRole('treeitem', { name });
    await page.keyboard.press('Alt+A');
    await page
      .getByRole('status')
      .getByText(/^\d+ of \d+ tests passed$/)
      .waitFor();
    await script(/^Start an order/)
      .getByRole('img', { name: 'tests passed' })
      .waitFor();
    await script(/^Answer/)
      .getByRole('img', { name: 'tests passed' })
      .waitFor();
    await write(page, 'return { answer: 45 };');
    await script(/^Answer/)
      .getByRole('img', { name: 'tests not run since the last change' })
      .waitFor();
    await page.keyboard.press('Alt+A');
    await script(/^Answer/)
      .getByRole('img', { name: 'tests failed' })
      .waitFor();
    expect(await accessibilityFindings(page, 'states of tests')).toEqual([]);
    await write(page, 'return { answer: 43 };');
  });

  test('an error of a test is shown at its field; a deleted test is restored', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'Edit the test says 42' }).click();
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Edit the test' }));
    await dialog.getByRole('switch', { name: 'Edit as JSON' }).press('Space');
    const text = dialog.getByRole('textbox', { name: 'Inputs and expected results' });
    await expect
      .poll(async () => JSON.parse(await text.innerText()))
      .toMatchObject({ expect: { status: 'ok', result: { answer: 43 } } });
    await text.fill('{ "expect": ');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/Invalid JSON/).waitFor();
    await text.fill('{ "expect": { "results": 1 } }');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog
      .getByText(/results/)
      .last()
      .waitFor();
    await text.fill('{ "expect": { "error": "no" } }');
    await dialog.getByRole('switch', { name: 'Edit as JSON' }).press('Space');
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Text of the error' }).inputValue()).toBe('no');
    // Nothing that was typed is lost by a click outside or by Escape.
    await page.mouse.click(5, 5);
    const question = await dialogThere(page.getByRole('dialog', { name: 'Discard the changes?' }));
    await page.keyboard.press('Escape');
    await dialogGone(question);
    expect(await dialog.getByRole('textbox', { name: 'Text of the error' }).inputValue()).toBe('no');
    await focusIn(dialog);
    await page.keyboard.press('Escape');
    await dialogThere(question);
    await question.getByRole('button', { name: 'Discard' }).press('Enter');
    await dialogGone(dialog);
    await page.getByRole('button', { name: 'Delete the test says 42' }).click();
    await page.getByText('No tests yet').waitFor();
    await undo(page, 'Deleted the test "says 42"');
    await item('says 42').waitFor();
    expect(JSON.parse(await workbench.tagwright('test', '--filter', 'Capper', '--json'))).toHaveLength(2);
  });
});
