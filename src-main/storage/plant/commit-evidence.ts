import { realpathSync } from 'node:fs';
import { endianness } from 'node:os';
import { bytesOf, firstBytesOf, type ReadBytes } from '../../platform/files/plain-file.ts';
import type { FileIdentity } from '../workspace/file-identity.ts';
import { identityOf } from '../workspace/file-identity.ts';

/**
 * The commit state of plant.db, from the data that SQLite itself keeps in its files: with a rollback journal the change
 * counter of the file, with a write-ahead log the salts of the log and the number of its committed frames. Captured
 * while a write transaction is open and compared after a crash, it shows whether that transaction was committed,
 * without writing anything of Tagwright's into the user's file.
 */
export type CommitEvidence =
  | { file: FileIdentity; mode: 'journal'; counter: number }
  | { file: FileIdentity; mode: 'wal'; salts: string; frames: number };

const HEADER = 100;
const MAGIC = 'SQLite format 3\0';
const WAL_MODE = 2;

/**
 * The current state of the file; null if it is missing, or not an SQLite file. Must be called while another process has
 * a write transaction open, so that SQLite has undone leftovers of a crash and no other program commits. Must not be called
 * in a process with a connection to the file: closing a file releases the locks of the whole process on it.
 */
export function evidenceOf(path: string): CommitEvidence | null {
  const file = identityOf(path);
  // A user may put a link to a database elsewhere in its place.
  const header = firstBytesOf(path, HEADER, { links: true });
  if (file === null || header === null) return null;
  // A new file has nothing in it before the first commit.
  if (header.length === 0) return { file, mode: 'journal', counter: 0 };
  if (header.length < HEADER || header.toString('latin1', 0, 16) !== MAGIC) return null;
  if (header[18] !== WAL_MODE) return { file, mode: 'journal', counter: header.readUInt32BE(24) };
  return { file, mode: 'wal', ...logState(realpathSync(path)) };
}

/** Whether the transaction that was open at `before` was committed; null if that cannot be determined. */
export function wasCommitted(before: CommitEvidence, after: CommitEvidence | null): boolean | null {
  if (after === null || after.file !== before.file) return null;
  if (before.mode === 'journal' && after.mode === 'journal') return after.counter !== before.counter;
  if (before.mode !== 'wal' || after.mode !== 'wal') return null;
  if (after.salts === before.salts) return after.frames > before.frames;
  // The log was restarted: by the transaction, or, if it is empty now, by a process that would not have continued.
  if (after.frames > 0) return true;
  return before.frames === 0 || after.salts !== NO_LOG ? false : null;
}

/** What became of a transaction: `continued` if others were committed after it. */
export type CommitOutcome = 'undone' | 'committed' | 'continued';

/**
 * The outcome of the transaction that was open at `before`; null if it cannot be determined. To be called under the
 * conditions of `evidenceOf`.
 */
export function outcomeOf(path: string, before: CommitEvidence): CommitOutcome | null {
  const after = evidenceOf(path);
  const committed = wasCommitted(before, after);
  if (committed !== true || after === null) return committed === false ? 'undone' : null;
  return commitsBetween(path, before, after) > 1 ? 'continued' : 'committed';
}

/** Most frames of a log that are read to count its commits. */
const MOST_FRAMES = 100_000;

/** The number of commits, as far as it can be determined: more than two are two. */
function commitsBetween(path: string, before: CommitEvidence, after: CommitEvidence): number {
  if (before.mode === 'journal' && after.mode === 'journal') return after.counter - before.counter;
  if (before.mode !== 'wal' || after.mode !== 'wal') return 1;
  // After a restart of the log, the transaction is its first: the log had been moved into the file before it.
  const first = before.salts === after.salts ? before.frames : 0;
  return bytesOf(`${realpathSync(path)}-wal`, (read) => commitsInLog(read, first, after.frames)) ?? 1;
}

/** The length of the header of a log, and of each of its frames. */
const [LOG_HEADER, FRAME_HEADER] = [32, 24];

/** A frame that ends a transaction has the size of the database: https://www.sqlite.org/fileformat2.html#walformat */
function commitsInLog(read: ReadBytes, first: number, end: number): number {
  const header = read(0, LOG_HEADER);
  if (header.length < LOG_HEADER) return 1;
  const frameLength = FRAME_HEADER + header.readUInt32BE(8);
  let commits = 0;
  for (let frame = first; frame < Math.min(end, first + MOST_FRAMES) && commits < 2; frame += 1) {
    const of = read(LOG_HEADER + frame * frameLength, FRAME_HEADER);
    if (of.length === FRAME_HEADER && of.readUInt32BE(4) > 0) commits += 1;
  }
  return commits;
}

/** The salts if there is no log. */
const NO_LOG = '0'.repeat(16);

/** The header of the index of the log, which SQLite keeps in shared memory. */
function logState(path: string): { salts: string; frames: number } {
  const shared = firstBytesOf(`${path}-shm`, 48);
  if (shared === null || shared.length < 48) return { salts: NO_LOG, frames: 0 };
  const frames = endianness() === 'LE' ? shared.readUInt32LE(16) : shared.readUInt32BE(16);
  return { salts: shared.toString('hex', 32, 40), frames };
}
