import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { endianness } from 'node:os';
import type { FileIdentity } from '../workspace/file-identity.ts';
import { identityOf } from '../workspace/file-identity.ts';

/**
 * How far plant.db has been committed, from what SQLite itself keeps in its files: with a rollback journal the change
 * counter of the file, with a write-ahead log the salts of the log and the number of its committed frames. Taken while
 * a write transaction is open and looked at again after a crash, it tells whether that transaction was committed:
 * nothing of Tagwright's stands in the user's file.
 */
export type CommitEvidence =
  | { file: FileIdentity; mode: 'journal'; counter: number }
  | { file: FileIdentity; mode: 'wal'; salts: string; frames: number };

const HEADER = 100;
const MAGIC = 'SQLite format 3\0';
const WAL_MODE = 2;

/**
 * The present state of the file; null where there is none, or none of SQLite. To be called while another process has a
 * write transaction open, so that SQLite has undone what a crash left and nobody else commits. Not to be called in a
 * process that has a connection to the file: closing a file gives up the locks of the whole process on it.
 */
export function evidenceOf(path: string): CommitEvidence | null {
  const file = identityOf(path);
  const header = bytesOf(path, HEADER);
  if (file === null || header === null) return null;
  // A new file has nothing in it before the first commit.
  if (header.length === 0) return { file, mode: 'journal', counter: 0 };
  if (header.length < HEADER || header.toString('latin1', 0, 16) !== MAGIC) return null;
  if (header[18] !== WAL_MODE) return { file, mode: 'journal', counter: header.readUInt32BE(24) };
  return { file, mode: 'wal', ...logState(path) };
}

/** Whether the transaction was committed that was open at `before`; null where that cannot be told. */
export function wasCommitted(before: CommitEvidence, after: CommitEvidence | null): boolean | null {
  if (after === null || after.file !== before.file) return null;
  if (before.mode === 'journal' && after.mode === 'journal') return after.counter !== before.counter;
  if (before.mode !== 'wal' || after.mode !== 'wal') return null;
  if (after.salts === before.salts) return after.frames > before.frames;
  // The log was begun anew: by the transaction, or, where nothing of it is left, by nobody who would have gone on.
  if (after.frames > 0) return true;
  return before.frames === 0 || after.salts !== NO_LOG ? false : null;
}

/** The salts where there is no log. */
const NO_LOG = '0'.repeat(16);

/** The header of the index of the log, which SQLite keeps in shared memory. */
function logState(path: string): { salts: string; frames: number } {
  const shared = bytesOf(`${path}-shm`, 48);
  if (shared === null || shared.length < 48) return { salts: NO_LOG, frames: 0 };
  const frames = endianness() === 'LE' ? shared.readUInt32LE(16) : shared.readUInt32BE(16);
  return { salts: shared.toString('hex', 32, 40), frames };
}

/** The first bytes of a file, as many as there are; null where there is no file. */
function bytesOf(path: string, length: number): Buffer | null {
  if (!existsSync(path)) return null;
  const handle = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(handle, bytes, 0, length, 0));
  } finally {
    closeSync(handle);
  }
}
