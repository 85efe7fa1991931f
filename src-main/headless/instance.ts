import type { Log } from '../platform/log.ts';
import { createRouter } from '../rpc/router.ts';
import type { Services } from '../rpc/services.ts';
import type { HostServer } from './host-server.ts';
import { startHostServer } from './host-server.ts';
import type { RendererFiles } from './renderer-files.ts';

/** What a host needs of the workbench. */
export interface HostedWorkbench {
  readonly services: Services & { app: { announceUi(url: string | null): void } };
  /** Writes into instance.json how this instance is reached. */
  publish(how: { url: string; token: string }): void;
  close(): Promise<void>;
}

export interface InstanceOptions {
  /** The built renderer, or null for an instance without a user interface of its own. */
  files: RendererFiles | null;
  /** Ports to try in turn; 0 picks a free one. */
  ports: readonly number[];
  log: Log;
}

/** Serves the workbench on loopback and publishes how it is reached, so that the command line finds it. */
export async function startInstance(
  workbench: HostedWorkbench,
  { files, ports, log }: InstanceOptions,
): Promise<HostServer> {
  const logFault = (where: string, fault: unknown) => log.error(`${where} failed`, fault);
  const router = createRouter(workbench.services, logFault);
  const server = await startOnFirst(ports, (port) => startHostServer({ router, files, port, log: logFault }));
  workbench.services.app.announceUi(files ? server.url : null);
  workbench.publish({ url: server.url, token: server.token });
  return server;
}

/** The last port decides: what it throws is thrown. */
async function startOnFirst(ports: readonly number[], start: (port: number) => Promise<HostServer>) {
  for (const port of ports.slice(0, -1)) {
    const server = await start(port).catch(() => null);
    if (server) return server;
  }
  return start(ports.at(-1) ?? 0);
}
