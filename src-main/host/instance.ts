import { arch, platform, release } from 'node:os';
import { RefusalLog } from '../platform/http/refusal-log.ts';
import { accessTimes } from './access.ts';
import type { Log } from '../platform/log.ts';
import { loadContract } from '#contract';
import { createRouter } from '../rpc/router.ts';
import type { HostServer } from './host-server.ts';
import { startHostServer } from './host-server.ts';
import type { RendererFiles } from './renderer-files.ts';
import type { RestorableWorkbench } from './restorable-workbench.ts';

export interface InstanceOptions {
  /** The built renderer, or null for an instance without its own user interface. */
  files: RendererFiles | null;
  /** Ports to try in turn; 0 picks a free one. */
  ports: readonly number[];
  log: Log;
}

/** Serves the workbench on loopback and publishes its address, so that the command line finds it. */
export async function startInstance(
  workbench: RestorableWorkbench,
  { files, ports, log }: InstanceOptions,
): Promise<HostServer> {
  const logFault = (where: string, fault: unknown) => log.error(`${where} failed`, fault);
  const refusals = new RefusalLog(log);
  await loadContract();
  const onRefused = refusals.add;
  const server = await startOnFirst(ports, (port) =>
    startHostServer({
      router: null,
      files,
      port,
      log: logFault,
      onRefused,
      times: () => accessTimes(workbench.current.services.settings.get()),
    }),
  );
  workbench.serveBy({
    serve: (served) => {
      server.serve(createRouter(served.services, logFault));
      served.services.app.announceUi({ url: files ? server.url : null, signOut: () => server.signOut() });
      served.publish({ url: server.url, token: server.token });
    },
    pause: () => server.pause(),
  });
  const { version, workspace, eventsApi } = workbench.current.services.app.info();
  log.info('Tagwright has started.', {
    event: 'instance.started',
    version,
    workspace,
    workbench: server.url,
    eventsApi,
    pid: process.pid,
    node: process.version,
    os: `${platform()} ${release()} ${arch()}`,
  });
  const close = async () => {
    await server.close();
    refusals.close();
  };
  return { ...server, close };
}

/** The last port decides: its error is thrown. */
async function startOnFirst(ports: readonly number[], start: (port: number) => Promise<HostServer>) {
  for (const port of ports.slice(0, -1)) {
    const server = await start(port).catch(() => null);
    if (server) return server;
  }
  return start(ports.at(-1) ?? 0);
}
