import { BrowserWindow, shell } from 'electron';
import { APP_ORIGIN } from '#contract/bridge';
import { isOurPage } from './trusted-sender.ts';

/**
 * The window: a sandboxed page of our own that can go nowhere else. Links out of it open in the default browser when
 * they lead to the web, and nowhere else.
 */
export function createWindow(preload: string): BrowserWindow {
  const window = new BrowserWindow({
    title: 'Tagwright',
    width: 1440,
    height: 900,
    minWidth: 800,
    minHeight: 500,
    show: false,
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  const { webContents } = window;
  webContents.setWindowOpenHandler(({ url }) => {
    if (/^https?:\/\//i.test(url)) void shell.openExternal(url).catch(() => {});
    return { action: 'deny' };
  });
  webContents.on('will-navigate', stay);
  webContents.on('will-redirect', stay);
  webContents.on('will-frame-navigate', stay);
  webContents.on('will-attach-webview', (event) => event.preventDefault());
  denyPermissions(webContents.session);

  window.once('ready-to-show', () => window.show());
  void window.loadURL(`${APP_ORIGIN}/`).catch(() => {
    // The window tells: a page that could not be loaded shows why.
  });
  return window;
}

function stay(event: { preventDefault(): void; url: string }): void {
  if (!isOurPage(event.url)) event.preventDefault();
}

const isAllowed = (permission: string, url: string) => permission === 'clipboard-sanitized-write' && isOurPage(url);

/** All that the editor needs is to copy; everything else is refused. */
function denyPermissions(session: Electron.Session): void {
  session.setPermissionRequestHandler((contents, permission, answer) => {
    answer(isAllowed(permission, contents.getURL()));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => isAllowed(permission, origin));
  session.setDevicePermissionHandler(() => false);
}
