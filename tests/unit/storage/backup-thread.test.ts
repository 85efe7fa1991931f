import { existsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { inBackupThread } from '../../../src-main/storage/backups/in-backup-thread.ts';
import { snapshotCopy } from '../../../src-main/storage/backups/snapshot-copy.ts';
import { openDatabase } from '../../../src-main/storage/database.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/** A database of 20 MB: 5,000 pages, so that a copy of it is flushed several times. */
function largeDatabase(folder: string): Database {
  const database = openDatabase(join(folder, 'large.db'));
  onTestFinished(() => void database.close());
  database.exec('CREATE TABLE blobs (id INTEGER PRIMARY KEY, bytes BLOB) STRICT');
  database.exec(`INSERT INTO blobs (bytes)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT randomblob(100000) FROM n`);
  return database;
}

function emptyFile(path: string): string {
  writeFileSync(path, '');
  return path;
}

/** Whether other connections keep SQLite from emptying the write-ahead log. */
const isRead = (database: Database): boolean =>
  database.prepare<[], { busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0;

test('a copy has the state at its beginning, despite writes', async () => {
  const folder = temporaryFolder();
  const database = largeDatabase(folder);
  const target = emptyFile(join(folder, 'copy.db'));
  let written = 0;
  await snapshotCopy(database.name, target, () => {
    database.prepare('INSERT INTO blobs (bytes) VALUES (zeroblob(10))').run();
    written += 1;
    return true;
  });
  expect(written).toBeGreaterThan(10);
  expect(isRead(database)).toBe(false);
  const copy = openDatabase(target);
  onTestFinished(() => void copy.close());
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
  const sum = 'SELECT count(*) AS rows, sum(length(bytes)) AS bytes FROM blobs';
  expect(copy.prepare(sum).get()).toEqual({ rows: 200, bytes: 20_000_000 });
});

test('a write-ahead log that grew during a long read is cut afterwards', () => {
  const database = openDatabase(join(temporaryFolder(), 'large.db'));
  onTestFinished(() => void database.close());
  database.exec('CREATE TABLE blobs (id INTEGER PRIMARY KEY, bytes BLOB) STRICT');
  const write = database.prepare('INSERT INTO blobs (bytes) VALUES (zeroblob(10000000))');
  const reader = new Sqlite(database.name, { readonly: true });
  reader.exec('BEGIN; SELECT count(*) FROM blobs');
  for (let times = 0; times < 8; times += 1) write.run();
  const logBytes = () => statSync(`${database.name}-wal`).size;
  expect(logBytes()).toBeGreaterThan(80_000_000);
  reader.close();
  // The first one moves everything into the file, so that the next ones begin the log again.
  for (let times = 0; times < 3; times += 1) write.run();
  expect(logBytes()).toBeLessThanOrEqual(64 * 1_048_576);
});

test('a copy that is no longer wanted ends early, without a connection', async () => {
  const folder = temporaryFolder();
  const database = largeDatabase(folder);
  const target = emptyFile(join(folder, 'copy.db'));
  let looks = 0;
  await snapshotCopy(database.name, target, () => (looks += 1) < 5);
  expect(looks).toBe(5);
  expect(isRead(database)).toBe(false);
});

test('a thread copies and checks; an abort ends it before it returns', async () => {
  const folder = temporaryFolder();
  const database = largeDatabase(folder);
  const target = emptyFile(join(folder, 'copy.db'));
  await inBackupThread({ kind: 'copy', from: database.name, to: target });
  await inBackupThread({ kind: 'check', file: target });

  const other = emptyFile(join(folder, 'other.db'));
  const closing = new AbortController();
  const copying = inBackupThread({ kind: 'copy', from: database.name, to: other }, closing.signal);
  // The failure is expected below.
  copying.catch(() => undefined);
  await vi.waitFor(() => expect(statSync(other).size).toBeGreaterThan(0), { interval: 1, timeout: 30_000 });
  closing.abort();
  expect(isRead(database)).toBe(false);
  await expect(copying).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(inBackupThread({ kind: 'copy', from: database.name, to: other }, closing.signal)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
});

test('an abort before the thread has begun does not wait for it', async () => {
  const folder = temporaryFolder();
  const database = openDatabase(join(folder, 'small.db'));
  onTestFinished(() => void database.close());
  const target = emptyFile(join(folder, 'copy.db'));
  const closing = new AbortController();
  const copying = inBackupThread({ kind: 'copy', from: database.name, to: target }, closing.signal);
  closing.abort();
  await expect(copying).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(statSync(target).size).toBe(0);
});

test('errors keep their codes', async () => {
  const folder = temporaryFolder();
  const database = openDatabase(join(folder, 'small.db'));
  onTestFinished(() => void database.close());
  const nowhere = join(folder, 'not-there', 'copy.db');
  await expect(inBackupThread({ kind: 'copy', from: database.name, to: nowhere })).rejects.toMatchObject({
    code: 'ENOENT',
  });
  expect(existsSync(nowhere)).toBe(false);
  const target = emptyFile(join(folder, 'copy.db'));
  await inBackupThread({ kind: 'copy', from: database.name, to: target });
  truncateSync(target, statSync(target).size - 100);
  await expect(inBackupThread({ kind: 'check', file: target })).rejects.toMatchObject({
    code: 'WORKSPACE_DAMAGED',
    message: expect.stringContaining('it is cut off'),
    data: { file: target },
  });
});
