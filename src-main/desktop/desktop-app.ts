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
import { relayPorts } from './port-relay.ts';
import { safeStorageCipher } from './safe-storage-cipher.ts';
import { createWindow } from './window.ts';

export interface DesktopApp {
  readonly window: BrowserWindow;
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
    const window = createWindow(join(root, 'out', 'preload', 'index.cjs'));
    closing.push(relayPorts(window.webContents, dispatcher, log));
    return { window, close };
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
