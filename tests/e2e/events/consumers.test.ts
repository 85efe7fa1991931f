import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { storePicture } from '../../support/browser/picture.ts';
import { sampled } from '../../support/run/scale.ts';
import { chooseTheme, dialogGone, dialogThere, goTo, THEMES } from '../steps.ts';

describe('the consumers of the events API', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  let base: string;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    base = (await workbench.client().then((client) => client.eventsApi.status())).url ?? '';
    window = await workbench.open({ view: 'events', reducedMotion: 'reduce' });
  });
  afterAll(async () => {
    await window.close();
    await workbench.close();
  });

  /** A request of a program with this name. */
  const get = (program: string, path = '/api/events') => fetch(base + path, { headers: { 'User-Agent': program } });
  const grid = () => window.page.getByRole('grid', { name: 'Consumers' });
  const details = () => window.page.getByRole('region', { name: 'Event details' });
  const banner = () => window.page.getByText('Faults are injected', { exact: true }).first();

  test('a consumer appears with what it did, and gets faults by keyboard', async () => {
    const { page } = window;
    const client = await workbench.client();
    await client.events.createTest({ count: 3 });
    await (await get('my-erp/1.0')).text();
    await (await get('my-erp/1.0', '/api/events?nonsense=1')).text();
    await goTo(page, 'Events');
    const tab = (name: string) => page.getByRole('main', { name: 'Events' }).getByRole('tab', { name, exact: true });
    await tab('Events').focus();
    await page.keyboard.press('Alt+4');
    await expect.poll(() => tab('Consumers').evaluate((element) => element === document.activeElement)).toBe(true);
    const row = grid().getByRole('row').filter({ hasText: 'my-erp/1.0' });
    await row.waitFor();
    await grid().focus();
    await page.keyboard.press('Home');
    await row.click();
    await details().getByText('127.0.0.1', { exact: true }).waitFor();
    const field = (name: string) => details().locator('dl > div').filter({ hasText: name }).locator('dd');
    await expect.poll(() => field('Errors').innerText()).toBe('1');
    await expect.poll(() => field('Not acknowledged').innerText()).toMatch(/^\d+ since 20.+, from event \d+$/);

    const inject = details().getByRole('button', { name: 'Inject faults' });
    expect(await inject.getAttribute('aria-disabled')).toBe('true');
    await details().getByRole('checkbox', { name: 'Status 503' }).press('Space');
    await details().getByLabel('Share of its requests').fill('100');
    await inject.press('Enter');
    await banner().waitFor();
    await page.getByRole('button', { name: 'Faults are injected' }).waitFor();
    const faulty = await get('my-erp/1.0');
    expect(faulty.status).toBe(503);
    await faulty.text();
    const normal = await get('mes');
    expect(normal.status).toBe(200);
    await normal.text();
    await page.keyboard.press('Alt+2');
    await page.getByRole('grid', { name: 'Requests' }).getByText('503 (injected)').first().waitFor();
    await banner().waitFor();
    await page.getByRole('button', { name: 'Faults are injected' }).press('Enter');
    await grid().waitFor();
    await details().getByRole('button', { name: 'End faults' }).press('Enter');
    await banner().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Faults are injected' }).waitFor({ state: 'detached' });
    const after = await get('my-erp/1.0');
    expect(after.status).toBe(200);
    await after.text();
  });

  test('a consumer is checked by keyboard, and its report is saved', async () => {
    const { page } = window;
    await goTo(page, 'Events');
    await page.keyboard.press('Alt+4');
    await grid().waitFor();
    await page.keyboard.press('Alt+C');
    const dialog = await dialogThere(page.getByRole('dialog'));
    await dialog.getByRole('combobox', { name: 'Consumer' }).fill('my-erp');
    expect(await accessibilityFindings(page, 'form of a check')).toEqual([]);
    const top = async (name: string) => (await dialog.getByRole('textbox', { name }).boundingBox())?.y;
    await expect.poll(async () => (await top('Port')) === (await top('RuleId'))).toBe(true);
    await dialog.getByRole('textbox', { name: 'Port' }).fill('port');
    await dialog.getByRole('button', { name: 'Start' }).press('Enter');
    await dialog.getByText('Enter a whole number').first().waitFor();
    await dialog.getByRole('textbox', { name: 'Port' }).fill('0');
    await dialog.getByRole('textbox', { name: 'Port' }).press('Enter');
    const url = await dialog.getByRole('textbox', { name: 'Address of the test API' }).inputValue();
    const key = await dialog.getByRole('textbox', { name: 'API key' }).inputValue();
    await dialog.getByText('Waiting for the first request of my-erp').waitFor();
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', 'User-Agent': 'my-erp/1.0' };
    const list = await fetch(`${url}/api/events`, { headers });
    const [first, ...events]: { AggregationEventId: number }[] = await list.json();
    await dialog.getByText('Situation 1 of 20: A plain list').waitFor();
    expect(await accessibilityFindings(page, 'a check in progress')).toEqual([]);
    // Hidden, it goes on.
    await page.keyboard.press('Escape');
    await dialogGone(dialog);
    const put = async (id = 0) => {
      const body = '{"Active":false}';
      await (await fetch(`${url}/api/events/${id}`, { method: 'PUT', headers, body })).text();
    };
    for (const { AggregationEventId: id } of events) await put(id);
    for (let again = 0; again < 2; again += 1) await put(events[0]?.AggregationEventId);
    await put(first?.AggregationEventId);
    await page.getByRole('button', { name: 'Checking: 1 of 20' }).press('Enter');
    await dialogThere(dialog);
    await dialog.getByText('Situation 2 of 20: More than one page').waitFor();
    await dialog.getByRole('button', { name: 'End the check' }).press('Enter');
    await dialog.getByRole('heading', { name: 'my-erp: ended after 1 of 20 situations' }).waitFor();
    await dialog.getByText('Acknowledged again without need: 1 event: 2').waitFor();
    expect(await accessibilityFindings(page, 'report of a check')).toEqual([]);
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save as JUnit' }).press('Enter');
    expect((await download).suggestedFilename()).toMatch(/^consumer-check-.+\.xml$/);
    expect(await readFile(await (await download).path(), 'utf8')).toContain(
      '<testsuite name="my-erp" tests="20" failures="1"',
    );
    await dialog.getByRole('button', { name: 'Close' }).press('Enter');
    await dialogGone(dialog);
  });

  test.each(sampled(THEMES, 1))('it is readable and accessible in %s', async (theme) => {
    const { page } = window;
    const client = await workbench.client();
    await (await get('my-erp/1.0')).text();
    await client.consumers.inject({
      consumer: 'my-erp/1.0 (127.0.0.1)',
      faults: ['latency', 'cut'],
      share: 0.5,
      latencyMs: 10,
      seed: 1,
      requests: null,
      seconds: 600,
    });
    await chooseTheme(page, theme);
    await goTo(page, 'Events');
    await page.keyboard.press('Alt+4');
    // The poll moves its row to the top, together with its faults.
    await grid().getByRole('row').filter({ hasText: 'my-erp/1.0' }).filter({ hasText: 'latency, cut' }).click();
    await details().getByRole('button', { name: 'End faults' }).waitFor();
    expect(await accessibilityFindings(page, 'with faults')).toEqual([]);
    await storePicture(page, `consumers-${theme}`);
    await client.consumers.endFaults({});
    await details().getByRole('button', { name: 'Inject faults' }).waitFor();
    expect(await accessibilityFindings(page, 'without faults')).toEqual([]);
    await storePicture(page, `form-${theme}`);
  });
});
