/** A workspace that was opened on this machine. */
export interface RecentWorkspace {
  /** Its folder, absolute. */
  directory: string;
  /** When it was opened last, RFC 3339 in UTC. */
  openedAt: string;
  /** `gone`: the folder no longer contains a workspace, or its disk is disconnected. */
  state: 'there' | 'gone';
}

/** The contents of a copy of a workspace. */
export interface WorkspaceCopy {
  /** The folder of the copy, absolute. */
  directory: string;
  /** Size of its databases. */
  bytes: number;
  /** The number of copied files of `mock-files`. */
  mockFiles: number;
  /** Whether the key of the secrets was copied: without it, they must be set again. */
  secretsKey: boolean;
}
