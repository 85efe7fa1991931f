import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fc } from '../../support/run/random.ts';
import { selectedFiles } from '../../support/run/selection.ts';

const numbered = (folder: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${folder}/file-${at}.test.ts`);

const UNIT = numbered('tests/unit/plant/tags', 10);
const INTEGRATION = [...numbered('tests/integration/plant/tags', 20), ...numbered('tests/integration/hub', 10)];
const E2E = [...numbered('tests/e2e/tags', 20), ...numbered('tests/e2e/mocks', 10)];
const ALL = [...UNIT, ...INTEGRATION, ...E2E];

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const among = (files: readonly string[], selected: readonly string[]) =>
  files.filter((file) => selected.includes(file));

describe('the selection of test files', () => {
  test('has all unit tests and a quarter of those with processes and pages', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const selected = selectedFiles(ALL, [], seed);
        expect(among(UNIT, selected)).toEqual(UNIT);
        expect(among(INTEGRATION, selected)).toHaveLength(8);
        expect(among(E2E, selected)).toHaveLength(8);
      }),
    );
  });

  test('always has the suites that search for rare faults', () => {
    const suites = ['attack/corpus', 'attack/fuzz-pipe', 'hub/faults', 'plant/database/power-failure', 'attack/soak'];
    const files = suites.map((name) => `tests/integration/${name}.test.ts`);
    for (const file of files) expect(existsSync(file), file).toBe(true);
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(among(files, selectedFiles([...ALL, ...files], [], seed))).toEqual(files);
      }),
    );
  });

  test('is the same for the same seed, and reaches every file within some seeds', () => {
    expect(selectedFiles(ALL, [], 5)).toEqual(selectedFiles(ALL, [], 5));
    const reached = new Set(Array.from({ length: 40 }, (_, seed) => selectedFiles(ALL, [], seed)).flat());
    expect([...reached].toSorted()).toEqual(ALL.toSorted());
  });

  test('has the tests in the folders of a changed source, and a changed test', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const changed = ['src-main/plant/tags/values/get.ts', 'tests/e2e/mocks/file-3.test.ts'];
        const selected = selectedFiles(ALL, changed, seed);
        const near = ALL.filter((file) => file.includes('/tags/') || file === 'tests/e2e/mocks/file-3.test.ts');
        expect(among(near, selected)).toEqual(near);
      }),
    );
  });

  test('ignores changes of documents and of other folders', () => {
    expect(selectedFiles(ALL, ['docs/tags/index.md', 'src-main/rpc/port.ts'], 7)).toEqual(selectedFiles(ALL, [], 7));
  });
});
