import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { chromium } from 'playwright';
import { vi } from 'vitest';
import type { InstanceClient, InstanceConnection } from '../../../src-main/host/instance-client.ts';
import { connectInstance } from '../../../src-main/host/instance-client.ts';
import { freePort } from '../free-port.ts';
import { launchBrowser, SHORT_LIVED } from '../browser/browser.ts';
import type { Desktop } from './desktop-on-double.ts';
import { spawnDesktop } from './desktop-on-double.ts';
import { builtProduct, tagwright } from './product.ts';

/** As long as a person would wait on a busy machine. */
const PATIENCE_MS = 60_000;

/** The workbench in the windows of the desktop application: the built bundles on the double, and a real Chromium. */
export interface DesktopWorkbench {
  readonly workspace: string;
  /** The contract, as another program calls it. */
  client(): Promise<InstanceClient>;
  /** The running application. */
  desktop(): Desktop;
  /**
   * Starts the application a second time, as a link or an icon does. That process passes `args` to the first one and
   * exits.
   */
  secondStart(...args: string[]): Promise<number | null>;
  /** Starts the application after the previous one has ended. */
  start(...args: string[]): Promise<void>;
  /** The window that shows this path; the one of the workbench is connected to main. */
  windowAt(path: string): Promise<Page>;
  close(): Promise<void>;
}

/** Starts the application on a fresh sample workspace. The caller closes it. */
export async function startDesktopWorkbench(...args: string[]): Promise<DesktopWorkbench> {
  await builtProduct();
  const workspace = await mkdtemp(join(tmpdir(), 'tagwright-desktop-'));
  // Another instance on this machine may listen on the default port.
  const set = await tagwright(['settings', 'set', 'events.port=0', '--workspace', workspace]);
  if (set.code !== 0) throw new Error(`the workspace could not be made: ${set.err}`);
  const port = await freePort();
  const browser = await launchBrowser([SHORT_LIVED, `--remote-debugging-port=${port}`]);
  // Where the double serves our pages. Chromium does not know our scheme, but treats this origin as secure too.
  const origin = `http://tagwright.localhost:${await freePort()}`;
  const env = { DOUBLE_CDP: `http://127.0.0.1:${port}`, DOUBLE_ORIGIN: origin };
  const windowAt = (path: string) => windowOf(seen, origin, path);
  const seen = await chromium.connectOverCDP(env.DOUBLE_CDP);
  for (const context of seen.contexts()) {
    // A crashed page stays in the list until another one replaces it.
    context.on('page', (page) => void page.once('crash', () => crashed.add(page)));
  }
  let desktop = spawnDesktop(workspace, env, args);
  await firstStepsSeen(await windowAt('/'));
  let connection: InstanceConnection | null = null;

  return {
    workspace,
    desktop: () => desktop,
    windowAt,
    client: async () => {
      if (connection === null || connection.lost.aborted) {
        connection = await connectInstance(JSON.parse(await readFile(join(workspace, 'instance.json'), 'utf8')));
      }
      return connection.client;
    },
    start: async (...more) => {
      desktop = spawnDesktop(workspace, env, more);
      await windowAt('/');
    },
    // It has no window to show, and needs no browser.
    secondStart: (...more) => spawnDesktop(workspace, {}, more).ended,
    close: async () => {
      connection?.close();
      await desktop.kill();
      await seen.close();
      await browser.close();
      await rm(workspace, { recursive: true, force: true });
    },
  };
}

async function windowOf(browser: Browser, origin: string, path: string): Promise<Page> {
  const shown = () => {
    const page = pagesOf(browser).find((one) => one.url() === `${origin}${path}`);
    if (!page) throw new Error(`no window shows ${path}`);
    return page;
  };
  for (;;) {
    const page = await vi.waitFor(shown, { timeout: PATIENCE_MS, interval: 50 });
    page.setDefaultTimeout(PATIENCE_MS);
    try {
      if (path === '/') await isConnected(page);
      return page;
    } catch (thrown) {
      // It was listed before it was known that it had crashed: another one replaces it.
      if (!crashed.has(page)) throw thrown;
    }
  }
}

const crashed = new WeakSet<Page>();

const pagesOf = (browser: Browser) =>
  browser.contexts().flatMap((context) => context.pages().filter((page) => !crashed.has(page)));

const isConnected = (page: Page) =>
  page.getByRole('contentinfo', { name: 'Status' }).getByText('Connected', { exact: true }).waitFor();

/** Marks the first steps as seen: they are for people. */
async function firstStepsSeen(page: Page): Promise<void> {
  const loadedAt = () => page.evaluate(() => performance.timeOrigin);
  await page.evaluate(() => localStorage.setItem('tagwright.first-steps', '"done"'));
  const before = await loadedAt();
  await page.reload();
  // On a busy machine, the reload can end before the new document is there.
  await vi.waitFor(
    async () => (await loadedAt()) !== before || Promise.reject(new Error('the page was not reloaded')),
    {
      timeout: PATIENCE_MS,
      interval: 50,
    },
  );
  await isConnected(page);
}
