import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { localTimeText } from '#domain/text/local-time';
import type { AggregationEvent, EventChanges, EventListQuery } from '#domain/event/event';
import type { BulkProgress } from '../../../../src-main/events/store/event-bulk.ts';
import { EventStore } from '../../../../src-main/events/store/event-store.ts';
import { EVENT_BLOCK } from '../../../../src-main/storage/events/event-blocks.ts';
import { JOINED_BLOCKS } from '../../../../src-main/storage/events/kept-blocks.ts';
import { openDatabase } from '../../../../src-main/storage/database.ts';
import { MIGRATIONS } from '../../../../src-main/storage/migrations/index.ts';
import { inflated } from '../../../../src-main/platform/http/gzip-parts.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { fc } from '../../../support/run/random.ts';
import { scaled } from '../../../support/run/scale.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const ALL: EventListQuery = { active: null, ruleId: null, from: null, to: null, after: null, limit: null };
const FIRST = Date.parse('2026-01-31T05:00:00Z');
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).toReversed()) cleanup();
});

function open(directory = temporaryFolder()) {
  const store = openStore(directory);
  const events = new EventStore(store);
  const close = () => {
    events.close();
    store.close();
  };
  cleanups.push(close);
  return { directory, store, events, close };
}

type Opened = ReturnType<typeof open>;

/** Event `n` (from 0) fired `n` seconds after the first, by rule 1, 2 or 3. */
async function fill({ store, events }: Opened, count: number, table = 'agg_1_x') {
  await store.commits.run(() => {
    const some: AggregationEvent[] = [];
    for (let n = 0; n < count; n += 1) {
      const at = FIRST + n * 1_000;
      const eventDateTime = localTimeText(at);
      const ruleId = 1 + (n % 3);
      some.push(events.insert({ ruleId, eventDateTime, at, resultTableName: table, resultTableRecordId: n + 1 }));
    }
    return some;
  });
}

async function listed({ events }: Opened, filter: Partial<EventListQuery> = {}): Promise<AggregationEvent[]> {
  const found: AggregationEvent[] = [];
  for await (const chunk of events.list({ ...ALL, ...filter })) {
    const some: AggregationEvent[] = JSON.parse(`[${new TextDecoder().decode(chunk.text)}]`);
    expect(some.length).toBeGreaterThan(0);
    expect(chunk).toMatchObject({ count: some.length, lastId: some.at(-1)?.AggregationEventId });
    found.push(...some);
  }
  return found;
}

const at = (event: AggregationEvent) => Date.parse(event.EventDateTime);
const ids = (events: AggregationEvent[]) => events.map((event) => event.AggregationEventId);

describe('one event', () => {
  test('is read, disabled, re-activated and deleted; its id is never reused', async () => {
    const world = open();
    await fill(world, 1, 'agg_1_"quoted\\"');
    const event = {
      AggregationEventId: 1,
      RuleId: 1,
      EventDateTime: localTimeText(FIRST),
      Active: true,
      ResultTableName: 'agg_1_"quoted\\"',
      ResultTableRecordId: 1,
    };
    expect(world.events.get(1)).toEqual(event);
    expect(await listed(world)).toEqual([event]);
    expect(await world.events.setActive(1, false)).toEqual({ ...event, Active: false });
    expect(world.events.get(1)?.Active).toBe(false);
    expect(await world.events.setActive(1, true)).toEqual(event);
    expect(await world.events.delete(1)).toBe(true);
    expect(await world.events.delete(1)).toBe(false);
    expect(await world.events.setActive(1, true)).toBeNull();
    await fill(world, 1);
    expect(ids(await listed(world))).toEqual([2]);
  });
});

describe('the list', () => {
  test('contains the matching events ordered by id, for every filter', async () => {
    const world = open();
    await fill(world, 6_500);
    await Promise.all([2, 3_000, 6_000].map((id) => world.events.setActive(id, false)));
    const all = await listed(world);
    expect(ids(all)).toEqual(Array.from({ length: 6_500 }, (_, n) => n + 1));
    const filters: Partial<EventListQuery>[] = [
      {},
      { active: true },
      { active: false },
      { ruleId: 2 },
      { ruleId: 3, active: false },
      { from: FIRST + 100_000, to: FIRST + 200_000 },
      { from: FIRST + 100_000 },
      { to: FIRST + 6_000_000, active: true, ruleId: 1 },
      { after: 5_900, active: false },
      { from: FIRST + 9_000_000 },
    ];
    for (const filter of filters) {
      for (const limit of [null, 1, 1_000, 2_500]) {
        const expected = all.filter(
          (event) =>
            (filter.active === undefined || event.Active === filter.active) &&
            (filter.ruleId === undefined || event.RuleId === filter.ruleId) &&
            at(event) >= (filter.from ?? 0) &&
            at(event) < (filter.to ?? Infinity) &&
            event.AggregationEventId > (filter.after ?? 0),
        );
        expect(await listed(world, { ...filter, limit })).toEqual(expected.slice(0, limit ?? undefined));
      }
    }
  });

  test('omits nothing if active and disabled events alternate in long runs', async () => {
    const world = open();
    await fill(world, 12_000);
    const expected: Record<'active' | 'disabled', number[]> = { active: [], disabled: [] };
    await world.store.commits.run(() => {
      for (let id = 1; id <= 12_000; id += 1) {
        const active = id < 3_100 || (id > 7_000 ? id % 2 === 0 : id % 700 === 0);
        if (id > 4_000 && id < 6_500) world.store.events.delete(id);
        else {
          world.store.events.setActive(id, active);
          expected[active ? 'active' : 'disabled'].push(id);
        }
      }
    });
    for (const limit of [null, 3_500, 10_000]) {
      const most = limit ?? undefined;
      expect(ids(await listed(world, { active: true, limit }))).toEqual(expected.active.slice(0, most));
      expect(ids(await listed(world, { active: false, limit }))).toEqual(expected.disabled.slice(0, most));
    }
    expect(await listed(world)).toHaveLength(expected.active.length + expected.disabled.length);
    expect(await listed(world, { after: Number.MAX_SAFE_INTEGER })).toEqual([]);
  });

  test('events of a rule are found at the edges of blocks, far apart, between others', async () => {
    const world = open();
    const edges = [1, 2, 1_023, 1_024, 1_025, 2_047, 2_048, 131_071, 131_072, 131_073, 262_145, 9_000_000, 9_000_001];
    const others = [3, 1_026, 131_074, 4_000_000, 9_000_002];
    const row = world.store.database.prepare<[number, number, string, number]>(
      "INSERT INTO events (id, rule_id, event_date_time, at_ms, result_table_name, result_table_record_id) VALUES (?, ?, ?, ?, 'agg', 1)",
    );
    for (const id of [...edges, ...others]) {
      row.run(id, edges.includes(id) ? 1 : 2, localTimeText(FIRST + id * 1_000), FIRST + id * 1_000);
    }
    const disabled = [1_024, 131_072, 9_000_000];
    for (const id of disabled) await world.events.setActive(id, false);
    const mine = { ruleId: 1 };
    expect(ids(await listed(world, mine))).toEqual(edges);
    expect(ids(await listed(world, { ...mine, limit: 9 }))).toEqual(edges.slice(0, 9));
    expect(ids(await listed(world, { ...mine, active: false }))).toEqual(disabled);
    expect(ids(await listed(world, { ...mine, active: false, after: 1_024, limit: 1 }))).toEqual([131_072]);
    expect(ids(await listed(world, { ...mine, from: FIRST + 2_047_000, to: FIRST + 9_000_000_000 }))).toEqual(
      edges.slice(5, -2),
    );
    expect(await listed(world, { ruleId: 3 })).toEqual([]);
    expect(await listed(world, { ...mine, after: Number.MAX_SAFE_INTEGER })).toEqual([]);
    for (const limit of [1, 4, 20]) {
      expect(ids(world.events.page({ ...mine, limit }))).toEqual(edges.toReversed().slice(0, limit));
    }
    expect(ids(world.events.page({ ...mine, before: 131_072, limit: 3 }))).toEqual([131_071, 2_048, 2_047]);
    expect(ids(world.events.page({ ...mine, active: false, limit: 3 }))).toEqual(disabled.toReversed());
    const choice = { active: null, ruleId: 1, from: null, to: null };
    const window = await world.events.window(choice, { newestFirst: false, offset: 3, limit: 7 });
    expect(window.total).toBe(edges.length);
    expect(ids(window.events)).toEqual(edges.slice(3, 10));
    await world.events.deleteOfRule(1, () => true);
    expect(ids(await listed(world))).toEqual(others);
    expect((await world.events.window(choice, { newestFirst: true, offset: 0, limit: 7 })).total).toBe(0);
  });

  test('events of a rule are found in a workspace with an older index', async () => {
    const directory = temporaryFolder();
    const file = join(directory, 'workspace.db');
    const before = openDatabase(file, { migrations: MIGRATIONS.slice(0, 10) });
    before.exec(`WITH RECURSIVE event (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM event WHERE n < 4999)
      INSERT INTO events (rule_id, event_date_time, at_ms, result_table_name, result_table_record_id)
      SELECT 1 + n % 3, '2026-01-31T05:00:00.000+00:00', n, 'agg', n FROM event`);
    before.close();
    const world = open(directory);
    expect(world.store.database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect((await listed(world, { ruleId: 2 })).map((event) => event.ResultTableRecordId)).toEqual(
      Array.from({ length: 1_667 }, (_, n) => 1 + n * 3),
    );
  });

  test('is one snapshot, which is released even if it ends early', async () => {
    const world = open();
    await fill(world, 2_500);
    const chunks = world.events.list(ALL);
    const seen = [await chunks.next()];
    await world.events.delete(2_400);
    await fill(world, 10);
    for await (const chunk of chunks) seen.push({ value: chunk, done: false });
    expect(seen.map(({ value }) => value?.count)).toEqual([1_000, 1_000, 500]);
    expect(await listed(world)).toHaveLength(2_509);
    for await (const chunk of world.events.list(ALL)) {
      expect(chunk.count).toBe(1_000);
      break;
    }
    world.store.database.pragma('wal_checkpoint(TRUNCATE)');
    expect(world.store.database.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }]);
  });

  test('kept blocks are those of the snapshot, whatever changes during lists', async () => {
    const opened = open();
    await fill(opened, 4_000);
    const number = fc.nat({ max: 5_500 });
    const step = fc.tuple(fc.constantFrom('disable', 'activate', 'delete', 'insert', 'list', 'bytes'), number, number);
    const bytesOf = async (after: number) => {
      const texts: Uint8Array[] = [];
      for await (const chunk of opened.events.list({ ...ALL, active: true, after }, { compressed: true })) {
        texts.push(chunk.deflated ? inflated([chunk.deflated]) : chunk.text);
      }
      return JSON.parse(`[${texts.map((one) => new TextDecoder().decode(one)).join(',')}]`);
    };
    const change = async (what: string, id: number) => {
      if (what === 'insert') await fill(opened, 1 + (id % 200));
      else if (what === 'delete') await opened.events.delete(id);
      else if (what !== 'list' && what !== 'bytes') await opened.events.setActive(id, what === 'activate');
    };
    const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      for (const [what, id, other] of steps) {
        await change(what, id);
        const after = what === 'list' ? other : 0;
        // Without a limit, kept blocks are used; with one, never.
        const expected = await listed(opened, { active: true, after, limit: 1_000_000 });
        if (what === 'bytes') expect(await bytesOf(after)).toEqual(expected);
        else expect(await listed(opened, { active: true, after })).toEqual(expected);

        const under = opened.events.list({ ...ALL, active: true }, { compressed: other % 2 === 0 });
        const snapshot = await listed(opened, { active: true, limit: 1_000_000 });
        const first = await under.next();
        const texts = first.done ? [] : [first.value.text];
        await opened.events.setActive(id, other % 2 === 0);
        await opened.events.setActive(other, other % 2 === 1);
        // Keeps newer blocks than those of the snapshot.
        await bytesOf(0);
        for await (const chunk of under) texts.push(chunk.text);
        expect(JSON.parse(`[${texts.map((one) => new TextDecoder().decode(one)).join(',')}]`)).toEqual(snapshot);
      }
    });
    await fc.assert(property, { numRuns: scaled(3, 12) });
  });

  test('joined blocks are the same list, also after a change of one event', async () => {
    const world = open();
    await fill(world, (JOINED_BLOCKS + 2) * EVENT_BLOCK);
    const compressed = async () => {
      const texts: Uint8Array[] = [];
      const list = world.events.list({ ...ALL, active: true }, { compressed: true });
      for await (const { deflated } of list) texts.push(...(deflated ? [inflated([deflated])] : []));
      return { text: texts.map((one) => Buffer.from(one).toString()).join(','), parts: texts.length };
    };
    const active = async () => {
      const events = await listed(world, { active: true, limit: 1_000_000 });
      return events.map((event) => JSON.stringify(event)).join(',');
    };
    expect((await compressed()).parts).toBe(JOINED_BLOCKS + 3);
    expect(await compressed()).toEqual({ text: await active(), parts: 4 });
    await world.events.setActive(5_000, false);
    expect(await compressed()).toEqual({ text: await active(), parts: JOINED_BLOCKS + 3 });
    expect(await compressed()).toEqual({ text: await active(), parts: 4 });
  });

  test('a page has the newest first', async () => {
    const world = open();
    await fill(world, 10);
    await world.events.setActive(9, false);
    expect(ids(world.events.page({ limit: 3 }))).toEqual([10, 9, 8]);
    expect(ids(world.events.page({ limit: 3, before: 8 }))).toEqual([7, 6, 5]);
    expect(ids(world.events.page({ limit: 3, active: true }))).toEqual([10, 8, 7]);
    expect(ids(world.events.page({ limit: 9, active: false }))).toEqual([9]);
    expect(ids(world.events.page({ limit: 9, ruleId: 1, to: FIRST + 9_000 }))).toEqual([7, 4, 1]);
  });
});

describe('changes', () => {
  test('the version increases with every change and no other call, even over restarts', async () => {
    let world = open();
    const versions = [world.events.version()];
    const next = () => versions.push(world.events.version());
    await fill(world, 3);
    next();
    await world.events.setActive(1, false);
    next();
    const before = world.events.version();
    await world.events.setActive(1, false);
    await world.events.delete(99);
    expect(world.events.version()).toBe(before);
    // A job that is undone affects no other.
    await expect(
      world.store.commits.run(() => {
        world.events.insert({ ruleId: 1, eventDateTime: '', at: 0, resultTableName: '', resultTableRecordId: 1 });
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    for (let restart = 0; restart < 3; restart += 1) {
      world.close();
      world = open(world.directory);
      expect(world.events.version()).toBe(versions.at(-1));
      await world.events.setActive(1, restart % 2 === 0);
      next();
    }
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
    expect(Number.isSafeInteger(versions.at(-1))).toBe(true);
  });

  test('are sent after the commit, with the counts', async () => {
    const world = open();
    await fill(world, 5);
    expect(await world.events.counts()).toEqual({ active: 5, disabled: 0 });
    await new Promise(setImmediate);
    const notified: EventChanges[] = [];
    world.events.onChange((changes) => notified.push(changes));
    await Promise.all([world.events.setActive(2, false), world.events.delete(3), world.events.setActive(4, false)]);
    await expect.poll(() => notified.at(-1)).toEqual({ counts: { active: 2, disabled: 2 } });
    // Of the three changes, at most the first one by itself.
    expect(notified.length).toBeLessThan(3);
    expect(await world.events.counts()).toEqual({ active: 2, disabled: 2 });
  });
});

test('an event that is requested twice is changed once', async () => {
  const world = open();
  await fill(world, 3);
  const choice = { active: null, ruleId: null, from: null, to: null };
  const { signal } = new AbortController();
  const notified: BulkProgress[] = [];
  for await (const progress of world.events.bulk('disable', { ...choice, range: null, ids: [2, 2, 3] }, signal)) {
    notified.push(progress);
  }
  expect(notified.at(-1)).toEqual({ done: 2, changed: 2, finished: true });
  expect(await world.events.counts()).toEqual({ active: 1, disabled: 2 });
});

describe('retention', () => {
  test('disabled events are deleted by age and by count, active ones never', async () => {
    const world = open();
    await fill(world, 3_000);
    await Promise.all(Array.from({ length: 2_500 }, (_, n) => world.events.setActive(n + 1, false)));
    expect(await world.events.expire({ before: FIRST + 100_000, keep: 5_000 }, () => true)).toBe(100);
    let steps = 0;
    // Closing the workspace does not wait until all of it is done.
    expect(await world.events.expire({ before: 0, keep: 1_000 }, () => (steps += 1) < 2)).toBe(1_000);
    expect(await world.events.expire({ before: 0, keep: 1_000 }, () => true)).toBe(400);
    expect(await world.events.counts()).toEqual({ active: 500, disabled: 1_000 });
    expect(ids(await listed(world, { active: false, limit: 1 }))).toEqual([1_501]);
    await world.events.deleteOfRule(1, () => true);
    expect(await listed(world, { ruleId: 1 })).toEqual([]);
    expect(await listed(world)).toHaveLength(1_000);
  });
});

test('events not counted because the disk failed are counted for the next request', async () => {
  const world = open();
  await fill(world, 10);
  expect(await world.events.counts()).toEqual({ active: 10, disabled: 0 });
  await world.events.setActive(3, false);
  world.store.database.exec('ALTER TABLE events RENAME TO away');
  await expect(world.events.counts()).rejects.toThrow('events');
  world.store.database.exec('ALTER TABLE away RENAME TO events');
  expect(await world.events.counts()).toEqual({ active: 9, disabled: 1 });
});
