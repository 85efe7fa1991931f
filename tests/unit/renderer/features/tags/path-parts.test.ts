import { expect, test } from 'vitest';
import {
  groupOf,
  namesOf,
  partsOfPath,
  pathTracks,
  sharedGroups,
  widthsOfParts,
} from '../../../../../src-renderer/ui/text/path-parts.ts';
import { fc } from '../../../../support/run/random.ts';

test('a path has groups and a name, below the selected group', () => {
  const path = 'Plant.Line1.Filler.Speed.Value';
  expect(partsOfPath(path, '')).toEqual({ groups: 'Plant.Line1.Filler.', name: 'Speed.Value' });
  expect(partsOfPath(path, 'Plant')).toEqual({ groups: 'Line1.Filler.', name: 'Speed.Value' });
  expect(partsOfPath(path, 'Plant.Line1.Filler')).toEqual({ groups: '', name: 'Speed.Value' });
  expect(partsOfPath('A.B.C', '')).toEqual({ groups: 'A.', name: 'B.C' });
});

test.each(['', 'script', 'A.B', 'A'])('a text that is no path is a name: “%s”', (text) => {
  expect(partsOfPath(text, '')).toEqual({ groups: '', name: text });
  expect(partsOfPath(text, 'Plant.Line1')).toEqual({ groups: '', name: text });
});

test('a path outside the group is shown from its root', () => {
  expect(partsOfPath('Plant.Line12.Speed.Value', 'Plant.Line1')).toEqual({
    groups: 'Plant.Line12.',
    name: 'Speed.Value',
  });
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
  const paths = Array.from({ length: 40 }, (_, index) => `Plant.Line.Tag${10 + index}.Value`);
  const widths = { groups: 'Plant.Line.'.length, name: 'Tag10.Value'.length };
  expect(widthsOfParts(paths, '')).toEqual(widths);
  expect(widthsOfParts([...paths, `${'Long'.repeat(50)}.${'Name'.repeat(50)}.Value`], '')).toEqual(widths);
  expect(widthsOfParts([], '')).toEqual({ groups: 0, name: 0 });
});

test('names have the space that they need, and groups at least a third', () => {
  expect(pathTracks(['Plant.Line.Speed.Value'])).toBe(
    '22px minmax(0, min(12ch, max(33%, calc(100% - 22px - 11ch)))) minmax(0, 1fr)',
  );
  expect(pathTracks(['Plant.Line.Speed.Value'], { below: 'Plant.Line', icon: false })).toBe(
    'minmax(0, min(0ch, max(33%, calc(100% - 0px - 11ch)))) minmax(0, 1fr)',
  );
});
