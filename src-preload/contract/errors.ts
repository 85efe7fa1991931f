/**
 * The closed set of error codes. Every error that leaves main has one of these; anything else becomes INTERNAL.
 * The message always says what to do next; `data` carries what a program needs.
 */
export const ERROR_CODES = {
  BAD_REQUEST: 'the input does not fit; data.issues says where',
  NOT_FOUND: 'the thing named does not exist',
  CONFLICT: 'somebody else changed it, or the name is taken',
  WRITE_REFUSED: 'a Set was refused as a whole; data.failures lists each item',
  WORKSPACE_LOCKED: 'another running instance holds the workspace; data.pid names it',
  WORKSPACE_NEWER: 'the workspace was written by a newer version of Tagwright',
  WORKSPACE_DAMAGED: 'the workspace file cannot be read; data.backups lists copies',
  WORKSPACE_READ_ONLY: 'the workspace folder cannot be written',
  STORAGE_FULL: 'the disk is full; nothing was written',
  PORT_TAKEN: 'another program listens on the port',
  CANCELLED: 'the caller cancelled',
  UNAVAILABLE: 'the service is stopping or a script host cannot be started',
  INTERNAL: 'a fault of Tagwright itself; the log has the details',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;
