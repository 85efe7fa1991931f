import type { FileChooser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { sampled } from '../../support/run/scale.ts';
import { THEMES, chooseTheme, dialogGone, dialogThere, pickInPalette } from '../steps.ts';

let workbench: BrowserWorkbench;
beforeAll(async () => {
  workbench = await startBrowserWorkbench();
});
afterAll(() => workbench.close());

/** Waits until the palette has the commands of the view. */
const viewIsThere = (page: Page) => page.getByRole('region', { name: 'Mock list' }).getByRole('row').nth(1).waitFor();

test('a pasted curl command and a Postman collection are previewed and imported', async () => {
  const { page, close } = await workbench.open({ view: 'mocks', reducedMotion: 'reduce' });
  const urls = async () =>
    (await (await workbench.client()).mocks.list()).mocks.map(({ request }) => request.url).filter(isImported);
  const isImported = (url: string) => url.includes('imported.example');
  await viewIsThere(page);
  await pickInPalette(page, 'Import mocks', 'Import mocks');
  const dialog = await dialogThere(page.getByRole('dialog', { name: 'Import mocks' }));
  const preview = dialog.getByRole('list', { name: 'Mocks to import' });
  await dialog.getByLabel('Or paste the text').fill("curl 'https://imported.example/a");
  await dialog.getByText(/a quote does not end/).waitFor();
  await dialog.getByLabel('Or paste the text').fill("curl 'https://imported.example/a' -X POST -H 'X-Api-Key: canary'");
  await preview.getByText('https://imported.example/a').waitFor();
  await expect.poll(() => dialog.innerText()).toContain('1 mock (curl)');
  expect(await accessibilityFindings(page, 'a preview', '[role="dialog"]')).toEqual([]);
  expect(await urls()).toEqual([]);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page
    .getByRole('list', { name: 'Skipped' })
    .getByText(/no saved response/)
    .waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await dialogGone(dialog);
  await expect.poll(urls).toEqual(['https://imported.example/a']);

  await pickInPalette(page, 'Import mocks', 'Import mocks');
  await dialogThere(dialog);
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose files…' }).click();
  const request = { method: 'GET', url: 'https://imported.example/b/:id' };
  const collection = {
    info: {},
    item: [{ name: 'B', request, response: [{ name: 'Ok', code: 200, body: '{"b":1}' }] }],
  };
  const buffer = Buffer.from(JSON.stringify(collection));
  await (await chooser).setFiles({ name: 'b.json', mimeType: 'application/json', buffer });
  await preview.getByText('https://imported.example/b/{id}').waitFor();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialogGone(dialog);
  await expect.poll(urls).toEqual(['https://imported.example/a', 'https://imported.example/b/{id}']);
  await close();
});

test('a folder of Bruno is imported with its folders, and several files all or none', async () => {
  const folder = join(temporaryFolder(), 'Plant');
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  put('bruno.json', '{"version":"1","name":"Plant"}');
  put('collection.bru', 'vars:pre-request {\n  base: https://bruno.example\n}\n');
  put('orders/Order.bru', 'meta {\n  name: Order\n}\n\nget {\n  url: {{base}}/orders/:id\n}\n');
  put('node_modules/x/No.bru', 'get {\n  url: https://no.example/\n}\n');
  const { page, close } = await workbench.open({ view: 'mocks', reducedMotion: 'reduce' });
  const folders = async () => {
    const { mocks } = await (await workbench.client()).mocks.list();
    return mocks.filter(({ request }) => request.url.includes('bruno.example')).map((mock) => mock.folder);
  };
  const dialog = page.getByRole('dialog', { name: 'Import mocks' });
  const choose = async (button: string, files: Parameters<FileChooser['setFiles']>[0]) => {
    const opened = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: button }).click();
    const chooser = await opened;
    await chooser.setFiles(files);
  };
  await viewIsThere(page);
  await pickInPalette(page, 'Import mocks', 'Import mocks');
  await dialogThere(dialog);
  await choose('Choose a folder…', folder);
  await dialog.getByText('Plant: 2 files').waitFor();
  await dialog.getByRole('combobox', { name: 'Into folder' }).fill('Bruno');
  await dialog.getByText('in Bruno/orders').waitFor();
  expect(await dialog.getByText('https://no.example').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('list', { name: 'Skipped' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await dialogGone(dialog);
  await expect.poll(folders).toEqual(['Bruno/orders']);

  await pickInPalette(page, 'Import mocks', 'Import mocks');
  await dialogThere(dialog);
  const file = (name: string, text: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  const good = file('good.json', '{"name":"Good","request":{"url":"https://bruno.example/good"}}');
  await choose('Choose files…', [good, file('bad.json', '{"log":{}}'), file('worse.json', '{')]);
  const problems = dialog.getByRole('list', { name: 'Problems of files' }).getByRole('listitem');
  await expect
    .poll(() => problems.allInnerTexts())
    .toEqual([expect.stringContaining('bad.json: '), expect.stringContaining('worse.json: ')]);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByText('2 files have problems, so nothing is imported.').waitFor();
  expect(await accessibilityFindings(page, 'problems of files', '[role="dialog"]')).toEqual([]);
  expect(await folders()).toHaveLength(1);

  // Dropped files are chosen, too.
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    const text = '{"name":"Dropped","request":{"url":"https://bruno.example/dropped"}}';
    transfer.items.add(new File([text], 'dropped.json'));
    return transfer;
  });
  const target = dialog.getByRole('button', { name: 'Choose files…' });
  await target.dispatchEvent('dragover', { dataTransfer: dropped });
  await target.dispatchEvent('drop', { dataTransfer: dropped });
  await dialog.getByText('https://bruno.example/dropped').waitFor();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialogGone(dialog);
  await expect.poll(folders).toHaveLength(2);
  await close();
});

test('methods have readable colors in dialogs, in every theme', async () => {
  const { page, close } = await workbench.open({ view: 'mocks', reducedMotion: 'reduce' });
  const dialog = page.getByRole('dialog', { name: 'Import mocks' });
  await viewIsThere(page);
  for (const theme of sampled(THEMES, 1)) {
    // oxlint-disable no-await-in-loop -- one window
    await chooseTheme(page, theme);
    await pickInPalette(page, 'Import mocks', 'Import mocks');
    await dialogThere(dialog);
    const methods = ['GET', 'POST', 'PUT', 'DELETE'];
    const commands = methods.map((method) => `curl -X ${method} https://colors.example/${method}`);
    await dialog.getByLabel('Or paste the text').fill(commands.join('\n'));
    await dialog.getByText('4 mocks (curl)').waitFor();
    const colors = await dialog
      .locator('[data-method]')
      .evaluateAll((all) => all.map((method) => getComputedStyle(method).color));
    expect(new Set(colors).size, theme).toBe(methods.length);
    expect(await accessibilityFindings(page, 'methods', '[role="dialog"]')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialogGone(dialog);
    // oxlint-enable no-await-in-loop
  }
  await close();
});
