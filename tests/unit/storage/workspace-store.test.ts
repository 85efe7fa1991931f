import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { readInstance } from '../../../src-main/storage/workspace/instance-lock.ts';
import { openWorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { thrownBy } from '../../support/thrown-by.ts';

function open(directory: string, clock = new FakeClock()) {
  const store = openWorkspaceStore(directory, { clock });
  onTestFinished(() => store.close());
  return store;
}

test('creates the folder and the database once, and leaves only these when closed', () => {
  const directory = join(temporaryFolder(), 'plants', 'north');
  const first = open(directory);
  expect(first).toMatchObject({ directory, created: true });
  first.close();
  first.close();
  expect(readdirSync(directory).toSorted()).toEqual(['instance.lock', 'workspace.db']);
  expect(open(directory).created).toBe(false);
});

test.skipIf(process.platform === 'win32')(
  'a new folder is private to its owner, an existing one keeps its permissions',
  () => {
    const modeOf = (folder: string) => statSync(folder).mode & 0o777;
    const made = join(temporaryFolder(), 'plants', 'north');
    open(made);
    expect(modeOf(made)).toBe(0o700);
    const given = join(temporaryFolder(), 'shared');
    mkdirSync(given);
    chmodSync(given, 0o755);
    open(given);
    expect(modeOf(given)).toBe(0o755);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a folder that cannot be created is reported, even if Node blames its parent',
  async () => {
    const error = await thrownBy(() => openWorkspaceStore('/proc/plants/north'));
    expect(error).toMatchObject({ code: 'WORKSPACE_READ_ONLY', message: expect.stringContaining('cannot be created') });
  },
);

test('closing commits waiting jobs', async () => {
  const directory = temporaryFolder();
  const store = open(directory);
  const saved = store.commits.run(() => store.settings.put('hosts.count', 3));
  store.close();
  await saved;
  expect(open(directory).settings.all()).toEqual(new Map([['hosts.count', '3']]));
});

test('a second open is rejected with the pid of the holder, but not after close', async () => {
  const directory = temporaryFolder();
  const store = open(directory);
  const error = await thrownBy(() => openWorkspaceStore(directory));
  expect(error.code).toBe('WORKSPACE_LOCKED');
  expect(error.data).toEqual({ directory, pid: process.pid });
  expect(error.message).toContain(`pid ${process.pid}`);
  store.close();
  open(directory);
});

test('clients read what the instance published', () => {
  const directory = temporaryFolder();
  expect(readInstance(directory)).toBeNull();
  const store = open(directory);
  const startedAt = '2026-08-01T10:15:00.000Z';
  expect(readInstance(directory)).toEqual({ pid: process.pid, url: null, token: null, startedAt });
  store.lock.publish({ url: 'ws://127.0.0.1:4861', token: 'one' });
  expect(readInstance(directory)).toEqual({ pid: process.pid, url: 'ws://127.0.0.1:4861', token: 'one', startedAt });
  store.close();
  expect(readInstance(directory)).toBeNull();
});

test.skipIf(process.platform === 'win32')('only its owner may read the connection data of the instance', () => {
  const directory = temporaryFolder();
  open(directory).lock.publish({ url: 'ws://127.0.0.1:4861', token: 'one' });
  expect(statSync(join(directory, 'instance.json')).mode & 0o777).toBe(0o600);
});

test('a search for the instance does not affect its lock', async () => {
  const directory = temporaryFolder();
  open(directory);
  for (let look = 0; look < 5; look += 1) expect(readInstance(directory)?.pid).toBe(process.pid);
  expect((await thrownBy(() => openWorkspaceStore(directory))).code).toBe('WORKSPACE_LOCKED');
});

test.each([
  ['a killed process', JSON.stringify({ pid: process.pid, url: 'ws://x', token: 't', startedAt: '' })],
  ['no process, because it is not JSON', '{"pid":'],
])('instance.json left by %s does not count as a running instance', (_who, content) => {
  const directory = temporaryFolder();
  open(directory).close();
  writeFileSync(join(directory, 'instance.json'), content);
  expect(readInstance(directory)).toBeNull();
  expect(open(directory).created).toBe(false);
  expect(readInstance(directory)?.url).toBeNull();
});

test('an instance whose details cannot be read still holds the workspace', async () => {
  const directory = temporaryFolder();
  open(directory);
  writeFileSync(join(directory, 'instance.json'), 'not json');
  const error = await thrownBy(() => openWorkspaceStore(directory));
  expect(error.code).toBe('WORKSPACE_LOCKED');
  expect(error.data).toEqual({ directory, pid: null });
});

test('a rejected workspace is unlocked', async () => {
  const directory = temporaryFolder();
  writeFileSync(join(directory, 'workspace.db'), 'noise');
  for (let attempt = 0; attempt < 2; attempt += 1) {
    expect((await thrownBy(() => openWorkspaceStore(directory))).code).toBe('WORKSPACE_DAMAGED');
    expect(readInstance(directory)).toBeNull();
  }
  expect(readFileSync(join(directory, 'workspace.db'), 'utf8')).toBe('noise');
});

test('a path that is a file is rejected with what to do', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  for (const directory of [file, join(file, 'below'), `${file}\0`]) {
    const error = await thrownBy(() => openWorkspaceStore(directory));
    expect(error.code).toBe('BAD_REQUEST');
    expect(error.message).toContain('Choose another folder');
  }
});

test('a lock file that is something else is named', async () => {
  const directory = temporaryFolder();
  writeFileSync(join(directory, 'instance.lock'), 'something else, longer than a header'.repeat(40));
  const error = await thrownBy(() => openWorkspaceStore(directory));
  expect(error.code).toBe('WORKSPACE_DAMAGED');
  expect(error.message).toContain('is not a lock file. Delete it');
});

test('backups are made when the newest is old, with all commits; five are kept', async () => {
  const directory = temporaryFolder();
  const clock = new FakeClock();
  const store = open(directory, clock);
  const day = 86_400_000;
  mkdirSync(join(directory, 'backups'));
  writeFileSync(join(directory, 'backups', 'workspace-20250101T000000000Z-schema-1.db'), 'kept');

  const made: (string | null)[] = [];
  for (let count = 1; count <= 7; count += 1) {
    await store.commits.run(() => store.settings.put('hosts.count', count));
    made.push(await store.backupIfOlderThan(day));
    expect(await store.backupIfOlderThan(day)).toBeNull();
    clock.advance(day + 1);
  }
  expect(readdirSync(join(directory, 'backups'))).toEqual([
    'workspace-20250101T000000000Z-schema-1.db',
    ...['03', '04', '05', '06', '07'].map((date) => `workspace-202608${date}T10150000${Number(date) - 1}Z.db`),
  ]);
  const newest = new Database(made.at(-1) ?? '', { readonly: true });
  onTestFinished(() => void newest.close());
  expect(newest.prepare('SELECT value FROM settings').pluck().get()).toBe('7');
  expect(newest.pragma('quick_check', { simple: true })).toBe('ok');
});

test('a close cancels a backup, and the next one removes leftovers', async () => {
  const directory = temporaryFolder();
  const store = open(directory);
  await store.commits.run(() => {
    for (let n = 0; n < 300; n += 1) store.settings.put(`filler.${n}`, 'x'.repeat(10_000));
  });
  const backup = store.backupIfOlderThan(0);
  await new Promise((resolve) => setImmediate(resolve));
  store.close();
  expect(await backup).toBeNull();
  expect(readdirSync(join(directory, 'backups'))).toEqual([]);

  for (const name of ['workspace-20260101T000000000Z.db.partial', 'workspace-20260101T000000000Z.db.partial-journal']) {
    writeFileSync(join(directory, 'backups', name), '');
  }
  writeFileSync(join(directory, 'backups', 'mine.partial'), '');
  expect(await open(directory).backupIfOlderThan(0)).toMatch(/workspace-\d{8}T\d{9}Z\.db$/);
  expect(readdirSync(join(directory, 'backups'))).toEqual(['mine.partial', 'workspace-20260801T101500000Z.db']);
});

test('writes continue during a backup', async () => {
  const directory = temporaryFolder();
  const store = open(directory);
  await store.commits.run(() => {
    for (let n = 0; n < 300; n += 1) store.settings.put(`filler.${n}`, 'x'.repeat(10_000));
  });
  const backup = store.backupIfOlderThan(0);
  await store.commits.run(() => store.settings.put('hosts.count', 4));
  const made = new Database((await backup) ?? '', { readonly: true });
  onTestFinished(() => void made.close());
  expect(made.pragma('quick_check', { simple: true })).toBe('ok');
  expect(made.prepare('SELECT count(*) FROM settings').pluck().get()).toBeGreaterThanOrEqual(300);
});

test('a backup during a Set of many steps contains all of it', async () => {
  const store = open(temporaryFolder());
  const insert = store.database.prepare<[{ name: string }]>(
    'INSERT INTO script_groups (name, name_key) VALUES (@name, @name)',
  );
  let begun: () => void = () => undefined;
  const beginning = new Promise<void>((resolve) => (begun = resolve));
  const writing = store.commits.runInSteps(function* () {
    for (let n = 0; n < 5_000; n += 1) {
      insert.run({ name: `group ${n}` });
      begun();
      // Longer than a step, because every row is a turn of the event loop.
      if (n % 500 === 0) for (const until = performance.now() + 15; performance.now() < until;);
      yield;
    }
  });
  await beginning;
  const path = await store.backUpNow();
  await writing;
  const copy = new Database(path, { readonly: true });
  onTestFinished(() => void copy.close());
  expect(copy.prepare('SELECT count(*) FROM script_groups').pluck().get()).toBe(5_000);
});
