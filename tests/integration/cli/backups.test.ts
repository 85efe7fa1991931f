import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { BackupInfo } from '#domain/workspace/backup';
import { commandLine } from '../../support/product/command-line.ts';
import { builtProduct } from '../../support/product/product.ts';
import { startInstance } from '../../support/product/served-instance.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

beforeAll(builtProduct, 180_000);

const TARGET = 'Bottling.Line1.Shift.Target.Value';

async function done(...args: string[]): Promise<string> {
  const { code, out, err } = await commandLine(args);
  if (code !== 0) throw new Error(`tagwright ${args.join(' ')} ended with ${code}: ${err}`);
  return out;
}

const valueIn = async (workspace: string): Promise<unknown> =>
  JSON.parse(await done('tags', 'get', TARGET, '--json', '-w', workspace))[0].value;

test('a backup is made by a running instance and restored after it has ended', async () => {
  const workspace = temporaryFolder();
  const instance = await startInstance({ workspace });
  await done('tags', 'set', `${TARGET}=111`, '-w', workspace);
  const made: BackupInfo = JSON.parse(await done('backups', 'create', '--json', '-w', workspace));
  expect(made).toMatchObject({ sort: 'manual', bytes: expect.any(Number) });
  await done('tags', 'set', `${TARGET}=222`, '-w', workspace);

  const held = await commandLine(['backups', 'restore', made.name, '-w', workspace]);
  expect([held.code, await valueIn(workspace)]).toEqual([3, 222]);
  await instance.close();

  const { kept }: { kept: string } = JSON.parse(await done('backups', 'restore', made.name, '--json', '-w', workspace));
  expect(await valueIn(workspace)).toBe(111);
  const all: BackupInfo[] = JSON.parse(await done('backups', 'list', '--json', '-w', workspace));
  expect(all.map(({ name }) => join(workspace, 'backups', name))).toContain(kept);
  await done('backups', 'restore', kept.slice(kept.lastIndexOf('/') + 1), '-w', workspace);
  expect(await valueIn(workspace)).toBe(222);
});

test('a damaged workspace is replaced by a backup, and its files are kept', async () => {
  const workspace = temporaryFolder();
  await done('tags', 'set', `${TARGET}=333`, '-w', workspace);
  const { name }: BackupInfo = JSON.parse(await done('backups', 'create', '--json', '-w', workspace));
  const file = join(workspace, 'workspace.db');
  const damaged = readFileSync(file).fill(0x55, 4_096, 65_536);
  writeFileSync(file, damaged);
  expect((await commandLine(['tags', 'list', '-w', workspace])).code).toBe(5);
  const { kept }: { kept: string } = JSON.parse(await done('backups', 'restore', name, '--json', '-w', workspace));
  expect(await valueIn(workspace)).toBe(333);
  expect(readFileSync(join(kept, 'workspace.db')).equals(damaged)).toBe(true);
});

test('an invalid or damaged backup is rejected and nothing is changed', async () => {
  const workspace = temporaryFolder();
  await done('tags', 'set', `${TARGET}=444`, '-w', workspace);
  const { name }: BackupInfo = JSON.parse(await done('backups', 'create', '--json', '-w', workspace));
  for (const wrong of ['../workspace.db', 'workspace.db', '']) {
    const { code, err } = await commandLine(['backups', 'restore', wrong, '-w', workspace]);
    expect([wrong, code, err]).toEqual([wrong, 2, expect.stringContaining(name)]);
  }
  const backup = join(workspace, 'backups', name);
  writeFileSync(backup, readFileSync(backup).subarray(0, 20_000));
  expect((await commandLine(['backups', 'restore', name, '-w', workspace])).code).toBe(5);
  expect([await valueIn(workspace), existsSync(join(workspace, 'workspace.db.restored'))]).toEqual([444, false]);
});
