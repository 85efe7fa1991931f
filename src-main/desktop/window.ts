import { BrowserWindow, shell } from 'electron';
import { APP_ORIGIN } from '#contract/bridge';
import { parseDiagramAddress } from '#domain/tag/diagram';
import type { Log } from '../platform/log.ts';
import { watchPage } from './page-faults.ts';
import { isOurPage } from './trusted-sender.ts';
import { keepWindowState, placeOf, readWindowState, SMALLEST, workAreas } from './window-state.ts';

export interface WindowOptions {
  /** The file of the preload. */
  preload: string;
  /** The icon file that Linux shows for the window; other systems use that of the program. */
  icon: string;
  /** The page of the window: `/` is the workbench, `/diagrams/<name>` a Diagram alone. */
  path: string;
  /** Called when the page opens a Diagram in its own window. */
  onDiagram: (path: string) => void;
  /** The file with the position of the window; null if it is not stored. */
  stateFile: string | null;
  log: Log;
}

/**
 * A window: a sandboxed page of our own that cannot navigate elsewhere. Links to the web open in the default browser,
 * all others nowhere.
 */
export function createWindow({ preload, icon, path, onDiagram, stateFile, log }: WindowOptions): BrowserWindow {
  const kept = stateFile === null ? null : readWindowState(stateFile);
  const window = new BrowserWindow({
    title: 'Tagwright',
    icon,
    ...placeOf(kept, workAreas()),
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
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
    const diagram = isOurPage(url) ? diagramPath(url) : null;
    if (diagram !== null) onDiagram(diagram);
    else if (/^https?:\/\//i.test(url)) void shell.openExternal(url).catch(() => {});
    return { action: 'deny' };
  });
  webContents.on('will-navigate', stay);
  webContents.on('will-redirect', stay);
  webContents.on('will-frame-navigate', stay);
  webContents.on('will-attach-webview', (event) => event.preventDefault());
  denyPermissions(webContents.session);

  watchPage(window, log);
  if (stateFile !== null) keepWindowState(window, stateFile);
  if (kept?.maximized) window.maximize();

  window.once('ready-to-show', () => window.show());
  void window.loadURL(`${APP_ORIGIN}${path}`).catch(() => {
    // The window reports it: a page that could not be loaded shows why.
  });
  return window;
}

/** The path of a Diagram with its query; null for every other page. */
function diagramPath(url: string): string | null {
  const { pathname, search } = new URL(url);
  return parseDiagramAddress(pathname, search) ? `${pathname}${search}` : null;
}

function stay(event: { preventDefault(): void; url: string }): void {
  if (!isOurPage(event.url)) event.preventDefault();
}

const isAllowed = (permission: string, url: string) => permission === 'clipboard-sanitized-write' && isOurPage(url);

/** The editor only needs to copy; everything else is denied. */
function denyPermissions(session: Electron.Session): void {
  session.setPermissionRequestHandler((contents, permission, respond) => {
    respond(isAllowed(permission, contents.getURL()));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => isAllowed(permission, origin));
  session.setDevicePermissionHandler(() => false);
}
