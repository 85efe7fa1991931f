/** Regular backups, and those before a schema change, are limited and removed automatically; manual ones stay. */
export const BACKUP_SORTS = ['regular', 'schema', 'manual'] as const;
export type BackupSort = (typeof BACKUP_SORTS)[number];

/** A copy of `workspace.db` in the folder `backups`. */
export interface BackupInfo {
  /** The name of the file in `backups`. */
  name: string;
  sort: BackupSort;
  /** Creation time, RFC 3339 in UTC. */
  madeAt: string;
  bytes: number;
}

/** The counts that identify a backup. */
export const CONTENT_SORTS = ['scripts', 'tests', 'tags', 'rules', 'events', 'mocks', 'diagrams', 'drafts'] as const;

/** The number of items of each kind in a workspace, without deleted ones. Drafts are those of scripts. */
export type WorkspaceContents = Record<(typeof CONTENT_SORTS)[number], number>;

/** A backup compared with the workspace that it would replace. */
export interface BackupContents {
  backup: BackupInfo;
  holds: WorkspaceContents;
  now: WorkspaceContents;
}

/** The outcome of the restore with which a running instance reopened its workspace. */
export interface RestoreOutcome {
  /** The name of the backup. */
  backup: string;
  /** The replaced workspace in the folder `backups`. */
  kept: string | null;
  /** Why it failed, with the workspace unchanged; null if it succeeded. */
  problem: string | null;
}
