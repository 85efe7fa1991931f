import { basename } from 'node:path';
import type { RestoreOutcome } from '#domain/workspace/backup';
import { messageOf } from '../platform/errors.ts';
import type { InstanceLock } from '../storage/workspace/instance-lock.ts';
import type { PreparedRestore } from '../storage/backups/restore-backup.ts';
import { lockWorkspace } from '../storage/workspace/workspace-store.ts';
import type { Workbench, WorkbenchOptions } from '../workbench.ts';
import { openWorkbench } from '../workbench.ts';

/** What lets clients use a workbench. */
export interface WorkbenchServer {
  /** Lets clients in. */
  serve(workbench: Workbench): void;
  /** Ends their calls and streams, and lets nobody in until `serve`. */
  pause(): Promise<void> | void;
}

type RestorableOptions = Omit<WorkbenchOptions, 'lock' | 'reopenWith' | 'reopened'>;

/**
 * The workbench of an instance that lives long. It restores backups: ends the workbench beneath its servers, replaces
 * the file, and opens another one, which they serve then. It holds the lock of the workspace all the while, so that
 * nobody else opens it meanwhile.
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
   * Throws what `openWorkbench` throws.
   * @param onLost called when after a failed restore the workspace cannot be opened any more, with what was thrown: the
   *   instance serves nobody then and is to be ended
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

  /** That of now: another one after a restore. */
  get current(): Workbench {
    return this.#current;
  }

  /** Lets a server serve the workbench of now, and those that follow it. */
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

  /** Lets no other restore begin, and waits for the one that is under way: before the servers are closed. */
  async settle(): Promise<void> {
    this.#settled = true;
    await this.#restoring;
  }

  /** Ends the workbench and gives the workspace free. */
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
    // Commands that come now wait for the instance, which is there and serves nobody.
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
      // A disk that is full has room again without the copy.
      prepared.discard();
      await open({ backup: prepared.name, kept: null, problem: messageOf(thrown) });
    }
    for (const server of this.#servers) this.#attempt(() => server.serve(this.#current));
  }

  /** What fails for one server is no reason to end the others. */
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
