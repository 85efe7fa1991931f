import { expect, test } from 'vitest';
import { checkedLook, DEFAULT_LOOK, widthWithin } from '../../../src-renderer/features/tags/table/columns.ts';
import { ageText } from '../../../src-renderer/support/moment.ts';

test('a stored look is checked', () => {
  expect(checkedLook(null)).toEqual(DEFAULT_LOOK);
  expect(checkedLook('text')).toEqual(DEFAULT_LOOK);
  expect(checkedLook({ sort: { name: 'Value', descending: true }, widths: 7, hidden: {}, ages: 'yes' })).toEqual({
    ...DEFAULT_LOOK,
    sort: { name: 'Path', descending: true },
  });
  const look = { sort: { name: 'Kind', descending: false }, widths: { Unit: 90 }, hidden: ['Type'], ages: true };
  expect(checkedLook(look)).toEqual(look);
});

test('the path stays visible, and widths within limits', () => {
  expect(checkedLook({ hidden: ['Path', 'Unit'] }).hidden).toEqual(['Unit']);
  expect(checkedLook({ widths: { Unit: 1, Kind: 1e9, Type: '9' } }).widths).toEqual({ Unit: 48, Kind: 800 });
  expect(widthWithin(99.6)).toBe(100);
});

test('ages have one unit', () => {
  expect([-5, 59_999, 60_000, 3_600_000, 90_000_000].map(ageText)).toEqual(['0 s', '59 s', '1 min', '1 h', '1 d']);
});
