import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import type { Contract } from '#contract';
import { app, contextBridge, dialog, ipcMain, ipcRenderer, Menu, protocol, shell, windows } from './electron.ts';

/** Commands of a test to the process in which the desktop bundle runs on the double. */
export type Command =
  /** Runs the real preload as the page at `from`, and calls RPC over its port. */
  | { do: 'connect'; from: string; frame: 'top' | 'inner'; window?: number }
  | { do: 'call'; path: string; input?: unknown }
  /** Starts a call without waiting for it. */
  | { do: 'leave'; path: string; input: unknown }
  /** Opens a stream, reads its first value, and leaves it open. */
  | { do: 'first'; path: string; input?: unknown }
  /** Navigates to the same page; responds when main has closed its port. */
  | { do: 'reload' }
  | { do: 'fetch'; url: string }
  | { do: 'navigate'; url: string }
  | { do: 'open'; url: string }
  /** The content of each window, in the order of opening. */
  | { do: 'windows' }
  /** Closes the first window, as its close button does. */
  | { do: 'close' }
  | { do: 'permission'; name: string }
  | { do: 'describe' }
  | { do: 'second-instance'; args?: string[] }
  /** The page reports its commands, from a frame at `from`. */
  | { do: 'offer'; from: string; commands: unknown }
  /** Main's requests to the page, the menu, the dialogs, and main's actions on the page. */
  | { do: 'seen' }
  | { do: 'menu'; label: string }
  /** Simulates an event of the window or its page. `answer` is the button pressed in message boxes. */
  | { do: 'happens'; to: 'window' | 'page'; event: string; details?: unknown; answer?: number }
  /** Presses a button of an open dialog; false if no dialog has it. */
  | { do: 'press'; button: string }
  | { do: 'place'; bounds: { x: number; y: number; width: number; height: number }; maximized: boolean }
  | { do: 'folder'; path: string | null }
  /** Ends it. With `again`, it is started once more with these arguments while it closes. */
  | { do: 'quit'; again?: string[] };

let client: ContractRouterClient<Contract> | null = null;
/** Resolves when main has closed the port of the page. */
let portClosed = Promise.resolve();

const theWindow = (index = 0) => {
  const window = windows[index];
  if (!window) throw new Error('there is no window');
  return window;
};

/** The page: its window receives the port in a message, as in a browser. */
function connect(from: string, frame: 'top' | 'inner', index = 0): Promise<boolean> {
  const page = new EventEmitter();
  const { webContents, options } = theWindow(index);
  webContents.mainFrame.url = from;
  ipcRenderer.sender = frame === 'top' ? webContents.mainFrame : { url: from };
  const require = createRequire(import.meta.url);
  Object.assign(globalThis, {
    MessageChannel,
    window: {
      location: { origin: /^[a-z]+:\/\/[^/]*/.exec(from)?.[0] },
      postMessage: (data: unknown, _origin: string, ports: unknown[]) => void page.emit('message', { data, ports }),
    },
  });
  delete require.cache[options.webPreferences.preload];
  require(options.webPreferences.preload);
  const bridge = contextBridge.exposed.get('tagwright');
  return new Promise((resolve) => {
    page.once('message', ({ data, ports: [port] }) => {
      if (data !== 'tagwright:port') return;
      portClosed = new Promise((closed) => {
        port.on('close', () => {
          closed();
          resolve(false);
        });
      });
      client = createORPCClient(new RPCLink({ port }));
      port.start();
      client?.app.info().then(
        () => resolve(true),
        () => resolve(false),
      );
    });
    if (typeof bridge === 'object' && bridge && 'connect' in bridge && typeof bridge.connect === 'function') {
      bridge.connect();
    }
  });
}

async function call(path: string, input: unknown): Promise<unknown> {
  let procedure: unknown = client;
  for (const name of path.split('.')) procedure = Reflect.get(Object(procedure), name);
  if (typeof procedure !== 'function') throw new Error(`no procedure ${path}`);
  return Reflect.apply(procedure, undefined, [input]);
}

function isPrevented(name: string, url: string): boolean {
  let prevented = false;
  theWindow().webContents.emit(name, { url, preventDefault: () => void (prevented = true) });
  return prevented;
}

async function perform(command: Command): Promise<unknown> {
  const { webContents, options, focused } = theWindow();
  switch (command.do) {
    case 'connect':
      return connect(command.from, command.frame, command.window);
    case 'call':
      return call(command.path, command.input);
    case 'leave':
      call(command.path, command.input).catch(() => {});
      return null;
    case 'first': {
      const stream = await call(command.path, command.input);
      return Reflect.apply(Reflect.get(Object(stream), 'next'), stream, []);
    }
    case 'reload':
      webContents.emit('did-navigate', {}, webContents.mainFrame.url);
      await portClosed;
      return true;
    case 'fetch': {
      const response = await protocol.handlers.get('app')?.(new Request(command.url));
      if (!response) return null;
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
    }
    case 'navigate':
      return isPrevented('will-navigate', command.url) && isPrevented('will-frame-navigate', command.url);
    case 'open':
      return { ...webContents.onWindowOpen?.({ url: command.url }), opened: shell.opened };
    case 'windows':
      return windows.filter((window) => !window.isDestroyed()).map((window) => window.webContents.getURL());
    case 'close':
      theWindow().close();
      return null;
    case 'permission':
      return new Promise((resolve) => webContents.session.onRequest?.(webContents, command.name, resolve));
    case 'describe':
      return {
        url: webContents.mainFrame.url,
        preferences: options.webPreferences,
        schemes: protocol.schemes,
        listeners: ipcMain.listenerCount('tagwright:connect'),
        focused,
      };
    case 'second-instance':
      app.emit('second-instance', {}, command.args ?? []);
      return null;
    case 'offer':
      webContents.mainFrame.url = command.from;
      ipcRenderer.sender = webContents.mainFrame;
      ipcRenderer.postMessage('tagwright:offer', command.commands);
      return null;
    case 'seen':
      return {
        sent: webContents.sent,
        done: webContents.done,
        boxes: dialog.shown,
        menu: Menu.installed.map(({ label, role, submenu = [] }) => [
          label ?? role,
          submenu.map((item) => [item.label, item.enabled, item.accelerator]),
        ]),
        place: { ...theWindow().getNormalBounds(), maximized: theWindow().isMaximized() },
      };
    case 'menu': {
      const item = Menu.installed.flatMap(({ submenu = [] }) => submenu).find(({ label }) => label === command.label);
      item?.click?.();
      return item !== undefined;
    }
    case 'happens':
      dialog.answer = command.answer;
      (command.to === 'window' ? theWindow() : webContents).emit(command.event, {}, command.details);
      return null;
    case 'press':
      return dialog.standing?.(command.button) ?? false;
    case 'place':
      theWindow().bounds = command.bounds;
      if (command.maximized) theWindow().maximize();
      theWindow().emit('resize');
      return null;
    case 'folder':
      dialog.folder = command.path;
      return null;
    case 'quit':
      setImmediate(() => {
        app.quit();
        if (command.again) app.emit('second-instance', {}, command.again);
      });
      return null;
    default:
      throw new Error('no such command');
  }
}

process.on('message', (command: Command) => {
  perform(command).then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
// Listening to the test must not keep the application alive.
process.channel?.unref();
