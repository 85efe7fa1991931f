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

/** What is counted of a workspace, to tell one copy from another. */
export const CONTENT_SORTS = ['scripts', 'tests', 'tags', 'rules', 'events', 'mocks', 'diagrams', 'drafts'] as const;

/** How many of each a workspace holds; what was deleted is not counted. Drafts are those of scripts. */
export type WorkspaceContents = Record<(typeof CONTENT_SORTS)[number], number>;

/** A backup beside what would be replaced. */
export interface BackupContents {
  backup: BackupInfo;
  holds: WorkspaceContents;
  now: WorkspaceContents;
}

/** How the restore went with which a running instance opened its workspace anew. */
export interface RestoreOutcome {
  /** The name of the backup. */
  backup: string;
  /** Where in the folder `backups` what was replaced is kept. */
  kept: string | null;
  /** Why it failed, with the workspace as it was before; null where it did not. */
  problem: string | null;
}
