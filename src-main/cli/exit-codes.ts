import type { ErrorCode } from '#contract/errors';

/** The exit codes of `tagwright`; documented in docs/operation/command-line.md, which a test compares with this. */
export const EXIT = {
  ok: 0,
  /** The run ended with another status than `ok`, or the request was rejected. */
  refused: 1,
  usage: 2,
} as const;

/** The exit code of a command that ended with an error. */
export const EXIT_OF_ERROR: Readonly<Record<ErrorCode, number>> = {
  CONFLICT: 1,
  WRITE_REFUSED: 1,
  CANCELLED: 1,
  BAD_REQUEST: 2,
  NOT_FOUND: 2,
  WORKSPACE_LOCKED: 3,
  WORKSPACE_NEWER: 4,
  WORKSPACE_DAMAGED: 5,
  WORKSPACE_READ_ONLY: 6,
  STORAGE_FULL: 7,
  PORT_TAKEN: 8,
  UNAVAILABLE: 9,
  INTERNAL: 70,
};
