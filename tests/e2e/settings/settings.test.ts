import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { covers, dialogGone, dialogThere, heldNotice, pickInPalette } from '../steps.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

describe('the Settings view', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    window = await workbench.open({ view: 'settings', reducedMotion: 'reduce' });
    await window.page
      .getByRole('tab', { name: /^Settings/ })
      .or(window.page.getByRole('button', { name: /^Settings/ }))
      .first()
      .click();
    await window.page.getByRole('searchbox', { name: 'Search the settings' }).waitFor();
  });
  afterAll(async () => {
    await window.close();
    await workbench.close();
  });

  const stored = async (key: string): Promise<unknown> =>
    JSON.parse(await workbench.tagwright('settings', 'list', '--json', '--show-secrets'))[key];

  test('a number is rejected in the field, saved with Enter, seen by the CLI, undone', async () => {
    const { page } = window;
    const field = page.getByRole('textbox', { name: 'Script time', exact: true });
    await field.fill('1,5');
    await field.press('Enter');
    await page.getByText('Enter a whole number from 10 to 3,600,000, without commas and points').waitFor();
    await field.fill('1 234');
    await field.press('Enter');
    await expect.poll(() => stored('limits.scriptMs')).toBe(1_234);
    await page.getByText('1 changed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Reset Script time', exact: true }).click();
    const notice = await heldNotice(page, 'Script time was reset');
    // A pane over the whole width is covered at its emptier side, never the part in use.
    await expect.poll(() => covers(notice, field)).toBe(false);
    await expect.poll(async () => (await notice.boundingBox())?.x).toBeGreaterThan(720);
    await expect.poll(() => stored('limits.scriptMs')).toBe(5_000);
    await notice.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => stored('limits.scriptMs')).toBe(1_234);
  });

  test('the port shows which one is in use', async () => {
    const { port } = new URL(workbench.eventsApi);
    const note = window.page.getByText(`Now in use: ${port}.`);
    await expect.poll(() => note.count()).toBe(1);
  });

  test('changes by the command line are shown at once', async () => {
    const { page } = window;
    await workbench.tagwright('settings', 'set', 'limits.nesting=3');
    await expect.poll(() => page.getByRole('textbox', { name: 'Nesting' }).inputValue()).toBe('3');
  });

  test('the key of the events API is shown once, when it is generated, and removed', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'Generate…' }).click();
    const offer = await dialogThere(page.getByRole('dialog', { name: 'Key of the events API' }));
    await offer.getByText('it is not shown again').waitFor();
    const key = await offer.getByLabel('Key', { exact: true }).inputValue();
    expect(key).toMatch(/^[\da-f]{48}$/);
    expect(await accessibilityFindings(page, 'dialog of a generated key', '[role="dialog"]')).toEqual([]);
    await page.keyboard.press('Enter');
    await dialogGone(offer);
    await expect.poll(() => stored('events.apiKey')).toBe('(set)');
    expect(await page.content()).not.toContain(key);
    const statusWith = async (headers: Record<string, string>) =>
      (await fetch(`${workbench.eventsApi}/api/events?limit=1`, { headers })).status;
    await expect.poll(() => statusWith({})).toBe(401);
    expect(await statusWith({ 'X-API-Key': key })).toBe(200);
    await page.getByRole('button', { name: 'Set…' }).click();
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Key of the events API' }));
    await dialog.getByLabel('Key').fill('short');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter 8 to 200 letters').waitFor();
    expect(await accessibilityFindings(page, 'dialog of the key', '[role="dialog"]')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialogGone(dialog);
    await page.getByRole('button', { name: 'Reset Key' }).click();
    await expect.poll(() => stored('events.apiKey')).toBe('');
  });

  test('settings are searched, limited to modified ones, and all reset', async () => {
    const { page } = window;
    await page.getByRole('searchbox', { name: 'Search the settings' }).fill('proxy');
    await page.getByRole('textbox', { name: 'Proxy', exact: true }).fill('http://plant:s3cret@proxy:3128');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Proxy', exact: true }).inputValue())
      .toMatch(/^http:\/\/plant:•+@proxy:3128$/);
    await expect.poll(() => stored('api.proxy')).toBe('http://plant:s3cret@proxy:3128');
    await page.getByRole('searchbox', { name: 'Search the settings' }).fill('');
    await page.getByRole('switch', { name: 'Modified only' }).click();
    await expect.poll(() => page.getByRole('textbox').count()).toBe(3);
    await page.getByRole('button', { name: 'Reset all' }).click();
    await page.getByText('All settings at their defaults').waitFor();
    await page.getByRole('switch', { name: 'Modified only' }).click();
    await expect.poll(() => stored('api.proxy')).toBe('');
  });

  test('the search also finds the theme and the backups, and says if nothing matches', async () => {
    const { page } = window;
    const search = page.getByRole('searchbox', { name: 'Search the settings' });
    await search.fill('theme');
    await page.getByRole('combobox', { name: 'Theme' }).waitFor();
    await expect.poll(() => page.getByRole('textbox').count()).toBe(0);
    await search.fill('restore');
    await page.getByRole('button', { name: 'Back up now' }).waitFor();
    await search.fill('no such thing');
    await page.getByText('No settings match.').waitFor();
    await search.fill('');
    await pickInPalette(page, 'appearance', /^Theme\s*Appearance/);
    await expect.poll(() => search.inputValue()).toBe('Theme');
    await search.fill('');
  });

  test('the workspace is backed up', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByRole('table', { name: 'Backups' }).getByText('manual', { exact: true }).waitFor();
    expect(await accessibilityFindings(page, 'settings', '[data-pane="settings"]')).toEqual([]);
    expect(JSON.parse(await workbench.tagwright('backups', 'list', '--json'))).toEqual(
      expect.arrayContaining([expect.objectContaining({ sort: 'manual' })]),
    );
  });

  test('the workspace is copied only into an empty folder', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'Copy this one' }).click();
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Copy this workspace' }));
    await dialog.getByRole('textbox').fill(process.cwd());
    await page.keyboard.press('Enter');
    await dialog.getByText(/empty/).last().waitFor();
    const copy = temporaryFolder();
    await dialog.getByRole('textbox').fill(copy);
    await page.keyboard.press('Enter');
    await page.locator('.fui-Toast', { hasText: 'Workspace copied' }).waitFor();
    expect(await readdir(copy)).toContain('workspace.db');
    const recent = page.getByRole('table', { name: 'Recent workspaces' });
    await recent.getByRole('row').filter({ hasText: 'current' }).waitFor();
  });
});
