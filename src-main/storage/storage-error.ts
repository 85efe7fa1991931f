import { TagwrightError } from '../platform/errors.ts';
import { backupsOf } from './backups/backups.ts';

/** The code of an error of SQLite or of the file system, or '' if it has none. */
export function codeOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : '';
}

// SQLite cannot extend its shared-memory file either when the disk is full, which has a separate code.
const FULL = /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/;
const READ_ONLY =
  /^(SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|SQLITE_IOERR_ACCESS|SQLITE_IOERR_SHMOPEN|EACCES|EPERM|EROFS)/;
const DAMAGED = /^(SQLITE_CORRUPT|SQLITE_NOTADB)/;
const BUSY = /^(SQLITE_BUSY|SQLITE_LOCKED|SQLITE_PROTOCOL)/;
const IO = /^(SQLITE_IOERR|EIO|EMFILE|ENFILE)/;

export function isFull(thrown: unknown): boolean {
  return FULL.test(codeOf(thrown));
}

export function isDamage(thrown: unknown): boolean {
  return DAMAGED.test(codeOf(thrown));
}

/**
 * A failure of SQLite or of the file system as an error of the closed set that says what to do next; the original is
 * its cause. Other errors are returned unchanged.
 */
export function storageError(thrown: unknown, file: string): unknown {
  if (thrown instanceof TagwrightError) return thrown;
  const code = codeOf(thrown);
  const details = { cause: thrown, data: { file, reason: code } };
  if (FULL.test(code)) {
    return new TagwrightError(
      'STORAGE_FULL',
      `The disk that holds "${file}" is full; nothing was written. Free some space and try again.`,
      details,
    );
  }
  if (READ_ONLY.test(code)) {
    return new TagwrightError(
      'WORKSPACE_READ_ONLY',
      `"${file}" cannot be written. Give this user write permission for the folder and its files, or choose another workspace.`,
      details,
    );
  }
  if (DAMAGED.test(code)) {
    return new TagwrightError(
      'WORKSPACE_DAMAGED',
      `"${file}" is damaged. Restart Tagwright: it checks the file and lists the backups.`,
      { cause: thrown, data: { file, reason: code, backups: backupsOf(file).map((backup) => backup.path) } },
    );
  }
  if (BUSY.test(code)) {
    return new TagwrightError(
      'UNAVAILABLE',
      `Another program is writing to "${file}". Close it (a database browser, a copy or backup program) and try again.`,
      details,
    );
  }
  if (IO.test(code)) {
    return new TagwrightError(
      'UNAVAILABLE',
      `The disk that holds "${file}" reports an error (${code}); nothing was written. Check the disk and try again.`,
      details,
    );
  }
  return thrown;
}
