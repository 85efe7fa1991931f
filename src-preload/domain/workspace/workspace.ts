/** A workspace that was opened on this machine. */
export interface RecentWorkspace {
  /** Its folder, absolute. */
  directory: string;
  /** When it was opened last, RFC 3339 in UTC. */
  openedAt: string;
  /** `gone`: there is no workspace in the folder any more, or its disk is away. */
  state: 'there' | 'gone';
}

/** What a copy of a workspace holds. */
export interface WorkspaceCopy {
  /** The folder of the copy, absolute. */
  directory: string;
  /** Size of its databases. */
  bytes: number;
  /** How many files of `mock-files` came along. */
  mockFiles: number;
  /** Whether the key of the secrets came along: without it they are to be set again. */
  secretsKey: boolean;
}
