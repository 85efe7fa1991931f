import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../support/browser-workbench.ts';
import { startBrowserWorkbench } from '../support/browser-workbench.ts';
import { dialogGone, dialogThere, editorIsThere, openScript, runToEnd, undo, write } from './steps.ts';

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
    await dialog.getByRole('textbox', { name: 'Name' }).fill('says 42');
    expect(await accessibilityFindings(page, 'dialog of a test', '[role="dialog"]')).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Name' }).press('Enter');
    await dialogGone(dialog);
    await item('says 42').getByRole('img', { name: 'not run' }).waitFor();
    await page.getByRole('button', { name: 'Run all' }).click();
    await item('says 42').getByRole('img', { name: 'passed' }).waitFor();
    await page.getByText('1 of 1 passed').waitFor();

    await write(page, 'return { answer: 43 };');
    await item('says 42').getByText('changed since').waitFor();
    await page.getByRole('button', { name: 'Run the test says 42' }).click();
    await item('says 42').getByText('result.answer: expected 42, got 43').waitFor();
    expect(await accessibilityFindings(page, 'a failed test')).toEqual([]);
    await page.getByRole('button', { name: 'Accept as expected' }).click();
    await item('says 42').getByRole('img', { name: 'passed' }).waitFor();
  });

  test('an error of a test is shown at its field; a deleted test is restored', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'Edit the test says 42' }).click();
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Edit the test' }));
    const text = dialog.getByRole('textbox', { name: 'Inputs and expected results' });
    await text.fill('{ "expect": ');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/Invalid JSON/).waitFor();
    await text.fill('{ "expect": { "results": 1 } }');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog
      .getByText(/results/)
      .last()
      .waitFor();
    await page.keyboard.press('Escape');
    await dialogGone(dialog);
    await page.getByRole('button', { name: 'Delete the test says 42' }).click();
    await page.getByText('No tests yet').waitFor();
    await undo(page, 'Deleted the test');
    await item('says 42').waitFor();
    expect(JSON.parse(await workbench.tagwright('test', '--filter', 'Capper', '--json'))).toHaveLength(2);
  });
});
