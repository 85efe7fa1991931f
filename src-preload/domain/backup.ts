/** Regular ones and those before a change of the schema are few and go by themselves; those made by hand stay. */
export const BACKUP_SORTS = ['regular', 'schema', 'manual'] as const;
export type BackupSort = (typeof BACKUP_SORTS)[number];

/** A copy of `workspace.db` in the folder `backups`. */
export interface BackupInfo {
  /** The name of the file in `backups`. */
  name: string;
  sort: BackupSort;
  /** When it was made, RFC 3339 in UTC. */
  madeAt: string;
  bytes: number;
}
