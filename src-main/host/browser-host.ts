import { join } from 'node:path';
import { createLog } from '../platform/log.ts';
import { productRoot, rendererFolder } from '../platform/files/paths.ts';
import type { HostServer } from './host-server.ts';
import { startInstance } from './instance.ts';
import { rendererFiles } from './renderer-files.ts';
import { RestorableWorkbench } from './restorable-workbench.ts';

/** The default port of the workbench for browsers, if it is free: addresses stay the same. */
const USUAL_UI_PORT = 4861;

export interface BrowserHostOptions {
  /** The folder of the workspace. */
  directory: string;
  /** undefined: the default port, or a free one if that is taken; 0: a free one. */
  port: number | undefined;
  /** Without it, only programs are served. */
  ui: boolean;
  /** Port of the events API; undefined: from the settings, and no error if it is taken. */
  eventsPort?: number | undefined;
}

export interface BrowserHost extends Pick<HostServer, 'url' | 'oneTimeUrl'> {
  /** The base URL of the events API; null if it does not listen. */
  eventsApi(): string | null;
  /** Rejects if the host has lost its workspace in a failed restore; never resolves. */
  readonly lost: Promise<never>;
  /** Ends calls, streams and script hosts, and releases the workspace. */
  close(): Promise<void>;
}

/** Opens the workspace and serves its workbench to browsers. */
export async function openBrowserHost({ directory, port, ui, eventsPort }: BrowserHostOptions): Promise<BrowserHost> {
  const root = productRoot();
  const log = createLog({ level: 'warn', file: join(directory, 'logs', 'tagwright.log') });
  const files = ui ? await rendererFiles(rendererFolder(root)) : null;
  const lost = Promise.withResolvers<never>();
  // Code that waits for it gets the error.
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
