import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeWhole } from '../../../src-main/platform/files/whole-file.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

test('a file is replaced with its permissions, also through a link, leaving nothing', async () => {
  const folder = temporaryFolder();
  const [file, link] = [join(folder, 'mocks.json'), join(folder, 'link.json')];
  await writeWhole(file, 'one');
  chmodSync(file, 0o640);
  symlinkSync(file, link);
  await writeWhole(link, 'two');
  expect(readFileSync(file, 'utf8')).toBe('two');
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readlinkSync(link)).toBe(file);
  expect(readdirSync(folder).toSorted()).toEqual(['link.json', 'mocks.json']);
});

test('if the text cannot be written completely, the previous file stays', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'mocks.json');
  writeFileSync(file, 'one');
  // It blocks the temporary file.
  mkdirSync(`${file}.${process.pid}.new`);
  await expect(writeWhole(file, 'two')).rejects.toThrow('EISDIR');
  expect(readFileSync(file, 'utf8')).toBe('one');
  await expect(writeWhole(folder, 'two')).rejects.toThrow('EISDIR');
  await expect(writeWhole(join(folder, 'no', 'such.json'), 'two')).rejects.toThrow('ENOENT');
});

test.skipIf(process.getuid?.() === 0)('a file that must not be written is not replaced', async () => {
  const file = join(temporaryFolder(), 'mocks.json');
  writeFileSync(file, 'one', { mode: 0o444 });
  await expect(writeWhole(file, 'two')).rejects.toThrow('EACCES');
  expect(readFileSync(file, 'utf8')).toBe('one');
});
