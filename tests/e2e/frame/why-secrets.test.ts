import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { goTo, openScript, tabTo } from '../steps.ts';

const TAG = 'Bottling.Test.Login.Cache.Value';
const TOKEN = 'token-of-the-platform-4711';
const URL = 'https://login.test/token';
const BODY = `const { ResponseObject } = ApiValueManager.GetOauthToken('${URL}', '[]');
const token = JSON.parse(ResponseObject).access_token;
TagValueManager.Set([{ tag: '${TAG}', value: 'is ' + token }]);
ApiValueManager.Fetch('https://login.test/' + token + '/orders', 'get');
return 'Bearer ' + token;
`;

let workbench: BrowserWorkbench;
let window: WorkbenchPage;
beforeAll(async () => {
  workbench = await startBrowserWorkbench();
  await workbench.stopRules();
  const client = await workbench.client();
  await client.settings.update({ 'api.mode': 'offline' });
  const answer = { status: 200, headers: [], delayMs: 0, fault: null, template: false };
  const request = { method: 'POST' as const, url: URL, headers: [], body: null };
  const body = { kind: 'json' as const, json: { access_token: TOKEN } };
  await client.mocks.save({ name: 'Login', enabled: true, priority: 0, request, answer: { ...answer, body } });
  await client.tags.save({ path: TAG, kind: 'storage', type: 'String', description: '', unit: '', settings: {} });
  await workbench.saveScript('Tests/Login', BODY);
  window = await workbench.open({ reducedMotion: 'reduce' });
});
afterAll(async () => {
  await window.close();
  await workbench.close();
});

const pane = () => window.page.getByRole('complementary', { name: 'Why?' });
const lines = (name: 'Causes' | 'Effects') => pane().getByRole('list', { name }).getByRole('listitem');
const explainTag = async () => {
  const { page } = window;
  await goTo(page, 'Tags');
  await page.getByRole('searchbox', { name: 'Filter tags' }).fill('login cache');
  await page.getByRole('row', { name: TAG }).waitFor();
  await tabTo(page.getByRole('grid', { name: 'Tags' }));
  await page.keyboard.press('Home');
  await page.getByRole('region', { name: `Tag ${TAG}` }).waitFor();
  await page.keyboard.press('Alt+Y');
};

test('a run shows no secret in its effects, its recorded form and the call log', async () => {
  const { page } = window;
  await openScript(page, 'Login');
  await page.keyboard.press('F5');
  await page.locator('[data-status="ok"]').first().waitFor();
  await page.keyboard.press('Alt+Y');
  await expect.poll(() => lines('Effects').first().innerText()).toMatch(/→ "?is \*\*\*/);
  expect(await pane().innerText()).not.toContain(TOKEN);
  await page.keyboard.press('Escape');

  await page.keyboard.press('Alt+8');
  const runs = page.getByRole('list', { name: 'Recorded runs' }).getByRole('listitem');
  await runs.first().getByRole('button', { name: 'Replay' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Replay' });
  await panel.getByRole('region', { name: 'Comparison' }).getByText('Identical').waitFor();
  await expect.poll(() => panel.innerText()).toContain('***');
  expect(await panel.innerText()).not.toContain(TOKEN);

  await goTo(page, 'API mocks');
  await page.keyboard.press('Alt+2');
  const calls = page.getByRole('grid', { name: 'Calls' }).getByRole('row');
  await calls.filter({ hasText: '/***/orders' }).waitFor();
  expect(await page.getByRole('main', { name: 'API mocks' }).innerText()).not.toContain(TOKEN);
});

test('the history of a tag shows no secret, also when it is replaced', async () => {
  await explainTag();
  await expect.poll(() => lines('Causes').first().innerText()).toMatch(/→ "?is \*\*\*/);
  expect(await pane().innerText()).not.toContain(TOKEN);
  await workbench.tagwright('tags', 'set', `${TAG}="by hand"`);
  await explainTag();
  await expect.poll(() => lines('Causes').first().innerText()).toMatch(/\*\*\*"? → "?by hand/);
  await pane().getByRole('region', { name: 'Connections' }).getByText('script Tests/Login').first().waitFor();
  expect(await window.page.locator('body').innerText()).not.toContain(TOKEN);
});
