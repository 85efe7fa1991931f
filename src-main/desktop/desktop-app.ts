import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import { app, dialog } from 'electron';
import { startInstance } from '../headless/instance.ts';
import { rendererFiles } from '../headless/renderer-files.ts';
import { messageOf, TagwrightError } from '../platform/errors.ts';
import { createLog } from '../platform/log.ts';
import { productRoot, rendererFolder } from '../platform/paths.ts';
import { createDispatcher } from '../rpc/dispatcher.ts';
import { createRouter } from '../rpc/router.ts';
import { openWorkbench } from '../workbench.ts';
import { serveAppProtocol } from './app-protocol.ts';
import { installMenu } from './menu.ts';
import { PortRelay } from './port-relay.ts';
import { safeStorageCipher } from './safe-storage-cipher.ts';
import { createWindow } from './window.ts';

export interface DesktopApp {
  /** Brings the workbench to the front; opens it again where only windows of Diagrams are left. */
  show(): void;
  /** Ends the calls and streams of the window and of the command line, the script hosts, and frees the workspace. */
  close(): Promise<void>;
}

/** Opens the workspace and shows its workbench in a window; commands of this machine can use the instance too. */
export async function openDesktopApp(directory: string): Promise<DesktopApp> {
  const root = productRoot();
  const log = createLog({ file: join(directory, 'logs', 'tagwright.log') });
  serveAppProtocol(await rendererFiles(rendererFolder(root)));
  const workbench = await openWorkbench({ directory, root, createSample: true, cipher: safeStorageCipher(), log });
  const closing: (() => Promise<void> | void)[] = [() => workbench.close()];
  const close = async () => {
    for (const step of closing.splice(0).toReversed()) await step();
  };
  try {
    const server = await startInstance(workbench, { files: null, ports: [0], log });
    closing.push(() => server.close());
    const logFault = (where: string, fault: unknown) => log.error(`${where} failed`, fault);
    const dispatcher = createDispatcher(createRouter(workbench.services, logFault), logFault);
    installMenu();
    const relay = new PortRelay(dispatcher, log);
    closing.push(() => relay.close());
    const preload = join(root, 'out', 'preload', 'index.cjs');
    const open = (path: string): BrowserWindow => {
      const window = createWindow({ preload, path, onDiagram: open });
      relay.add(window.webContents);
      return window;
    };
    let workbenchWindow = open('/');
    const show = () => {
      if (workbenchWindow.isDestroyed()) workbenchWindow = open('/');
      if (workbenchWindow.isMinimized()) workbenchWindow.restore();
      workbenchWindow.focus();
    };
    return { show, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** Says in a box of the system why there is no window, and ends. */
export function failToOpen(thrown: unknown): void {
  const known = thrown instanceof TagwrightError;
  const text = known ? thrown.message : `Something went wrong that is a fault of Tagwright: ${messageOf(thrown)}`;
  process.stderr.write(`tagwright: ${text}\n`);
  dialog.showErrorBox('Tagwright cannot open the workspace', text);
  app.exit(1);
}
