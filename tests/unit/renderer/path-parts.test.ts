import { expect, test } from 'vitest';
import {
  namesOf,
  partsOfPath,
  sharedGroups,
  widthsOfParts,
} from '../../../src-renderer/features/tags/table/path-parts.ts';
import { groupOf } from '../../../src-renderer/features/tags/tree/path-tree.ts';
import { fc } from '../../support/random.ts';

const tag = (path: string) =>
  ({ path, kind: 'storage', type: 'Double', description: '', unit: '', settings: {} }) as const;

test('a path has groups and a name, below the selected group', () => {
  const path = 'Plant.Line1.Filler.Speed.Value';
  expect(partsOfPath(path, '')).toEqual({ groups: 'Plant.Line1.Filler.', name: 'Speed.Value' });
  expect(partsOfPath(path, 'Plant')).toEqual({ groups: 'Line1.Filler.', name: 'Speed.Value' });
  expect(partsOfPath(path, 'Plant.Line1.Filler')).toEqual({ groups: '', name: 'Speed.Value' });
  expect(partsOfPath('A.B.C', '')).toEqual({ groups: 'A.', name: 'B.C' });
});

test('the parts of a path are the path', () => {
  const path = fc
    .array(fc.stringMatching(/^[^.]{1,5}$/), { minLength: 3, maxLength: 6 })
    .map((names) => names.join('.'));
  fc.assert(
    fc.property(path, (one) => {
      for (const group of ['', groupOf(one)]) {
        const { groups, name } = partsOfPath(one, group);
        expect(`${group === '' ? '' : `${group}.`}${groups}${name}`).toBe(one);
        expect(name.split('.')).toHaveLength(2);
      }
    }),
  );
});

test('whole groups are shared with the row above, not their letters', () => {
  const shared = (groups: string, above: string) => groups.slice(0, sharedGroups(groups, above));
  expect(shared('A.Line1.Capper.', 'A.Line1.Capper.')).toBe('A.Line1.Capper.');
  expect(shared('A.Line1.Capper.', 'A.Line1.Filler.')).toBe('A.Line1.');
  expect(shared('A.Line12.', 'A.Line1.')).toBe('A.');
  expect(shared('A.Line1.', 'A.Line12.')).toBe('A.');
  expect(shared('A.', '')).toBe('');
  expect(shared('', 'A.')).toBe('');
});

test('groups are named from the innermost one', () => {
  expect(namesOf('A.Line 1.Capper.')).toEqual([
    { name: 'Capper', start: 9 },
    { name: 'Line 1', start: 2 },
    { name: 'A', start: 0 },
  ]);
  expect(namesOf('')).toEqual([]);
});

test('one long path does not widen the columns of all', () => {
  const tags = Array.from({ length: 40 }, (_, index) => tag(`Plant.Line.Tag${10 + index}.Value`));
  const widths = { groups: 'Plant.Line.'.length, name: 'Tag10.Value'.length };
  expect(widthsOfParts(tags, '')).toEqual(widths);
  expect(widthsOfParts([...tags, tag(`${'Long'.repeat(50)}.${'Name'.repeat(50)}.Value`)], '')).toEqual(widths);
  expect(widthsOfParts([], '')).toEqual({ groups: 0, name: 0 });
});
