import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { dialogGone, dialogThere, openOwnScript, runToEnd, showPane } from '../steps.ts';

let workbench: BrowserWorkbench;
beforeAll(async () => {
  workbench = await startBrowserWorkbench();
});
afterAll(() => workbench.close());

const BODY = `return ApiValueManager.FetchWithBearerToken(
  "https://nobody.example/it's", 'post', '{"a":1}', 'canary-token').StatusCode;`;

test('an API call in the trace is copied as curl, and becomes a mock', async () => {
  const { page, close } = await workbench.open({
    view: 'scripts',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await (await workbench.client()).settings.update({ 'api.mode': 'offline' });
  await openOwnScript(workbench, page, BODY);
  await runToEnd(page, 'ok');
  await showPane(page, 'Trace');
  await page.getByRole('region', { name: 'Trace' }).getByRole('button', { name: 'nobody.example' }).click();
  const dialog = await dialogThere(page.getByRole('dialog', { name: /FetchWithBearerToken/ }));
  const body = dialog.getByRole('region', { name: 'Request' }).getByLabel('Body of: Request');
  await expect.poll(() => body.innerText()).toBe('{\n  "a": 1\n}');
  await expect.poll(() => dialog.getByText('Bearer ***').count()).toBe(1);
  const color = (sort: string) =>
    body.locator(`[data-sort="${sort}"]`).evaluate((element) => getComputedStyle(element).color);
  expect(await color('name')).not.toBe(await color('number'));
  expect(await accessibilityFindings(page, 'a call of the trace', '[role="dialog"]')).toEqual([]);
  await dialog.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByText('Insert the secrets: they are masked.').first().waitFor();
  const curl = await page.evaluate(() => navigator.clipboard.readText());
  expect(curl).toContain(String.raw`curl 'https://nobody.example/it'\''s'`);
  expect(curl).toContain(`--data-raw '{"a":1}'`);
  expect(curl).toContain('Authorization: Bearer ***');
  expect(curl).not.toContain('canary-token');

  await dialog.getByRole('button', { name: 'Create mock' }).click();
  await dialogGone(dialog);
  const form = page.getByRole('form', { name: 'Mock', exact: true });
  await expect.poll(() => form.getByLabel('URL pattern').inputValue()).toBe("https://nobody.example/it's");
  await page.keyboard.press('Control+S');
  await expect
    .poll(async () => (await (await workbench.client()).mocks.list()).mocks.at(-1)?.request)
    .toMatchObject({ method: 'POST', headers: [], body: { json: { a: 1 } } });

  // The call log has both, too.
  await page.getByRole('tab', { name: 'Call log' }).click();
  await page
    .getByRole('grid', { name: 'Calls' })
    .getByRole('row')
    .filter({ hasText: 'nobody.example' })
    .first()
    .click();
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(curl);
  await close();
});
