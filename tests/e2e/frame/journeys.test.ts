import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InstanceClient } from '../../../src-main/host/instance-client.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startDesktopWorkbench } from '../../support/product/desktop-workbench.ts';
import {
  dialogGone,
  editorIsThere,
  editorText,
  focusIn,
  newScript,
  openScript,
  runToEnd,
  paneShows,
  write,
} from '../steps.ts';

const TITLE = 'Bottling.Settings.Display.Title.Value';
const RULE = 'Fill volume check';

/** A window of the workbench, over any transport. */
interface Workbench {
  page: Page;
  client: InstanceClient;
  /** Another window of the application. */
  windowAt(path: string): Promise<Page>;
  close(): Promise<void>;
}

async function inBrowser(): Promise<Workbench> {
  const workbench = await startBrowserWorkbench();
  const window = await workbench.open({ reducedMotion: 'reduce' });
  const shown = (path: string) => window.context.pages().find((page) => page.url().endsWith(path));
  return {
    page: window.page,
    client: await workbench.client(),
    windowAt: async (path) => {
      await expect.poll(() => shown(path)).toBeDefined();
      return shown(path) ?? window.page;
    },
    close: async () => {
      await window.close();
      await workbench.close();
    },
  };
}

async function inDesktopWindow(): Promise<Workbench> {
  const workbench = await startDesktopWorkbench();
  const page = await workbench.windowAt('/');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  return {
    page,
    client: await workbench.client(),
    windowAt: (path) => workbench.windowAt(path),
    close: () => workbench.close(),
  };
}

/** What an engineer does in a day, over each of the two transports between a window and main. */
describe.each([
  ['in a browser, over its WebSocket', inBrowser],
  ['in the desktop window, over its bridge', inDesktopWindow],
])('%s', (_way, start) => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await start();
  });
  afterAll(() => workbench.close());

  const goTo = async (view: string) => {
    const { page } = workbench;
    await page.getByRole('navigation').getByRole('button', { name: view, exact: true }).click();
    await page.getByRole('main', { name: view }).waitFor();
    return page;
  };

  test('a script is written, run and saved; later text is a draft that survives reloads', async () => {
    const { page, client } = workbench;
    await editorIsThere(page);
    await newScript(page, 'return TagValueManager.Get(["Bottling.Settings.Limits.SpeedLow.Value"]).Value[0].Value;');
    await runToEnd(page, 'ok');
    await paneShows(page, 'Result', '350');
    await paneShows(page, 'Trace', 'Bottling.Settings.Limits.SpeedLow.Value');
    await page.keyboard.press('Control+S');
    const dialog = page.getByRole('dialog', { name: 'Save the new script' });
    await focusIn(dialog.getByRole('textbox', { name: 'Name' }));
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Low limit');
    await dialog.getByRole('combobox', { name: 'Script Group' }).fill('Journeys');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialogGone(dialog);
    const saved = () => client.scripts.get({ group: 'Journeys', name: 'Low limit' });
    await expect.poll(async () => (await saved()).body).toContain('SpeedLow');

    await openScript(page, 'Low limit');
    await write(page, 'return "only a draft";');
    await page.reload();
    await editorIsThere(page);
    await expect.poll(() => editorText(page)).toContain('return "only a draft";');
    expect((await saved()).body).toContain('SpeedLow');
  });

  test('a tag is written, and its live value is shown', async () => {
    const page = await goTo('Tags');
    await page.getByRole('searchbox', { name: 'Filter tags' }).fill(TITLE);
    const row = page.getByRole('row', { name: TITLE });
    await row.click();
    await page.getByRole('heading', { name: TITLE }).waitFor();
    const form = page.getByRole('form', { name: 'Write a value' });
    // The field starts with the live value.
    const field = form.getByRole('textbox', { name: 'Value (String)' });
    await expect.poll(() => field.inputValue()).not.toBe('');
    await field.fill('Nachtschicht 🌙');
    // By keyboard, because the lines above move when the rest of the details has loaded.
    await form.getByRole('button', { name: 'Write', disabled: false }).press('Enter');
    await row.getByRole('gridcell', { name: 'Nachtschicht 🌙' }).waitFor();
    const [value] = await workbench.client.tags.get({ paths: [TITLE] });
    expect(value?.value).toBe('Nachtschicht 🌙');
  });

  test('a rule fires, its event is shown, and it is disabled', async () => {
    const { client } = workbench;
    // The sample's firings would move the list during the test.
    const rule = await client.rules.get({ name: RULE });
    await client.rules.save({ ...rule, enabled: false });
    const { firstEvent } = await client.rules.fire({ name: RULE });
    const page = await goTo('Events');
    const id = page.getByRole('gridcell', { name: String(firstEvent), exact: true });
    const event = page.getByRole('grid', { name: 'Events' }).getByRole('row').filter({ has: id });
    await event.click();
    await page.getByRole('heading', { name: `Event ${firstEvent}`, exact: true }).waitFor();
    await page.getByRole('region', { name: 'Event details' }).getByText('fired_by').waitFor();
    await page.getByRole('button', { name: 'Disable', disabled: false }).first().press('Enter');
    await event.getByRole('gridcell', { name: 'disabled' }).waitFor();
    const { url } = await client.eventsApi.status();
    const response = await fetch(`${url}/api/events/${firstEvent}`);
    expect(await response.json()).toMatchObject({ Active: false });
  });

  test('a new mock responds to a script', async () => {
    const page = await goTo('API mocks');
    await page
      .getByRole('status')
      .getByText(/^\d+ mocks?$/)
      .waitFor();
    await page.keyboard.press('Alt+N');
    const form = page.getByRole('form', { name: 'Mock', exact: true });
    await focusIn(form.getByRole('textbox', { name: 'Name', exact: true }));
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Answers');
    await form.getByRole('textbox', { name: 'URL pattern', exact: true }).fill('https://journeys.example/{id}');
    await page.keyboard.press('Control+S');
    await page.getByText('Saved “Answers”').first().waitFor();
    const report = await workbench.client.runs.execute({
      body: "return ApiValueManager.Fetch('https://journeys.example/1', 'get', '').StatusCode;",
      context: { tagName: '', tagScopeDiagram: null, tagScopeLocation: null },
      dryRun: false,
    });
    expect(report).toMatchObject({ status: 'ok', result: '200', apiCalls: [{ mock: 'Answers' }] });
  });

  test('a Diagram opens in a separate window, and writes for its location', async () => {
    const page = await goTo('Diagrams');
    await page.getByRole('grid', { name: 'Diagrams' }).getByRole('row', { name: 'Line overview' }).click();
    const shown = page.getByRole('region', { name: 'Line overview', exact: true });
    await shown.waitFor();
    await page.getByRole('textbox', { name: 'workcenter' }).fill('Line2');
    await shown.getByText('Line 2 overview').waitFor();
    await page.getByRole('button', { name: 'Open in new window' }).click();
    const window = await workbench.windowAt('/diagrams/Line%20overview?workcenter=Line2');
    await window.getByRole('main', { name: 'Diagram Line overview' }).getByText('Line 2 overview').waitFor();
    const field = window.getByRole('textbox', { name: 'Low limit for this Diagram' });
    await field.fill('255.5');
    await field.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('255.5');
    const paths = ['Bottling.Settings.Limits.SpeedLow.Value'];
    const scopes = { diagram: 'Line overview', location: 'Line2' };
    await expect.poll(async () => (await workbench.client.tags.get({ paths, ...scopes }))[0]?.value).toBe(255.5);
  });
});
