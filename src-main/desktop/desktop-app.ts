import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import { app, dialog } from 'electron';
import { createRouterClient } from '@orpc/server';
import type { DesktopRequest } from '#contract/bridge';
import { startInstance } from '../host/instance.ts';
import { rendererFiles } from '../host/renderer-files.ts';
import { RestorableWorkbench } from '../host/restorable-workbench.ts';
import { messageOf, TagwrightError } from '../platform/errors.ts';
import { createLog } from '../platform/log.ts';
import { productRoot, rendererFolder } from '../platform/files/paths.ts';
import type { Release } from '../workspace/updates/update-check.ts';
import { followUpdates } from '../workspace/updates/update-check.ts';
import { createDispatcher } from '../rpc/dispatcher.ts';
import { createRouter } from '../rpc/router.ts';
import type { Workbench } from '../workbench.ts';
import { serveAppProtocol } from './app-protocol.ts';
import { followLink } from './deep-link.ts';
import { exportToFolder, importFromFolder } from './folder-dialogs.ts';
import type { MenuActions } from './menu.ts';
import { installMenu } from './menu.ts';
import { followOpenAtLogin } from './open-at-login.ts';
import { PageBridge } from './page-bridge.ts';
import { PortRelay } from './port-relay.ts';
import { safeStorageCipher } from './safe-storage-cipher.ts';
import { createWindow } from './window.ts';

export interface DesktopApp {
  /** Brings the workbench to the front; opens it again if only windows of Diagrams are left. */
  show(): void;
  /** Shows the target of a `tagwright://…` link, or an error if there is none. */
  follow(link: string): void;
  /** Ends the calls and streams of the window and of the command line, the script hosts, and releases the workspace. */
  close(): Promise<void>;
}

/** Any page of a browser can open links, without limit. */
const MOST_WAITING = 20;

/** Opens the workspace and shows its workbench in a window; commands of this machine can use the instance too. */
export async function openDesktopApp(directory: string): Promise<DesktopApp> {
  const root = productRoot();
  const log = createLog({ level: 'warn', file: join(directory, 'logs', 'tagwright.log') });
  serveAppProtocol(await rendererFiles(rendererFolder(root)));
  const options = { directory, root, createSample: true, cipher: safeStorageCipher(), log };
  const workbench = await RestorableWorkbench.open(options, failToOpen);
  const closing: (() => Promise<void> | void)[] = [() => workbench.close()];
  const close = async () => {
    for (const step of closing.splice(0).toReversed()) await step();
  };
  const logFault = (where: string, fault: unknown) => log.error(`${where} failed`, fault);
  const client = () => createRouterClient(createRouter(workbench.current.services, logFault));
  try {
    const server = await startInstance(workbench, { files: null, ports: [0], log });
    closing.push(() => server.close());
    const relay = new PortRelay(log);
    closing.push(() => relay.close());
    const sendToPage = (request: DesktopRequest | null) => request && page.request(request);
    const actions: MenuActions = {
      run: (id) => {
        show();
        page.request({ kind: 'command', id });
      },
      // The workbench shows the result, and its window may have been closed while one of a Diagram stayed.
      exportFolder: () => {
        show();
        void exportToFolder(workbenchWindow, client()).then(sendToPage);
      },
      importFolder: () => {
        show();
        void importFromFolder(workbenchWindow, client()).then(sendToPage);
      },
    };
    installMenu([], actions);
    const page = new PageBridge(log, (commands) => installMenu(commands, actions));
    closing.push(() => page.close());
    const onNewer = ({ version: newer, url = '' }: Release) =>
      page.request({ kind: 'notice', intent: 'info', title: `Tagwright ${newer} is available`, body: url });
    const following: (() => void)[] = [];
    let paused = false;
    const pause = () => {
      paused = true;
      for (const end of following.splice(0)) end();
      relay.pause();
    };
    const serve = ({ services }: Workbench) => {
      paused = false;
      relay.serve(createDispatcher(createRouter(services, logFault), logFault));
      const { settings } = services;
      const { version } = services.app.info();
      following.push(followOpenAtLogin(settings, directory, log), followUpdates({ settings, version, log, onNewer }));
      for (const link of waiting.splice(0)) follow(link);
    };
    const preload = join(root, 'out', 'preload', 'index.cjs');
    const icon = join(root, 'resources', 'icon', 'icon.png');
    const open = (path: string, stateFile: string | null): BrowserWindow => {
      const window = createWindow({ preload, icon, path, onDiagram: openDiagram, stateFile, log });
      relay.add(window.webContents);
      return window;
    };
    const openDiagram = (path: string) => void open(path, null);
    const openWorkbench = () => {
      const window = open('/', join(app.getPath('userData'), 'window.json'));
      page.follow(window.webContents);
      return window;
    };
    let workbenchWindow = openWorkbench();
    const show = () => {
      if (workbenchWindow.isDestroyed()) workbenchWindow = openWorkbench();
      if (workbenchWindow.isMinimized()) workbenchWindow.restore();
      workbenchWindow.focus();
    };
    const linked = new Map<string, BrowserWindow>();
    // Links that arrive during a restore wait for the workspace.
    let waiting: string[] = [];
    const follow = (link: string) => {
      if (paused) {
        waiting = [...waiting, link].slice(-MOST_WAITING);
        return;
      }
      const found = followLink(link, workbench.current.services);
      if (found.kind === 'diagram') {
        // Any page can open links, without limit: one window per Diagram.
        const shown = linked.get(found.path);
        if (shown === undefined || shown.isDestroyed()) linked.set(found.path, open(found.path, null));
        else shown.focus();
      } else {
        show();
        page.request(found);
      }
    };
    workbench.serveBy({ serve, pause });
    closing.push(pause, () => workbench.settle());
    return { show, follow, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** Shows in a system dialog why there is no window, and ends. */
export function failToOpen(thrown: unknown): void {
  const known = thrown instanceof TagwrightError;
  const text = known ? thrown.message : `Internal error of Tagwright: ${messageOf(thrown)}`;
  process.stderr.write(`tagwright: ${text}\n`);
  dialog.showErrorBox('Tagwright cannot open the workspace', text);
  app.exit(1);
}
