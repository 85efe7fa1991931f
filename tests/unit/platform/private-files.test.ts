import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { exposedFiles, hideFiles } from '../../../src-main/platform/files/private-files.ts';
import { openWorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import { copyWorkspace } from '../../../src-main/storage/workspace/copy/copy-workspace.ts';
import { restoreBackup } from '../../../src-main/storage/backups/restore-backup.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const withoutModes = process.platform === 'win32';

/** A folder with public permissions, as if it existed before Tagwright. */
function openFolder(): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  return folder;
}

/** The modes of everything in a folder, by name. */
function modesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(names.map((name) => [name, (lstatSync(join(folder, name)).mode & 0o777).toString(8)]));
}

const others = (modes: Record<string, string>) => Object.entries(modes).filter(([, mode]) => !mode.endsWith('00'));

test.skipIf(withoutModes)('everything that an open workspace creates is private to its owner', async () => {
  const folder = openFolder();
  const store = openWorkspaceStore(folder);
  onTestFinished(() => store.close());
  await store.commits.run(() => store.settings.put('hosts.count', 3));
  await store.backUpNow();
  const modes = modesIn(folder);
  expect(Object.keys(modes)).toEqual(expect.arrayContaining(['workspace.db', 'workspace.db-wal', 'workspace.db-shm']));
  expect(others(modes)).toEqual([]);
  expect(exposedFiles(folder)).toEqual([]);
});

test.skipIf(withoutModes)('readable files of an older version become private on open; links stay', async () => {
  const folder = openFolder();
  const store = openWorkspaceStore(folder);
  const backup = await store.backUpNow();
  store.close();
  const elsewhere = join(openFolder(), 'shared.db');
  writeFileSync(elsewhere, '');
  symlinkSync(elsewhere, join(folder, 'plant.db'));
  for (const name of ['logs', 'mock-files']) mkdirSync(join(folder, name));
  const left = [
    'workspace.db',
    'instance.lock',
    'plant.db-wal',
    'logs/tagwright.log.1',
    'mock-files/a.json',
    'mine.txt',
  ];
  for (const name of left) writeFileSync(join(folder, name), '', { flag: 'a' });
  for (const name of left) chmodSync(join(folder, name), 0o644);
  for (const path of [elsewhere, backup]) chmodSync(path, 0o644);
  chmodSync(join(folder, 'backups'), 0o755);
  expect(exposedFiles(folder).map(({ path, mode }) => [path.slice(folder.length + 1), mode])).toEqual(
    expect.arrayContaining([
      ['workspace.db', 0o644],
      ['backups', 0o755],
      ['logs/tagwright.log.1', 0o644],
    ]),
  );
  openWorkspaceStore(folder).close();
  expect(exposedFiles(folder)).toEqual([]);
  expect(others(modesIn(folder)).map(([name]) => name)).toEqual(['mine.txt', 'plant.db']);
  expect(statSync(elsewhere).mode & 0o777).toBe(0o644);
});

test.skipIf(withoutModes)('a restore and a copy are private to their owner, whatever their source', async () => {
  const folder = openFolder();
  const store = openWorkspaceStore(folder);
  const backup = await store.backUpNow();
  store.close();
  for (const path of [backup, join(folder, 'backups'), join(folder, 'workspace.db')]) chmodSync(path, 0o755);
  await restoreBackup(folder, backup.slice(folder.length + '/backups/'.length));
  expect(statSync(join(folder, 'workspace.db')).mode & 0o077).toBe(0);
  mkdirSync(join(folder, 'mock-files'));
  writeFileSync(join(folder, 'mock-files', 'body.json'), '{}', { mode: 0o644 });
  writeFileSync(join(folder, 'plant.db'), '', { mode: 0o644 });
  const target = openFolder();
  await copyWorkspace({ source: folder, target, withSecrets: false });
  expect(Object.keys(modesIn(target))).toEqual(expect.arrayContaining(['plant.db', 'workspace.db', 'mock-files']));
  expect(others(modesIn(target))).toEqual([]);
});

test.skipIf(withoutModes)('the umask has no effect', () => {
  const before = process.umask();
  onTestFinished(() => void process.umask(before));
  for (const umask of [0, 0o177]) {
    process.umask(umask);
    const folder = openFolder();
    openWorkspaceStore(folder).close();
    expect(modesIn(folder)).toEqual({ 'instance.lock': '600', 'workspace.db': '600' });
  }
});

test('a missing folder has nothing to hide', () => {
  expect(hideFiles(join(temporaryFolder(), 'none'))).toEqual([]);
});
