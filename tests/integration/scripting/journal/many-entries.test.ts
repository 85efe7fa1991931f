import { expect, onTestFinished, test } from 'vitest';
import type { Cause } from '#domain/run/journal';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { openJournal } from '../../../../src-main/scripting/journal/open-journal.ts';
import { JournalReader } from '../../../../src-main/storage/journal/journal-reader.ts';
import { JournalWindows } from '../../../../src-main/storage/journal/journal-windows.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';
import { turnsDuring } from '../../../support/turns.ts';

const START = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const PATH = 'Plant.Line.Level.Value';

/** A journal whose clock is given. */
function opened() {
  const time = { now: START, elapsed: 0 };
  const clock = { now: () => time.now, iso: () => new Date(time.now).toISOString() };
  const store = openStore(temporaryFolder(), { clock });
  onTestFinished(() => store.close());
  store.database.pragma('synchronous = off');
  store.database
    .prepare(
      `INSERT INTO tags (id, path, kind, type, description, unit, settings) VALUES (1, ?, 'storage', 'Double', '', '', '{}')`,
    )
    .run(PATH);
  const reader = new JournalReader(store.database);
  const service = openJournal({
    ...store,
    reader,
    windows: new JournalWindows(store.database),
    elapsed: () => time.elapsed,
    runs: { flush: async () => undefined, forget: () => undefined },
    settings: { get: () => DEFAULT_SETTINGS },
    requestOf: async () => null,
    readsOf: async () => ({ sentTo: [], requests: [] }),
    isActive: () => false,
    callOf: () => null,
    recordOf: () => null,
    inputsOf: () => [],
    nearestTo: () => [],
    storeSamples: async () => undefined,
    log: () => undefined,
  });
  /** Each value in an entry of its own. */
  const write = (values: readonly number[]) =>
    store.commits.run(() => {
      for (const after of values) {
        const cause: Cause = { by: 'person' };
        const scope = { diagram: '', location: '' };
        store.journal.wrote([{ tag: { id: 1 }, write: { before: null, written: { value: after } }, scope, cause }]);
      }
    });
  return { time, store, reader, service, write };
}

/** Values from one, upwards. */
const valuesFrom = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n);

test('lists and exports of many entries leave turns to everything else', async () => {
  const { service, write } = opened();
  for (let n = 0; n < 200; n += 1) await write(valuesFrom(n * 100, 100));
  let count = 0;
  const exported = await turnsDuring(async () => {
    ({ count } = await service.export({}));
  });
  expect(count).toBe(20_000);
  const searched = await turnsDuring(() => service.list({ text: 'no entry has this' }));
  expect(Math.min(exported, searched)).toBeGreaterThan(3);
});

test('entries of a time are found in their blocks, also after the clock jumped', async () => {
  const { time, store, reader, service, write } = opened();
  // Each step is several blocks; the clock jumps ahead by a year, and back.
  const times = [
    START,
    START + HOUR_MS,
    START + 8_760 * HOUR_MS,
    START + 2 * HOUR_MS,
    START - HOUR_MS,
    START + 3 * HOUR_MS,
  ];
  for (const [step, now] of times.entries()) {
    time.now = now;
    for (let n = 0; n < 30; n += 1) await write(valuesFrom(1 + 10_000 * step + n * 100, 100));
  }
  expect(store.journal.blocks.bytes).toBeGreaterThan(6 * 65_536);
  const last = (step: number) => 10_000 * step + 3_000;
  const at = async (ms: number) => {
    const { causes } = await service.why({ thing: { kind: 'tag', path: PATH }, at: new Date(ms).toISOString() });
    return causes[0]?.after;
  };
  expect(await at(START - 2 * HOUR_MS)).toBeUndefined();
  expect(await at(START)).toBe(last(4));
  expect(await at(START + 3 * HOUR_MS)).toBe(last(5));
  expect(await at(START + 10_000 * HOUR_MS)).toBe(last(5));
  for (const ms of [-2, -1, 0, 1, 2.5, 3, 10_000].map((hours) => START + hours * HOUR_MS)) {
    const newest = [...reader.newest()].find((entry) => entry.at <= ms);
    expect([ms, reader.lastIdAt(ms)]).toEqual([ms, newest?.id ?? 0]);
  }
  const during = async (from: number, to: number) => {
    const iso = (ms: number) => new Date(ms).toISOString();
    const { entries } = await service.list({ from: iso(from), to: iso(to), limit: 10_000 });
    return entries.map(({ line }) => Number(line.after)).toSorted((a, b) => a - b);
  };
  expect(await during(START + HOUR_MS, START + 2 * HOUR_MS)).toEqual([
    ...valuesFrom(10_001, 3_000),
    ...valuesFrom(30_001, 3_000),
  ]);
  expect(await during(START - HOUR_MS, START - 1)).toEqual(valuesFrom(40_001, 3_000));
  expect(await during(START + 5_000 * HOUR_MS, START + 9_000 * HOUR_MS)).toEqual(valuesFrom(20_001, 3_000));
});

test('the next firing after a value is found after the clock was set back', async () => {
  const { time, store, service, write } = opened();
  const { database, journal, commits } = store;
  database.exec('CREATE TABLE agg_1_level (id INTEGER PRIMARY KEY, window_end TEXT)');
  database
    .prepare(
      `INSERT INTO rules (id, name, name_key, enabled, triggers_events, definition, result_table, saved_at)
      VALUES (1, 'Level', 'level', 1, 0, ?, 'agg_1_level', '')`,
    )
    .run(JSON.stringify({ tags: [PATH] }));
  const hours = [0, 1, 2, -3, -2];
  for (const [place, hour] of hours.entries()) {
    time.now = START + hour * HOUR_MS;
    await write([place + 1]);
    time.now += 1_000;
    await commits.run(() => {
      database.prepare('INSERT INTO agg_1_level VALUES (?, ?)').run(place + 1, new Date(time.now).toISOString());
      const rule = { ruleId: 1, rule: 'Level', savedAt: '', condition: '', table: 'agg_1_level' };
      journal.fired(rule, place + 1, null, null);
    });
  }
  const firedAfter = async (hour: number) => {
    const at = new Date(START + hour * HOUR_MS + 500).toISOString();
    const { causes, effects } = await service.why({ thing: { kind: 'tag', path: PATH }, at });
    return [causes[0]?.after, effects.map(({ thing }) => thing)];
  };
  expect(await firedAfter(-3)).toEqual([4, ['row:agg_1_level/4']]);
  expect(await firedAfter(-2)).toEqual([5, ['row:agg_1_level/5']]);
});

test('a clock that is ahead for an hour deletes a day of entries at most', async () => {
  const { time, store, service, write } = opened();
  const passes = (ms: number) => {
    time.now += ms;
    time.elapsed += ms;
  };
  const blocks = store.database.prepare<[], { first: number }>(
    'SELECT first_ms AS first FROM journal_blocks ORDER BY first_id',
  );
  // A block for each three hours or so, of 40 days.
  for (let hour = 0; hour < 40 * 24; hour += 1) {
    passes(HOUR_MS);
    await write(Array.from({ length: 300 }, () => hour));
    await service.expire();
  }
  const oldest = () => blocks.all()[0]?.first ?? 0;
  const daysAgo = () => (time.now - oldest()) / (24 * HOUR_MS);
  expect(daysAgo()).toBeGreaterThan(29);
  expect(daysAgo()).toBeLessThan(31);
  const count = () => blocks.all().length;
  const [before, from] = [count(), oldest()];
  time.now += 365 * 24 * HOUR_MS;
  await service.expire();
  expect(count()).toBe(before);
  for (let seconds = 0; seconds < 3_600; seconds += 30) {
    passes(30_000);
    await service.expire();
  }
  // The time between two blocks does not count.
  expect((oldest() - from) / HOUR_MS).toBeLessThanOrEqual(36);
  time.now -= 365 * 24 * HOUR_MS;
  // After a start, with entries of many days that are too old.
  passes(10 * 24 * HOUR_MS);
  await service.expire();
  expect(daysAgo()).toBeLessThan(40);
  for (let hours = 0; hours < 12; hours += 1) {
    passes(HOUR_MS);
    await service.expire();
  }
  expect(daysAgo()).toBeLessThan(31);
});
