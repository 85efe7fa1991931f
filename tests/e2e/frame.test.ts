import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../support/browser-workbench.ts';
import { startBrowserWorkbench } from '../support/browser-workbench.ts';
import { sharedWindow } from '../support/shared-window.ts';
import { dialogThere, editorIsThere, focusIn, pickInPalette } from './steps.ts';

describe('the frame', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    // A port that is free on every test machine.
    await workbench.tagwright('settings', 'set', 'events.port=0');
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open({ permissions: ['clipboard-read', 'clipboard-write'] }));
  beforeEach(async () => {
    window = await shared();
    await window.page.keyboard.press('Control+1');
    await editorIsThere(window.page);
  });

  const settings = async (): Promise<Record<string, unknown>> =>
    JSON.parse(await workbench.tagwright('settings', 'list', '--json'));

  test('the events API: one click copies the address, the next pause and resume it', async () => {
    const { page } = window;
    const status = page.getByRole('contentinfo', { name: 'Status' });
    await status.getByRole('button', { name: /\/api\/events$/ }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/events$/);
    const address = await page.evaluate(() => navigator.clipboard.readText());
    expect((await fetch(address)).status).toBe(200);
    // A second click pauses only within a few seconds; after that, it copies again.
    await expect
      .poll(async () => {
        await status.getByRole('button', { name: /\/api\/events$/ }).click();
        const again = status.getByRole('button', { name: 'Address copied; click again to pause' });
        return again.click({ timeout: 3_000 }).then(
          () => true,
          () => false,
        );
      })
      .toBe(true);
    await status.getByRole('button', { name: 'Events API paused' }).waitFor();
    await expect.poll(() => fetch(address).then(String, () => 'refused')).toBe('refused');
    await status.getByRole('button', { name: 'Events API paused' }).click();
    await status.getByRole('button', { name: /\/api\/events$/ }).waitFor();
    await expect.poll(async () => (await settings())['events.enabled']).toBe(true);
  });

  test('the status of script hosts and their sandbox is reached by keyboard', async () => {
    const { page } = window;
    const button = page.getByRole('contentinfo', { name: 'Status' }).getByRole('button', { name: /^Hosts: \d+ idle/ });
    // The tooltip of the element under the pointer would appear later and replace this one.
    await page.mouse.move(0, 0);
    await page.keyboard.press('Tab');
    await button.focus();
    await expect
      .poll(() => page.getByRole('tooltip').allInnerTexts())
      .toEqual([expect.stringContaining('OS sandbox: ')]);
    await button.press('Enter');
    await expect.poll(() => page.getByText('OS sandbox on this machine').isVisible()).toBe(true);
    // The focus comes in a turn of its own, and would close what is opened before.
    await focusIn(page.getByRole('main', { name: 'Settings' }));
  });

  test('the mode of API calls is shown and switched', async () => {
    const { page } = window;
    const button = page.getByRole('button', { name: /^API calls:/ });
    await button.press('Enter');
    await page.getByRole('menuitemradio', { name: /^Offline/ }).press('Enter');
    await page.getByRole('button', { name: 'API calls: offline' }).waitFor();
    await expect.poll(async () => (await settings())['api.mode']).toBe('offline');
  });

  test('transient messages stay in the list of notices, with their actions', async () => {
    // A window without notices.
    const own = await workbench.open();
    const { page } = own;
    await editorIsThere(page);
    await page.keyboard.press('Control+Shift+E');
    await focusIn(page.getByRole('tree', { name: 'Scripts by group' }));
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Notices (1)' }).waitFor();
    await page.keyboard.press('Alt+Shift+N');
    const dialog = await dialogThere(page.getByRole('dialog', { name: 'Notices' }));
    await dialog.getByText(/^Deleted/).waitFor();
    expect(await accessibilityFindings(page, 'notices', '[role="dialog"]')).toEqual([]);
    const client = await workbench.client();
    const scripts = async () => (await client.scripts.list()).scripts.length;
    const before = await scripts();
    await dialog.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(scripts).toBe(before + 1);
    await own.close();
  });

  test('the first steps appear once, work by keyboard, and return only on request', async () => {
    const { page } = window;
    const steps = page.getByRole('complementary', { name: 'First steps' });
    expect(await steps.count()).toBe(0);
    await page.evaluate(() => localStorage.removeItem('tagwright.first-steps'));
    await page.reload();
    await steps.getByRole('heading', { name: 'Scripts 1 of 4' }).waitFor();
    await editorIsThere(page);
    await page.keyboard.press('Shift+F6');
    await focusIn(steps.getByRole('button', { name: 'Next' }));
    for (const name of ['Find anything 2 of 4', 'The other views 3 of 4', 'Status at a glance 4 of 4']) {
      await page.keyboard.press('Enter');
      await steps.getByRole('heading', { name }).waitFor();
    }
    expect(await accessibilityFindings(page, 'first steps', 'aside')).toEqual([]);
    await page.keyboard.press('Enter');
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await editorIsThere(page);
    expect(await steps.count()).toBe(0);
    await pickInPalette(page, 'first steps', 'Show the first steps');
    await steps.getByRole('button', { name: 'Skip' }).press('Escape');
    await steps.waitFor({ state: 'detached' });
    // As right after the page opens, when nothing has the focus.
    await pickInPalette(page, 'first steps', 'Show the first steps');
    await steps.waitFor();
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.press('Escape');
    await steps.waitFor({ state: 'detached' });
  });

  test('F1 lists every command of the opened views', async () => {
    const { page } = window;
    await page.keyboard.press('F1');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await dialogThere(keys);
    await keys.getByText('Run the script', { exact: true }).waitFor();
    expect(await keys.innerText()).toContain('Theme: high contrast');
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
  });
});
