import { lstatSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PlantView } from '../../../../src-main/storage/plant/plant-view.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

function folderOfPlant() {
  const folder = temporaryFolder();
  const [file, other] = [join(folder, 'plant.db'), join(folder, 'other')];
  writeFileSync(file, '');
  writeFileSync(other, 'former');
  return { folder, file, other };
}

test('a view is outdated when a hidden file is replaced by one with the same inode', ({ skip }) => {
  const { file, other } = folderOfPlant();
  const { ino } = lstatSync(other);
  const view = new PlantView(file);
  expect(view.isOutdated()).toBe(false);
  for (let attempt = 0; attempt < 100; attempt += 1) {
    rmSync(other);
    writeFileSync(other, 'new');
    if (lstatSync(other).ino === ino) break;
  }
  if (lstatSync(other).ino !== ino) skip('this file system does not use inodes again');
  expect(view.isOutdated()).toBe(true);
});

test('a view is outdated when a file appears and the time of the folder is set back', async () => {
  const { folder, file } = folderOfPlant();
  const { atime, mtime } = statSync(folder);
  utimesSync(folder, atime, mtime);
  const view = new PlantView(file);
  // Some systems store times in steps of 10 ms.
  await new Promise((resolve) => setTimeout(resolve, 50));
  writeFileSync(join(folder, 'workspace.db'), 'secret');
  utimesSync(folder, atime, mtime);
  expect([view.isOutdated(), view.isOutdated()]).toEqual([true, true]);
});

test('a view stays valid while hidden files and its own are written', () => {
  const { folder, file, other } = folderOfPlant();
  const view = new PlantView(file);
  writeFileSync(other, 'more');
  writeFileSync(join(folder, 'plant.db-journal'), 'x');
  rmSync(join(folder, 'plant.db-journal'));
  expect(view.isOutdated()).toBe(false);
});
