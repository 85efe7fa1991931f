import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, expect, test } from 'vitest';
import { TagwrightError } from '../../../src-main/platform/errors.ts';
import { openDatabase } from '../../../src-main/storage/database.ts';
import { restoreBackup } from '../../../src-main/storage/backups/restore-backup.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { thrownBy } from '../../support/thrown-by.ts';

let sound: Buffer;
/** The start of the pages of the schema. */
let schemaPages: number[];

beforeAll(() => {
  const file = join(process.env['RUNNER_TEMP'] ?? '/tmp', `tagwright-sound-${process.pid}.db`);
  const database = openDatabase(file);
  database.exec(`INSERT INTO script_groups (name, name_key) VALUES ('Packing', 'packing')`);
  const insert = database.prepare(
    `INSERT INTO script_versions (script_id, version, script_group, name, description, body, saved_at) VALUES (1, ?, '', '', '', ?, '')`,
  );
  database.exec(
    `INSERT INTO scripts (group_id, name, name_key, description, body, version, saved_at) VALUES (1, 'a', 'a', '', '', 1, '')`,
  );
  for (let version = 1; version <= 60; version += 1) insert.run(version, 'return 1; '.repeat(200));
  schemaPages = database
    .prepare<[], number>(`SELECT (pageno - 1) * 4096 FROM dbstat WHERE name = 'sqlite_schema'`)
    .pluck()
    .all();
  database.close();
  sound = readFileSync(file);
  rmSync(file);
});

/** The result of opening these bytes as a workspace; an error that changed the folder is a failure. */
function openBytes(bytes: Buffer): TagwrightError | 'opened' {
  const folder = temporaryFolder();
  const file = join(folder, 'workspace.db');
  writeFileSync(file, bytes);
  try {
    openDatabase(file).close();
    return 'opened';
  } catch (thrown) {
    if (!(thrown instanceof TagwrightError)) throw thrown;
    const asBefore = readdirSync(folder).join() === 'workspace.db' && readFileSync(file).equals(bytes);
    if (!asBefore) throw new Error('the refused folder was changed', { cause: thrown });
    return thrown;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('an intact file opens', () => {
  expect(openBytes(sound)).toBe('opened');
  expect(sound.length).toBeGreaterThan(100_000);
});

test('a file cut off anywhere is rejected as damaged', () => {
  const points = [0, 1, 15, 16, 99, 100, 511, 4_095, 4_096, 4_097, sound.length - 4_096, sound.length - 1];
  for (let at = 5_000; at < sound.length; at += 9_973) points.push(at);
  for (const at of points) {
    const outcome = openBytes(sound.subarray(0, at));
    expect([at, outcome instanceof TagwrightError && outcome.code]).toEqual([at, 'WORKSPACE_DAMAGED']);
  }
});

test('a flipped bit in the header or schema either opens or is clearly rejected', () => {
  const refusals = new Map<string, number>();
  const messages: string[] = [];
  // The file header, then the b-tree pages of the schema with their cell pointers and texts.
  const pages = schemaPages.flatMap((page) => Array.from({ length: 100 }, (_, n) => Math.max(page, 108) + n * 39));
  const places = [...Array(108).keys(), ...pages];
  for (const at of places) {
    const bytes = Buffer.from(sound);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (at % 8)), at);
    const outcome = openBytes(bytes);
    const code = outcome === 'opened' ? outcome : outcome.code;
    refusals.set(code, (refusals.get(code) ?? 0) + 1);
    if (outcome !== 'opened') messages.push(outcome.message);
  }
  expect(messages.filter((message) => message.includes('SQLITE_'))).toEqual([]);
  expect([...refusals.keys()].toSorted()).toEqual(['WORKSPACE_DAMAGED', 'WORKSPACE_NEWER', 'opened']);
  expect(refusals.get('WORKSPACE_DAMAGED')).toBeGreaterThan(100);
});

test('a page overwritten with noise is rejected', () => {
  for (let page = 0; page < sound.length / 4_096; page += 3) {
    const bytes = Buffer.from(sound);
    for (let at = page * 4_096; at < (page + 1) * 4_096; at += 1) bytes.writeUInt8((at * 31 + 7) % 256, at);
    const outcome = openBytes(bytes);
    expect([page, outcome instanceof TagwrightError && outcome.code]).toEqual([page, 'WORKSPACE_DAMAGED']);
  }
});

test('the schema must be as Tagwright created it; foreign tables are allowed', async () => {
  const file = join(temporaryFolder(), 'workspace.db');
  openDatabase(file).close();
  const database = new Database(file);
  database.exec('CREATE TABLE notes_of_the_shift (a TEXT)');
  database.close();
  openDatabase(file).close();

  const again = new Database(file);
  again.exec('ALTER TABLE tags RENAME COLUMN unit TO unot');
  again.close();
  const error = await thrownBy(() => openDatabase(file));
  expect(error.code).toBe('WORKSPACE_DAMAGED');
  expect(error.message).toContain('its table tags is not as Tagwright made it');
});

test('other files under its name are rejected: text, and foreign databases', async () => {
  const folder = temporaryFolder();
  const text = join(folder, 'text.db');
  writeFileSync(text, 'group,name,body\n'.repeat(100));
  expect((await thrownBy(() => openDatabase(text))).message).toContain('it is not a SQLite database');

  const foreign = join(folder, 'foreign.db');
  const database = new Database(foreign);
  database.exec('CREATE TABLE contacts (name TEXT)');
  database.close();
  const error = await thrownBy(() => openDatabase(foreign));
  expect(error.code).toBe('WORKSPACE_DAMAGED');
  expect(error.message).toContain('it is not a Tagwright workspace');
});

test('the error lists the backups, newest first, and how to restore the newest', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'workspace.db');
  writeFileSync(file, sound.subarray(0, 50_000));
  expect((await thrownBy(() => openDatabase(file))).message).toContain('There is no backup in');

  mkdirSync(join(folder, 'backups'));
  const backups = ['20260801T101500000Z', '20260802T101500000Z-schema-1', '20260731T101500000Z'].map((stamp) =>
    join(folder, 'backups', `workspace-${stamp}.db`),
  );
  for (const backup of backups) writeFileSync(backup, sound);
  writeFileSync(join(folder, 'backups', 'workspace-20260803T101500000Z.db.partial'), '');
  const error = await thrownBy(() => openDatabase(file));
  expect(error.data).toEqual({
    file,
    reason: expect.any(String),
    backups: [backups[1], backups[0], backups[2]],
  });
  expect(error.message).toContain('The newest backup is from 2026-08-02T10:15:00.000Z');
  expect(error.message).toContain(`tagwright backups restore ${basename(backups[1] ?? '')} -w "${folder}"`);

  // Following the message fixes the problem.
  await restoreBackup(folder, basename(backups[1] ?? ''));
  openDatabase(file).close();
});

test('a WAL without its database is not used for a new one', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'workspace.db');
  writeFileSync(`${file}-wal`, Buffer.alloc(4_152, 1));
  const error = await thrownBy(() => openDatabase(file));
  expect(error.code).toBe('WORKSPACE_DAMAGED');
  expect(error.message).toContain('the file is missing, but workspace.db-wal with its last changes is there');
  expect(readdirSync(folder)).toEqual(['workspace.db-wal']);
});
