import { expect, onTestFinished, test } from 'vitest';
import { PatternSearch } from '../../../../src-main/scripting/search/pattern-search.ts';
import { thrownBy } from '../../../support/thrown-by.ts';

const QUERY = { text: '', regex: true, matchCase: false, wholeWord: false };
const LONG = `${'a'.repeat(64)}!`;

function searchFor(text: string, textMs?: number) {
  const search = new PatternSearch({ ...QUERY, text }, textMs);
  onTestFinished(() => search.close());
  return (texts: string[], { list = 100, most = 1_000, signal = new AbortController().signal } = {}) =>
    search.find({ texts, list, most }, signal);
}

test('several batches, one by one', async () => {
  const find = searchFor('b+');
  for (const count of [1, 2, 3]) {
    const found = await find(Array.from({ length: count }, () => 'abba'));
    expect(found).toEqual(
      Array.from({ length: count }, () => ({ listed: [expect.objectContaining({ start: 1, end: 3 })], count: 1 })),
    );
  }
});

test('a batch lists and counts as much as it is asked for', async () => {
  const found = await searchFor('a')(['aaaa', 'aaaa', 'aaaa'], { list: 5, most: 10 });
  expect(found.map(({ listed, count }) => [listed.length, count])).toEqual([
    [4, 4],
    [1, 4],
    [0, 2],
  ]);
});

test('an expression that takes too long names its text, also in a later batch', async () => {
  const find = searchFor('(a+)+$', 300);
  await find(['aaa', 'b']);
  expect(await thrownBy(() => find(['aaa', LONG, 'aaa']))).toMatchObject({ code: 'BAD_REQUEST', data: { text: 1 } });
});

test('cancelling ends a hostile expression', async () => {
  const cancel = new AbortController();
  const found = searchFor('(a+)+$')([LONG], { signal: cancel.signal });
  cancel.abort(new Error('cancelled'));
  await expect(found).rejects.toThrow('cancelled');
});

test('groups are shortened before they leave the thread, and dropped beyond a limit', async () => {
  const text = 'x'.repeat(20_000);
  const [found] = await searchFor('(?=(?<rest>[^]*))')([text, text], { list: 100_000, most: 100_000 });
  const [first, last] = [found?.listed[0]?.groups, found?.listed.at(-2)?.groups];
  expect(first).toMatchObject({ cut: true, named: { rest: `${'x'.repeat(300)}…` } });
  expect(last).toEqual({ numbered: [], cut: true });
  expect(found?.listed.at(-2)).toMatchObject({ start: 19_999, end: 19_999 });
});

test('a third search waits for a thread, and is refused if none is free in time', async () => {
  const running = [new PatternSearch({ ...QUERY, text: 'a' }), new PatternSearch({ ...QUERY, text: 'a' })];
  onTestFinished(async () => void (await Promise.all(running.map((search) => search.close()))));
  const batch = { texts: ['a'], list: 1, most: 1 };
  const { signal } = new AbortController();
  for (const search of running) await search.find(batch, signal);
  const hasty = new PatternSearch({ ...QUERY, text: 'a' }, undefined, 1);
  expect(await thrownBy(() => hasty.find(batch, signal))).toMatchObject({ code: 'CONFLICT' });
  const cancel = new AbortController();
  const cancelled = searchFor('a')(['a'], { signal: cancel.signal });
  cancel.abort(new Error('cancelled'));
  await expect(cancelled).rejects.toThrow('cancelled');
  const found = searchFor('a')(['a']);
  await running[0]?.close();
  expect(await found).toMatchObject([{ count: 1 }]);
});
