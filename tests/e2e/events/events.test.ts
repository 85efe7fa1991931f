import type { Locator } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility.ts';
import type { BrowserWorkbench, WorkbenchPage } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { sampled } from '../../support/run/scale.ts';
import { chooseTheme, dialogGone, dialogThere, focusIn, goTo, heldNotice, THEMES } from '../steps.ts';

describe('the inspector of events', () => {
  let workbench: BrowserWorkbench;
  let window: WorkbenchPage;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    await workbench.stopRules();
    window = await workbench.open({
      view: 'events',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await window.page.keyboard.press('Control+4');
    await window.page.getByRole('button', { name: 'Create test events' }).waitFor();
  });
  afterAll(async () => {
    await window.close();
    await workbench.close();
  });

  const grid = () => window.page.getByRole('grid', { name: 'Events' });
  const states = () => grid().getByRole('row').getByRole('gridcell').nth(3);
  const headings = () =>
    window.page.getByRole('region', { name: 'Event details' }).getByRole('heading', { name: /^Event \d+$/ });
  /** Waits for the first listed event, and returns its number. */
  const first = async () => {
    const cell = grid().getByRole('row').nth(1).getByRole('gridcell').first();
    await expect.poll(() => cell.innerText()).toMatch(/^\d+$/);
    return cell.innerText();
  };
  /** Selects the first event by keyboard, waits for its details, and returns its number. */
  const toFirst = async () => {
    // A list that is loading has no first event yet.
    await first();
    await toGrid();
    // Again if another event has become the first one in the meantime.
    const isFirst = async () => {
      await window.page.keyboard.press('Home');
      return (await headings().innerText()) === `Event ${await first()}`;
    };
    await expect.poll(isFirst).toBe(true);
    return first();
  };
  /** Confirms a change of more than 20 events. */
  const confirm = async (verb: string) => {
    const dialog = await dialogThere(window.page.getByRole('dialog', { name: new RegExp(`^${verb} [\\d,]+ events`) }));
    await dialog.getByRole('button', { name: verb }).press('Enter');
    await dialogGone(dialog);
  };
  const toGrid = async () => {
    await grid().focus();
    await focusIn(grid());
  };

  /** The colors of a state or a status in a list: its text, and the mark before it. */
  const looksOf = (list: Locator, text: string) =>
    list
      .getByRole('gridcell')
      .getByText(text, { exact: true })
      .first()
      .evaluate((part) => ({
        text: getComputedStyle(part).color,
        mark: getComputedStyle(part, '::before').backgroundColor,
      }));

  test('events for a test appear on top; by keyboard they are disabled, re-activated', async () => {
    const { page } = window;
    const many = page.getByRole('textbox', { name: 'Number of test events' });
    await many.fill('0.5');
    await page.getByRole('alert').getByText('Enter a whole number').waitFor();
    await many.fill('5');
    await page.getByRole('button', { name: 'Create test events' }).press('Enter');
    await page.getByText('5 test events created').first().waitFor();
    // The list gets them after the notice.
    const all = { newestFirst: true, offset: 0, limit: 1 };
    const { events } = await (await workbench.client()).events.window(all);
    await expect.poll(first).toBe(String(events[0]?.AggregationEventId));
    await expect.poll(() => states().innerText()).toBe('active');
    await toFirst();
    for (let row = 0; row < 3; row += 1) await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(() => grid().locator('[aria-selected="true"]').count()).toBe(4);
    await page.getByRole('button', { name: 'Disable' }).press('Enter');
    await page.getByText('4 of 4 disabled').first().waitFor();
    await expect.poll(() => grid().getByRole('gridcell', { name: 'disabled' }).count()).toBe(4);
    const [usual, dimmed] = await Promise.all(['active', 'disabled'].map((state) => looksOf(grid(), state)));
    expect(usual?.text).not.toBe(dimmed?.text);
    expect(usual?.mark).not.toBe(dimmed?.mark);
    await page.getByRole('button', { name: 'Re-activate' }).press('Enter');
    await page.getByText('4 of 4 re-activated').first().waitFor();
    await expect.poll(() => grid().getByRole('gridcell', { name: 'disabled' }).count()).toBe(0);
    await toGrid();
    for (const [key, disabled] of Object.entries({ d: 4, r: 0 })) {
      // Their buttons return after the previous change has ended.
      await page.getByRole('button', { name: 'Disable' }).waitFor();
      await page.keyboard.press(key);
      await expect.poll(() => grid().getByRole('gridcell', { name: 'disabled' }).count()).toBe(disabled);
    }
  });

  test('an event shows its fields, its data row, its rule, its window and its requests', async () => {
    const { page } = window;
    const id = await toFirst();
    const details = page.getByRole('region', { name: 'Event details' });
    await details.getByText('fired_by').waitFor();
    await details.getByRole('heading', { name: 'Window' }).waitFor();
    await details.getByText('average_valve_1 > 490 && speed > 0').waitFor();
    await details.getByRole('img', { name: /^Samples of the window/ }).waitFor();
    expect(await details.getByText('Samples', { exact: true }).count()).toBe(0);
    await fetch(`${workbench.eventsApi}/api/events`, {
      headers: { 'User-Agent': 'Lister/2.0' },
    });
    await details.getByText(/first seen after .* not acknowledged for .* Lister\/2\.0/).waitFor();
    const response = await fetch(`${workbench.eventsApi}/api/events/${id}`);
    expect(response.status).toBe(200);
    await details.getByText(/GET 200 node/).waitFor();
    await page.getByRole('tab', { name: 'Requests' }).click();
    await page
      .getByRole('grid', { name: 'Requests' })
      .getByRole('gridcell', { name: `/api/events/${id}` })
      .waitFor();

    // Found by its id, it shows what was sent and received; a paused list stays as it is.
    const requests = page.getByRole('grid', { name: 'Requests' });
    await page.keyboard.press('Control+f');
    await page.getByRole('searchbox', { name: 'Filter requests' }).fill(`events/${id} 200`);
    await requests.getByRole('row').nth(1).click();
    await details.getByLabel('Body of: Response').getByText(`"AggregationEventId": ${id}`).waitFor();
    await page.getByRole('button', { name: 'Pause', pressed: false }).press('Enter');
    // The header and the request.
    const shown = 2;
    await expect.poll(() => requests.getByRole('row').count()).toBe(shown);
    await fetch(`${workbench.eventsApi}/api/events/${id}`);
    await page.getByText('Paused; 1 new').waitFor();
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByRole('tab', { name: 'Requests' }).click();
    await page.getByText('Paused; 1 new').waitFor();
    expect(await page.getByRole('searchbox', { name: 'Filter requests' }).inputValue()).toBe(`events/${id} 200`);
    await expect.poll(() => requests.getByRole('row').count()).toBe(shown);
    expect(await accessibilityFindings(page, 'requests')).toEqual([]);
    await page.getByRole('button', { name: 'Pause', pressed: true }).press('Enter');
    await expect.poll(() => requests.getByRole('row').count()).toBe(shown + 1);
    // By the program and the client; a status has the color of its meaning.
    const filter = page.getByRole('searchbox', { name: 'Filter requests' });
    await fetch(`${workbench.eventsApi}/api/events/999999999`, { headers: { 'User-Agent': 'LineReport/1.2' } });
    await filter.fill('linereport 127.0.0.1');
    await requests.getByRole('row').nth(1).getByText('404').waitFor();
    await expect.poll(() => requests.getByRole('row').count()).toBe(2);
    const missing = await looksOf(requests, '404');
    // Not a number: the port of the client could contain it.
    await filter.fill('linereport delete');
    await page.getByText('No requests match.').waitFor();
    await filter.fill(`events/${id} 200`);
    const found = await looksOf(requests, '200');
    expect(found.text).not.toBe(missing.text);
    expect(found.mark).not.toBe(missing.mark);
    await filter.fill('');
    await page.getByRole('tab', { name: 'Events' }).click();
    await details.getByRole('button', { name: 'Fill volume check' }).click();
    await page.getByRole('main', { name: 'Aggregations' }).getByText('Fill volume check').first().waitFor();
    await goTo(page, 'Events');
    await grid().waitFor();
  });

  test('a request to the events API for an event is copied, ready for a program', async () => {
    const { page } = window;
    const id = await toFirst();
    const url = `${workbench.eventsApi}/api/events/${id}`;
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const copy = async (entry: string) => {
      await page.getByRole('button', { name: 'Copy a call' }).press('Enter');
      await page.getByRole('menuitem', { name: entry }).press('Enter');
    };
    await copy('curl: read the event');
    await expect.poll(copied).toBe(`curl -X GET '${url}'`);
    await page.getByText('Copied for curl').first().waitFor();
    await copy('PowerShell: disable the event');
    const disabling = `-Method PUT -Uri '${url}' -ContentType 'application/json' -Body '{"Active": false}'`;
    await expect.poll(copied).toBe(`Invoke-RestMethod ${disabling}`);
  });

  test('deletions and changes by another program are shown at once; filters apply', async () => {
    const { page } = window;
    await page.getByRole('combobox', { name: 'Filter by state' }).click();
    await page.getByRole('option', { name: 'Active', exact: true }).click();
    const id = await toFirst();
    await fetch(`${workbench.eventsApi}/api/events/${id}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: '{"Active": false}',
    });
    await expect.poll(first).not.toBe(id);
    const next = await first();
    await fetch(`${workbench.eventsApi}/api/events/${next}`, { method: 'DELETE' });
    await expect.poll(first).not.toBe(next);
  });

  test('events are deleted after a confirmation', async () => {
    const { page } = window;
    await toGrid();
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    const dialog = await dialogThere(page.getByRole('dialog'));
    await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
    await dialogGone(dialog);
    await page.getByText(/No events match/).waitFor();
    await page.getByRole('combobox', { name: 'Filter by state' }).click();
    await page.getByRole('option', { name: 'All', exact: true }).click();
    await expect.poll(() => grid().getByRole('gridcell', { name: 'disabled' }).count()).toBe(1);
  });

  test('keys that are pressed while the list loads act on the loaded list', async () => {
    const held: (() => void)[] = [];
    let isHeld = false;
    const slow = await workbench.open({
      view: 'events',
      prepare: (page) =>
        page.routeWebSocket('**/rpc', (route) => {
          const server = route.connectToServer();
          server.onMessage((message) => (isHeld ? held.push(() => route.send(message)) : route.send(message)));
        }),
    });
    const { page } = slow;
    const events = page.getByRole('grid', { name: 'Events' });
    await events.getByRole('row').nth(1).waitFor();
    const pressWhileLoading = async (key: string, state: string) => {
      await page.getByRole('combobox', { name: 'Filter by state' }).click();
      isHeld = true;
      await page.getByRole('option', { name: state, exact: true }).click();
      await expect.poll(() => events.getByRole('row').count()).toBe(1);
      await events.focus();
      await focusIn(events);
      await page.keyboard.press(key);
      isHeld = false;
      for (const send of held.splice(0)) send();
      await events.getByRole('row', { selected: true }).waitFor();
    };
    await pressWhileLoading('Home', 'Disabled');
    await page.getByRole('heading', { name: /^Event \d+$/ }).waitFor();
    await pressWhileLoading('Control+a', 'All');
    await slow.close();
  });

  test('a long list scrolls to any position in both orders, and is changed as a whole', async () => {
    const { page } = window;
    const status = page.getByRole('region', { name: 'Event list' }).getByRole('status').first();
    await page.getByRole('textbox', { name: 'Number of test events' }).fill('3000');
    await page.getByRole('button', { name: 'Create test events' }).press('Enter');
    await status.getByText('3,001 listed').waitFor();
    const newest = Number(await toFirst());
    await page.keyboard.press('End');
    await expect.poll(async () => Number((await headings().innerText()).split(' ')[1])).toBeLessThan(newest - 2_999);
    await expect.poll(() => grid().locator('[data-active="true"]').getAttribute('aria-rowindex')).toBe('3002');

    await page.getByRole('combobox', { name: 'Order' }).click();
    await page.getByRole('option', { name: 'Oldest first' }).click();
    await expect.poll(() => grid().getByRole('row').nth(1).getByRole('gridcell').nth(3).innerText()).toBe('disabled');
    await toFirst();
    await page.keyboard.press('End');
    await page.getByRole('heading', { name: `Event ${newest}`, exact: true }).waitFor();
    await page.keyboard.press('Control+a');
    await status.getByText('3,001 selected of 3,001 listed').waitFor();
    // No confirmation: it can be undone.
    await page.getByRole('button', { name: 'Disable' }).press('Enter');
    // It continues while the requests are shown.
    await page.keyboard.press('Alt+2');
    await page.getByRole('tab', { name: 'Requests', selected: true }).waitFor();
    const notice = await heldNotice(page, '3,001 of 3,001 disabled');
    await page.keyboard.press('Alt+1');
    await status.getByText('0 active, 3,001 disabled').waitFor();

    // An external tool processes an event that is disabled already; one was disabled before.
    await fetch(`${workbench.eventsApi}/api/events/${newest}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: '{"Active": false}',
    });
    await notice.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByText('Undone: 2,999 of 3,000 re-activated').first().waitFor();
    await page.getByText('1 event was not changed').first().waitFor();
    await status.getByText('2,999 active, 2 disabled').waitFor();

    await page.getByRole('button', { name: 'Re-activate' }).press('Enter');
    await confirm('Re-activate');
    await status.getByText('3,001 active, 0 disabled').waitFor();
  });

  test('the time is filtered by a period and by two times', async () => {
    const { page } = window;
    const status = page.getByRole('region', { name: 'Event list' }).getByRole('status').first();
    const choose = async (name: string) => {
      await page.getByRole('combobox', { name: 'Filter by time' }).click();
      await page.getByRole('option', { name }).click();
    };
    await choose('Last hour');
    await status.getByText('3,001 listed').waitFor();
    await page.getByRole('tab', { name: 'Requests' }).click();
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByRole('combobox', { name: 'Filter by time' }).getByText('Last hour').waitFor();
    await choose('Between');
    await page.getByLabel('Before').fill('2020-01-01T00:00:00');
    await page.getByText(/No events match/).waitFor();
    await choose('Any time');
    await status.getByText('3,001 listed').waitFor();
    await expect.poll(() => page.getByText(/No events match/).count()).toBe(0);
  });

  test.for(sampled(THEMES, 1))('axe finds nothing in theme %s', async (theme) => {
    const { page } = window;
    await chooseTheme(page, theme);
    await grid().getByRole('row').nth(1).click();
    await page.getByRole('region', { name: 'Event details' }).getByText('fired_by').waitFor();
    expect(await accessibilityFindings(page, 'details')).toEqual([]);
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    const dialog = await dialogThere(page.getByRole('dialog'));
    await dialog.getByRole('button', { name: 'Delete' }).waitFor();
    expect(await accessibilityFindings(page, 'question')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialogGone(dialog);
  });

  test('no filter is cut in a narrow window', async () => {
    const narrow = await workbench.open({ view: 'events', viewport: { width: 720, height: 600 } });
    const filters = narrow.page.getByRole('region', { name: 'Event list' }).getByRole('combobox');
    await expect.poll(() => filters.count()).toBe(4);
    for (const filter of await filters.all()) {
      const overflow = () => filter.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      await expect.poll(overflow).toBeLessThanOrEqual(0);
    }
    await narrow.close();
  });
});
