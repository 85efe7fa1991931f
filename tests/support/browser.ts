import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, LaunchOptions } from 'playwright';
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
const SHORT_LIVED = '--js-flags=--single-threaded-gc,--no-maglev,--no-turbofan';

const INSTALL_WITHIN_MS = 5 * 60_000;

/**
 * A Chromium for tests: the one in TAGWRIGHT_BROWSER, an installed headless shell, Playwright's own, or another
 * installed one. If there is none, it is installed: by apt-get as root on Debian, else by Playwright. If that fails,
 * the error says what to do; tests are never skipped.
 */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ ...(findBrowser() ?? (await installBrowser())), args: [...ARGUMENTS, ...more] });
}

/** A browser with a profile on disk, shared by all test files of a worker. */
export interface SharedBrowser {
  readonly browser: Browser;
  /** Keeps the compiled code of pages, so a page takes two thirds of the processor time of a fresh context. */
  readonly profile: BrowserContext;
}

let shared: Promise<SharedBrowser> | null = null;

/** The browser of this worker, started once; it ends with the worker. */
export function sharedBrowser(): Promise<SharedBrowser> {
  shared ??= startShared();
  return shared;
}

async function startShared(): Promise<SharedBrowser> {
  const found = findBrowser() ?? (await installBrowser());
  const folder = mkdtempSync(join(tmpdir(), 'tagwright-profile-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const profile = await chromium.launchPersistentContext(folder, { ...found, args: [...ARGUMENTS, SHORT_LIVED] });
  const browser = profile.browser();
  if (browser === null) throw new Error('Playwright gives no browser for a profile');
  // A browser that has crashed is replaced.
  browser.once('disconnected', () => (shared = null));
  return { browser, profile };
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

async function installBrowser(): Promise<Found> {
  const tried: string[] = [];
  for (const command of installCommands()) {
    try {
      console.info(`No browser for the tests was found; running: ${command.join(' ')}`);
      const [program = '', ...args] = command;
      await run(program, args, {
        timeout: INSTALL_WITHIN_MS,
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
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
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const install = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends'];
    commands.unshift(['apt-get', 'update', '-qq'], [...install, 'chromium-headless-shell'], [...install, 'chromium']);
  }
  return commands;
}
