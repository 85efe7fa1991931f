import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { type RemoteServer, startRemoteServer } from '../../support/services/remote-server.ts';
import { dialogGone, dialogThere } from '../steps.ts';

describe('the tab Webhooks', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  let far: RemoteServer;
  let status = 204;
  let secret = '';
  beforeAll(async () => {
    far = await startRemoteServer((_, response) => response.writeHead(status).end('received'));
    workbench = await startBrowserWorkbench();
    await workbench.stopRules();
    window = await workbench.open({
      view: 'events',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
  });
  afterAll(async () => {
    await window.close();
    await workbench.close();
    await far.close();
  });

  const grid = (name: string) => window.page.getByRole('grid', { name, exact: true });
  const details = () => window.page.getByRole('region', { name: 'Event details' });
  const firstDelivery = () => grid('Deliveries').getByRole('row').nth(1);
  const idOf = (n: number) => String(far.requests.at(n)?.headers['webhook-id']);

  test('a webhook is added by keyboard, and its secret is shown once', async () => {
    const { page } = window;
    await page.getByRole('button', { name: 'Create test events' }).waitFor();
    await page.keyboard.press('Alt+3');
    await page.getByText('There are no webhooks yet.').waitFor();
    expect(await accessibilityFindings(page, 'no webhooks')).toEqual([]);
    await page.keyboard.press('Alt+N');
    const form = await dialogThere(page.getByRole('dialog', { name: 'New webhook' }));
    await page.keyboard.press('Enter');
    await form.getByText('Enter a URL that starts with https:// or http://.').waitFor();
    await page.keyboard.type(`${far.base}/hook`);
    await form.getByRole('textbox', { name: 'Name' }).fill('ERP');
    await form.getByRole('radio', { name: 'Chosen rules' }).check();
    await form.getByRole('button', { name: 'Add' }).press('Enter');
    await form.getByText('Choose at least one rule.').waitFor();
    await form.getByRole('checkbox', { name: 'Fill volume check' }).check();
    expect(await accessibilityFindings(page, 'the form of a webhook')).toEqual([]);
    await form.getByRole('textbox', { name: 'Name' }).press('Enter');
    const shown = await dialogThere(page.getByRole('dialog', { name: 'Secret of the webhook' }));
    secret = await shown.getByRole('textbox', { name: 'Secret' }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    expect(await accessibilityFindings(page, 'the secret of a webhook')).toEqual([]);
    await shown.getByRole('button', { name: 'Copy' }).press('Enter');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await page.keyboard.press('Escape');
    await dialogGone(shown);
    await expect.poll(() => grid('Webhooks').getByRole('row').nth(1).innerText()).toMatch(/ERP[^]*enabled[^]*never/);
    await details().getByText('Fill volume check').waitFor();
    expect(await page.locator('body').innerText()).not.toContain(secret);
  });

  test('a test message and a real event appear in the log with their messages', async () => {
    const { page } = window;
    await details().getByRole('button', { name: 'Send a test message' }).press('Enter');
    await details()
      .getByRole('heading', { name: /^webhook\.test/ })
      .waitFor();
    await details().getByRole('region', { name: 'Response' }).waitFor();
    const client = await workbench.client();
    const rule = (await client.rules.list()).find(({ name }) => name === 'Fill volume check');
    await client.rules.fire({ id: rule?.id ?? 0 });
    await expect.poll(() => firstDelivery().innerText()).toMatch(/event\.created[^]*delivered/);
    await firstDelivery().click();
    const request = details().getByRole('region', { name: 'Request' });
    await request.getByText('webhook-signature').waitFor();
    const [, sent] = far.requests;
    const headers = Object.fromEntries(
      Object.entries(sent?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(new Webhook(secret).verify(sent?.body ?? '', headers)).toMatchObject({ type: 'event.created' });
    expect(await accessibilityFindings(page, 'a delivery')).toEqual([]);
  });

  test('a failed delivery shows when it is retried, and is sent again with its id', async () => {
    status = 500;
    const client = await workbench.client();
    const { events } = await client.events.list({ limit: 1 });
    await client.events.setActive({ id: events[0]?.AggregationEventId ?? 0, active: false });
    await expect.poll(() => firstDelivery().innerText()).toMatch(/event\.disabled[^]*retrying[^]*500/);
    await expect.poll(() => grid('Webhooks').getByRole('row').nth(1).innerText()).toContain('failing');
    await firstDelivery().click();
    await details().getByText('Next attempt').waitFor();
    status = 200;
    await details().getByRole('button', { name: 'Resend' }).press('Enter');
    await expect.poll(() => firstDelivery().innerText()).toContain('delivered');
    await details().getByText('200', { exact: true }).waitFor();
    expect(idOf(-1)).toBe(idOf(-2));
    await details().getByRole('button', { name: 'Show the webhook' }).press('Enter');
    await details().getByRole('heading', { name: 'ERP' }).waitFor();
    await expect.poll(() => grid('Webhooks').getByRole('row').nth(1).innerText()).toContain('enabled');
    expect(await accessibilityFindings(window.page, 'a webhook')).toEqual([]);
  });

  test('a webhook is edited, disabled, gets a new secret and is deleted', async () => {
    const { page } = window;
    await grid('Webhooks').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    const form = await dialogThere(page.getByRole('dialog', { name: 'Edit the webhook' }));
    await form.getByRole('radio', { name: 'Ids only' }).check();
    await form.getByRole('button', { name: 'Save' }).press('Enter');
    await dialogGone(form);
    await details().getByText('ids only').waitFor();
    await details().getByRole('button', { name: 'Disable' }).press('Enter');
    await expect.poll(() => grid('Webhooks').getByRole('row').nth(1).innerText()).toContain('disabled');
    await details().getByRole('button', { name: 'Rotate secret' }).press('Enter');
    const rotate = await dialogThere(page.getByRole('dialog', { name: 'Rotate the secret' }));
    await rotate.getByRole('button', { name: 'Rotate' }).press('Enter');
    const shown = await dialogThere(page.getByRole('dialog', { name: 'Secret of the webhook' }));
    expect(await shown.getByRole('textbox', { name: 'Secret' }).inputValue()).not.toBe(secret);
    await page.keyboard.press('Escape');
    await dialogGone(shown);
    await details()
      .getByText(/^valid until /)
      .waitFor();
    await details().getByRole('button', { name: 'Delete' }).press('Enter');
    const remove = await dialogThere(page.getByRole('dialog', { name: 'Delete the webhook' }));
    await remove.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByText('There are no webhooks yet.').waitFor();
    expect((await (await workbench.client()).webhooks.list()).webhooks).toEqual([]);
  });
});
