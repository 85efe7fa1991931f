import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, LaunchOptions, Page } from 'playwright';
import { chromium } from 'playwright';

const run = promisify(execFile);

/**
 * Chromium without the parts that draw windows. A page takes a quarter less processor time than in the full browser.
 */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/microsoft-edge',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * No background requests, no first-run pages, and no sandbox, which containers do not allow. One process for all pages,
 * which collects garbage on one thread, takes a tenth less processor time.
 */
const ARGUMENTS = [
  '--process-per-site',
  '--js-flags=--single-threaded-gc',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * For pages of tests, which live for seconds: without optimized code, a page with the editor takes 1.4 s of processor
 * time instead of 1.7 s.
 */
export const SHORT_LIVED = '--js-flags=--single-threaded-gc,--no-maglev,--no-turbofan';

const INSTALL_WITHIN_MS = 5 * 60_000;
/** For a browser that is only faster than the installed one. */
const INSTALL_BETTER_WITHIN_MS = 60_000;

/**
 * A Chromium for tests: the one in TAGWRIGHT_BROWSER, an installed headless shell, Playwright's own, or another
 * installed one. If there is none, it is installed: by apt-get as root on Debian, else by Playwright. If that fails,
 * the error says what to do; tests are never skipped.
 */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ ...(findBrowser() ?? (await installBrowser())), args: [...ARGUMENTS, ...more] });
}

/** A browser shared by all test files of a worker. */
export interface SharedBrowser {
  readonly browser: Browser;
  /** The port of the workbench of each file: pages find their compiled code by their address. */
  readonly port: number;
  /** A context without the pages of another test. Its storage and its settings may be those of the previous test. */
  borrow(): Promise<BrowserContext>;
  /** Closes the pages of a context, for the next test. */
  giveBack(context: BrowserContext): Promise<void>;
}

let shared: Promise<SharedBrowser> | null = null;

/** The browser of this worker, started once; it ends with the worker. */
export function sharedBrowser(): Promise<SharedBrowser> {
  shared ??= startShared();
  return shared;
}

/** The path of the page that keeps the process of a context. */
const KEEPER = '/keeper';

/** Whether a page belongs to a test. */
export const isOfTest = (page: Page): boolean => page.url() !== 'about:blank' && !page.url().endsWith(KEEPER);

/**
 * In a process that has run the workbench before, the main thread of a page takes half the time: its code is compiled.
 * So contexts are used again, and an empty page of the same address keeps the process of each one.
 */
async function startShared(): Promise<SharedBrowser> {
  const found = findBrowser() ?? (await installBrowser());
  const folder = mkdtempSync(join(tmpdir(), 'tagwright-profile-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const profile = await chromium.launchPersistentContext(folder, { ...found, args: [...ARGUMENTS, SHORT_LIVED] });
  const browser = profile.browser();
  if (browser === null) throw new Error('Playwright gives no browser for a profile');
  // A browser that has crashed is replaced.
  browser.once('disconnected', () => (shared = null));
  const port = await portOfWorker();
  const keepProcess = async (context: BrowserContext) => {
    const page = context.pages()[0] ?? (await context.newPage());
    const url = `http://127.0.0.1:${port}${KEEPER}`;
    await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: '<title>keeper</title>' }));
    await page.goto(url);
    await page.unrouteAll();
    return context;
  };
  const free = [await keepProcess(profile)];
  return {
    browser,
    port,
    borrow: async () => free.pop() ?? keepProcess(await browser.newContext()),
    giveBack: async (context) => {
      await Promise.all(
        context
          .pages()
          .filter(isOfTest)
          .map((page) => page.close()),
      );
      await context.unrouteAll();
      free.push(context);
    },
  };
}

/** A free port below those that the system gives to other programs, so that it stays free between two files. */
async function portOfWorker(): Promise<number> {
  for (let step = 0; ; step += 1) {
    const port = 20_000 + ((process.pid * 101 + step) % 10_000);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  await new Promise((resolve) => server.close(resolve));
  return listens;
}

/** The launch options for Playwright; empty for its own browser, whose headless shell it finds itself. */
type Found = Pick<LaunchOptions, 'executablePath'>;

function findBrowser(): Found | null {
  const named = process.env['TAGWRIGHT_BROWSER'];
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`TAGWRIGHT_BROWSER names ${named}, which is not there.`);
    return { executablePath: named };
  }
  if (existsSync(HEADLESS_SHELL)) return { executablePath: HEADLESS_SHELL };
  if (existsSync(chromium.executablePath())) return {};
  const executablePath = INSTALLED.find((path) => existsSync(path));
  return executablePath === undefined ? null : { executablePath };
}

/**
 * Finds the browser before the tests start; resolves to its path. On Debian, root gets a headless shell even if there is
 * another browser, which is used if the shell cannot be installed, for example offline.
 */
export async function provideBrowser(): Promise<string> {
  const found = findBrowser();
  if (found !== null && found.executablePath === HEADLESS_SHELL) return HEADLESS_SHELL;
  if (found !== null && process.env['TAGWRIGHT_BROWSER'] === undefined && (await isDebian())) {
    try {
      for (const command of aptCommands('chromium-headless-shell')) await install(command, INSTALL_BETTER_WITHIN_MS);
    } catch {
      // The other browser only takes longer.
    }
  }
  return (findBrowser() ?? (await installBrowser())).executablePath ?? chromium.executablePath();
}

async function isDebian(): Promise<boolean> {
  if (!canUseApt()) return false;
  return /^ID=debian$/m.test(await readFile('/etc/os-release', 'utf8').catch(() => ''));
}

async function install([program = '', ...args]: readonly string[], timeout: number): Promise<void> {
  await run(program, args, { timeout, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}

async function installBrowser(): Promise<Found> {
  const tried: string[] = [];
  for (const command of installCommands()) {
    try {
      console.info(`No browser for the tests was found; running: ${command.join(' ')}`);
      await install(command, INSTALL_WITHIN_MS);
    } catch (error) {
      tried.push(`${command.join(' ')}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    }
    const found = findBrowser();
    if (found !== null) return found;
  }
  throw new Error(
    [
      'The browser tests need Chromium, and none was found or could be installed.',
      'Install Chromium or Google Chrome, or set TAGWRIGHT_BROWSER to the path of one.',
      ...tried.map((line) => `  tried ${line}`),
    ].join('\n'),
  );
}

function installCommands(): string[][] {
  const commands = [[process.execPath, 'node_modules/playwright/cli.js', 'install', 'chromium']];
  if (canUseApt()) commands.unshift(...aptCommands('chromium-headless-shell', 'chromium'));
  return commands;
}

function canUseApt(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

function aptCommands(...packages: string[]): string[][] {
  return [
    ['apt-get', 'update', '-qq', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=10'],
    ...packages.map((name) => ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', name]),
  ];
}
