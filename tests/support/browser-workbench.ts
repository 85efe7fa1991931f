import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Interface } from 'node:readline';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import type { Client, Connection } from '../../src-main/host/instance-client.ts';
import { connectInstance } from '../../src-main/host/instance-client.ts';
import { launchBrowser } from './browser.ts';

const run = promisify(execFile);
const LAUNCHER = resolve(import.meta.dirname, '../../resources/bin/tagwright.mjs');

/** What a person would wait for on a machine that does other things too. */
const PATIENCE_MS = 60_000;
/** How many times slower the pages are than the machine: to find what a test does not wait for. */
const SLOWNESS = Number(process.env['TAGWRIGHT_SLOW_PAGES'] ?? 1);

/** A window of the workbench. */
export interface WorkbenchPage {
  page: Page;
  context: BrowserContext;
  /** Closes it with its browser profile; fails when a script failed in it, or something broke the security policy. */
  close(): Promise<void>;
}

/** The real headless host on a fresh sample workspace, and a real browser that is let in. */
export interface BrowserWorkbench {
  readonly browser: Browser;
  /** Runs the command line on the workspace; resolves to its standard output. */
  tagwright(...args: string[]): Promise<string>;
  /** The base URL of the events API. */
  readonly eventsApi: string;
  /** Saves a script, as another window would; `name` is `Group/Name`. */
  saveScript(name: string, body: string): Promise<void>;
  /** The contract, as another program calls it: for what is done too often for the command line. Ends with the workbench. */
  client(): Promise<Client>;
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
  const host = spawn(
    process.execPath,
    [LAUNCHER, 'serve', '--workspace', workspace, '--port', '0', '--ui-port', '0', '--json'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let errors = '';
  host.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const lines = createInterface({ input: host.stdout });
  const ended = once(host, 'exit').then(() => {
    throw new Error(`the host ended before it served: ${errors}`);
  });
  const line = await Promise.race([nextLine(lines), ended]);
  const { ui, eventsApi }: { ui: string; eventsApi: string } = JSON.parse(line);
  const browser = await launchBrowser();

  // The printed address lets in once; what it gives is handed to every window of the tests.
  const entrance = await browser.newContext();
  const first = await entrance.newPage();
  await first.goto(ui);
  // As if the first steps had been seen: they are for people.
  await first.evaluate(() => localStorage.setItem('tagwright.first-steps', '"done"'));
  const session = await entrance.storageState();
  await entrance.close();
  const url = new URL(ui).origin;

  const tagwright = async (...args: string[]) => {
    // With the build that the host runs, also when sources change meanwhile.
    const env = { ...process.env, TAGWRIGHT_NO_BUILD: '1' };
    const { stdout } = await run(process.execPath, [LAUNCHER, ...args, '--workspace', workspace], { env });
    return stdout;
  };
  let connection: Connection | null = null;
  const another = async (context: BrowserContext): Promise<WorkbenchPage> => {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    if (SLOWNESS > 1) {
      const processor = await context.newCDPSession(page);
      await processor.send('Emulation.setCPUThrottlingRate', { rate: SLOWNESS });
    }
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error.stack ?? error)));
    await page.goto(url);
    await page.getByRole('contentinfo', { name: 'Status' }).getByText('Connected', { exact: true }).waitFor();
    const close = async () => {
      await context.close();
      if (problems.length > 0) throw new Error(`the page had problems:\n${problems.join('\n')}`);
    };
    return { page, context, close };
  };

  return {
    browser,
    eventsApi,
    tagwright,
    another,
    saveScript: async (name, body) => {
      const file = join(workspace, 'body.js');
      await writeFile(file, body);
      await tagwright('scripts', 'save', name, file);
    },
    client: async () => {
      const address: { url: string; token: string } = JSON.parse(
        await readFile(join(workspace, 'instance.json'), 'utf8'),
      );
      if (!connection || connection.lost.aborted) connection = await connectInstance(address);
      return connection.client;
    },
    tagValue: async (path) => {
      const tags: { value: unknown }[] = JSON.parse(await tagwright('tags', 'get', path, '--json'));
      return tags[0]?.value;
    },
    open: async (options = {}) => {
      const viewport = { width: 1440, height: 900 };
      return another(await browser.newContext({ viewport, storageState: session, ...options }));
    },
    close: async () => {
      connection?.close();
      await browser.close();
      if (host.exitCode === null) {
        host.kill('SIGTERM');
        await once(host, 'exit');
      }
      await rm(workspace, { recursive: true, force: true });
    },
  };
}

async function nextLine(lines: Interface): Promise<string> {
  for await (const line of lines) return line;
  return new Promise(() => {});
}
