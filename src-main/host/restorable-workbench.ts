import { basename } from 'node:path';
import type { RestoreOutcome } from '#domain/workspace/backup';
import { messageOf } from '../platform/errors.ts';
import type { InstanceLock } from '../storage/workspace/instance-lock.ts';
import type { PreparedRestore } from '../storage/backups/restore-backup.ts';
import { lockWorkspace } from '../storage/workspace/workspace-store.ts';
import type { Workbench, WorkbenchOptions } from '../workbench.ts';
import { openWorkbench } from '../workbench.ts';

/** A server through which clients use a workbench. */
export interface WorkbenchServer {
  /** Accepts clients. */
  serve(workbench: Workbench): void;
  /** Ends their calls and streams, and accepts none until `serve`. */
  pause(): Promise<void> | void;
}

type RestorableOptions = Omit<WorkbenchOptions, 'lock' | 'reopenWith' | 'reopened'>;

/**
 * The workbench of a long-lived instance. It restores backups: ends the workbench while its servers stay, replaces the
 * file, and opens another workbench, which they then serve. It holds the lock of the workspace all the time, so that
 * no other process can open it in between.
 */
export class RestorableWorkbench {
  readonly #options: RestorableOptions;
  readonly #lock: InstanceLock;
  readonly #onLost: (thrown: unknown) => void;
  readonly #servers: WorkbenchServer[] = [];
  #current: Workbench;
  #restoring: Promise<void> = Promise.resolve();
  #settled = false;

  /**
   * Throws errors of `openWorkbench`.
   * @param onLost called with the error if the workspace can no longer be opened after a failed restore: the
   * instance then accepts no clients and must be ended
   */
  static async open(options: RestorableOptions, onLost: (thrown: unknown) => void): Promise<RestorableWorkbench> {
    const lock = lockWorkspace(options.directory);
    let made: RestorableWorkbench | null = null;
    try {
      const reopenWith = (prepared: PreparedRestore) => made?.restore(prepared);
      const workbench = await openWorkbench({ ...options, lock, reopenWith });
      return (made = new RestorableWorkbench(options, lock, workbench, onLost));
    } catch (thrown) {
      lock.release();
      throw thrown;
    }
  }

  private constructor(
    options: RestorableOptions,
    lock: InstanceLock,
    workbench: Workbench,
    onLost: (thrown: unknown) => void,
  ) {
    this.#options = options;
    this.#lock = lock;
    this.#current = workbench;
    this.#onLost = onLost;
  }

  /** The current one: replaced by a restore. */
  get current(): Workbench {
    return this.#current;
  }

  /** Makes a server serve the current workbench, and its successors. */
  serveBy(server: WorkbenchServer): void {
    this.#servers.push(server);
    server.serve(this.#current);
  }

  /** Begins to restore. */
  restore(prepared: PreparedRestore): void {
    if (this.#settled) return prepared.discard();
    this.#restoring = this.#restore(prepared).catch((thrown: unknown) => {
      this.#options.log.error('the workspace cannot be opened after a restore', thrown);
      this.#onLost(thrown);
    });
  }

  /** Prevents another restore, and waits for the one in progress: called before the servers are closed. */
  async settle(): Promise<void> {
    this.#settled = true;
    await this.#restoring;
  }

  /** Ends the workbench and releases the workspace. */
  async close(): Promise<void> {
    await this.settle();
    try {
      await this.#current.close();
      const uptimeSeconds = Math.round(process.uptime());
      this.#options.log.info('Tagwright has stopped.', { event: 'instance.stopped', pid: process.pid, uptimeSeconds });
    } finally {
      this.#lock.release();
    }
  }

  async #restore(prepared: PreparedRestore): Promise<void> {
    const before = this.#current;
    const eventsPort = portOf(before.services.eventsApi.status().url);
    // New commands wait for the instance, which exists but accepts no clients.
    this.#attempt(() => before.publish({ url: null, token: null }));
    for (const server of this.#servers.toReversed()) await server.pause();
    const open = async (restored: RestoreOutcome) => {
      this.#current = await openWorkbench({
        ...this.#options,
        lock: this.#lock,
        reopenWith: (next) => this.restore(next),
        reopened: { eventsPort, restored },
      });
    };
    try {
      await before.close();
      const kept = await prepared.replace();
      try {
        await open({ backup: prepared.name, kept: kept && basename(kept), problem: null });
      } catch (thrown) {
        await prepared.undo();
        throw thrown;
      }
    } catch (thrown) {
      this.#options.log.error(`the backup "${prepared.name}" was not restored`, thrown);
      // Without the copy, a full disk has space again.
      prepared.discard();
      await open({ backup: prepared.name, kept: null, problem: messageOf(thrown) });
    }
    for (const server of this.#servers) this.#attempt(() => server.serve(this.#current));
  }

  /** The failure of one server does not end the others. */
  #attempt(step: () => void): void {
    try {
      step();
    } catch (thrown) {
      this.#options.log.error('serving the restored workspace failed', thrown);
    }
  }
}

function portOf(url: string | null): number | null {
  return url === null ? null : Number(new URL(url).port);
}
