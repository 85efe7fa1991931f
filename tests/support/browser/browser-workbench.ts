import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { KEY_MEMBER } from '#contract/browser-session';
import type { InstanceClient } from '../../../src-main/host/instance-client.ts';
import { launchBrowser, sharedBrowser } from './browser.ts';
import { beginEvidence, keepEvidence } from './evidence.ts';
import { LAUNCHER } from '../product/product.ts';
import { startInstance } from '../product/served-instance.ts';

const run = promisify(execFile);

/** As long as a person would wait on a busy machine. */
const PATIENCE_MS = 60_000;
/** Slows pages down by this factor, to find things that a test does not wait for. */
const SLOWNESS = Number(process.env['TAGWRIGHT_SLOW_PAGES'] ?? 1);

/** A window of the workbench. */
export interface WorkbenchPage {
  page: Page;
  context: BrowserContext;
  /** Fails if a script of the page has failed, or the security policy was violated, since the previous check. */
  check: () => void;
  /** Checks it, and closes it with its browser profile. */
  close: () => Promise<void>;
  /** The same without the check, for tests that cause such problems. */
  closeWithProblems: () => Promise<void>;
}

/**
 * `view` is the first view; a test without an editor starts faster in a view other than "scripts". `prepare` sets up
 * the page before it loads.
 */
export interface OpenOptions extends Pick<
  BrowserContextOptions,
  'viewport' | 'permissions' | 'reducedMotion' | 'colorScheme'
> {
  prepare?: (page: Page) => Promise<unknown>;
  view?: 'scripts' | 'tags' | 'aggregations' | 'events' | 'mocks' | 'diagrams' | 'settings' | 'search';
}

const VIEWPORT = { width: 1440, height: 900 };

/** The ports of the workbenches of this worker. */
const used = new Set<number>();

/** The real headless host on a fresh sample workspace, and a real browser that is signed in. */
export interface BrowserWorkbench {
  readonly browser: Browser;
  /** Runs the command line on the workspace; resolves to its standard output. */
  tagwright(...args: string[]): Promise<string>;
  /** The base URL of the events API. */
  readonly eventsApi: string;
  /** Saves a script as another window would. `name` is `Group/Name`. */
  saveScript(name: string, body: string): Promise<void>;
  /** The contract, as another program calls it, without the 0.3 s that a command takes. Closed with the workbench. */
  client(): Promise<InstanceClient>;
  /** Disables every rule, because firings would move lists of events during a test. */
  stopRules(): Promise<void>;
  /** The value of a tag in the default scope. */
  tagValue(path: string): Promise<unknown>;
  /** A separate window, in an empty profile with the session of the workbench. */
  open(options?: OpenOptions): Promise<WorkbenchPage>;
  /** Another window of the same browser profile. */
  another(context: BrowserContext): Promise<WorkbenchPage>;
  close(): Promise<void>;
}

/**
 * Starts a host, and uses the browser of this worker. The caller closes it. With `ownBrowser`, every window is the
 * first of its browser profile, as benchmarks need it, and `close` ends the browser; it gets these `flags` too.
 */
export async function startBrowserWorkbench({
  ownBrowser = false,
  flags = [],
}: { ownBrowser?: boolean; flags?: readonly string[] } = {}): Promise<BrowserWorkbench> {
  const workspace = await mkdtemp(join(tmpdir(), 'tagwright-e2e-'));
  // From the build that the host runs, even if sources change later.
  const env = { ...process.env, TAGWRIGHT_NO_BUILD: '1' };
  const shared = ownBrowser ? null : await sharedBrowser();
  // A second workbench at the same time gets a port of its own.
  const port = shared !== null && !used.has(shared.port) && shared.port;
  if (port !== false) used.add(port);
  const [instance, browser] = await Promise.all([
    startInstance({ workspace, ui: port === false || port }),
    shared?.browser ?? launchBrowser(flags),
  ]);
  const url = new URL(instance.ui ?? '').origin;
  const session = await sessionOf(instance.ui ?? '');

  const tagwright = async (...args: string[]) => {
    const { stdout } = await run(process.execPath, [LAUNCHER, ...args, '--workspace', workspace], { env });
    return stdout;
  };
  const borrowed = new Set<BrowserContext>();
  const giveBack = async (context: BrowserContext) => {
    if (borrowed.delete(context)) await shared?.giveBack(context);
  };
  const another = async (
    context: BrowserContext,
    prepare: (page: Page) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<WorkbenchPage> => {
    const page = await context.newPage();
    await prepare(page);
    page.setDefaultTimeout(PATIENCE_MS);
    if (SLOWNESS > 1) {
      const processor = await context.newCDPSession(page);
      await processor.send('Emulation.setCPUThrottlingRate', { rate: SLOWNESS });
    }
    const problems: string[] = [];
    page.on('console', (message) => {
      // With the address: the text of a resource that is not loaded does not say which one it is.
      if (message.type() === 'error') problems.push(`${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => problems.push(String(error.stack ?? error)));
    await page.goto(url);
    await page.getByRole('contentinfo', { name: 'Status' }).getByText('Connected', { exact: true }).waitFor();
    const closeWithProblems = async () => {
      await keepEvidence(context);
      if (shared === null) await context.close();
      else await giveBack(context);
    };
    const check = () => {
      const found = problems.splice(0);
      if (found.length > 0) throw new Error(`the page had problems:\n${found.join('\n')}`);
    };
    const close = async () => {
      await closeWithProblems();
      check();
    };
    return { page, context, check, close, closeWithProblems };
  };

  return {
    browser,
    eventsApi: instance.eventsApi,
    tagwright,
    another,
    saveScript: async (groupAndName, body) => {
      const [group = '', name = ''] = groupAndName.split('/');
      const client = await instance.client();
      const { scripts } = await client.scripts.list();
      const stored = scripts.find((script) => script.group === group && script.name === name);
      const replacing = stored && { id: stored.id, baseVersion: stored.version };
      await client.scripts.save({ group, name, description: '', body, ...replacing });
    },
    client: () => instance.client(),
    stopRules: async () => {
      const client = await instance.client();
      for (const rule of await client.rules.list()) await client.rules.save({ ...rule, enabled: false });
    },
    tagValue: async (path) => (await (await instance.client()).tags.get({ paths: [path] }))[0]?.value,
    open: async ({ view = 'scripts', viewport = VIEWPORT, permissions = [], prepare, ...media } = {}) => {
      const storageState = stateOf(url, session, view);
      if (shared === null) {
        const context = await browser.newContext({ viewport, permissions, storageState, ...media });
        await beginEvidence(context);
        return another(context, prepare);
      }
      const context = await shared.borrow();
      borrowed.add(context);
      await context.clearPermissions();
      if (permissions.length > 0) await context.grantPermissions(permissions, { origin: url });
      await beginEvidence(context);
      return another(context, async (page) => {
        await forget(context, page, url);
        await remember(page, storageState);
        await page.setViewportSize(viewport ?? VIEWPORT);
        await page.emulateMedia(media);
        await prepare?.(page);
      });
    },
    close: async () => {
      if (shared === null) await browser.close();
      // Those of failed tests: their pages would connect to the next host.
      await Promise.all([...borrowed].map(giveBack));
      await instance.close();
      if (port !== false) used.delete(port);
      await rm(workspace, { recursive: true, force: true });
    },
  };
}

/** Clears the storage of pages. Playwright's setStorageState would also clear the compiled code. */
async function forget(profile: BrowserContext, page: Page, origin: string): Promise<void> {
  await profile.clearCookies();
  const session = await profile.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb,cache_storage' });
  await session.detach();
}

/** Fills the storage of a page when it first loads. Later changes of the page are kept. */
async function remember(page: Page, { cookies, origins }: StorageState): Promise<void> {
  await page.context().addCookies(cookies);
  await page.addInitScript((stored) => {
    const mine = stored.find(({ origin }) => origin === location.origin);
    if (!mine || sessionStorage.getItem('is-prepared') !== null) return;
    sessionStorage.setItem('is-prepared', 'yes');
    // The process of an earlier page can still have the storage that was cleared.
    localStorage.clear();
    for (const { name, value } of mine.localStorage) localStorage.setItem(name, value);
  }, origins);
}

/** What a browser gets when it opens the one-time address: a cookie, and a key for the pages. */
async function sessionOf(ui: string): Promise<{ cookie: string; key: string }> {
  const { headers } = await fetch(ui, { redirect: 'manual' });
  const [cookie] = headers.getSetCookie();
  const key = new URLSearchParams(new URL(headers.get('location') ?? '', ui).hash.slice(1)).get(KEY_MEMBER);
  if (cookie === undefined || key === null) throw new Error('the address of the workbench gives no session');
  return { cookie, key };
}

type StorageState = ReturnType<typeof stateOf>;

function stateOf(url: string, { cookie, key }: { cookie: string; key: string }, view: string) {
  const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
  const items = {
    'session-key': key,
    // Marks the first steps as seen: they are for people.
    'first-steps': 'done',
    view,
  };
  const strict = 'Strict' as const;
  return {
    cookies: [
      {
        name,
        value,
        domain: new URL(url).hostname,
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: false,
        sameSite: strict,
      },
    ],
    origins: [
      {
        origin: url,
        localStorage: Object.entries(items).map(([item, text]) => ({
          name: `tagwright.${item}`,
          value: JSON.stringify(text),
        })),
      },
    ],
  };
}
