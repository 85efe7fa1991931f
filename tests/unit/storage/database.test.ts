import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { backupsOf } from '../../../src-main/storage/backups/backups.ts';
import { rowsOf, schemaHash } from '../../../src-main/storage/database-check.ts';
import { openDatabase } from '../../../src-main/storage/database.ts';
import { NO_CONTEXTS } from '#domain/run/saved-context';
import { RunContextRepository } from '../../../src-main/storage/repositories/run-context-repository.ts';
import type { Migration } from '../../../src-main/storage/migrations/index.ts';
import { MIGRATIONS, SCHEMA_HASH } from '../../../src-main/storage/migrations/index.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const LATER: readonly Migration[] = [
  ...MIGRATIONS,
  { name: 'colors', sql: `ALTER TABLE tags ADD COLUMN color TEXT NOT NULL DEFAULT ''` },
];

function workspaceFile(): string {
  return join(temporaryFolder(), 'workspace.db');
}

function fillGroups(file: string, ...names: string[]): void {
  const database = openDatabase(file);
  for (const name of names) {
    database.prepare('INSERT INTO script_groups (name, name_key) VALUES (?, ?)').run(name, name);
  }
  database.close();
}

function groupsIn(file: string): unknown[] {
  const database = new Database(file, { readonly: true });
  try {
    return database.prepare('SELECT name FROM script_groups ORDER BY name').pluck().all();
  } finally {
    database.close();
  }
}

/** Names and bytes of everything in a folder. */
function contentOf(folder: string): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')]));
}

/** Leaves the file as a killed process does, with committed changes only in the WAL. */
function leaveInWal(folder: string, change: (database: Database.Database) => void): void {
  const source = workspaceFile();
  openDatabase(source).close();
  const database = new Database(source);
  change(database);
  for (const suffix of ['', '-wal']) {
    writeFileSync(join(folder, `workspace.db${suffix}`), readFileSync(source + suffix));
  }
  database.close();
}

test('a new database is durable, strict about references, and leaves no other files', () => {
  const file = workspaceFile();
  writeFileSync(`${file}.new`, 'left by a start that was killed');
  const database = openDatabase(file);
  const pragma = (name: string) => database.pragma(name, { simple: true });
  expect(pragma('journal_mode')).toBe('wal');
  expect(pragma('synchronous')).toBe(2);
  expect(pragma('foreign_keys')).toBe(1);
  expect(pragma('busy_timeout')).toBe(2_000);
  expect(pragma('user_version')).toBe(MIGRATIONS.length);
  expect(pragma('application_id')).toBe(0x54616757);
  database.close();
  expect(readdirSync(join(file, '..'))).toEqual(['workspace.db']);
});

test('the hash of the schema is that of the migrations, whatever tables rules have', () => {
  const database = openDatabase(workspaceFile());
  expect(schemaHash(rowsOf(database)), 'write this hash into SCHEMA_HASH').toBe(SCHEMA_HASH);
  database.exec(
    'CREATE TABLE agg_1_fill (a); CREATE TRIGGER agg_1_fill_deleted DELETE ON agg_1_fill BEGIN SELECT 1; END',
  );
  expect(schemaHash(rowsOf(database))).toBe(SCHEMA_HASH);
  database.exec('CREATE INDEX tags_by_unit ON tags (unit)');
  expect(schemaHash(rowsOf(database))).not.toBe(SCHEMA_HASH);
  database.close();
});

test('opening again changes nothing and makes no backup', () => {
  const file = workspaceFile();
  fillGroups(file, 'Packing');
  const before = contentOf(join(file, '..'));
  openDatabase(file).close();
  expect(contentOf(join(file, '..'))).toEqual(before);
});

test('a migration is applied after a backup of the unchanged file', () => {
  const file = workspaceFile();
  fillGroups(file, 'Packing');
  const before = readFileSync(file);
  const database = openDatabase(file, { migrations: LATER, clock: new FakeClock() });
  expect(database.pragma('user_version', { simple: true })).toBe(LATER.length);
  expect(database.prepare('SELECT count(color) FROM tags').pluck().get()).toBe(0);
  database.close();
  const [backup, ...others] = backupsOf(file);
  expect(others).toEqual([]);
  expect(backup?.path).toBe(
    join(file, '..', 'backups', `workspace-20260801T101500000Z-schema-${MIGRATIONS.length}.db`),
  );
  expect(readFileSync(backup?.path ?? '')).toEqual(before);
});

test('the backup before a migration contains changes that were only in the WAL', () => {
  const folder = temporaryFolder();
  leaveInWal(folder, (database) =>
    database.exec(`INSERT INTO script_groups (name, name_key) VALUES ('Packing', 'packing')`),
  );
  const file = join(folder, 'workspace.db');
  openDatabase(file, { migrations: LATER }).close();
  expect(backupsOf(file).map((backup) => groupsIn(backup.path))).toEqual([['Packing']]);
  expect(groupsIn(file)).toEqual(['Packing']);
});

test.each([
  ['fails halfway', `CREATE TABLE half (a TEXT); INSERT INTO nowhere VALUES (1);`, 'no such table: nowhere'],
  [
    'breaks references',
    `DELETE FROM script_groups;`,
    `could not be updated to schema ${LATER.length + 1}: 1 references would break`,
  ],
])('a migration that %s leaves the file unchanged, for the version that wrote it', async (_why, sql, message) => {
  const file = workspaceFile();
  const database = openDatabase(file);
  database.exec(`
    INSERT INTO script_groups (name, name_key) VALUES ('Packing', 'packing');
    INSERT INTO scripts (group_id, name, name_key, description, body, version, saved_at) VALUES (1, 'a', 'a', '', 'b', 1, '');`);
  database.close();
  const before = readFileSync(file);
  await expect(async () => openDatabase(file, { migrations: [...LATER, { name: 'bad', sql }] })).rejects.toThrow(
    message,
  );
  expect(readFileSync(file)).toEqual(before);
  expect(groupsIn(file)).toEqual(['Packing']);
  openDatabase(file).close();
});

test('used contexts of a former version get names, the last used one first', () => {
  const file = workspaceFile();
  const former = openDatabase(file, { migrations: MIGRATIONS.slice(0, 14) });
  former.exec(`
    INSERT INTO script_groups (name, name_key) VALUES ('G', 'g');
    INSERT INTO scripts (id, group_id, name, name_key, description, body, version, saved_at)
      SELECT 7, id, 'S', 's', '', '', 1, '2026-01-01T00:00:00.000Z' FROM script_groups;`);
  const of = (tagName: string) => ({ tagName, diagram: '', location: 'ß', valueMode: 'json', valueText: '{"a": 1}' });
  const contexts = { current: of('typed'), used: [of('B'), of('A')] };
  former.prepare('INSERT INTO run_contexts (script_id, contexts) VALUES (7, ?)').run(JSON.stringify(contexts));
  former.close();
  const database = openDatabase(file);
  expect(new RunContextRepository(database).get(7)).toEqual({
    current: of('typed'),
    chosen: null,
    named: [
      { ...of('B'), name: 'Context 1' },
      { ...of('A'), name: 'Context 2' },
    ],
    used: [],
  });
  database.prepare('UPDATE run_contexts SET contexts = ?').run(JSON.stringify({ current: null, used: [] }));
  database.exec(MIGRATIONS[14]?.sql ?? '');
  expect(new RunContextRepository(database).get(7)).toEqual(NO_CONTEXTS);
  database.close();
});

test('a workspace of a newer version is rejected and stays unchanged, byte for byte', async () => {
  const file = workspaceFile();
  openDatabase(file, { migrations: LATER }).close();
  const before = contentOf(join(file, '..'));
  const error = await thrownBy(() => openDatabase(file));
  expect(error.code).toBe('WORKSPACE_NEWER');
  expect(error.message).toContain('Update Tagwright');
  expect(error.data).toEqual({ file, schema: LATER.length, known: MIGRATIONS.length });
  expect(contentOf(join(file, '..'))).toEqual(before);
});

test('a newer version is also detected in the WAL, which stays in place', async () => {
  const folder = temporaryFolder();
  leaveInWal(folder, (database) => database.pragma(`user_version = ${MIGRATIONS.length + 1}`));
  const before = contentOf(folder);
  expect(Object.keys(before)).toEqual(['workspace.db', 'workspace.db-wal']);
  expect((await thrownBy(() => openDatabase(join(folder, 'workspace.db')))).code).toBe('WORKSPACE_NEWER');
  expect(contentOf(folder)).toEqual(before);
});

test('the newest five backups before migrations are kept, other files untouched', () => {
  const file = workspaceFile();
  const folder = join(file, '..', 'backups');
  mkdirSync(folder);
  writeFileSync(join(folder, 'mine.db'), 'mine');
  writeFileSync(join(folder, 'workspace-20260101T000000000Z.db'), 'a regular one');
  const clock = new FakeClock();
  const migrations = [...MIGRATIONS];
  openDatabase(file).close();
  for (let step = 0; step < 7; step += 1) {
    clock.advance(1_000);
    migrations.push({ name: `step ${step}`, sql: `CREATE TABLE step_${step} (a TEXT) STRICT` });
    openDatabase(file, { migrations, clock }).close();
  }
  const names = readdirSync(folder);
  expect(names).toContain('mine.db');
  expect(names).toContain('workspace-20260101T000000000Z.db');
  expect(names.filter((name) => name.includes('-schema-')).toSorted()).toEqual(
    [2, 3, 4, 5, 6].map((step) => {
      const before = MIGRATIONS.length + step;
      return `workspace-20260801T10150${step + 1}000Z-schema-${before}.db`;
    }),
  );
  expect(existsSync(file)).toBe(true);
});
