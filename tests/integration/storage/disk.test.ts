import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openWorkspaceStore } from '../../../src-main/storage/workspace/workspace-store.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { canMount, startChild } from './child.ts';

const mountable = canMount();

test.skipIf(!mountable)('a full disk: writes are rejected, acknowledged data is kept; space helps', async () => {
  const folder = temporaryFolder();
  const child = startChild(
    import.meta.resolve('./children/fill-disk.ts'),
    [folder],
    `mount -t tmpfs -o size=2m tmpfs "${folder}"`,
  );
  const said = (await child.ended()).map((line) => JSON.parse(line) as unknown);
  expect(child.stderr()).toBe('');
  const full = expect.stringMatching(/^STORAGE_FULL: The disk that holds ".*" is full; nothing was written\./);
  expect(said).toEqual([
    { refusal: full, acknowledged: expect.any(Number), kept: true },
    { backup: full, kept: true },
    { room: 'again', kept: true },
    { open: full },
    { open: full },
    { reopened: true, secondCreated: true },
  ]);
});

test.skipIf(!mountable)('a disk that becomes full during a restore leaves the workspace unchanged', async () => {
  const folder = temporaryFolder();
  const child = startChild(
    import.meta.resolve('./children/restore-on-full-disk.ts'),
    [folder],
    `mount -t tmpfs -o size=4m tmpfs "${folder}"`,
  );
  const said = (await child.ended()).map((line) => JSON.parse(line) as unknown);
  expect(child.stderr()).toBe('');
  const full = expect.stringMatching(/^STORAGE_FULL: The disk that holds ".*" is full; nothing was written\./);
  const left = ['workspace.db'];
  expect(said).toEqual([
    { copy: full, left },
    { keeping: expect.stringMatching(/^STORAGE_FULL: The replaced workspace is kept, which needs 0\.\d MB; /), left },
    { groups: ['Now', 'Then'] },
    { replacing: full },
    { left, groups: ['Now', 'Then'] },
    { groups: ['Then'] },
    { kept: false, groups: ['Now', 'Then'] },
  ]);
});

test.skipIf(!mountable)('a disk with a few free pages counts as full, also that of plant.db', async () => {
  const [disk, plantDisk] = [temporaryFolder(), temporaryFolder()];
  const child = startChild(
    import.meta.resolve('./children/health-on-full-disk.ts'),
    [disk, plantDisk],
    `mount -t tmpfs -o size=16m tmpfs "${disk}"; mount -t tmpfs -o size=8m tmpfs "${plantDisk}"`,
  );
  const said = (await child.ended()).map((line) => JSON.parse(line) as unknown);
  expect(child.stderr()).toBe('');
  expect(said).toEqual([
    { 'a few pages left': 'storage-full' },
    { room: '' },
    { 'plant.db full': 'plant-full' },
    { 'room for plant.db': '' },
    { 'no database': 'plant-damaged' },
    { gone: 'plant-lost' },
    { another: '' },
  ]);
});

test.skipIf(process.platform === 'win32')('a read-only folder is rejected and stays unchanged', async () => {
  const folder = temporaryFolder();
  const workspace = join(folder, 'workspace');
  openWorkspaceStore(workspace).close();
  const content = () => readdirSync(workspace).map((name) => [name, readFileSync(join(workspace, name), 'base64')]);
  const before = content();
  mkdirSync(join(folder, 'empty'));
  const isRoot = process.getuid?.() === 0;
  // Permissions do not apply to root, but a file system mounted read-only does.
  const mount = isRoot ? `mount --bind "${folder}" "${folder}"; mount -o remount,bind,ro "${folder}"` : undefined;
  if (!isRoot) {
    for (const name of ['workspace', 'empty', '.']) chmodSync(join(folder, name), 0o555);
    onTestFinished(() => {
      for (const name of ['.', 'workspace', 'empty']) chmodSync(join(folder, name), 0o755);
    });
  }
  for (const directory of [workspace, join(folder, 'empty'), join(folder, 'new')]) {
    const child = startChild(import.meta.resolve('./children/open-workspace.ts'), [directory], mount);
    expect(JSON.parse(await child.line())).toMatchObject({
      code: 'WORKSPACE_READ_ONLY',
      message: expect.stringMatching(/cannot be (written|created)\. Give this user write permission/),
    });
    await child.ended();
  }
  expect(content()).toEqual(before);
  expect(readdirSync(join(folder, 'empty'))).toEqual([]);
});
