import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import type { BrowserWorkbench } from '../support/browser-workbench.ts';
import { startBrowserWorkbench } from '../support/browser-workbench.ts';
import { dialogGone, dialogThere, pickInPalette } from './steps.ts';

let workbench: BrowserWorkbench;
beforeAll(async () => {
  workbench = await startBrowserWorkbench();
});
afterAll(() => workbench.close());

test('a pasted curl command and a Postman collection are previewed and imported', async () => {
  const { page, close } = await workbench.open({ view: 'mocks', reducedMotion: 'reduce' });
  const urls = async () =>
    (await (await workbench.client()).mocks.list()).mocks.map(({ request }) => request.url).filter(isImported);
  const isImported = (url: string) => url.includes('imported.example');
  await page.getByRole('grid', { name: 'Mocks' }).waitFor();
  await pickInPalette(page, 'Import mocks', 'Import mocks');
  const dialog = await dialogThere(page.getByRole('dialog', { name: 'Import mocks' }));
  const preview = dialog.getByRole('list', { name: 'Mocks to import' });
  await dialog.getByLabel('Or paste the text').fill("curl 'https://imported.example/a");
  await dialog.getByText(/a quote does not end/).waitFor();
  await dialog.getByLabel('Or paste the text').fill("curl 'https://imported.example/a' -X POST -H 'X-Api-Key: canary'");
  await preview.getByText('https://imported.example/a').waitFor();
  expect(await dialog.innerText()).toContain('1 mock (curl)');
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
  await dialog.getByRole('button', { name: 'Choose a file…' }).click();
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
