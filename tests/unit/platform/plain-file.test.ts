import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { appendPlain, openPlain, readPlain, writePlain } from '../../../src-main/platform/files/plain-file.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

test('a file is read, replaced and extended, and a new one is private to its owner', () => {
  const file = join(temporaryFolder(), 'file');
  writePlain(file, 'a longer text');
  writePlain(file, 'text');
  appendPlain(file, ' and more');
  expect(readPlain(file)).toBe('text and more');
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(() => readPlain(`${file}.missing`)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});

describe.runIf(process.platform !== 'win32')('instead of a file,', () => {
  test.each<[string, (path: string, target: string) => void]>([
    ['a link to a file', (path, target) => symlinkSync(target, path)],
    ['a link to nothing', (path) => symlinkSync('/no/such/file', path)],
    ['a named pipe', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
    ['a device', (path) => symlinkSync('/dev/zero', path)],
  ])('%s is rejected at once by name, for every operation', (_, make) => {
    const folder = temporaryFolder();
    const [path, target] = [join(folder, 'file'), join(folder, 'target')];
    writeFileSync(target, 'untouched');
    make(path, target);
    const ways = [
      () => readPlain(path),
      () => writePlain(path, 'text'),
      () => appendPlain(path, 'text'),
      () => openPlain(path, constants.O_RDWR),
    ];
    for (const way of ways) expect(way).toThrow(expect.objectContaining({ code: 'ENOTFILE', name: 'NotAFile' }));
    expect(() => readPlain(path)).toThrow(`"${path}" is a link, a folder or a special file`);
    expect(readFileSync(target, 'utf8')).toBe('untouched');
  });

  test('a link to a file is followed if users may store the file elsewhere', () => {
    const folder = temporaryFolder();
    const [link, target, zero] = ['link', 'target', 'zero'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(target, 'content');
    symlinkSync(target, link);
    symlinkSync('/dev/zero', zero);
    expect(readPlain(link, { links: true })).toBe('content');
    closeSync(openPlain(link, constants.O_RDONLY, { links: true }));
    expect(() => readPlain(zero, { links: true })).toThrow(expect.objectContaining({ code: 'ENOTFILE' }));
  });
});
