import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { BrowserContext, Page } from 'playwright';
import { chromium } from 'playwright';
import { APP_ORIGIN } from '#contract/bridge';
import type { BrowserWindow } from './electron.ts';
import { ipcMain, MessagePortMain, pages, protocol } from './electron.ts';

/**
 * Windows of the double as pages of a Chromium at DOUBLE_CDP. They run the built preload and the built renderer, and
 * all their messages go to main as over Electron's IPC. Chromium does not know our scheme, so DOUBLE_ORIGIN, a local
 * origin, replaces it: a server there passes every request to main's handler of the scheme.
 */
const ORIGIN = process.env['DOUBLE_ORIGIN'] ?? '';
const ours = (url: string) => url.replace(ORIGIN, APP_ORIGIN);

const server = createServer((request, response) => {
  const answered = async () => {
    const reply = await protocol.handlers.get('app')?.(new Request(`${APP_ORIGIN}${request.url}`));
    response.writeHead(reply?.status ?? 503, Object.fromEntries(reply?.headers ?? []));
    response.end(reply ? Buffer.from(await reply.arrayBuffer()) : '');
  };
  answered().catch(() => response.destroy());
});
server.listen(Number(new URL(ORIGIN).port), '127.0.0.1').unref();

const connected = chromium.connectOverCDP(process.env['DOUBLE_CDP'] ?? '');

/**
 * What the page reports: a new document, a message of its preload, data of one of its ports, a window that it opens.
 */
type PageMessage =
  | { kind: 'load'; url: string }
  | { kind: 'post'; channel: string; message: unknown; ports: number[] }
  | { kind: 'data'; port: number; data: unknown }
  | { kind: 'open'; url: string };

/** The permission names of Electron, and those of Chromium. */
const PERMISSIONS = [
  ['media', 'camera'],
  ['media', 'microphone'],
  ['geolocation', 'geolocation'],
  ['notifications', 'notifications'],
  ['clipboard-read', 'clipboard-read'],
  ['clipboard-sanitized-write', 'clipboard-write'],
] as const;

pages.show = async (window, url) => {
  const [context] = (await connected).contexts();
  if (!context) throw new Error('the browser has no context');
  const { webContents } = window;
  let page = await context.newPage();
  let crashed = false;
  let loads = 0;
  const loaded = (address: string) => {
    webContents.mainFrame.url = ours(address);
    loads += 1;
    // The first document was reported when the window was created.
    if (loads > 1) webContents.emit('did-navigate', {}, webContents.mainFrame.url);
  };
  /** Electron reloads a page in the same window; a crashed page of Playwright is unusable. */
  const begin = async (address: string) => {
    crashed = false;
    await prepare(page, window, loaded);
    page.once('crash', () => {
      crashed = true;
      webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 139 });
    });
    await page.goto(address);
  };
  const recreate = async () => {
    const address = page.url();
    await page.close();
    page = await context.newPage();
    await begin(address);
  };
  webContents.send = (channel, message) => toPage(page, 'ask', channel, message);
  webContents.reload = () => void (crashed ? recreate() : page.reload()).catch(() => {});
  webContents.forcefullyCrashRenderer = () =>
    void context.newCDPSession(page).then((session) => session.send('Page.crash').catch(() => {}));
  webContents.on('destroyed', () => void page.close().catch(() => {}));
  await askPermissions(context, window);
  await begin(url.replace(APP_ORIGIN, ORIGIN));
};

/** A page with the preload. Its messages reach main, and it can load only what main serves. */
async function prepare(page: Page, window: BrowserWindow, loaded: (url: string) => void): Promise<void> {
  const { webContents, bounds } = window;
  const ports = new Map<number, MessagePort>();
  const open = (id: number) => {
    const { port1, port2 } = new MessageChannel();
    ports.set(id, port2);
    port2.on('message', (data: unknown) => toPage(page, 'data', id, data));
    port2.on('close', () => toPage(page, 'close', id, null));
    return new MessagePortMain(port1);
  };
  await page.setViewportSize({ width: bounds.width, height: bounds.height });
  await page.exposeBinding('doublePosts', ({ frame }, message: PageMessage) => {
    if (message.kind === 'data') ports.get(message.port)?.postMessage(message.data, []);
    else if (message.kind === 'load') loaded(message.url);
    else if (message.kind === 'open') webContents.onWindowOpen?.({ url: ours(message.url) });
    else {
      const senderFrame = frame === page.mainFrame() ? webContents.mainFrame : { url: ours(frame.url()) };
      ipcMain.emit(message.channel, { senderFrame, ports: message.ports.map(open) }, message.message);
    }
  });
  await page.addInitScript({ content: preloadScript(window) });
  await askBeforeLeaving(page, window);
}

/**
 * The page navigates elsewhere only if main allows it; nothing is fetched from there. Not with `page.route`: it waits for
 * the two events of each request, and one of a page that reloads may never arrive.
 */
async function askBeforeLeaving(page: Page, { webContents }: BrowserWindow): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  const mayLoad = (url: string, isNavigation: boolean, isMainFrame: boolean): boolean => {
    if (new URL(url).origin === ORIGIN) return true;
    let prevented = !isNavigation;
    const details = { url, preventDefault: () => void (prevented = true) };
    if (!prevented && isMainFrame) webContents.emit('will-navigate', details);
    if (!prevented) webContents.emit('will-frame-navigate', details);
    return !prevented;
  };
  session.on('Fetch.requestPaused', ({ requestId, request: { url }, resourceType, frameId }) => {
    const decided = mayLoad(url, resourceType === 'Document', frameId === targetInfo.targetId)
      ? session.send('Fetch.continueRequest', { requestId })
      : session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    // The page may have gone in the meantime.
    decided.catch(() => {});
  });
  await session.send('Fetch.enable');
}

/** Chromium cannot ask main, so it gets main's decision in advance. */
async function askPermissions(context: BrowserContext, { webContents }: BrowserWindow): Promise<void> {
  const granted: string[] = [];
  for (const [requested, name] of PERMISSIONS) {
    webContents.session.onRequest?.(webContents, requested, (allowed) => void (allowed && granted.push(name)));
  }
  await context.grantPermissions(granted, { origin: ORIGIN });
}

/** A closed page receives nothing. */
function toPage(page: Page, kind: 'data' | 'close' | 'ask', to: number | string, what: unknown): void {
  page
    .evaluate(
      (message) => void Reflect.apply(Reflect.get(globalThis, 'doubleHears'), undefined, message),
      [kind, to, what],
    )
    .catch(() => {});
}

/** The built preload, with an `electron` that reports everything to the double. */
function preloadScript(window: BrowserWindow): string {
  const preload = readFileSync(window.options.webPreferences.preload, 'utf8');
  return `(() => {
    if (window === top) doublePosts({ kind: 'load', url: location.href });
    const ports = new Map(), handed = new Map(), listeners = new Map();
    // Unlike Chromium, Electron notifies a page that the other end of its port has closed.
    window.addEventListener('message', ({ ports: [port] }) => port && handed.set([...ports.keys()].at(-1), port));
    window.doubleHears = (kind, to, what) => {
      if (kind === 'data') ports.get(to)?.postMessage(what);
      else if (kind === 'close') handed.get(to)?.dispatchEvent(new Event('close'));
      else listeners.get(to)?.({}, what);
    };
    window.open = (url) => (doublePosts({ kind: 'open', url: new URL(url, location.href).href }), null);
    const number = (port) => {
      const id = Math.floor(Math.random() * 2 ** 50);
      ports.set(id, port);
      port.onmessage = ({ data }) => void doublePosts({ kind: 'data', port: id, data });
      return id;
    };
    const ipcRenderer = {
      postMessage: (channel, message, given = []) =>
        void doublePosts({ kind: 'post', channel, message, ports: given.map(number) }),
      on: (channel, listener) => void listeners.set(channel, listener),
      removeAllListeners: (channel) => void listeners.delete(channel),
    };
    const contextBridge = { exposeInMainWorld: (name, api) => void (window[name] = api) };
    const module = { exports: {} };
    ((require, module, exports) => {${preload}
    })(() => ({ ipcRenderer, contextBridge }), module, module.exports);
  })();`;
}
