import { expect, test } from 'vitest';
import {
  type GridLook,
  type HeadColumn,
  checkedLook,
  isHidden,
  nextSort,
  resetLook,
  widthOf,
  widthWithin,
} from '../../../../src-renderer/ui/lists/grid-look.ts';
import { inPlaces, sortedRows } from '../../../../src-renderer/ui/lists/sorted-rows.ts';

const NAME: HeadColumn = { name: 'Name', keep: 'shown', sort: {} };
const UNIT: HeadColumn = { name: 'Unit' };
const TIME: HeadColumn = { name: 'Time', sort: { descendingFirst: true } };
const BY_NAME = { name: 'Name', descending: false };
const PLAIN: GridLook = { sort: null, widths: {}, hidden: [], ages: false };

test('a stored look is checked', () => {
  expect(checkedLook(null, BY_NAME)).toEqual({ ...PLAIN, sort: BY_NAME });
  expect(checkedLook('text', null)).toEqual(PLAIN);
  expect(checkedLook({ sort: { name: 7 }, widths: 7, hidden: {}, ages: 'yes' }, null)).toEqual(PLAIN);
  expect(checkedLook({ sort: [], widths: [Infinity], hidden: [1, null, 'Unit', 'Unit'] }, null)).toEqual({
    ...PLAIN,
    hidden: ['Unit'],
  });
  const look = { sort: { name: 'Time', descending: true }, widths: { Unit: 90 }, hidden: ['Time'], ages: true };
  expect(checkedLook(JSON.parse(JSON.stringify(look)), null)).toEqual(look);
});

test('stored widths are within limits, and names of outputs do not pile up', () => {
  expect(checkedLook({ widths: { Unit: 1, Kind: 1e9, Type: '9', Bad: null } }, null).widths).toEqual({
    Unit: 32,
    Kind: 800,
  });
  expect(widthWithin(99.6)).toBe(100);
  const names = Array.from({ length: 5_000 }, (_, place) => `output ${place}`);
  const { widths, hidden } = checkedLook(
    { widths: Object.fromEntries(names.map((name) => [name, 90])), hidden: names },
    null,
  );
  expect(Object.keys(widths)).toEqual(names.slice(-200));
  expect(hidden).toEqual(names.slice(-200));
});

test('an output can have any name', () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    expect(widthOf(PLAIN, { name })).toBeUndefined();
    const stored: unknown = JSON.parse(`{ "widths": { "${name}": 120 } }`);
    expect(widthOf(checkedLook(stored, null), { name })).toBe(120);
  }
  expect(widthOf({ ...PLAIN, widths: { value_2: 90 } }, { name: 'value', id: 'value_2' })).toBe(90);
});

test('the main column stays visible, and a fixed one keeps its width', () => {
  const look = { ...PLAIN, hidden: ['Name', 'Unit', 'On'], widths: { On: 90, Name: 90 } };
  expect([NAME, UNIT, { name: 'On', keep: 'fixed' as const }].map((column) => isHidden(look, column))).toEqual([
    false,
    true,
    false,
  ]);
  expect(widthOf(look, { name: 'On', keep: 'fixed' })).toBeUndefined();
  expect(widthOf(look, NAME)).toBe(90);
});

test('a reset leaves the columns of other rules as they are', () => {
  const look = { sort: BY_NAME, widths: { Unit: 90, other: 80 }, hidden: ['Time', 'another'], ages: true };
  expect(resetLook(look, [NAME, UNIT, TIME], null)).toEqual({
    ...PLAIN,
    widths: { other: 80 },
    hidden: ['another'],
  });
});

test('a click sorts, another one reverses; times begin with the newest', () => {
  expect(nextSort(NAME, BY_NAME, BY_NAME)).toEqual({ name: 'Name', descending: true });
  expect(nextSort(NAME, { name: 'Name', descending: true }, BY_NAME)).toEqual(BY_NAME);
  expect(nextSort(TIME, BY_NAME, BY_NAME)).toEqual({ name: 'Time', descending: true });
  expect(nextSort(TIME, { name: 'Time', descending: true }, BY_NAME)).toEqual({ name: 'Time', descending: false });
});

test('a third click returns to the order that no column has', () => {
  const second = { name: 'Time', descending: false };
  expect(nextSort(TIME, null, null)).toEqual({ name: 'Time', descending: true });
  expect(nextSort(TIME, { name: 'Time', descending: true }, null)).toEqual(second);
  expect(nextSort(TIME, second, null)).toBeNull();
});

test('rows are in natural order; new ones are first and those without a value last', () => {
  const rows = ['Valve10', 'new', '', 'valve2', 'Ábc', 'abd'];
  const by = (row: string) => (row === '' ? null : row);
  const sorted = (descending: boolean) =>
    sortedRows(rows, { name: 'Name', descending }, by, (row) => row === 'new').join(' ');
  expect(sorted(false)).toBe('new Ábc abd valve2 Valve10 ');
  expect(sorted(true)).toBe('new Valve10 valve2 abd Ábc ');
});

test('numbers are before texts, and equal rows stay in the given order', () => {
  const rows = [
    { id: 1, by: 'manual' },
    { id: 2, by: 10 },
    { id: 3, by: 9 },
    { id: 4, by: 10 },
  ];
  const ids = (descending: boolean) => sortedRows(rows, { name: 'by', descending }, ({ by }) => by).map(({ id }) => id);
  expect(ids(false)).toEqual([3, 2, 4, 1]);
  expect(ids(true)).toEqual([1, 2, 4, 3]);
});

test('rows that arrive after a sort are at the end, in the order in which they came', () => {
  const given = ['7', '6', '5', '4', '3'];
  expect(inPlaces(given, ['4', '5', '2', '3'], (row) => row)).toEqual(['4', '5', '3', '6', '7']);
});
