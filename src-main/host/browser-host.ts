import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { createLog } from '../platform/log.ts';
import { TagwrightError } from '../platform/errors.ts';
import { productRoot, rendererFolder } from '../platform/files/paths.ts';
import { LOOPBACK } from '../platform/http/loopback.ts';
import { startTelemetry } from '../platform/telemetry/telemetry.ts';
import { productVersion } from '../platform/version.ts';
import type { HostServer } from './host-server.ts';
import { startInstance } from './instance.ts';
import { rendererFiles } from './renderer-files.ts';
import { RestorableWorkbench } from './restorable-workbench.ts';
import { siteMetrics } from './site-metrics.ts';

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
  /** Port of the metrics on loopback; undefined: no metrics. */
  metricsPort?: number | undefined;
}

export interface BrowserHost extends Pick<HostServer, 'url' | 'oneTimeUrl'> {
  /** The base URL of the events API; null if it does not listen. */
  eventsApi(): string | null;
  /** The address of the metrics; null if there are none. */
  readonly metrics: string | null;
  /** Rejects if the host has lost its workspace in a failed restore; never resolves. */
  readonly lost: Promise<never>;
  /** Ends calls, streams and script hosts, and releases the workspace. */
  close(): Promise<void>;
}

/** Opens the workspace and serves its workbench to browsers. */
export async function openBrowserHost(options: BrowserHostOptions): Promise<BrowserHost> {
  const { directory, port, ui, eventsPort, metricsPort } = options;
  const root = productRoot();
  const log = createLog({ level: 'warn', file: join(directory, 'logs', 'tagwright.log') });
  const files = ui ? await rendererFiles(rendererFolder(root)) : null;
  const lost = Promise.withResolvers<never>();
  // Code that waits for it gets the error.
  lost.promise.catch(() => {});
  let opened: RestorableWorkbench | null = null;
  const services = () => {
    if (!opened) throw new TagwrightError('UNAVAILABLE', 'The workspace is being opened.');
    return opened.current.services;
  };
  const telemetry = await startTelemetry({
    service: 'tagwright',
    version: productVersion(root),
    metrics: metricsPort === undefined ? null : { port: metricsPort, address: LOOPBACK },
    collect: async () => siteMetrics(services()),
    ready: async () => {
      const [reason] = services().eventsApi.problems();
      if (reason) throw new TagwrightError('UNAVAILABLE', `${reason.code}: ${reason.message}`);
    },
    log,
  });
  let workbench: RestorableWorkbench;
  try {
    const observe = (handler: RequestListener) => telemetry.observe(handler);
    const made = { directory, root, createSample: true, log, eventsPort, observe };
    workbench = opened = await RestorableWorkbench.open(made, lost.reject);
  } catch (thrown) {
    await telemetry.close();
    throw thrown;
  }
  try {
    const ports = port === undefined ? [USUAL_UI_PORT, 0] : [port];
    const server = await startInstance(workbench, { files, ports, log });
    return {
      url: server.url,
      metrics: telemetry.url,
      eventsApi: () => workbench.current.services.eventsApi.status().url,
      oneTimeUrl: () => server.oneTimeUrl(),
      lost: lost.promise,
      close: async () => {
        await workbench.settle();
        await server.close();
        await workbench.close();
        await telemetry.close();
      },
    };
  } catch (thrown) {
    await workbench.close();
    await telemetry.close();
    throw thrown;
  }
}
