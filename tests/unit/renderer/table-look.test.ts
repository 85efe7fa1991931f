import { expect, test } from 'vitest';
import { checkedLook, DEFAULT_LOOK, nextSort, widthWithin } from '../../../src-renderer/features/tags/table/columns.ts';
import { orderText } from '../../../src-renderer/features/tags/table/use-live-order.ts';
import { ageText } from '../../../src-renderer/support/moment.ts';

test('a stored look is checked', () => {
  expect(checkedLook(null)).toEqual(DEFAULT_LOOK);
  expect(checkedLook('text')).toEqual(DEFAULT_LOOK);
  expect(checkedLook({ sort: { name: 'Trend', descending: true }, widths: 7, hidden: {}, ages: 'yes' })).toEqual({
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

test('a click sorts, another one reverses; times begin with the newest', () => {
  const { sort } = DEFAULT_LOOK;
  expect(nextSort('Path', sort)).toEqual({ name: 'Path', descending: true });
  expect(nextSort('Value', sort)).toEqual({ name: 'Value', descending: false });
  expect(nextSort('Time', sort)).toEqual({ name: 'Time', descending: true });
  expect(nextSort('Time', { name: 'Time', descending: true })).toEqual({ name: 'Time', descending: false });
});

test('a list sorted by values says of when it is, or why it is not sorted', () => {
  const of = (count: number, problem: string | null = null) => ({ count, column: 'Value', problem });
  expect(orderText(of(5), { at: '10:31:02', unread: 0 })).toBe('order of 10:31:02');
  expect(orderText(of(5), { at: '10:31:02', unread: 1_200 })).toBe(
    'order of 10:31:02; 1,200 were not read in time and are last',
  );
  expect(orderText(of(5), null)).toBe('reading all of them to sort…');
  expect(orderText(of(5, 'No connection.'), null)).toBe('not sorted, because they could not be read: No connection.');
  expect(orderText(of(50_001), null)).toBe(
    'not sorted: too many to read for the order by value. Filter them to at most 50,000',
  );
});

test('ages have one unit', () => {
  expect([-5, 59_999, 60_000, 3_600_000, 90_000_000].map(ageText)).toEqual(['0 s', '59 s', '1 min', '1 h', '1 d']);
});
