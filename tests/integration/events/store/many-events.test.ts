import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { EventChanges } from '#domain/event/event';
import { localTimeText } from '#domain/text/local-time';
import type { BulkEvents, BulkProgress } from '../../../../src-main/events/store/event-bulk.ts';
import { EventStore } from '../../../../src-main/events/store/event-store.ts';
import type { EventFilter } from '#domain/event/event';
import { openWorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const FIRST = Date.parse('2026-01-31T05:00:00Z');
const ALL: EventFilter = { active: null, ruleId: null, from: null, to: null };
const COUNT = 5_000;
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).toReversed()) cleanup();
});

/** Events 1 to `count`, of rules 1, 2 and 3 in turn, one second apart. */
async function filled(count = COUNT): Promise<EventStore> {
  const store = openWorkspaceStore(temporaryFolder());
  const events = new EventStore(store);
  cleanups.push(() => {
    events.close();
    store.close();
  });
  await store.commits.run(() =>
    Array.from({ length: count }, (_, n) => {
      const at = FIRST + n * 1_000;
      const eventDateTime = localTimeText(at);
      return events.insert({
        ruleId: 1 + (n % 3),
        eventDateTime,
        at,
        resultTableName: 'agg',
        resultTableRecordId: n + 1,
      });
    }),
  );
  return events;
}

async function placesOf(events: EventStore, choice: EventFilter, offset: number, limit: number, newestFirst = false) {
  const found = await events.window(choice, { newestFirst, offset, limit });
  return { total: found.total, ids: found.events.map(({ AggregationEventId: id }) => id) };
}

async function done<Progress extends BulkProgress>(steps: AsyncIterable<Progress>): Promise<Progress[]> {
  const received: Progress[] = [];
  for await (const progress of steps) received.push(progress);
  return received;
}

const everything = (choice: Partial<EventFilter> = {}): BulkEvents => ({
  ...ALL,
  ...choice,
  range: { first: 0, last: COUNT, except: [] },
  ids: [],
});

describe('any position in a long list', () => {
  test('is found from both ends, for every filter', async () => {
    const events = await filled();
    expect(await placesOf(events, ALL, 3_000, 3)).toEqual({ total: COUNT, ids: [3_001, 3_002, 3_003] });
    expect(await placesOf(events, ALL, 0, 2, true)).toEqual({ total: COUNT, ids: [5_000, 4_999] });
    expect(await placesOf(events, ALL, 4_999, 10, true)).toEqual({ total: COUNT, ids: [1] });
    expect(await placesOf(events, ALL, 6_000, 10, true)).toEqual({ total: COUNT, ids: [] });
    expect(await placesOf(events, ALL, 6_000, 10)).toEqual({ total: COUNT, ids: [] });
    expect(await placesOf(events, { ...ALL, ruleId: 2 }, 1_000, 2)).toEqual({ total: 1_667, ids: [3_002, 3_005] });
    const timed = { ...ALL, from: FIRST + 1_500_000, to: FIRST + 1_600_000 };
    expect(await placesOf(events, timed, 98, 5)).toEqual({ total: 100, ids: [1_599, 1_600] });
  });

  test('stays correct while events are created, deleted and changed', async () => {
    const events = await filled();
    await placesOf(events, ALL, 0, 1);
    await placesOf(events, { ...ALL, active: false }, 0, 1);
    await events.delete(1_025);
    await events.setActive(2_000, false);
    expect(await placesOf(events, ALL, 1_023, 3)).toEqual({ total: 4_999, ids: [1_024, 1_026, 1_027] });
    expect(await placesOf(events, { ...ALL, active: false }, 0, 5)).toEqual({ total: 1, ids: [2_000] });
    expect(await placesOf(events, { ...ALL, active: true }, 1_997, 2)).toEqual({ total: 4_998, ids: [1_999, 2_001] });
  });

  test('does not exist in an empty list', async () => {
    const events = await filled(0);
    expect(await placesOf(events, ALL, 0, 10, true)).toEqual({ total: 0, ids: [] });
  });
});

describe('many events at once', () => {
  test('selected events are disabled, with exceptions; repeating it changes nothing', async () => {
    const events = await filled();
    const which = { ...everything({ ruleId: 1 }), range: { first: 0, last: 3_000, except: [1, 4] } };
    const never = new AbortController().signal;
    expect((await done(events.bulk('disable', which, never))).at(-1)).toEqual({
      done: 998,
      changed: 998,
      finished: true,
    });
    expect(await events.counts()).toEqual({ active: 4_002, disabled: 998 });
    expect(events.get(1)?.Active).toBe(true);
    expect(events.get(7)?.Active).toBe(false);
    expect(events.get(3_001)?.Active).toBe(true);
    expect((await done(events.bulk('disable', which, never))).at(-1)).toMatchObject({ done: 998, changed: 0 });
    expect((await done(events.bulk('activate', which, never))).at(-1)).toMatchObject({ changed: 998 });
    expect(await events.counts()).toEqual({ active: COUNT, disabled: 0 });
  });

  test('a filter that the change itself empties is processed completely', async () => {
    const events = await filled();
    const never = new AbortController().signal;
    await done(events.bulk('disable', everything({ active: true }), never));
    expect(await events.counts()).toEqual({ active: 0, disabled: COUNT });
    expect((await done(events.bulk('delete', everything({ active: false }), never))).at(-1)).toMatchObject({
      changed: COUNT,
      finished: true,
    });
    expect(await placesOf(events, ALL, 0, 10)).toEqual({ total: 0, ids: [] });
  });

  test('single ids are changed, and those of deleted events are ignored', async () => {
    const events = await filled(10);
    const which = { ...ALL, range: null, ids: [2, 5, 99] };
    const steps = await done(events.bulk('delete', which, new AbortController().signal));
    expect(steps.at(-1)).toEqual({ done: 2, changed: 2, finished: true });
    expect(await placesOf(events, ALL, 0, 3)).toEqual({ total: 8, ids: [1, 3, 4] });
  });

  test('after an early stop, changed events stay changed and the rest is unchanged', async () => {
    const events = await filled();
    const stop = new AbortController();
    const progress = done(events.bulk('disable', everything(), stop.signal));
    while (events.get(1)?.Active === true) await nextTurn();
    stop.abort();
    const reported = await progress;
    expect(reported.some(({ finished }) => finished)).toBe(false);
    const { active, disabled } = await events.counts();
    expect(active + disabled).toBe(COUNT);
    expect(disabled).toBeGreaterThan(0);
    expect(active).toBeGreaterThan(0);
    expect((await placesOf(events, { ...ALL, active: false }, 0, 1)).total).toBe(disabled);
  });

  test('listeners get the counts after many changes', async () => {
    const events = await filled();
    const heard: EventChanges[] = [];
    cleanups.push(events.onChange((changes) => heard.push(changes)));
    await done(events.bulk('disable', everything(), new AbortController().signal));
    await expect.poll(() => heard.at(-1)?.counts).toEqual({ active: 0, disabled: COUNT });
  });
});

describe('an action on many events is undone', () => {
  const never = new AbortController().signal;
  const none: BulkEvents = { ...ALL, range: null, ids: [] };
  const undone = async (events: EventStore, name: string, signal = never) => {
    const steps = events.undo(name, signal);
    return steps && (await done(steps)).at(-1);
  };

  test('exactly: not what was disabled before, nor what others changed since', async () => {
    const events = await filled();
    await done(events.bulk('disable', { ...none, ids: [1, 2, 4_000] }, never));
    expect((await done(events.bulk('disable', everything(), never, 'a'))).at(-1)?.changed).toBe(COUNT - 3);
    // One is re-activated, one also disabled again; a client that has processed one disables it, as it is already.
    await events.setActive(10, true);
    await events.setActive(11, true);
    await events.setActive(11, false);
    await events.setActive(12, false);
    await events.delete(13);
    // Another window re-activates and disables some, and repeats changes that are already done.
    await done(events.bulk('activate', { ...none, ids: [2_000, 2_001] }, never, 'b'));
    await done(events.bulk('disable', { ...none, ids: [2_001] }, never, 'c'));
    await done(events.bulk('disable', everything(), never, 'd'));
    expect(await undone(events, 'd')).toMatchObject({ changed: 2, of: 2 });
    const version = events.version();
    expect(await undone(events, 'a')).toEqual({ done: 4_997, changed: 4_991, of: 4_997, finished: true });
    expect(events.version()).toBeGreaterThan(version);
    const disabled = await placesOf(events, { ...ALL, active: false }, 0, 20);
    expect(disabled).toEqual({ total: 6, ids: [1, 2, 11, 12, 2_001, 4_000] });
    expect(await undone(events, 'a')).toBeNull();
    expect(await undone(events, 'never')).toBeNull();
  });

  test('a re-activation too; actions that follow each other are undone independently', async () => {
    const events = await filled(100);
    await done(events.bulk('disable', { ...none, ids: [1, 2, 3] }, never, 'off'));
    await done(events.bulk('activate', everything(), never, 'on'));
    expect(await undone(events, 'off')).toMatchObject({ changed: 0, of: 3 });
    expect(await undone(events, 'on')).toMatchObject({ changed: 3, of: 3 });
    expect(await placesOf(events, { ...ALL, active: false }, 0, 5)).toEqual({ total: 3, ids: [1, 2, 3] });
  });

  test('the part that was done before it was stopped', async () => {
    const events = await filled();
    const stop = new AbortController();
    const stopped = done(events.bulk('disable', everything(), stop.signal, 'a'));
    while (events.get(1)?.Active === true) await nextTurn();
    stop.abort();
    // Without waiting for the end of the current step.
    const restored = await undone(events, 'a');
    await stopped;
    expect(restored?.changed).toBe(restored?.of);
    expect(await events.counts()).toEqual({ active: COUNT, disabled: 0 });
  });

  test('in two parts, if it is stopped', async () => {
    const events = await filled();
    await done(events.bulk('disable', everything(), never, 'a'));
    const stop = new AbortController();
    const first = undone(events, 'a', stop.signal);
    while (events.get(1)?.Active === false) await nextTurn();
    stop.abort();
    await first;
    expect((await events.counts()).disabled).toBeGreaterThan(0);
    expect(await undone(events, 'a')).toEqual({ done: COUNT, changed: COUNT, of: COUNT, finished: true });
    expect(await events.counts()).toEqual({ active: COUNT, disabled: 0 });
  });

  test('while a client changes some of them in the same commits', async () => {
    const events = await filled();
    await done(events.bulk('disable', everything(), never, 'a'));
    const others = Promise.all(
      [1, 2, 5_000].flatMap((id) => [events.setActive(id, true), events.setActive(id, false)]),
    );
    expect(await undone(events, 'a')).toMatchObject({ changed: COUNT - 3 });
    await others;
    expect(await placesOf(events, { ...ALL, active: false }, 0, 5)).toEqual({ total: 3, ids: [1, 2, 5_000] });
  });

  test('not after ten more', async () => {
    const events = await filled(20);
    for (let id = 1; id <= 11; id += 1) await done(events.bulk('disable', { ...none, ids: [id] }, never, `${id}`));
    expect(await undone(events, '1')).toBeNull();
    expect(await undone(events, '2')).toMatchObject({ changed: 1 });
    expect(await placesOf(events, { ...ALL, active: true }, 0, 1)).toEqual({ total: 10, ids: [2] });
  });
});
