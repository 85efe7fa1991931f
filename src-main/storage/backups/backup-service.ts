import { statSync } from 'node:fs';
import type { BackupContents, BackupInfo } from '#domain/workspace/backup';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { backupInfo, contentsOf, contentsOfBackup, findBackup } from './backup-contents.ts';
import { backupsOf } from './backups.ts';
import { checkDatabaseFile, rowsOf } from '../database-check.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import type { PreparedRestore } from './restore-backup.ts';
import { prepareRestore } from './restore-backup.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';

const DAY_MS = 86_400_000;
/** How often an instance that lives long looks whether a backup is due. */
const HOUR_MS = 3_600_000;

export interface BackupParts {
  store: Pick<WorkspaceStore, 'database' | 'clock' | 'backUpNow' | 'backupIfOlderThan'>;
  log: Log;
  /** Ends the instance, puts the backup in its place and opens it again; absent where nobody can do that. */
  reopenWith?: ((prepared: PreparedRestore) => void) | undefined;
}

/** The backups of a workspace that is open. Methods are named after the procedures of the contract. */
export class BackupService {
  readonly #store: BackupParts['store'];
  readonly #log: Log;
  readonly #reopenWith: BackupParts['reopenWith'];
  #restoring = false;

  constructor({ store, log, reopenWith }: BackupParts) {
    this.#store = store;
    this.#log = log;
    this.#reopenWith = reopenWith;
  }

  /** Makes a copy now, and later, wherever the newest one is older than a day; the function returned ends that. */
  daily(): () => void {
    const look = () => void this.#logged(() => this.#store.backupIfOlderThan(DAY_MS)).catch(() => undefined);
    look();
    const hourly = setInterval(look, HOUR_MS).unref();
    return () => clearInterval(hourly);
  }

  /** Newest first. */
  list(): BackupInfo[] {
    return backupsOf(this.#file).map(backupInfo);
  }

  /** Copies the workspace, and looks at the copy as at a workspace that is opened. Throws STORAGE_FULL and the like. */
  async create(): Promise<BackupInfo> {
    const path = await this.#logged(() => this.#store.backUpNow());
    checkDatabaseFile(path, MIGRATIONS);
    const made = backupsOf(this.#file).find((backup) => backup.path === path);
    if (made) return backupInfo(made);
    throw new TagwrightError(
      'INTERNAL',
      `The backup "${path}" was made and is gone. Look at what else uses the folder.`,
    );
  }

  /** What a backup holds, and what the workspace holds now. Throws NOT_FOUND, WORKSPACE_DAMAGED or WORKSPACE_NEWER. */
  contents({ name }: { name: string }): BackupContents {
    const backup = findBackup(this.#file, name);
    return {
      backup: backupInfo(backup),
      holds: contentsOfBackup(this.#file, backup),
      now: contentsOf(rowsOf(this.#store.database)),
    };
  }

  /**
   * Prepares a restore; the instance begins with it when this has been answered. Throws as `prepareRestore`, CONFLICT
   * while another restore is under way, or UNAVAILABLE in a process that lives for one command.
   */
  async restore({ name }: { name: string }): Promise<BackupInfo> {
    const reopenWith = this.#reopenWith;
    if (!reopenWith) {
      throw new TagwrightError(
        'UNAVAILABLE',
        `No instance runs on this workspace. Restore it by "tagwright backups restore ${name}".`,
      );
    }
    if (this.#restoring) {
      throw new TagwrightError('CONFLICT', 'A backup is being restored already. Wait until the workspace is back.');
    }
    this.#restoring = true;
    try {
      const prepared = await prepareRestore(this.#file, name, this.#store.clock);
      // The answer goes first: what follows ends the connection that waits for it.
      setImmediate(() => reopenWith(prepared));
      return backupInfo(findBackup(this.#file, name));
    } catch (thrown) {
      this.#restoring = false;
      throw thrown;
    }
  }

  async #logged<T extends string | null>(make: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      const path = await make();
      if (path === null) return path;
      const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      const ms = Math.round(performance.now() - began);
      this.#log.info('A backup was made.', { event: 'backup.made', file: path, bytes, ms });
      return path;
    } catch (thrown) {
      this.#log.error('A backup was not made.', undefined, { event: 'backup.failed', reason: messageOf(thrown) });
      throw thrown;
    }
  }

  get #file(): string {
    return this.#store.database.name;
  }
}
