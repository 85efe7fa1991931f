import type { Page, WebSocketRoute } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sharedWindow } from '../../support/browser/shared-window.ts';
import {
  cursorAt,
  dialogGone,
  dialogThere,
  editorHasFocus,
  editorIsThere,
  editorText,
  focusIn,
  newScript,
  openScript,
  putCursor,
  renameTo,
  retryConnection,
  write,
} from '../steps.ts';

/** A name with quotes, emoji and letters of both text directions. */
const ODD = `"It's" <b>50 %<b> 🚀 مرحبا & ‮שלום`;
const LONG = 'n'.repeat(500);
const TOO_LONG = 'at most 100 characters, but this one has 500';
const MEGABYTE = 1_048_576;

describe('unexpected input', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    await workbench.saveScript('Tests/Mine', 'return 1;\n');
  });
  afterAll(() => workbench.close());
  const shared = sharedWindow(() => workbench.open());
  beforeEach(async () => {
    window = await shared();
    await editorIsThere(window.page);
  });

  const saved = async (group: string, name: string) => {
    const client = await workbench.client();
    return client.scripts.get({ group, name });
  };
  const overflows = () =>
    window.page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

  test('odd names of groups and scripts pass every dialog unchanged', async () => {
    const { page } = window;
    await newScript(page, 'return "odd";');
    await page.keyboard.press('Control+S');
    const dialog = page.getByRole('dialog', { name: 'Save the new script' });
    await focusIn(dialog.getByRole('textbox', { name: 'Name' }));
    await dialog.getByRole('combobox', { name: 'Script Group' }).fill(ODD);
    await dialog.getByRole('textbox', { name: 'Name' }).fill(ODD);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialogGone(dialog);
    expect(await saved(ODD, ODD)).toMatchObject({ group: ODD, name: ODD, body: 'return "odd";' });
    const rows = page.getByRole('treeitem').filter({ hasText: ODD });
    await expect.poll(() => rows.count()).toBe(2);
    expect(await overflows()).toBe(false);

    // Renamed inline.
    await rows.last().click();
    await focusIn(page.getByRole('tree', { name: 'Scripts by group' }));
    await renameTo(page, `${ODD} ‘2’`);
    await expect.poll(async () => (await saved(ODD, `${ODD} ‘2’`)).version).toBe(2);
    await page.keyboard.press('Control+Shift+E');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Move to another group…' }).press('Enter');
    await dialogThere(page.getByRole('dialog'));
    await page.getByRole('combobox', { name: 'To group' }).fill('Tests');
    await page.getByRole('button', { name: 'Move' }).press('Enter');
    await dialogGone(page.getByRole('dialog'));
    await expect.poll(async () => (await saved('Tests', `${ODD} ‘2’`)).version).toBe(3);
    await page.getByRole('tab', { name: `${ODD} ‘2’`, selected: true }).waitFor();
    await page.keyboard.press('Alt+H');
    const history = await dialogThere(page.getByRole('dialog', { name: `History of “${ODD} ‘2’”` }));
    await page.getByRole('row', { name: `Moved from “${ODD}”` }).waitFor();
    expect(await page.locator('b', { hasText: '50 %' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialogGone(history);
  });

  test('names of 500 characters are rejected at their field, and the text stays', async () => {
    const { page } = window;
    await newScript(page, 'return "long";');
    await page.keyboard.press('Control+S');
    const dialog = page.getByRole('dialog', { name: 'Save the new script' });
    await focusIn(dialog.getByRole('textbox', { name: 'Name' }));
    await dialog.getByRole('textbox', { name: 'Name' }).fill(LONG);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(TOO_LONG).waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(LONG);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialogGone(dialog);
    expect(await overflows()).toBe(false);

    await page.getByRole('button', { name: 'New group' }).click();
    const group = await dialogThere(page.getByRole('dialog'));
    await page.getByRole('textbox', { name: 'Script Group' }).fill(LONG);
    await page.keyboard.press('Enter');
    await group.getByText(TOO_LONG).waitFor();
    await group.getByRole('button', { name: 'Cancel' }).click();
    await dialogGone(group);

    await openScript(page, 'Mine');
    await renameTo(page, LONG);
    await page.getByRole('alert').getByText(TOO_LONG).waitFor();
    const field = page.getByRole('textbox', { name: 'New name' });
    // Also when the focus moves elsewhere.
    await putCursor(page, 'end');
    await page.getByRole('alert').getByText(TOO_LONG).waitFor();
    await editorHasFocus(page);
    expect(await field.inputValue()).toBe(LONG);
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect((await saved('Tests', 'Mine')).name).toBe('Mine');
    await page.getByRole('treeitem', { name: LONG }).click();
    await page
      .getByRole('button', { name: 'Discard draft' })
      .or(page.getByRole('tab', { name: LONG }))
      .first()
      .waitFor();
    await expect.poll(() => editorText(page)).toContain('return "long";');
  });

  test('a megabyte is pasted, edited and saved; more is rejected and kept as a draft', async () => {
    // Large texts slow down later steps.
    const own = await workbench.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = own;
    await editorIsThere(page);
    const line = `const text = ${'"x"'.padEnd(86, ' ')};`;
    const megabyte = `${line}\n`.repeat(Math.floor((MEGABYTE - 20_000) / (line.length + 1)));
    await openScript(page, 'Mine');
    await write(page, '// Pasted:');
    await page.evaluate((text) => navigator.clipboard.writeText(text), `{${megabyte}}`);
    await putCursor(page, 'end');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+V');
    await expect.poll(() => editorText(page), { timeout: 60_000 }).toContain('const text');
    await page.keyboard.press('Control+Home');
    await cursorAt(page, 'Ln 1, Col 1');
    await page.keyboard.insertText('// Usable. ');
    await expect.poll(() => editorText(page)).toContain('// Usable. // Pasted:');
    await page.keyboard.press('Control+S');
    await expect
      .poll(async () => (await saved('Tests', 'Mine')).body.length, { timeout: 60_000 })
      .toBe(megabyte.length + '// Usable. // Pasted:\n{}'.length);

    await page.keyboard.press('Control+End');
    await page.evaluate((text) => navigator.clipboard.writeText(text), line.repeat(400));
    await page.keyboard.press('Control+V');
    await page.getByText('The script is too long to save').waitFor({ timeout: 60_000 });
    await page.keyboard.press('Control+S');
    await page.locator('.fui-ToastTitle').getByText('Not saved').waitFor({ timeout: 60_000 });
    const client = await workbench.client();
    await expect
      .poll(async () => (await client.drafts.list()).find(({ name }) => name === 'Mine')?.body.length ?? 0, {
        timeout: 60_000,
      })
      .toBeGreaterThan(MEGABYTE);
    await page.keyboard.press('Control+Z');
    await page.getByText('The script is too long to save').waitFor({ state: 'detached' });
    await own.close();
  });

  test('two windows edit a script: the later save is rejected, both texts stay', async () => {
    await workbench.saveScript('Tests/Shared', 'return "first";\n');
    const { page } = window;
    await openScript(page, 'Shared');
    const other = await workbench.open();
    await editorIsThere(other.page);
    await openScript(other.page, 'Shared');
    await write(page, 'return "mine";');
    await write(other.page, 'return "theirs";');
    await other.page.keyboard.press('Control+S');
    await expect.poll(async () => (await saved('Tests', 'Shared')).body).toBe('return "theirs";');
    await page.getByText('Another window saved version 2', { exact: true }).waitFor();
    await page.keyboard.press('Control+S');
    await page.getByText('Another window saved this script first.', { exact: true }).waitFor();
    await expect.poll(() => editorText(page)).toContain('return "mine";');
    // Even if this window is closed now.
    await expect
      .poll(async () => (await (await workbench.client()).drafts.list()).map(({ body }) => body))
      .toContain('return "mine";');
    await page.reload();
    await editorIsThere(page);
    await page.getByRole('button', { name: 'Keep mine as a new version' }).click();
    await expect.poll(async () => (await saved('Tests', 'Shared')).body).toBe('return "mine";');
    await expect.poll(() => editorText(other.page)).toContain('return "mine";');
    await other.close();
  });

  test('a save while the server is down is reported, kept, and done on reconnection', async () => {
    await workbench.saveScript('Tests/Cut', 'return "before";\n');
    const routes: WebSocketRoute[] = [];
    let reachable = true;
    let cut = false;
    const prepare = (one: Page) =>
      one.routeWebSocket('**/rpc', async (route) => {
        if (!reachable) return route.close({ code: 1011 });
        routes.push(route);
        const server = route.connectToServer();
        route.onMessage((message) => {
          if (!cut) return server.send(message);
          // The server ends before it processes the next message of the page.
          cut = false;
          reachable = false;
          void route.close({ code: 1011 });
          return undefined;
        });
        return undefined;
      });
    const { page, closeWithProblems } = await workbench.open({ prepare });
    await editorIsThere(page);
    await openScript(page, 'Cut');
    await write(page, 'return "typed";');
    await expect
      .poll(async () => (await (await workbench.client()).drafts.list()).map(({ body }) => body))
      .toContain('return "typed";');
    cut = true;
    await page.keyboard.press('Control+S');
    await page.locator('.fui-ToastTitle').getByText('Not saved').waitFor();
    await page.getByText('Connection to Tagwright lost').waitFor();
    await putCursor(page, 'end');
    await page.keyboard.insertText('\n// and more');
    await retryConnection(page, () => void (reachable = true));
    await page.getByText('Connection to Tagwright lost').waitFor({ state: 'detached' });
    expect((await saved('Tests', 'Cut')).body).toBe('return "before";\n');
    await page.keyboard.press('Control+S');
    await putCursor(page, 'end');
    await page.keyboard.press('Control+S');
    await expect.poll(async () => (await saved('Tests', 'Cut')).body).toBe('return "typed";\n// and more');
    // Lost connections are logged as errors in the page's console.
    await closeWithProblems();
  });
});
