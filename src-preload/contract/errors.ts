/**
 * The closed set of error codes. Every error that leaves main has one of these; any other becomes INTERNAL. The message
 * always says what to do next; `data` is for programs.
 */
export const ERROR_CODES = {
  BAD_REQUEST: 'the input is invalid; see data.issues',
  NOT_FOUND: 'the item does not exist',
  CONFLICT: 'the item was changed elsewhere, or the name is taken',
  WRITE_REFUSED: 'a Set was rejected as a whole; data.failures lists each item',
  WORKSPACE_LOCKED: 'another running instance holds the workspace; see data.pid',
  WORKSPACE_NEWER: 'a newer version of Tagwright wrote the workspace',
  WORKSPACE_DAMAGED: 'the workspace file is damaged; data.backups lists backups',
  WORKSPACE_READ_ONLY: 'the workspace folder is not writable',
  STORAGE_FULL: 'the disk is full; nothing was written',
  PORT_TAKEN: 'another program uses the port',
  CANCELLED: 'the caller cancelled',
  UNAVAILABLE: "the service is stopping, or a script host can't be started",
  INTERNAL: 'an internal error of Tagwright; see the log',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;
