import type { Browser, BrowserContext } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { requestLink } from '../../../src-main/host/links.ts';
import { launchBrowser, SHORT_LIVED } from '../../support/browser/browser.ts';
import { builtProduct } from '../../support/product/product.ts';
import type { HostileServer } from './hostile-pages.ts';
import { attackFromPage, startHostileServer } from './hostile-pages.ts';
import type { ServedInstance } from '../../support/product/served-instance.ts';
import { startInstance } from '../../support/product/served-instance.ts';

describe('a browser with an open workbench that visits hostile pages', () => {
  let instance: ServedInstance;
  let hostile: HostileServer;
  let browser: Browser;
  let context: BrowserContext;
  /** The oldest events, all active. */
  let before: [id: number, active: boolean][] = [];
  beforeAll(async () => {
    await builtProduct();
    [instance, hostile] = await Promise.all([startInstance({ ui: true }), startHostileServer()]);
    const { rules, events } = await instance.client();
    await events.createTest({ count: 3, ruleId: (await rules.list())[0]?.id ?? 0 });
    const oldest: { AggregationEventId: number }[] = await (
      await fetch(`${instance.eventsApi}/api/events?active=all&limit=3`)
    ).json();
    before = oldest.map(({ AggregationEventId: id }) => [id, true]);
    // Host names that resolve to this machine, as after DNS rebinding.
    const hosts = '--host-resolver-rules=MAP evil.example 127.0.0.1, MAP rebound.example 127.0.0.1';
    browser = await launchBrowser([SHORT_LIVED, hosts]);
    context = await browser.newContext();
    await workbench(await newLink());
  }, 600_000);
  afterAll(async () => {
    await browser.close();
    await hostile.close();
    await instance.close();
  });

  const newLink = async () => (await requestLink(instance.address())) ?? '';
  const uiPort = () => new URL(instance.address().url).port;

  /** Opens an address and waits until the page is connected. */
  async function workbench(address: string) {
    const page = await context.newPage();
    await page.goto(address);
    await page.getByRole('contentinfo', { name: 'Status' }).getByText('Connected', { exact: true }).waitFor();
    return page;
  }

  const refusals = async () =>
    (await (await instance.client()).eventsApi.requests({})).filter(({ status }) => status === 403).length;

  async function untouched() {
    // Rules of the sample may have fired in the meantime.
    const response = await fetch(`${instance.eventsApi}/api/events?active=all&limit=3`);
    const list: { AggregationEventId: number; Active: boolean }[] = await response.json();
    expect(list.map(({ AggregationEventId: id, Active }) => [id, Active])).toEqual(before);
  }

  test.each(['127.0.0.1', 'localhost', 'evil.example'])(
    'a page of another port on %s reads and changes nothing, and uses up no link',
    async (name) => {
      const page = await context.newPage();
      const self = `http://${name}:${hostile.port}`;
      await page.goto(self);
      const link = await newLink();
      const aim = { events: instance.eventsApi, ui: instance.address().url, link, self };
      const refusedBefore = await refusals();
      expect(await page.evaluate(attackFromPage, aim)).toEqual([]);
      await page.close();
      // The browser did not block everything; the port itself refused some requests.
      expect((await refusals()) - refusedBefore).toBeGreaterThan(20);
      await untouched();
      await (await workbench(link)).close();
    },
  );

  test('a host name rebound to this machine is served nothing, even same-origin', async () => {
    const page = await context.newPage();
    for (const [base, paths] of [
      [instance.eventsApi, ['/api/events', '/api/docs', '/api/health']],
      [instance.address().url, ['/', '/session', '/links', '/assets/x.js']],
    ] as const) {
      const rebound = base.replace('127.0.0.1', 'rebound.example');
      for (const path of paths) {
        expect([path, (await page.goto(`${rebound}${path}`))?.status()]).toEqual([path, 421]);
      }
      const opened = await page.evaluate(
        () =>
          new Promise((resolve) => {
            const socket = new window.WebSocket(`ws://${location.host}/rpc`);
            socket.addEventListener('open', () => resolve(true));
            socket.addEventListener('error', () => resolve(false));
          }),
      );
      expect(opened).toBe(false);
    }
    await page.close();
    await untouched();
  });

  test('session data seen by another port gives a program that poses as us no access', async () => {
    const page = await context.newPage();
    hostile.seen.splice(0);
    await page.goto(`http://127.0.0.1:${hostile.port}/visit`);
    await page.close();
    // Browsers send cookies to every port of a host, but not the key.
    const { cookie } = hostile.seen.find(({ url }) => url === '/visit') ?? { cookie: '' };
    expect(cookie).toContain(`tagwright_${uiPort()}=`);
    expect(JSON.stringify(hostile.seen)).not.toMatch(/key=|tagwright\.rpc/);
    for (const protocols of [[], ['tagwright.rpc', ''], ['tagwright.rpc', cookie.split('=')[1] ?? '']]) {
      const headers = { Cookie: cookie, Origin: instance.address().url };
      const opened = await new Promise((resolve) => {
        const socket = new WebSocket(
          `${instance.address().url.replace('http', 'ws')}/rpc`,
          protocols.filter((protocol) => protocol !== ''),
          { headers },
        );
        socket.addEventListener('open', () => resolve(true));
        socket.addEventListener('error', () => resolve(false));
      });
      expect(opened).toBe(false);
    }
  });

  test('a cookie planted by another port gives no access; at most it signs out', async () => {
    const victim = await browser.newContext();
    const page = await victim.newPage();
    await page.goto(await newLink());
    await page.getByRole('contentinfo', { name: 'Status' }).getByText('Connected', { exact: true }).waitFor();
    const other = await victim.newPage();
    await other.goto(`http://127.0.0.1:${hostile.port}/plant?name=tagwright_${uiPort()}`);
    // The open window continues; a new one needs one of our sessions.
    await page.getByRole('contentinfo', { name: 'Status' }).getByText('Connected', { exact: true }).waitFor();
    await other.goto(`${instance.address().url}/`);
    expect(await other.getByRole('heading', { name: 'Open Tagwright by its link' }).count()).toBe(1);
    await other.goto(await newLink());
    await other.getByRole('contentinfo', { name: 'Status' }).getByText('Connected', { exact: true }).waitFor();
    await victim.close();
  });

  test('a link never leads to another host, whatever its address says', async () => {
    const page = await context.newPage();
    for (const path of [
      '//evil.example/x',
      '/\\evil.example/x',
      '/%2f%2fevil.example/x',
      '/%5cevil.example/x',
      '/.//evil.example/x',
      `//evil.example:${hostile.port}/x`,
    ]) {
      const { searchParams } = new URL(await newLink());
      await page.goto(`${instance.address().url}${path}?token=${searchParams.get('token')}`);
      expect([path, new URL(page.url()).host]).toEqual([path, new URL(instance.address().url).host]);
    }
    await page.close();
  });
});
