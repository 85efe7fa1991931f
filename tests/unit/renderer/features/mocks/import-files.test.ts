import { expect, test } from 'vitest';
import { filesToImport, readChosen } from '../../../../../src-renderer/features/mocks/model/import-files.ts';

const placed = (...paths: string[]) => paths.map((path) => ({ path, file: { size: 10 } }));
const paths = (given: { path: string }[]) => given.map(({ path }) => path);

test('of a folder, its .bru files are imported, without the name of the folder', () => {
  const given = placed('ERP/bruno.json', 'ERP/a.bru', 'ERP/orders/b.bru', 'ERP/.git/c.bru', 'ERP/node_modules/d.bru');
  expect(paths(filesToImport(given))).toEqual(['a.bru', 'orders/b.bru']);
  expect(paths(filesToImport(placed('ERP/a.bru', 'MES/a.bru')))).toEqual(['ERP/a.bru', 'MES/a.bru']);
});

test('of a folder without .bru files, its documents are imported', () => {
  expect(paths(filesToImport(placed('P/a.json', 'P/x/b.YML', 'P/c.har', 'P/read.me')))).toEqual([
    'a.json',
    'x/b.YML',
    'c.har',
  ]);
  expect(paths(filesToImport(placed('call.txt', 'other')))).toEqual(['call.txt', 'other']);
});

test('a folder without such files, or with too many or too large ones, is rejected', () => {
  expect(() => filesToImport(placed('P/read.me'))).toThrow('“P” has no .bru, JSON, YAML or HAR files.');
  expect(() => filesToImport(Array.from({ length: 5_001 }, (_, at) => placed(`P/${at}.bru`)).flat())).toThrow(
    'An import has at most 5,000 files and 32 MB.',
  );
  expect(() => filesToImport([{ path: 'a.har', file: { size: 33 * 1_048_576 } }])).toThrow('at most 5,000 files');
  expect(filesToImport([])).toEqual([]);
});

test('files that are no text are all named', async () => {
  const file = (path: string, ...bytes: number[]) => ({ path, file: new File([new Uint8Array(bytes)], path) });
  await expect(readChosen([file('a.json', 0), file('b.json', 0x7b, 0x7d), file('c.json', 0xff)])).rejects.toMatchObject(
    {
      message: '2 of 3 files cannot be read.',
      problems: [
        { path: 'a.json', message: expect.stringContaining('zero bytes') },
        { path: 'c.json', message: expect.stringContaining('UTF-8') },
      ],
    },
  );
  expect(await readChosen([file('b.json', 0x7b, 0x7d)])).toEqual({ name: 'b.json', text: '{}' });
  expect(await readChosen([file('P/b.bru', 0x7b)])).toMatchObject({ name: 'P: 1 file', files: [{ path: 'b.bru' }] });
});
