import { expect, test } from 'vitest';
import { checkedSort, FIRST_SORT, liveOrderOf } from '../../../../../src-renderer/features/tags/table/columns.ts';
import { orderText } from '../../../../../src-renderer/features/tags/table/use-live-order.ts';
import { ageText } from '../../../../../src-renderer/support/moment.ts';

test('a stored order of tags is by a column of tags that sorts', () => {
  expect(checkedSort(null)).toEqual(FIRST_SORT);
  expect(checkedSort({ name: 'Trend', descending: true })).toEqual(FIRST_SORT);
  expect(checkedSort({ name: 'constructor', descending: true })).toEqual(FIRST_SORT);
  expect(checkedSort({ name: 'Kind', descending: true })).toEqual({ name: 'Kind', descending: true });
});

test('values, qualities and times are ordered by a reading', () => {
  expect(['Path', 'Value', 'Quality', 'Time', 'Trend'].map(liveOrderOf)).toEqual([
    null,
    'value',
    'quality',
    'time',
    null,
  ]);
});

test('a list sorted by values says of when it is, or why it is not sorted', () => {
  const of = (count: number, problem: string | null = null) => ({ count, column: 'Value', problem });
  expect(orderText(of(5), { at: '10:31:02', unread: 0 })).toBe('sorted at 10:31:02');
  expect(orderText(of(5), { at: '10:31:02', unread: 1_200 })).toBe(
    'sorted at 10:31:02; 1,200 were not read in time and come last',
  );
  expect(orderText(of(5), null)).toBe('reading all of them to sort…');
  expect(orderText(of(5, 'No connection.'), null)).toBe('not sorted, because they could not be read: No connection.');
  expect(orderText(of(50_001), null)).toBe('not sorted: too many tags to sort by value. Filter to 50,000 or fewer');
});

test('ages have one unit', () => {
  expect([-5, 59_999, 60_000, 3_600_000, 90_000_000].map(ageText)).toEqual(['0 s', '59 s', '1 min', '1 h', '1 d']);
});
