import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { launchBrowser } from './browser.ts';

const run = promisify(execFile);
const LAUNCHER = resolve(import.meta.dirname, '../../resources/bin/tagwright.mjs');

/** A page of the workbench, and everything that went wrong in it: errors of scripts and of the security policy. */
export interface WorkbenchPage {
  page: Page;
  context: BrowserContext;
  problems: string[];
}

/** The real headless host on a fresh sample workspace, and a real browser that is let in. */
export interface BrowserWorkbench {
  readonly browser: Browser;
  /** Runs the command line on the workspace; resolves to its standard output. */
  tagwright(...args: string[]): Promise<string>;
  /** Saves a script, as another window would; `name` is `Group/Name`. */
  saveScript(name: string, body: string): Promise<void>;
  /** The value of a tag in the default scope. */
  tagValue(path: string): Promise<unknown>;
  /** A window of its own: nothing remembered, the session of the workbench. */
  open(options?: BrowserContextOptions): Promise<WorkbenchPage>;
  /** Another window of the same browser profile. */
  another(context: BrowserContext): Promise<WorkbenchPage>;
  close(): Promise<void>;
}

/** Starts both. Whoever starts closes. */
export async function startBrowserWorkbench(): Promise<BrowserWorkbench> {
  const workspace = await mkdtemp(join(tmpdir(), 'tagwright-e2e-'));
  const host = spawn(process.execPath, [LAUNCHER, 'serve', '--workspace', workspace, '--ui-port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  host.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const lines = createInterface({ input: host.stdout });
  const [line] = (await Promise.race([
    once(lines, 'line'),
    once(host, 'exit').then(() => Promise.reject(new Error(`the host ended before it served: ${errors}`))),
  ])) as [string];
  const { ui } = JSON.parse(line) as { ui: string };
  const browser = await launchBrowser();

  // The printed address lets in once; what it gives is handed to every window of the tests.
  const entrance = await browser.newContext();
  await entrance.newPage().then((page) => page.goto(ui));
  const session = await entrance.storageState();
  await entrance.close();
  const url = new URL(ui).origin;

  const tagwright = async (...args: string[]) => {
    const { stdout } = await run(process.execPath, [LAUNCHER, ...args, '--workspace', workspace]);
    return stdout;
  };
  const another = async (context: BrowserContext): Promise<WorkbenchPage> => {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error.stack ?? error)));
    await page.goto(url);
    await page.getByRole('contentinfo', { name: 'Status' }).getByText('Connected', { exact: true }).waitFor();
    return { page, context, problems };
  };

  return {
    browser,
    tagwright,
    another,
    saveScript: async (name, body) => {
      const file = join(workspace, 'body.js');
      await writeFile(file, body);
      await tagwright('scripts', 'save', name, file);
    },
    tagValue: async (path) => {
      const [tag] = JSON.parse(await tagwright('tags', 'get', path, '--json')) as { value: unknown }[];
      return tag?.value;
    },
    open: async (options = {}) => {
      const viewport = { width: 1440, height: 900 };
      return another(await browser.newContext({ viewport, storageState: session, ...options }));
    },
    close: async () => {
      await browser.close();
      if (host.exitCode === null) {
        host.kill('SIGTERM');
        await once(host, 'exit');
      }
      await rm(workspace, { recursive: true, force: true });
    },
  };
}
