import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessagePort as NodePort } from 'node:worker_threads';
import { holdsSingleInstance } from './single-instance.ts';

export { dialog } from './dialog.ts';

/**
 * A handwritten double of the part of Electron that the desktop shell uses: real ports, real events, no window. It
 * behaves as Electron's documentation says, so that the built bundle runs on it unchanged.
 */

/** Waits for the end of a process, so that its lock is free, and starts Node with the other arguments. */
const START_AFTER = `
  const [pid, ...args] = process.argv.slice(1);
  const timer = setInterval(() => {
    try {
      process.kill(Number(pid), 0);
    } catch {
      clearInterval(timer);
      require('node:child_process').spawn(process.execPath, args, { detached: true, stdio: 'ignore' }).unref();
    }
  }, 20);
`;

export const app = Object.assign(new EventEmitter(), {
  isPackaged: false,
  paths: new Map([['appData', process.env['DOUBLE_APP_DATA'] ?? join(tmpdir(), 'electron-double')]]),
  getPath: (name: string) => app.paths.get(name) ?? '',
  setPath: (name: string, path: string) => void app.paths.set(name, path),
  requestSingleInstanceLock: () =>
    holdsSingleInstance(app.getPath('userData'), (args) => app.emit('second-instance', {}, args)),
  whenReady: () => Promise.resolve(),
  quit: () => {
    for (const window of windows.splice(0)) window.close();
    let prevented = false;
    app.emit('will-quit', { preventDefault: () => void (prevented = true) });
    if (!prevented) app.exit(0);
  },
  exit: (code: number) => process.exit(code),
  /** Starts it again after it has ended, as Electron does. */
  relaunch: ({ args = process.argv.slice(1) }: { args?: string[] } = {}) => {
    process.once('exit', () => {
      const again = ['-e', START_AFTER, '--', String(process.pid), ...process.execArgv, ...args];
      spawn(process.execPath, again, { detached: true, stdio: 'ignore' }).unref();
    });
  },
  setAsDefaultProtocolClient: () => true,
  loginItem: { openAtLogin: false },
  getLoginItemSettings: () => app.loginItem,
  setLoginItemSettings: (wanted: { openAtLogin: boolean }) => void (app.loginItem = wanted),
});

/** One screen, and another to its right that a test may remove. */
export const screen = {
  displays: [
    { id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1040 } },
    ...(process.env['DOUBLE_ONE_SCREEN'] === '1'
      ? []
      : [{ id: 2, workArea: { x: 1920, y: 0, width: 1920, height: 1080 } }]),
  ],
  getPrimaryDisplay: () => screen.displays[0],
  getAllDisplays: () => screen.displays,
};

export interface DoubleFrame {
  url: string;
}

/** A keychain that exists if a test enables it. It seals by inverting every bit. */
export const safeStorage = {
  available: false,
  backend: 'gnome_libsecret',
  isEncryptionAvailable: () => safeStorage.available,
  getSelectedStorageBackend: () => safeStorage.backend,
  encryptString: (text: string) => Buffer.from(text).map((byte) => byte ^ 0xff),
  decryptString: (sealed: Buffer) => Buffer.from(sealed.map((byte) => byte ^ 0xff)).toString(),
};

type WindowOpenHandler = (details: { url: string }) => { action: 'allow' | 'deny' };
type PermissionHandler = (contents: DoubleContents, permission: string, response: (allowed: boolean) => void) => void;

export class DoubleSession {
  onRequest: PermissionHandler | null = null;
  setPermissionRequestHandler(handler: PermissionHandler): void {
    this.onRequest = handler;
  }
  setPermissionCheckHandler(): void {}
  setDevicePermissionHandler(): void {}
}

export class DoubleContents extends EventEmitter {
  readonly mainFrame: DoubleFrame = { url: 'about:blank' };
  readonly session = new DoubleSession();
  onWindowOpen: WindowOpenHandler | null = null;
  getURL(): string {
    return this.mainFrame.url;
  }
  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.onWindowOpen = handler;
  }
  /** Messages from main to the page, and main's actions on it. */
  readonly sent: unknown[] = [];
  readonly done: string[] = [];
  send(channel: string, message: unknown): void {
    this.sent.push([channel, message]);
  }
  reload(): void {
    this.done.push('reload');
    this.emit('did-navigate', {}, this.mainFrame.url);
  }
  forcefullyCrashRenderer(): void {
    this.done.push('crash');
    this.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 });
  }
}

/** Shows pages in a real browser; null if windows are only simulated. */
export const pages = { show: null as ((window: BrowserWindow, url: string) => Promise<void>) | null };

export const windows: BrowserWindow[] = [];

function* placesOf(options: Record<string, unknown>): Generator<[string, number]> {
  for (const key of ['x', 'y', 'width', 'height']) {
    const value = options[key];
    if (typeof value === 'number') yield [key, value];
  }
}

export class BrowserWindow extends EventEmitter {
  readonly webContents = new DoubleContents();
  readonly options: { webPreferences: { preload: string } & Record<string, unknown> } & Record<string, unknown>;
  focused = 0;
  #destroyed = false;
  constructor(options: BrowserWindow['options']) {
    super();
    this.options = options;
    this.bounds = { ...this.bounds, ...Object.fromEntries(placesOf(options)) };
    windows.push(this);
  }
  async loadURL(url: string): Promise<void> {
    this.webContents.mainFrame.url = url;
    this.webContents.emit('did-navigate', {}, url);
    await pages.show?.(this, url);
    this.emit('ready-to-show');
  }
  show(): void {}
  focus(): void {
    this.focused += 1;
  }
  isMinimized(): boolean {
    return false;
  }
  restore(): void {}
  isDestroyed(): boolean {
    return this.#destroyed;
  }
  maximized = false;
  maximize(): void {
    this.maximized = true;
    this.emit('maximize');
  }
  isMaximized(): boolean {
    return this.maximized;
  }
  bounds = { x: 100, y: 100, width: 1440, height: 900 };
  getNormalBounds() {
    return this.bounds;
  }
  destroy(): void {
    this.#destroyed = true;
    this.webContents.emit('destroyed');
  }
  close(): void {
    this.emit('close');
    this.#destroyed = true;
    this.webContents.emit('destroyed');
  }
}

/** A port as main gets it: data arrives in events, and not before `start`. */
export class MessagePortMain extends EventEmitter {
  readonly #port: NodePort;
  #closed = false;
  constructor(port: NodePort) {
    super();
    this.#port = port;
    // Only the other side is notified of a close.
    port.on('close', () => {
      if (!this.#closed) this.emit('close');
    });
  }
  start(): void {
    this.#port.on('message', (data: unknown) => this.emit('message', { data, ports: [] }));
  }
  postMessage(message: unknown): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has one other end
    this.#port.postMessage(message);
  }
  close(): void {
    this.#closed = true;
    this.#port.close();
  }
}

export const ipcMain = new EventEmitter();

/** In the preload: posted messages reach main as messages of the page's frame. */
export const ipcRenderer = {
  sender: null as DoubleFrame | null,
  on: () => {},
  removeAllListeners: () => {},
  postMessage: (channel: string, message: unknown, ports: NodePort[] = []) => {
    const event = { senderFrame: ipcRenderer.sender, ports: ports.map((port) => new MessagePortMain(port)) };
    ipcMain.emit(channel, event, message);
  },
};

export const contextBridge = {
  exposed: new Map<string, unknown>(),
  exposeInMainWorld: (name: string, api: unknown) => void contextBridge.exposed.set(name, api),
};

export const protocol = {
  schemes: [] as unknown[],
  handlers: new Map<string, (request: Request) => Promise<Response>>(),
  registerSchemesAsPrivileged: (schemes: unknown[]) => void protocol.schemes.push(...schemes),
  handle: (scheme: string, handler: (request: Request) => Promise<Response>) =>
    void protocol.handlers.set(scheme, handler),
};

export const shell = {
  opened: [] as string[],
  openExternal: async (url: string) => void shell.opened.push(url),
};

interface MenuItem {
  id?: string;
  label?: string;
  enabled?: boolean;
  accelerator?: string;
  click?: () => void;
}

interface TopMenu {
  label?: string;
  role?: string;
  submenu?: MenuItem[];
}

export const Menu = {
  buildFromTemplate: <T>(template: T): T => template,
  installed: [] as TopMenu[],
  setApplicationMenu: (menu: TopMenu[]): void => void (Menu.installed = menu),
};
