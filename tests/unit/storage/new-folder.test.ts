import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TagwrightError } from '../../../src-main/platform/errors.ts';
import { fillNewFolder } from '../../../src-main/storage/workspace/new-folder.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { thrownBy } from '../../support/thrown-by.ts';

test('files of failed work are removed, and so is the folder if it was new', async () => {
  const [old, fresh] = [temporaryFolder(), join(temporaryFolder(), 'deep', 'new')];
  for (const folder of [old, fresh]) {
    const failed = await thrownBy(() =>
      fillNewFolder(folder, async () => {
        mkdirSync(join(folder, 'mock-files'));
        writeFileSync(join(folder, 'mock-files', 'a.png'), 'half');
        throw new TagwrightError('STORAGE_FULL', 'The disk is full.');
      }),
    );
    expect(failed.code).toBe('STORAGE_FULL');
  }
  expect([readdirSync(old), existsSync(fresh)]).toEqual([[], false]);
});

test('a used folder, a file, and a path below a file are rejected unchanged', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'notes.txt');
  writeFileSync(file, 'mine');
  for (const wrong of [folder, file, join(file, 'below')]) {
    const { code } = await thrownBy(() => fillNewFolder(wrong, async () => writeFileSync(join(wrong, 'x'), '')));
    expect([wrong, code]).toEqual([wrong, 'BAD_REQUEST']);
  }
  expect(readdirSync(folder)).toEqual(['notes.txt']);
});

test('if two fill one folder at once, one succeeds and the other removes nothing', async () => {
  for (const folder of [temporaryFolder(), join(temporaryFolder(), 'new')]) {
    const other = Promise.withResolvers<void>();
    const filled = fillNewFolder(folder, async () => {
      await other.promise;
      writeFileSync(join(folder, 'workspace.db'), 'mine');
      return 'done';
    });
    const refused = await thrownBy(() => fillNewFolder(folder, async () => writeFileSync(join(folder, 'x'), '')));
    expect(refused.code).toBe('BAD_REQUEST');
    other.resolve();
    expect(await filled).toBe('done');
    expect(readdirSync(folder)).toEqual(['workspace.db']);
  }
});
