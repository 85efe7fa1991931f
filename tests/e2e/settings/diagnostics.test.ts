import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { storePicture } from '../../support/browser/picture.ts';
import { dialogGone, dialogThere } from '../steps.ts';

describe('the diagnostics in Settings', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    window = await workbench.open({
      view: 'settings',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await window.page.keyboard.press('Control+7');
    const search = window.page.getByRole('searchbox', { name: 'Search the settings' });
    await search.fill('doctor');
    await window.page.getByRole('heading', { name: 'Diagnostics' }).waitFor();
  });
  afterAll(async () => {
    await window.close();
    await workbench.close();
  });

  const picture = (name: string) => storePicture(window.page, name);

  test('run by keyboard, and show every check and how to fix problems', async () => {
    const { page } = window;
    await workbench.tagwright('settings', 'set', 'api.caFiles=["/no/such/ca.pem"]');
    await page.getByText('Not run yet.').waitFor();
    await page.getByRole('button', { name: 'Run checks' }).focus();
    await page.keyboard.press('Enter');
    // This machine may have further problems, such as a full disk.
    await page.getByText(/^[1-9]\d* problems?, \d+ warnings?, (?:\d+ not checked, )?\d+ checks/).waitFor();
    const table = page.getByRole('table', { name: 'Result of the checks' });
    const row = table.getByRole('row').filter({ hasText: '/no/such/ca.pem' });
    expect(await row.innerText()).toMatch(/^Problem\s+Certificates\s+[^]*Fix: /);
    expect(await table.getByRole('row').filter({ hasText: 'workspace.db' }).last().innerText()).toMatch(/^OK/);
    expect(await accessibilityFindings(page, 'diagnostics', '[data-pane="settings"]')).toEqual([]);
    const { sandbox } = await (await workbench.client()).app.info();
    const found = await table.getByRole('row').filter({ hasText: 'OS sandbox' }).innerText();
    expect(found).toMatch(sandbox.protection === 'full' ? /^OK\s+OS sandbox/ : /^Warning\s+OS sandbox[^]*Fix: /);
    expect(found).toContain(sandbox.summary);
    for (const { name } of sandbox.layers) expect(found).toContain(name.toLowerCase());
    await picture('diagnostics-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityFindings(page, 'diagnostics', '[data-pane="settings"]')).toEqual([]);
    await picture('diagnostics-dark');
  });

  test('are the same as those of the command line, and are copied as text', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'Copy as text' }).click();
    await page.locator('.fui-Toast', { hasText: 'Copied the result of the checks' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const titles = (text: string) =>
      [...text.matchAll(/^ {2}(?:ok|warning|PROBLEM|not checked) +(\S+)/gm)].map(([, title]) => title);
    const client = await workbench.client();
    let last = null;
    for await (const { diagnosis } of await client.diagnostics.run({})) last = diagnosis;
    expect(titles(copied)).toHaveLength(last?.checks.length ?? 0);
    expect(copied).toContain('PROBLEM      Certificates');
  });

  test('the support file is shown before it is saved, and saved as shown', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'Save support file…' }).click();
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Save support file' }));
    const shown = dialog.getByRole('region', { name: 'Text of the support file' });
    await shown.waitFor();
    expect(await accessibilityFindings(page, 'support file', '[role="dialog"]')).toEqual([]);
    await picture('support-dark');
    const text = await shown.textContent();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save', exact: true }).press('Enter'),
    ]);
    expect(download.suggestedFilename()).toMatch(/^tagwright-support-\d{8}T\d{6}Z\.json$/);
    expect(await readFile(await download.path(), 'utf8')).toBe(text);
    expect(JSON.parse(text ?? '')).toMatchObject({
      format: 'tagwright-support/1',
      settings: { 'api.caFiles': 'set, 1 entry' },
    });
    expect(text).not.toContain('/no/such');
    await dialogGone(dialog);
    await page.getByRole('button', { name: 'Save support file…' }).focus();
  });

  test.skipIf(process.platform === 'win32')('are cancelled by keyboard, and run again', async () => {
    const { page } = window;
    const { pid } = await (await workbench.client()).app.info();
    // Paused, so that the checks do not end before they are cancelled.
    process.kill(pid, 'SIGSTOP');
    try {
      await page.getByRole('button', { name: 'Run checks again' }).press('Enter');
      await page.getByRole('button', { name: 'Cancel checks' }).press('Enter');
      await page.getByText(/^Cancelled\. \d+ problems?, /).waitFor();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await page.getByRole('checkbox', { name: /^Every page/ }).press('Space');
    await page.getByRole('button', { name: /^Run checks/ }).press('Enter');
    await expect.poll(() => page.getByText('every index checked').count()).toBeGreaterThan(0);
  });
});
