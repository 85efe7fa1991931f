import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { AggregationEvent } from '#domain/event/event';
import type { FeedPosition } from '#domain/event/event-change';
import { EventStore } from '../../../../src-main/events/store/event-store.ts';
import { openDatabase } from '../../../../src-main/storage/database.ts';
import { givenNumbersOf, keepGivenNumbers } from '../../../../src-main/storage/events/given-numbers.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { fc } from '../../../support/run/random.ts';
import { scaled } from '../../../support/run/scale.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

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
  /** Fires rules, each in a job of its own. */
  const fire = (...rules: number[]) =>
    Promise.all(
      rules.map((ruleId) =>
        store.commits.run(() =>
          events.insert({ ruleId, eventDateTime: `at ${ruleId}`, at: 1, resultTableName: 't', resultTableRecordId: 7 }),
        ),
      ),
    );
  return { directory, store, events, fire, close };
}

type Opened = ReturnType<typeof open>;

/** A client of the feed: its position, and the events that it has, by what it received. */
class Client {
  position: FeedPosition | null = null;
  ruleId: number | null = null;
  readonly received: string[] = [];
  readonly events = new Map<number, AggregationEvent>();

  /** Receives one part, or only some of its changes if it is disconnected then. Returns whether it has everything. */
  read({ events }: Opened, limit: number, disconnectsAfter = Number.POSITIVE_INFINITY): boolean {
    const page = events.changesAfter(this.position, { ruleId: this.ruleId, limit });
    if (page.changes.length > limit) throw new Error(`${page.changes.length} changes, of at most ${limit}`);
    if (page.isReset) {
      this.events.clear();
      this.received.push('reset');
    }
    const got = page.changes.slice(0, disconnectsAfter);
    for (const { kind, event, position } of got) {
      this.position = position;
      const id = event.AggregationEventId;
      this.received.push(`${kind} ${id}`);
      const known = this.events.get(id);
      const isTwice = known && (kind === 'created' || (kind !== 'deleted' && known.Active === event.Active));
      const wanted = kind === 'deleted' ? (known?.Active ?? event.Active) : kind !== 'disabled';
      if (isTwice || event.Active !== wanted) throw new Error(`${kind} ${id} after ${JSON.stringify(known)}`);
      if (kind === 'deleted') this.events.delete(id);
      else this.events.set(id, event);
    }
    if (got.length < page.changes.length) return false;
    this.position = page.position;
    return page.isEnd;
  }

  readAll(world: Opened): string[] {
    const from = this.received.length;
    while (!this.read(world, 3));
    return this.received.slice(from);
  }

  get active(): AggregationEvent[] {
    return [...this.events.values()]
      .filter(({ Active }) => Active)
      .toSorted((a, b) => a.AggregationEventId - b.AggregationEventId);
  }
}

const activeOf = ({ events }: Opened): AggregationEvent[] => events.page({ active: true, limit: 10_000 }).toReversed();

describe('the change feed', () => {
  test('numbers every change, and no call that changes nothing', async () => {
    const world = open();
    const { events, fire } = world;
    const client = new Client();
    expect(client.readAll(world)).toEqual([]);
    await fire(1, 2, 1);
    await events.setActive(2, false);
    await events.setActive(2, false);
    await events.setActive(2, true);
    await events.delete(1);
    await events.delete(99);
    expect(events.version()).toBe(6);
    const all = ['created 1', 'created 2', 'created 3', 'disabled 2', 'reactivated 2', 'deleted 1'];
    expect(client.readAll(world)).toEqual(all);
    expect(client.position).toEqual({ seq: 6, listed: null });
    expect(new Client().readAll(world)).toEqual(['created 2', 'created 3']);
  });

  test('a deleted event is sent as it was, and its earlier changes too, after a restart', async () => {
    const first = open();
    const client = new Client();
    client.readAll(first);
    await first.fire(5);
    await first.events.setActive(1, false);
    const before = first.events.get(1);
    await first.events.delete(1);
    first.close();
    const world = open(first.directory);
    const page = world.events.changesAfter(client.position, { ruleId: null, limit: 9 });
    expect(page.changes.map(({ kind, event }) => [kind, event])).toEqual([
      ['created', { ...before, Active: true }],
      ['disabled', before],
      ['deleted', before],
    ]);
    expect(Object.keys(page.changes[0]?.event ?? {})).toEqual(Object.keys(before ?? {}));
  });

  test('an undone job leaves no change, and no gap in the numbers', async () => {
    const world = open();
    const client = new Client();
    client.readAll(world);
    const undone = world.store.commits.run(() => {
      world.events.insert({ ruleId: 1, eventDateTime: '', at: 1, resultTableName: '', resultTableRecordId: 1 });
      throw new Error('undone');
    });
    const results = await Promise.allSettled([world.fire(1), undone, world.fire(2)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(client.readAll(world)).toHaveLength(2);
    expect(world.events.version()).toBe(2);
  });

  test('of a rule has the changes of its events, and moves on with those of others', async () => {
    const world = open();
    await world.fire(1, 2, 1, 2);
    const client = new Client();
    client.ruleId = 2;
    expect(client.readAll(world)).toEqual(['created 2', 'created 4']);
    await world.events.setActive(1, false);
    await world.events.setActive(4, false);
    await world.events.setActive(3, false);
    expect(client.readAll(world)).toEqual(['disabled 4']);
    expect(client.position).toEqual({ seq: 7, listed: null });
  });

  test('a client whose place was expired starts again', async () => {
    const world = open();
    const [late, current] = [new Client(), new Client()];
    late.readAll(world);
    await world.fire(1, 1, 1, 1);
    current.readAll(world);
    await world.events.delete(2);
    await world.events.expireChanges({ before: 0, keep: 1 }, () => true);
    world.close();
    const later = open(world.directory);
    expect(late.readAll(later)).toEqual(['reset', 'created 1', 'created 3', 'created 4']);
    expect(current.readAll(later)).toEqual(['deleted 2']);
    await later.events.expireChanges({ before: Number.MAX_SAFE_INTEGER, keep: 9 }, () => true);
    expect(current.readAll(later)).toEqual([]);
    later.close();
    const last = open(world.directory);
    expect(current.readAll(last)).toEqual([]);
    await last.fire(3);
    expect(current.readAll(last)).toEqual(['created 5']);
    expect(last.events.version()).toBe(6);
  });

  test('after a restored backup, every client starts again, and numbers continue', async () => {
    const world = open();
    await world.fire(1, 1);
    world.close();
    const backup = join(temporaryFolder(), 'workspace.db');
    copyFileSync(join(world.directory, 'workspace.db'), backup);
    const replaced = open(world.directory);
    const [current, behind] = [new Client(), new Client()];
    behind.readAll(replaced);
    await replaced.fire(1, 1);
    current.readAll(replaced);
    replaced.close();
    const database = openDatabase(join(world.directory, 'workspace.db'));
    keepGivenNumbers(backup, givenNumbersOf(database));
    database.close();
    const restored = open(dirname(backup));
    expect(current.readAll(restored)).toEqual(['reset', 'created 1', 'created 2']);
    expect(behind.readAll(restored)).toEqual(['reset', 'created 1', 'created 2']);
    await restored.fire(1);
    expect(current.readAll(restored)).toEqual(['created 5']);
    expect(current.position).toEqual({ seq: 6, listed: null });
  });

  test('a number that was never given is no place', async () => {
    const world = open();
    await world.fire(1);
    const client = new Client();
    client.position = { seq: 2, listed: null };
    expect(client.readAll(world)).toEqual(['reset', 'created 1']);
  });

  test('an action on many events is stored in few rows', async () => {
    const world = open();
    const client = new Client();
    client.readAll(world);
    await world.fire(...Array.from({ length: 2_000 }, () => 1));
    const range = { first: 1, last: 2_000, except: [7] };
    const { signal } = new AbortController();
    for (const act of ['disable', 'delete'] as const) {
      for await (const _ of world.events.bulk(
        act,
        { active: null, ruleId: null, from: null, to: null, range, ids: [] },
        signal,
      ));
    }
    const { directory } = world;
    world.close();
    const later = open(directory);
    // Each step is a transaction; the excluded event divides one of them.
    expect(later.store.eventChanges.range()).toEqual({ first: 1, last: 2_000 + 2 * 1_999 });
    const received = client.readAll(later);
    expect(received).toHaveLength(2_000 + 2 * 1_999);
    expect(received.at(-1)).toBe('deleted 2000');
    expect([...client.events.keys()]).toEqual([7]);
  });
});

test('a client that is disconnected anywhere has the events of the store', async () => {
  const act = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('fire'), count: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('disable', 'activate', 'delete'), at: fc.nat(11) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire'), keep: fc.nat(6) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart') }) },
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('read'), limit: fc.integer({ min: 1, max: 4 }), got: fc.nat(4) }),
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 40 }), fc.nat(6), async (acts, before) => {
      let world = open();
      await world.fire(...Array.from({ length: before }, (_, n) => 1 + (n % 2)));
      const clients = [new Client(), new Client()];
      const [, second] = clients;
      if (second) second.ruleId = 1;
      for (const one of acts) {
        const { events } = world;
        if ('count' in one) await world.fire(...Array.from({ length: one.count }, (_, n) => 1 + (n % 2)));
        else if ('keep' in one) await events.expireChanges({ before: 0, keep: one.keep }, () => true);
        else if ('limit' in one) for (const client of clients) client.read(world, one.limit, one.got);
        else if (!('at' in one)) {
          world.close();
          world = open(world.directory);
        } else if (one.kind === 'delete') await events.delete(one.at);
        else await events.setActive(one.at, one.kind === 'activate');
      }
      for (const client of clients) {
        client.readAll(world);
        const wanted = activeOf(world).filter(({ RuleId }) => client.ruleId === null || RuleId === client.ruleId);
        expect(client.active).toEqual(wanted);
      }
      world.close();
    }),
    { numRuns: scaled(60, 1_000) },
  );
});
