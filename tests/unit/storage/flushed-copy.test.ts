import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src-main/storage/database.ts';
import { flushedCopy } from '../../../src-main/storage/backups/flushed-copy.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

test('a copy of many pages, flushed in between, is complete despite writes', async () => {
  const folder = temporaryFolder();
  const database = openDatabase(join(folder, 'large.db'));
  database.exec('CREATE TABLE blobs (id INTEGER PRIMARY KEY, bytes BLOB) STRICT');
  // 20 MB: 5,000 pages, flushed several times.
  database.exec(`INSERT INTO blobs (bytes)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT randomblob(100000) FROM n`);
  const target = join(folder, 'copy.db');
  const copying = flushedCopy(database, target);
  database.exec('INSERT INTO blobs (id, bytes) VALUES (1000, zeroblob(10))');
  await copying;
  const sum = 'SELECT count(*) AS rows, sum(length(bytes)) AS bytes, max(id) AS last FROM blobs';
  const copy = openDatabase(target);
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(copy.prepare(sum).get()).toEqual({ rows: 201, bytes: 20_000_010, last: 1000 });
  copy.close();
  database.close();
});

test('if the copy cannot be written, nothing stays open, and the error is thrown', async () => {
  const folder = temporaryFolder();
  const database = openDatabase(join(folder, 'small.db'));
  database.exec('CREATE TABLE t (a INTEGER) STRICT');
  const target = join(folder, 'not-there', 'copy.db');
  await expect(flushedCopy(database, target)).rejects.toThrow(/does not exist/);
  expect(existsSync(target)).toBe(false);
  database.close();
});
