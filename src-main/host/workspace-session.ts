import { createRouterClient } from '@orpc/server';
import { TagwrightError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { createRouter } from '../rpc/router.ts';
import type { Services } from '../rpc/services.ts';
import type { InstanceClient, InstanceConnection, InstanceAddress } from './instance-client.ts';

/** The instance that holds a workspace; `url` and `token` are null while it accepts no clients (yet). */
export interface Holder {
  pid: number;
  url: string | null;
  token: string | null;
}

/** The dependencies of a session; tests use their own. */
export interface SessionParts {
  /** The instance that holds the workspace now, or null. */
  holder(): Promise<Holder | null>;
  connect(address: InstanceAddress): Promise<InstanceConnection>;
  /** Opens the workspace in this process; WORKSPACE_LOCKED if another one was faster. */
  open(): Promise<{ services: Services; close(): Promise<void> }>;
  log: Log;
}

export interface WorkspaceSession {
  readonly client: InstanceClient;
  close(): Promise<void>;
}

/** How long to wait for a workspace held by another command (which accepts no clients and soon ends), ms. */
const PATIENCE_MS = 10_000;
/** How long to retry an instance that does not respond, because it may just be ending, ms. */
const ENDING_MS = 3_000;
const LOOK_AGAIN_MS = 50;

/**
 * A client of the workspace: of the instance that holds it if there is one, else of services in this process. If the
 * instance accepts no clients (not yet, or no longer), waits until it ends or accepts them.
 * @throws TagwrightError WORKSPACE_LOCKED if it is held for longer than 10 s, UNAVAILABLE if the instance does not
 * respond for 3 s, and errors of opening it
 */
export async function openSession(parts: SessionParts): Promise<WorkspaceSession> {
  const began = Date.now();
  const until = began + PATIENCE_MS;
  const mayWait = (thrown: unknown, isHeld: boolean): boolean => {
    if (!(thrown instanceof TagwrightError)) return false;
    if (isHeld) return thrown.code === 'UNAVAILABLE' && Date.now() <= began + ENDING_MS;
    return thrown.code === 'WORKSPACE_LOCKED' && Date.now() <= until;
  };
  for (;;) {
    const holder = await parts.holder();
    try {
      if (holder?.url && holder.token) return remote(await parts.connect({ url: holder.url, token: holder.token }));
      if (!holder) return local(await parts.open(), parts.log);
    } catch (thrown) {
      if (!mayWait(thrown, holder !== null)) throw thrown;
    }
    if (holder && Date.now() > until) throw workspaceHeld(holder);
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

function remote(connection: InstanceConnection): WorkspaceSession {
  return { client: connection.client, close: async () => connection.close() };
}

function local(workbench: { services: Services; close(): Promise<void> }, log: Log): WorkspaceSession {
  const router = createRouter(workbench.services, (where, fault) => log.error(`${where} failed`, fault));
  return { client: createRouterClient(router), close: () => workbench.close() };
}

function workspaceHeld({ pid }: Holder): TagwrightError {
  return new TagwrightError(
    'WORKSPACE_LOCKED',
    `The workspace is held by another running command of Tagwright (pid ${pid}). Wait for it to end, or stop it.`,
    { data: { pid } },
  );
}
