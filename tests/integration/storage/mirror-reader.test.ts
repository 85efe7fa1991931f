import { expect, onTestFinished, test } from 'vitest';
import type { FeedPosition } from '#domain/event/event-change';
import type { MirrorPart } from '../../../src-main/storage/hub/mirror-part.ts';
import { MirrorReader } from '../../../src-main/storage/hub/mirror-reader.ts';
import type { HubSite } from '../../support/hub/hub-site.ts';
import { openSite } from '../../support/hub/hub-site.ts';
import { openStore } from '../../support/services/open-store.ts';

function open(): { site: HubSite; reader: MirrorReader } {
  const site = openSite(openStore());
  const reader = new MirrorReader(site.store.database.name);
  onTestFinished(async () => {
    reader.close();
    await site.close();
  });
  return { site, reader };
}

/** Everything after a position, in parts of a size. */
async function parts(
  reader: MirrorReader,
  from: FeedPosition | null,
  count: number,
  allRows = false,
): Promise<MirrorPart[]> {
  const all: MirrorPart[] = [];
  let position = from;
  const marks = new Map<string, number>();
  for (;;) {
    const part = await reader.read(position, marks, { count, characters: 1_000_000 }, allRows);
    all.push(part);
    for (const [table, id] of part.marks) marks.set(table, id);
    for (const event of part.events.values())
      expect(marks.get(event.ResultTableName)).toBeGreaterThanOrEqual(event.ResultTableRecordId);
    position = part.position;
    if (part.isEnd) return all;
  }
}

const sorted = (all: readonly MirrorPart[]) => ({
  rows: all.flatMap(({ rows }) => rows).toSorted((a, b) => a.localeCompare(b)),
  events: all.flatMap(({ events }) => [...events.values()]),
});

test('parts of any size have the same rows and events', async () => {
  const { site, reader } = open();
  for (let n = 0; n < 6; n += 1) await site.fire(7, `results_${n % 3}`);
  await site.fire(300);
  await site.events.setActive(3, false);
  await site.events.delete(5);
  // A list of events, and the feed since the first one.
  for (const from of [null, { seq: 0, listed: null }]) {
    const whole = sorted(await parts(reader, from, 10_000));
    expect(whole.rows).toHaveLength(342);
    expect(whole.events).toHaveLength(341);
    for (const count of [3, 8, 50]) {
      const some = sorted(await parts(reader, from, count));
      expect(some.rows).toEqual(whole.rows);
      expect(some.events.map((event) => event.AggregationEventId).toSorted((a, b) => a - b)).toEqual(
        whole.events.map((event) => event.AggregationEventId),
      );
    }
  }
});

test('rows that no event names are in parts of any size, after all others', async () => {
  const { site, reader } = open();
  for (const table of ['results_1', 'results_2', 'results_3']) await site.addRule(table);
  await site.fire(20, 'results_2', false);
  await site.fire(7);
  await site.fire(5, 'results_1', false);
  expect(await reader.hasRowsAbove(new Map([['results_1', 12]]))).toBe(true);
  const marks = new Map(Object.entries({ results_1: 12, results_2: 20 }));
  expect(await reader.hasRowsAbove(marks)).toBe(false);
  for (const count of [3, 8, 1_000]) {
    for (const from of [null, { seq: 0, listed: null }]) {
      expect(sorted(await parts(reader, from, count)).rows).toHaveLength(7);
      const all = await parts(reader, from, count, true);
      expect(new Set(sorted(all).rows)).toHaveLength(32);
      expect(sorted(all).rows).toHaveLength(32);
      expect(all.map(({ hasAllRows }) => hasAllRows)).toEqual(all.map((_, at) => at === all.length - 1));
    }
  }
});

test('events whose rows were deleted with their rule are read without them', async () => {
  const { site, reader } = open();
  await site.fire(30, 'results_7');
  await site.fire(30);
  await site.store.commits.run(() => site.store.results.dropSome('results_7', 10));
  await site.fire(1, 'results_7');
  expect((await parts(reader, null, 10_000))[0]?.rows).toHaveLength(51);
  await site.store.commits.run(() => site.store.results.dropSome('results_7', 100));
  const [part] = await parts(reader, null, 10_000);
  expect([part?.rows.length, part?.events.size, part?.marks.get('results_7')]).toEqual([30, 61, 31]);
});

test('a row is the JSON that PostgreSQL accepts', async () => {
  const { site, reader } = open();
  const { commits, results } = site.store;
  const texts = ['a\0b', 'c\td\ne\\f "g" ü 😀', '', null];
  await commits.run(() => {
    results.ensure('odd', [
      { name: 'a "b" \\c', type: 'TEXT' },
      { name: 'number', type: 'REAL' },
    ]);
    const times = {
      firedAt: 't',
      firedBy: 'window',
      windowStart: 't',
      windowEnd: 't',
      samples: 1,
      badSamples: 0,
    } as const;
    for (const [at, text] of texts.entries()) {
      const values = [text, [0.1, -1e300, Infinity, null][at] ?? null];
      const id = results.insert('odd', ['a "b" \\c', 'number'], { ...times, values });
      const event = { ruleId: 1, eventDateTime: new Date().toISOString(), at: Date.now() };
      site.events.insert({ ...event, resultTableName: 'odd', resultTableRecordId: id });
    }
  });
  const [part] = await parts(reader, null, 100);
  const read = part?.rows.map((line) => {
    const [table, id, json = ''] = line.replace(/\n$/, '').split('\t');
    const row = JSON.parse(json.replaceAll('\\\\', '\\'));
    return [table, id, row['a "b" \\c'], row.number, row.samples];
  });
  expect(read).toEqual([
    ['odd', '1', 'a\uFFFDb', 0.1, 1],
    ['odd', '2', texts[1], -1e300, 1],
    ['odd', '3', '', null, 1],
    ['odd', '4', null, null, 1],
  ]);
});
