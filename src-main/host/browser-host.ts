import { join } from 'node:path';
import { createLog } from '../platform/log.ts';
import { productRoot, rendererFolder } from '../platform/files/paths.ts';
import type { HostServer } from './host-server.ts';
import { startInstance } from './instance.ts';
import { rendererFiles } from './renderer-files.ts';
import { RestorableWorkbench } from './restorable-workbench.ts';

/** The port that browsers find the workbench on when nobody chose one and it is free: addresses stay the same. */
const USUAL_UI_PORT = 4861;

export interface BrowserHostOptions {
  /** The folder of the workspace. */
  directory: string;
  /** undefined: the usual port, or a free one where that is taken; 0: a free one. */
  port: number | undefined;
  /** Without it only programs are served. */
  ui: boolean;
  /** Port of the events API; undefined: as the settings say, and no error where that is taken. */
  eventsPort?: number | undefined;
}

export interface BrowserHost extends Pick<HostServer, 'url' | 'oneTimeUrl'> {
  /** The base URL of the events API; null where it does not listen. */
  eventsApi(): string | null;
  /** Rejects when the host has lost its workspace in a restore that failed; never resolves. */
  readonly lost: Promise<never>;
  /** Ends calls and streams, the script hosts, and gives the workspace free. */
  close(): Promise<void>;
}

/** Opens the workspace and serves its workbench to browsers. */
export async function openBrowserHost({ directory, port, ui, eventsPort }: BrowserHostOptions): Promise<BrowserHost> {
  const root = productRoot();
  const log = createLog({ level: 'warn', file: join(directory, 'logs', 'tagwright.log') });
  const files = ui ? await rendererFiles(rendererFolder(root)) : null;
  const lost = Promise.withResolvers<never>();
  // Whoever waits for it is told.
  lost.promise.catch(() => {});
  const workbench = await RestorableWorkbench.open(
    { directory, root, createSample: true, log, eventsPort },
    lost.reject,
  );
  try {
    const ports = port === undefined ? [USUAL_UI_PORT, 0] : [port];
    const server = await startInstance(workbench, { files, ports, log });
    return {
      url: server.url,
      eventsApi: () => workbench.current.services.eventsApi.status().url,
      oneTimeUrl: () => server.oneTimeUrl(),
      lost: lost.promise,
      close: async () => {
        await workbench.settle();
        await server.close();
        await workbench.close();
      },
    };
  } catch (thrown) {
    await workbench.close();
    throw thrown;
  }
}
