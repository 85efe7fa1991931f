import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { BackupInfo } from '#domain/backup';
import { TagwrightError } from '../platform/errors.ts';
import type { Backup } from './backups.ts';
import { backupsOf } from './backups.ts';
import { checkDatabaseFile } from './database-check.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { WorkspaceStore } from './workspace-store.ts';

const DAY_MS = 86_400_000;
/** How often an instance that lives long looks whether a backup is due. */
const HOUR_MS = 3_600_000;

/** The backups of a workspace that is open. Methods are named after the procedures of the contract. */
export class BackupService {
  readonly #store: Pick<WorkspaceStore, 'database' | 'backUpNow' | 'backupIfOlderThan'>;

  constructor(store: Pick<WorkspaceStore, 'database' | 'backUpNow' | 'backupIfOlderThan'>) {
    this.#store = store;
  }

  /** Makes a copy now, and later, wherever the newest one is older than a day; the function returned ends that. */
  daily(failed: (thrown: unknown) => void): () => void {
    const look = () => void this.#store.backupIfOlderThan(DAY_MS).catch(failed);
    look();
    const hourly = setInterval(look, HOUR_MS).unref();
    return () => clearInterval(hourly);
  }

  /** Newest first. */
  list(): BackupInfo[] {
    return backupsOf(this.#store.database.name).map(infoOf);
  }

  /** Copies the workspace, and looks at the copy as at a workspace that is opened. Throws STORAGE_FULL and the like. */
  async create(): Promise<BackupInfo> {
    const path = await this.#store.backUpNow();
    checkDatabaseFile(path, MIGRATIONS);
    const made = backupsOf(this.#store.database.name).find((backup) => backup.path === path);
    if (made) return infoOf(made);
    throw new TagwrightError(
      'INTERNAL',
      `The backup "${path}" was made and is gone. Look at what else uses the folder.`,
    );
  }
}

function infoOf({ path, sort, at }: Backup): BackupInfo {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return { name: basename(path), sort, madeAt: new Date(at).toISOString(), bytes };
}
