import { readFileSync } from 'node:fs';
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { Page } from 'playwright';
import { chromium } from 'playwright';
import { APP_ORIGIN } from '#contract/bridge';
import type { BrowserWindow } from './electron.ts';
import { ipcMain, MessagePortMain, pages, protocol } from './electron.ts';

/**
 * Windows of the double as pages of a Chromium at DOUBLE_CDP: they run the built preload and the built renderer, and all
 * that they send goes to main as over Electron's IPC. Chromium does not know our scheme; a web origin stands in for it.
 */
const ORIGIN = 'https://tagwright.test';
const ours = (url: string) => url.replace(ORIGIN, APP_ORIGIN);

const connected = chromium.connectOverCDP(process.env['DOUBLE_CDP'] ?? '');

/** What the page tells: a message of its preload, data of one of its ports, a window that it wants to open. */
type Told =
  | { kind: 'post'; channel: string; message: unknown; ports: number[] }
  | { kind: 'data'; port: number; data: unknown }
  | { kind: 'open'; url: string };

pages.show = async (window, url) => {
  const [context] = (await connected).contexts();
  if (!context) throw new Error('the browser has no context');
  const page = await context.newPage();
  const { webContents } = window;
  const ports = new Map<number, MessagePort>();

  const open = (id: number) => {
    const { port1, port2 } = new MessageChannel();
    ports.set(id, port2);
    port2.on('message', (data: unknown) => toPage(page, 'data', id, data));
    port2.on('close', () => toPage(page, 'close', id, null));
    return new MessagePortMain(port1);
  };
  await page.exposeBinding('doubleTells', ({ frame }, told: Told) => {
    if (told.kind === 'data') ports.get(told.port)?.postMessage(told.data, []);
    else if (told.kind === 'open') webContents.onWindowOpen?.({ url: ours(told.url) });
    else {
      const senderFrame = frame === page.mainFrame() ? webContents.mainFrame : { url: ours(frame.url()) };
      ipcMain.emit(told.channel, { senderFrame, ports: told.ports.map(open) }, told.message);
    }
  });
  await page.addInitScript({ content: preloadScript(window) });
  await page.route(`${ORIGIN}/**`, async (route) => {
    const response = await protocol.handlers.get('app')?.(new Request(ours(route.request().url())));
    if (!response) return route.abort();
    const body = Buffer.from(await response.arrayBuffer());
    return route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body });
  });
  let loads = 0;
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || !frame.url().startsWith(ORIGIN)) return;
    webContents.mainFrame.url = ours(frame.url());
    loads += 1;
    // The first one was told when the window was made.
    if (loads > 1) webContents.emit('did-navigate', {}, webContents.mainFrame.url);
  });
  webContents.send = (channel, message) => toPage(page, 'ask', channel, message);
  webContents.reload = () => void page.reload().catch(() => {});
  webContents.on('destroyed', () => void page.close().catch(() => {}));
  await page.goto(url.replace(APP_ORIGIN, ORIGIN));
};

/** A page that has gone hears nothing. */
function toPage(page: Page, kind: 'data' | 'close' | 'ask', to: number | string, what: unknown): void {
  page
    .evaluate(
      (message) => void Reflect.apply(Reflect.get(globalThis, 'doubleHears'), undefined, message),
      [kind, to, what],
    )
    .catch(() => {});
}

/** The built preload, with an `electron` that tells all to the double. */
function preloadScript(window: BrowserWindow): string {
  const preload = readFileSync(window.options.webPreferences.preload, 'utf8');
  return `(() => {
    const ports = new Map(), listeners = new Map();
    window.doubleHears = (kind, to, what) => {
      if (kind === 'data') ports.get(to)?.postMessage(what);
      else if (kind === 'close') ports.get(to)?.close();
      else listeners.get(to)?.({}, what);
    };
    window.open = (url) => (doubleTells({ kind: 'open', url: new URL(url, location.href).href }), null);
    const number = (port) => {
      const id = Math.floor(Math.random() * 2 ** 50);
      ports.set(id, port);
      port.onmessage = ({ data }) => void doubleTells({ kind: 'data', port: id, data });
      return id;
    };
    const ipcRenderer = {
      postMessage: (channel, message, given = []) =>
        void doubleTells({ kind: 'post', channel, message, ports: given.map(number) }),
      on: (channel, listener) => void listeners.set(channel, listener),
      removeAllListeners: (channel) => void listeners.delete(channel),
    };
    const contextBridge = { exposeInMainWorld: (name, api) => void (window[name] = api) };
    const module = { exports: {} };
    ((require, module, exports) => {${preload}
    })(() => ({ ipcRenderer, contextBridge }), module, module.exports);
  })();`;
}
