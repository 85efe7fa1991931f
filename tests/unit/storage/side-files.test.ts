import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { restoreBackup } from '../../../src-main/storage/backups/restore-backup.ts';
import { openDatabase } from '../../../src-main/storage/database.ts';
import { readFacts } from '../../../src-main/storage/workspace/examination/examine.ts';
import { openWorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { thrownBy } from '../../support/thrown-by.ts';

/**
 * Files next to workspace.db that Tagwright did not write. Other programs, and a host that runs SQL, can create them.
 */
function workspaceFile(): string {
  const file = join(temporaryFolder(), 'workspace.db');
  openDatabase(file).close();
  return file;
}

/** A journal that SQLite writes back into the database next to it. */
function journalOf(file: string): Buffer {
  const copy = join(temporaryFolder(), 'copy.db');
  copyFileSync(file, copy);
  const database = new Database(copy);
  database.pragma('journal_mode = DELETE');
  // Otherwise the journal is invalid until it is flushed.
  database.pragma('synchronous = OFF');
  database.exec(`BEGIN; INSERT INTO script_groups (name, name_key) VALUES ('x', 'x')`);
  const journal = readFileSync(`${copy}-journal`);
  database.close();
  return journal;
}

/** A log whose frames SQLite treats as changes of the database next to it. */
function logOf(pageSize: number): Buffer {
  const file = join(temporaryFolder(), 'other.db');
  const database = new Database(file);
  database.pragma(`page_size = ${pageSize}`);
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE other (a); INSERT INTO other VALUES (1)');
  const log = readFileSync(`${file}-wal`);
  database.close();
  return log;
}

/** Opening is rejected by name, and changes nothing. */
async function refusalOf(file: string, name: string): Promise<string> {
  const before = readFileSync(file);
  const thrown = await thrownBy(() => openWorkspaceStore(dirname(file)).close());
  expect(thrown.code).toBe('WORKSPACE_DAMAGED');
  expect(thrown.message).toContain('Nothing was changed.');
  expect(thrown.message).toContain(`Move ${name} out of the folder "${dirname(file)}" and start again`);
  expect((await thrownBy(() => readFacts({ file, path: file, way: 'unused' }))).message).toBe(thrown.message);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(dirname(file))).toContain(name);
  rmSync(join(dirname(file), name), { recursive: true });
  openWorkspaceStore(dirname(file)).close();
  return thrown.message;
}

test('a journal next to workspace.db is rejected by its name', async () => {
  const file = workspaceFile();
  writeFileSync(`${file}-journal`, journalOf(file));
  expect(await refusalOf(file, 'workspace.db-journal')).toContain('-journal" was not written by Tagwright');
});

test('a journal of a program that changed the mode has its own message', async () => {
  const file = workspaceFile();
  const database = new Database(file);
  database.pragma('journal_mode = DELETE');
  database.close();
  writeFileSync(`${file}-journal`, journalOf(file));
  const message = await refusalOf(file, 'workspace.db-journal');
  expect(message).toContain('was left by another program');
  expect(message).toContain('Open the workspace once with that program');
});

test('an open workspace has an empty journal, which no host can replace', () => {
  const file = workspaceFile();
  for (const left of [null, Buffer.alloc(0), journalOf(file)]) {
    const store = openWorkspaceStore(dirname(file));
    expect(readFileSync(`${file}-journal`)).toHaveLength(0);
    if (left !== null) writeFileSync(`${file}-journal`, left);
    store.settings.put('hosts.count', 3);
    store.close();
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith('-journal'))).toEqual([]);
  }
  // As after the end by SIGKILL.
  writeFileSync(`${file}-journal`, '');
  openWorkspaceStore(dirname(file)).close();
  expect(existsSync(`${file}-journal`)).toBe(false);
});

test.each(['DELETE', 'WAL'])(
  'a restored backup needs no journal at its first open (backup in mode %s)',
  async (mode) => {
    const file = workspaceFile();
    const store = openWorkspaceStore(dirname(file));
    const path = await store.backUpNow();
    store.close();
    const backup = new Database(path);
    backup.pragma(`journal_mode = ${mode}`);
    backup.close();
    await restoreBackup(dirname(file), basename(path));
    expect(readdirSync(dirname(file)).filter((name) => name.startsWith('workspace.db'))).toEqual(['workspace.db']);
    // The versions for writing and reading: 2 is a write-ahead log. Changing them needs a journal, which a kill leaves.
    expect([...readFileSync(file).subarray(18, 20)]).toEqual([2, 2]);
  },
);

test('what SQLite ignores does not stop a start', () => {
  const file = workspaceFile();
  for (const [suffix, bytes] of [
    ['-journal', Buffer.alloc(0)],
    ['-journal', Buffer.alloc(512)],
    ['-wal', Buffer.from('no log at all, but long enough for its header')],
  ] as const) {
    writeFileSync(file + suffix, bytes);
    expect(() => openDatabase(file).close()).not.toThrow();
  }
});

test('a log of another database is named, whatever its pages are', async () => {
  const file = workspaceFile();
  writeFileSync(`${file}-wal`, logOf(1_024));
  expect(await refusalOf(file, 'workspace.db-wal')).toContain('-wal" is the log of another database');

  writeFileSync(`${file}-wal`, logOf(4_096));
  const thrown = await thrownBy(() => openDatabase(file).close());
  expect(thrown.message).toContain('If workspace.db-wal belongs to another file, move it out of the folder first.');
  rmSync(`${file}-wal`);
  openDatabase(file).close();
});

describe.runIf(process.platform !== 'win32')('instead of a file next to workspace.db,', () => {
  test.each([
    ['a link', '-wal', (path: string) => symlinkSync('/etc/hostname', path)],
    ['a link to nothing', '-shm', (path: string) => symlinkSync('/no/such/file', path)],
    ['a named pipe', '-journal', (path: string) => execFileSync('mkfifo', [path])],
    ['a folder', '-wal', (path: string) => mkdirSync(path)],
  ])('%s is rejected by its name', async (_, suffix, make) => {
    const file = workspaceFile();
    make(file + suffix);
    expect(await refusalOf(file, `workspace.db${suffix}`)).toContain('is a link, a folder or a special file');
  });

  test('a named pipe is not waited for when a backup is restored', async () => {
    const file = workspaceFile();
    const store = openWorkspaceStore(dirname(file));
    const backup = await store.backUpNow();
    store.close();
    execFileSync('mkfifo', [`${file}-journal`]);
    const kept = await restoreBackup(dirname(file), backup.split('/').at(-1) ?? '');
    expect(existsSync(join(kept ?? '', 'workspace.db'))).toBe(true);
    openWorkspaceStore(dirname(file)).close();
  });
});
