import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../support/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../support/browser-workbench.ts';
import { startBrowserWorkbench } from '../support/browser-workbench.ts';
import { storePicture } from '../support/picture.ts';
import { sampled } from '../support/scale.ts';
import { chooseTheme, goTo, THEMES } from './steps.ts';

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
