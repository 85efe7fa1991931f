import { statSync } from 'node:fs';
import type { BackupContents, BackupInfo } from '#domain/workspace/backup';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { backupInfo, contentsOf, contentsOfBackup, findBackup } from './backup-contents.ts';
import { backupsOf } from './backups.ts';
import { rowsOf } from '../database-check.ts';
import { inBackupThread } from './in-backup-thread.ts';
import type { PreparedRestore } from './restore-backup.ts';
import { prepareRestore } from './restore-backup.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';

const DAY_MS = 86_400_000;
/** How often a long-lived instance checks whether a backup is due. */
const HOUR_MS = 3_600_000;

export interface BackupParts {
  store: Pick<WorkspaceStore, 'database' | 'clock' | 'backUpNow' | 'backupIfOlderThan'>;
  log: Log;
  /** Ends the instance, replaces the workspace with the backup and reopens it; absent if the process cannot do that. */
  reopenWith?: ((prepared: PreparedRestore) => void) | undefined;
}

/** The backups of an open workspace. Methods are named after the procedures of the contract. */
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

  /** Makes a backup now, and later whenever the newest one is older than a day; the returned function ends that. */
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

  /**
   * Backs up the workspace, and checks the copy like a workspace that is opened. Throws STORAGE_FULL and similar
   * errors.
   */
  async create(): Promise<BackupInfo> {
    const path = await this.#logged(() => this.#store.backUpNow());
    await inBackupThread({ kind: 'check', file: path });
    const made = backupsOf(this.#file).find((backup) => backup.path === path);
    if (made) return backupInfo(made);
    throw new TagwrightError(
      'INTERNAL',
      `The backup "${path}" was created but has since disappeared. Check what else uses the folder.`,
    );
  }

  /** The contents of a backup, and of the current workspace. Throws NOT_FOUND, WORKSPACE_DAMAGED or WORKSPACE_NEWER. */
  contents({ name }: { name: string }): BackupContents {
    const backup = findBackup(this.#file, name);
    return {
      backup: backupInfo(backup),
      holds: contentsOfBackup(this.#file, backup),
      now: contentsOf(rowsOf(this.#store.database)),
    };
  }

  /**
   * Prepares a restore; the instance begins it after the response. Throws the errors of `prepareRestore`, CONFLICT
   * during another restore, or UNAVAILABLE in a process for a single command.
   */
  async restore({ name }: { name: string }): Promise<BackupInfo> {
    const reopenWith = this.#reopenWith;
    if (!reopenWith) {
      throw new TagwrightError(
        'UNAVAILABLE',
        `No instance runs on this workspace. Restore it with "tagwright backups restore ${name}".`,
      );
    }
    if (this.#restoring) {
      throw new TagwrightError('CONFLICT', 'A backup is already being restored. Wait until the workspace is back.');
    }
    this.#restoring = true;
    try {
      const prepared = await prepareRestore(this.#file, name, this.#store.clock);
      // The response goes first: the next step closes its connection.
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
      this.#log.info('Backup created.', { event: 'backup.made', file: path, bytes, ms });
      return path;
    } catch (thrown) {
      this.#log.error('The backup failed.', undefined, { event: 'backup.failed', reason: messageOf(thrown) });
      throw thrown;
    }
  }

  get #file(): string {
    return this.#store.database.name;
  }
}
