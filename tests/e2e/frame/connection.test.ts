import type { Locator, Page, WebSocketRoute } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import { startBrowserWorkbench } from '../../support/browser/browser-workbench.ts';
import {
  editorIsThere,
  editorText,
  goTo,
  networkIdle,
  openScript,
  pickInPalette,
  retryConnection,
  runToEnd,
  write,
} from '../steps.ts';

const SPEED = 'Bottling.Line1.Filler.Speed.Value';

/**
 * Replaces the preload of the desktop: gives the page a port to main. Electron sends the page an event when the other
 * end of a port is closed. Browsers have no such event, so it is dispatched here.
 */
const DESKTOP = `
  window.ports = [];
  window.addEventListener('message', ({ data, ports }) => {
    if (data === 'tagwright:port') window.ports.push(ports[0]);
  });
  window.tagwright = {
    connect() {
      const { port1, port2 } = new MessageChannel();
      const key = JSON.parse(localStorage.getItem('tagwright.session-key'));
      const socket = new WebSocket('ws://' + location.host + '/rpc', ['tagwright.rpc', key]);
      const isOpen = new Promise((resolve) => socket.addEventListener('open', resolve));
      port1.onmessage = ({ data }) => isOpen.then(() => socket.send(data));
      socket.onmessage = ({ data }) => port1.postMessage(data);
      window.loseThePort = () => {
        port1.close();
        window.ports.at(-1).dispatchEvent(new Event('close'));
      };
      window.postMessage('tagwright:port', location.origin, [port2]);
    },
    offer(commands) {
      window.offered = commands;
    },
    onRequest() {},
  };
`;

describe('a lost connection', () => {
  let workbench: BrowserWorkbench;
  beforeAll(async () => {
    workbench = await startBrowserWorkbench();
    await workbench.saveScript('Tests/Mine', 'return 1;\n');
  });
  afterAll(() => workbench.close());

  test('is shown, keeps typed text, and recovers: values, drafts and runs continue', async () => {
    const routes: WebSocketRoute[] = [];
    let reachable = true;
    const prepare = (one: Page) =>
      one.routeWebSocket('**/rpc', async (route) => {
        if (!reachable) return route.close({ code: 1011 });
        routes.push(route);
        route.connectToServer();
        return undefined;
      });
    const { page, closeWithProblems } = await workbench.open({ prepare });
    await editorIsThere(page);
    await openScript(page, 'Mine');

    reachable = false;
    await routes.at(-1)?.close({ code: 1011 });
    await page.getByText('Connection to Tagwright lost').waitFor();
    await write(page, 'return "typed while away";');
    await page.keyboard.press('Control+S');
    await page
      .locator('.fui-ToastBody')
      .getByText(/Not connected to Tagwright/)
      .waitFor();
    await retryConnection(page, () => void (reachable = true));
    await page.getByText('Connection to Tagwright lost').waitFor({ state: 'detached' });
    await page.getByRole('contentinfo').getByText('Connected', { exact: true }).waitFor();
    await runToEnd(page, 'ok');

    await goTo(page, 'Tags');
    const value = () => page.getByRole('row', { name: SPEED }).getByRole('gridcell').nth(1).innerText();
    await expect.poll(value).toMatch(/^\d/);
    await routes.at(-1)?.close({ code: 1011 });
    const seen = new Set<string>();
    await expect.poll(async () => seen.add(await value()).size, { timeout: 60_000 }).toBeGreaterThan(3);
    await closeWithProblems();

    const other = await workbench.open();
    await editorIsThere(other.page);
    await openScript(other.page, 'Mine');
    await expect.poll(() => editorText(other.page)).toContain('typed while away');
    await other.close();
  });

  test('changes made by others while it is lost are shown later, in every list', async () => {
    const client = await workbench.client();
    const routes: WebSocketRoute[] = [];
    const held: WebSocketRoute[] = [];
    let reachable = true;
    const prepare = (one: Page) =>
      one.routeWebSocket('**/rpc', (route) => {
        if (reachable) route.connectToServer();
        (reachable ? routes : held).push(route);
      });
    const opened = await workbench.open({ prepare });
    const { page } = opened;
    await editorIsThere(page);
    const rule = (await client.rules.list()).find(({ triggersEvents }) => triggersEvents);
    const [mock] = (await client.mocks.list()).mocks;
    if (!rule || !mock) throw new Error('the sample has no rule that triggers events, or no mock');
    const settings = { initial: 1 };
    const { columns: _columns, savedAt: _savedAt, ...text } = rule as typeof rule & { columns?: unknown };
    let event = 0;
    /** `ready` is there when the view has read its data. */
    const CASES: { key: string; ready: Locator; change: () => Promise<unknown>; shown: () => Locator }[] = [
      {
        key: '1',
        ready: page.getByRole('treeitem', { name: 'Mine' }),
        change: () => workbench.saveScript('Tests/Saved in the gap', 'return 2;\n'),
        shown: () => page.getByRole('treeitem', { name: /Saved in the gap/ }),
      },
      {
        key: '2',
        ready: page.getByRole('row', { name: SPEED }),
        change: () =>
          client.tags.save({
            path: 'Aaa.Gap.Value',
            kind: 'storage',
            type: 'Double',
            unit: '',
            description: '',
            settings,
          }),
        shown: () => page.getByRole('row', { name: 'Aaa.Gap.Value' }),
      },
      {
        key: '3',
        ready: page.getByRole('grid', { name: 'Rules' }).getByRole('row').nth(1),
        change: () => client.rules.save({ ...text, name: 'Renamed in the gap', id: rule.id }),
        shown: () => page.getByText('Renamed in the gap').first(),
      },
      {
        key: '4',
        ready: page.getByRole('grid', { name: 'Events', exact: true }).getByRole('row').nth(1),
        change: async () => {
          event = (await client.rules.fire({ id: rule.id, times: 1 })).lastEvent ?? 0;
        },
        shown: () => page.getByRole('gridcell', { name: String(event), exact: true }).first(),
      },
      {
        key: '5',
        ready: page.getByRole('grid', { name: 'Mocks' }).getByRole('row').nth(1),
        change: () => {
          const { id, hits: _hits, lastHitAt: _at, ...route } = mock;
          return client.mocks.save({ ...route, name: 'Mocked in the gap', id });
        },
        shown: () => page.getByText('Mocked in the gap').first(),
      },
    ];
    for (const { key, ready, change, shown } of CASES) {
      await page.keyboard.press(`Control+${key}`);
      await ready.waitFor();
      reachable = false;
      await routes.at(-1)?.close({ code: 1011 });
      await page.getByText('Connection to Tagwright lost').waitFor();
      await change();
      reachable = true;
      await Promise.all(held.splice(0).map((route) => route.close({ code: 1011 })));
      await page.getByText('Connection to Tagwright lost').waitFor({ state: 'detached' });
      await expect.poll(() => shown().isVisible()).toBe(true);
    }
    await opened.closeWithProblems();
  });

  test('code that cannot be loaded leaves the rest, and loads once the network is back', async () => {
    const lost = /\/assets\/(?:tags-view|help-pane)/;
    const own = await workbench.open({
      view: 'events',
      prepare: (one) => one.route(lost, (route) => route.abort()),
    });
    const { page } = own;
    const grid = page.getByRole('grid', { name: 'Events', exact: true });
    await grid.waitFor();
    await page.keyboard.press('F1');
    const alert = page.getByRole('alert').filter({ hasText: 'This part could not be loaded.' });
    const help = page.getByRole('complementary', { name: 'Help' });
    await help.getByRole('alert').waitFor();
    await help.getByRole('button', { name: 'Close' }).press('Enter');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('F1');
    await alert.waitFor();
    await goTo(page, 'Tags');
    await alert.nth(1).waitFor();
    await goTo(page, 'Events');
    await grid.waitFor();
    // A press while it is loading has no effect.
    const failure = page.waitForEvent('requestfailed', (request) => lost.test(request.url()));
    await alert.first().getByRole('button', { name: 'Try again' }).press('Enter');
    await failure;
    await networkIdle(page);
    await alert.first().waitFor();

    await page.unroute(lost);
    await alert.first().getByRole('button', { name: 'Try again' }).press('Enter');
    await help.getByRole('searchbox').waitFor();
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect.poll(() => alert.count()).toBe(0);
    await goTo(page, 'Tags');
    await page.getByRole('grid', { name: 'Tags', exact: true }).waitFor();
    // Chromium reports what could not be loaded.
    await own.closeWithProblems();
  });

  test('the port of a desktop window does the same, and is replaced when it closes', async () => {
    const opened = await workbench.open({ prepare: (one) => one.addInitScript({ content: DESKTOP }) });
    const { page } = opened;
    await editorIsThere(page);
    await runToEnd(page, 'ok');
    // The commands of the native menu.
    await expect.poll(() => page.evaluate("window.offered?.some(({ id }) => id === 'run.run')")).toBe(true);
    await page.evaluate('loseThePort()');
    await expect.poll(() => page.evaluate('ports.length')).toBe(2);
    await page.getByRole('contentinfo').getByText('Connected', { exact: true }).waitFor();
    await runToEnd(page, 'ok');
    await goTo(page, 'Tags');
    await expect
      .poll(() => page.getByRole('row', { name: SPEED }).getByRole('gridcell').nth(1).innerText())
      .toMatch(/^\d/);
    await opened.close();
  });

  test('a page with an unknown session explains how to get a new one', async () => {
    const routes: WebSocketRoute[] = [];
    const prepare = (one: Page) =>
      one.routeWebSocket('**/rpc', (route) => {
        routes.push(route);
        route.connectToServer();
      });
    const { page, context, closeWithProblems } = await workbench.open({ prepare, view: 'settings' });
    await context.clearCookies();
    await routes.at(-1)?.close({ code: 1011 });
    const banner = page.getByRole('alert').filter({ hasText: 'session has ended' });
    await banner.waitFor();
    expect(await banner.innerText()).toContain('npx tagwright open');
    // Refused connections are logged as errors in the page's console.
    await closeWithProblems();
  });

  test('signing out everywhere disconnects other windows and asks for a link here', async () => {
    const { ui }: { ui: string } = JSON.parse(await workbench.tagwright('open', '--print', '--json'));
    const [mine, others] = [await workbench.browser.newContext(), await workbench.browser.newContext()];
    const page = await mine.newPage();
    await page.goto(ui);
    await expect.poll(() => page.url()).toBe(`${new URL(ui).origin}/`);
    const other = await others.newPage();
    await other.goto(JSON.parse(await workbench.tagwright('open', '--print', '--json')).ui);
    for (const window of [page, other]) {
      await window.getByRole('contentinfo', { name: 'Status' }).getByText('Connected', { exact: true }).waitFor();
    }
    await pickInPalette(page, 'Sign out everywhere', /Sign out everywhere/);
    await page.getByRole('dialog', { name: 'Sign out everywhere' }).getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Open Tagwright by its link' }).waitFor();
    await other.getByRole('alert').filter({ hasText: 'session has ended' }).waitFor();
    await other.reload();
    await other.getByRole('heading', { name: 'Open Tagwright by its link' }).waitFor();
    await page.goto(JSON.parse(await workbench.tagwright('open', '--print', '--json')).ui);
    await page.getByRole('contentinfo', { name: 'Status' }).getByText('Connected', { exact: true }).waitFor();
    expect(await workbench.tagwright('signout')).toBe('Ended 1 browser session and all unused links.\n');
    await page.getByRole('alert').filter({ hasText: 'session has ended' }).waitFor();
    await mine.close();
    await others.close();
  });
});
