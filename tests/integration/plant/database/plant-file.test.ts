import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { programsOf } from '../../../support/product/processes.ts';
import { thrownBy } from '../../../support/thrown-by.ts';
import { dbTag, one, plantWorkspace, runSql, write } from './plant-workspace.ts';

const SETUP = "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('first')";

async function plant() {
  const made = await plantWorkspace(SETUP);
  await made.tags.definitions.save(
    dbTag('Db.T.Value', 'String', {
      readSql: 'SELECT v FROM t ORDER BY rowid DESC LIMIT 1',
      writeSql: 'INSERT INTO t VALUES (:value)',
    }),
  );
  await made.tags.definitions.save({
    path: 'Plant.A.Value',
    kind: 'storage',
    type: 'Int',
    description: '',
    unit: '',
    settings: {},
  });
  const refusal = async () => {
    const items = [write('Plant.A.Value', 1), write('Db.T.Value', 'x')];
    const error = await thrownBy(() => made.tags.set({ items }));
    expect(error.code).toBe('WRITE_REFUSED');
    expect((await one(made.tags, 'Plant.A.Value')).value).toBeNull();
    return error.message;
  };
  return { ...made, refusal };
}

test.each([1, 2])('after %i Sets and a close, plant.db is complete without its log', async (sets) => {
  const { tags, file, close } = await plant();
  for (let n = 1; n <= sets; n += 1) await tags.set({ items: [write('Db.T.Value', `${n}`)] });
  await close();
  expect(['-wal', '-shm', '-log.json'].filter((suffix) => existsSync(file + suffix))).toEqual([]);
  expect(runSql(file, 'SELECT v FROM t')).toHaveLength(sets + 1);
});

test('a missing plant.db is created, empty and usable', async () => {
  const { file, tags, sql } = await plantWorkspace();
  expect(existsSync(file)).toBe(true);
  await tags.definitions.save(dbTag('Db.T.Value', 'Int', { readSql: 'SELECT count(*) FROM sqlite_schema' }));
  expect(await one(tags, 'Db.T.Value')).toMatchObject({ value: 0, quality: 'Good' });
  expect(sql('PRAGMA journal_mode')).toEqual([{ journal_mode: expect.stringMatching(/wal|delete/) }]);
});

describe('another plant.db in its place', () => {
  test('is used from the next call on, without damage from the log of the former one', async () => {
    const { tags, file, directory } = await plant();
    await tags.set({ items: [write('Db.T.Value', 'second')] });
    expect((await one(tags, 'Db.T.Value')).value).toBe('second');
    const mine = join(directory, 'mine.db');
    runSql(mine, "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('mine')");
    renameSync(mine, file);
    expect((await one(tags, 'Db.T.Value')).value).toBe('mine');
    await tags.set({ items: [write('Db.T.Value', 'written')] });
    expect(runSql(file, 'SELECT v FROM t')).toEqual([{ v: 'mine' }, { v: 'written' }]);
    expect(runSql(file, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  });

  test('that replaces it during a Set contains no part of the Set', async () => {
    const { tags, file, directory, plant: database } = await plant();
    const transaction = await database.begin();
    await transaction.write({ sql: "INSERT INTO t VALUES ('lost')" });
    const mine = join(directory, 'mine.db');
    runSql(mine, "CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('mine')");
    renameSync(mine, file);
    await expect(transaction.commit()).rejects.toThrow(/replaced or removed/);
    expect((await one(tags, 'Db.T.Value')).value).toBe('mine');
  });
});

describe('a plant.db that cannot be used', () => {
  test('because it is gone: reads are bad and writes rejected, until it is back', async () => {
    const { tags, file, refusal } = await plant();
    await one(tags, 'Db.T.Value');
    renameSync(file, `${file}.away`);
    expect(await one(tags, 'Db.T.Value')).toMatchObject({ value: null, quality: 'BadNotConnected' });
    expect(await refusal()).toContain('no plant.db');
    renameSync(`${file}.away`, file);
    expect((await one(tags, 'Db.T.Value')).value).toBe('first');
  });

  test.each([
    [
      'is no database',
      (file: string) => writeFileSync(file, 'no database, but long enough to be read as one '.repeat(40)),
      /not a database/,
    ],
    [
      'starts like a database and is cut off',
      (file: string) => writeFileSync(file, 'SQLite format 3\0'),
      /not a database/,
    ],
    ['is a folder', (file: string) => mkdirSync(file), /unable to open/],
    ['is a link to itself', (file: string) => symlinkSync(file, file), /has no plant\.db/],
    ['is a broken link', (file: string) => symlinkSync(`${file}.gone`, file), /has no plant\.db/],
  ])('because it %s', async (_what, spoil, said) => {
    const { tags, db, file, refusal } = await plant();
    await one(tags, 'Db.T.Value');
    renameSync(file, `${file}.away`);
    spoil(file);
    expect(await one(tags, 'Db.T.Value')).toMatchObject({ value: null, quality: 'BadNotConnected' });
    expect(await refusal()).toMatch(said);
    expect((await thrownBy(() => db.try({ sql: 'SELECT 1', mode: 'read' }))).code).toBe('UNAVAILABLE');
    rmSync(file, { recursive: true });
    renameSync(`${file}.away`, file);
    expect((await one(tags, 'Db.T.Value')).value).toBe('first');
  });

  test.each([
    ['symbolic', symlinkSync],
    ['hard', linkSync],
  ])('because it is a %s link to workspace.db', async (_sort, link) => {
    const { tags, file, directory, store, refusal } = await plant();
    await tags.definitions.save(
      dbTag('Db.Own.Value', 'Json', { readSql: 'SELECT path FROM tags', writeSql: 'DELETE FROM tags' }),
    );
    rmSync(file);
    link(join(directory, 'workspace.db'), file);
    expect(await one(tags, 'Db.Own.Value')).toMatchObject({
      value: null,
      quality: 'BadNotConnected',
      reason: expect.stringContaining('a link to workspace.db'),
    });
    expect(await refusal()).toContain('a link to workspace.db');
    expect(store.tags.all()).toHaveLength(3);
  });

  test('because its content is damaged', async () => {
    const { tags, file, directory, refusal } = await plant();
    const mine = join(directory, 'mine.db');
    copyFileSync(file, mine);
    const handle = openSync(mine, 'r+');
    writeSync(handle, Buffer.alloc(4_000, 0xff), 0, 4_000, 4_100);
    writeSync(handle, Buffer.alloc(200, 0xff), 0, 200, 100);
    closeSync(handle);
    renameSync(mine, file);
    expect(await one(tags, 'Db.T.Value')).toMatchObject({ value: null, quality: 'BadNotConnected' });
    expect(await refusal()).toMatch(/malformed|corrupt/);
  });

  test('because another program has locked it', async () => {
    const { tags, file, refusal } = await plant();
    const other = new DatabaseSync(file);
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; INSERT INTO t VALUES (1)');
    try {
      expect(await one(tags, 'Db.T.Value')).toMatchObject({ value: null, quality: 'BadTimeout' });
      expect(await refusal()).toContain('locked');
    } finally {
      other.close();
    }
    expect((await one(tags, 'Db.T.Value')).value).toBe('first');
  });

  test.skipIf(process.getuid?.() === 0)('because it is read-only', async () => {
    const { tags, file, refusal } = await plant();
    chmodSync(file, 0o444);
    expect((await one(tags, 'Db.T.Value')).value).toBe('first');
    expect(await refusal()).toContain('readonly');
  });
});

test('a killed process is replaced: a read is repeated, a Set is rejected', async () => {
  const { tags, db } = await plant();
  await one(tags, 'Db.T.Value');
  for (const pid of programsOf(process.pid, 'storage/plant')) process.kill(pid, 'SIGKILL');
  expect((await one(tags, 'Db.T.Value')).value).toBe('first');
  expect(await db.try({ sql: 'INSERT INTO t VALUES (:value)', mode: 'write', value: 1 })).toMatchObject({ changes: 1 });
});

test('a trial shows columns, rows and changes, and saves nothing', async () => {
  const { db, sql } = await plant();
  const read = await db.try({ sql: 'SELECT v, :tagName AS tag FROM t', mode: 'read', tagName: 'A.B.C' });
  expect(read).toMatchObject({ columns: ['v', 'tag'], rows: [['first', 'A.B.C']], more: false, changes: 0 });
  const written = await db.try({
    sql: 'INSERT INTO t VALUES (:value.text) RETURNING rowid, v',
    mode: 'write',
    value: { text: 'tried' },
  });
  expect(written).toMatchObject({ rows: [[2, 'tried']], changes: 1 });
  expect(sql('SELECT v FROM t')).toEqual([{ v: 'first' }]);
  for (const input of [
    { sql: 'SELECT', mode: 'read' },
    { sql: 'DELETE FROM absent', mode: 'write' },
  ] as const) {
    expect((await thrownBy(() => db.try(input))).data['issues']).toMatchObject([{ path: ['sql'] }]);
  }
});
