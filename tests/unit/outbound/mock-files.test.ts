import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MockFiles } from '../../../src-main/outbound/mocks/mock-files.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

function folderOfMocks() {
  const workspace = temporaryFolder();
  const folder = join(workspace, 'mock-files');
  mkdirSync(join(folder, 'inner'), { recursive: true });
  writeFileSync(join(workspace, 'secrets.key'), 'the key');
  writeFileSync(join(folder, 'label.png'), 'image');
  return { folder, files: new MockFiles(folder) };
}

test('files in the folder are read; others, missing or too large ones are rejected', async () => {
  const { folder, files } = folderOfMocks();
  symlinkSync(join(folder, '..', 'secrets.key'), join(folder, 'link'));
  symlinkSync(join(folder, 'label.png'), join(folder, 'same.png'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  expect((await files.read('label.png', 5)).toString()).toBe('image');
  expect((await files.read('same.png', 5)).toString()).toBe('image');
  for (const name of ['../secrets.key', 'link', '', '.', '..', 'inner', 'pipe', 'none', '/etc/hostname', 'a\0b']) {
    await expect(files.read(name, 1_000)).rejects.toMatchObject({ name: 'MockError' });
  }
  await expect(files.read('label.png', 4)).rejects.toMatchObject({ name: 'ResponseTooLarge' });
});

test('a body is stored once, under a name derived from its content', () => {
  const { folder, files } = folderOfMocks();
  const name = files.keep(Buffer.from('one'), 'json');
  expect(name).toMatch(/^[\da-f]{24}\.json$/);
  expect(files.keep(Buffer.from('one'), 'json')).toBe(name);
  expect(files.keep(Buffer.from('two'), 'json')).not.toBe(name);
  expect(readdirSync(folder)).toHaveLength(4);
  expect([name, 'none', '../secrets.key', '..'].map((one) => files.has(one))).toEqual([true, false, false, false]);
});

test('a body is not written through a link that replaces its temporary file', () => {
  const { folder, files } = folderOfMocks();
  const name = `${createHash('sha256').update('one').digest('hex').slice(0, 24)}.json`;
  symlinkSync(join(folder, '..', 'secrets.key'), join(folder, `${name}.new`));
  expect(files.keep(Buffer.from('one'), 'json')).toBe(name);
  expect(readFileSync(join(folder, '..', 'secrets.key'), 'utf8')).toBe('the key');
  expect(readFileSync(join(folder, name), 'utf8')).toBe('one');
});
