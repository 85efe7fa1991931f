import { expect, test } from 'vitest';
import { mockRoute } from '#contract/texts/mock-route';
import {
  FOLDER_LIMITS,
  folderAfterRename,
  folderOfNames,
  isInFolder,
  parentOfFolder,
  problemOfFolder,
  tidyFolder,
} from '#domain/mock/mock-folder';
import { fc } from '../../support/run/random.ts';

const names = fc.array(fc.string({ unit: 'grapheme', maxLength: 90 }), { maxLength: 14 });

test('names of folders from elsewhere become a folder that mocks can be in', () => {
  fc.assert(
    fc.property(names, (given) => {
      const folder = folderOfNames(given);
      if (folder === undefined) return;
      expect([tidyFolder(folder), problemOfFolder(folder)]).toEqual([folder, null]);
      expect(mockRoute().parse({ name: 'A', folder, request: { url: '//a' } }).folder).toBe(folder);
    }),
  );
  expect(folderOfNames(['', ' / ', '\n'])).toBe('-');
  expect(folderOfNames(['x'.repeat(59) + '🧪', 'b/c'])).toBe(`${'x'.repeat(59)}/b-c`);
});

test.each([
  ['', 'enter the name of a folder'],
  ['a/'.repeat(FOLDER_LIMITS.levels + 1), 'at most 10 levels of folders'],
  ['a\nb', 'a folder has no line breaks or control characters'],
  ['x'.repeat(301), 'at most 300 characters'],
])('a mock cannot be in the folder %j', (folder, problem) => {
  expect(problemOfFolder(tidyFolder(folder))).toBe(problem);
  const { error } = mockRoute().safeParse({ name: 'A', folder, request: { url: '//a' } });
  expect(error?.issues.map(({ path, message }) => [path.join(), message])).toContainEqual(['folder', problem]);
});

test('a renamed folder takes the folders in it along', () => {
  expect(folderAfterRename('ERP/Orders/Old', 'ERP/Orders', 'MES')).toBe('MES/Old');
  expect(folderAfterRename('ERP', 'ERP', 'ERP/All')).toBe('ERP/All');
  expect(folderAfterRename('ERP/Orders', 'ERP', '')).toBe('Orders');
  expect([isInFolder('ERP2', 'ERP'), isInFolder('ERP/2', 'ERP'), isInFolder(undefined, 'ERP')]).toEqual([
    false,
    true,
    false,
  ]);
  expect([parentOfFolder('a/b/c'), parentOfFolder('a')]).toEqual(['a/b', '']);
});
