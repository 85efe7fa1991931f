import { productRoot } from '../platform/files/paths.ts';
import { productVersion } from '../platform/version.ts';
import type { Services } from '../rpc/services.ts';
import type { InstanceConnection } from './instance-client.ts';
import { connectInstance } from './instance-client.ts';
import type { Holder } from './workspace-session.ts';

/** Makes a diagnosis, in this process or in the instance. */
export type Doctor = Services['diagnostics'] & { close(): void };

/**
 * The instance that holds the workspace, which knows most about it, else this process. Nothing is opened for writing,
 * so that a workspace can be checked even if it is damaged, newer, read-only or held by a process that does not
 * respond.
 */
export async function openDoctor(workspace: string, holder: Holder | null): Promise<Doctor> {
  const { url = null, token = null } = holder ?? {};
  const connection = url === null || token === null ? null : await connectInstance({ url, token }).catch(() => null);
  const own = async () => {
    const { DiagnosticsService } = await import('../workspace/diagnostics/diagnostics-service.ts');
    const root = productRoot();
    const silent = url !== null && connection === null;
    return new DiagnosticsService({ workspace, root, version: productVersion(root), instance: null, silent });
  };
  if (connection) return doctorOf(connection);
  const service = await own();
  return {
    run: (input, signal) => service.run(input, signal),
    support: () => service.support(),
    close: () => undefined,
  };
}

function doctorOf(connection: InstanceConnection): Doctor {
  const { diagnostics } = connection.client;
  return {
    async *run(input, signal) {
      yield* await diagnostics.run(input, { signal });
    },
    support: () => diagnostics.support(),
    close: () => connection.close(),
  };
}
