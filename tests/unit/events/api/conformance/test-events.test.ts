import { expect, test } from 'vitest';
import type { FeedPage, FeedPosition } from '#domain/event/event-change';
import { TestEvents } from '../../../../../src-main/events/api/conformance/test-events.ts';
import { systemClock } from '../../../../../src-main/platform/clock.ts';

const start = () => new TestEvents({ clock: systemClock, ruleId: 4 });
const shown = ({ changes }: FeedPage) => changes.map(({ kind, event }) => `${kind} ${event.AggregationEventId}`);
const next = (events: TestEvents, from: FeedPosition | null) => events.changesAfter(from, { ruleId: null, limit: 100 });

async function listed(events: TestEvents, query: { after?: number; limit?: number; active?: boolean | null } = {}) {
  const whole = { active: true, ruleId: null, from: null, to: null, after: null, limit: null, ...query };
  const ids: number[] = [];
  for await (const { text, lastId, count } of events.list(whole)) {
    const part: { AggregationEventId: number }[] = JSON.parse(`[${Buffer.from(text).toString()}]`);
    expect([part.length, part.at(-1)?.AggregationEventId]).toEqual([count, lastId]);
    ids.push(...part.map(({ AggregationEventId }) => AggregationEventId));
  }
  return ids;
}

test('they are listed, disabled and deleted as those of a workspace', async () => {
  const events = start();
  expect(events.create(4)).toEqual([1, 2, 3, 4]);
  const before = events.version();
  expect(await events.setActive(2, false)).toMatchObject({ AggregationEventId: 2, RuleId: 4, Active: false });
  expect(events.version()).toBe(before + 1);
  await events.setActive(2, false);
  expect(events.version()).toBe(before + 1);
  expect([await events.delete(3), await events.delete(3), await events.setActive(3, false)]).toEqual([
    true,
    false,
    null,
  ]);
  expect(await listed(events)).toEqual([1, 4]);
  expect(await listed(events, { active: null, after: 1, limit: 1 })).toEqual([2]);
  expect([events.isActive(1), events.isActive(2), events.isActive(3)]).toEqual([true, false, false]);
});

test('a stream that is cut off in its list continues there, without a gap', async () => {
  const events = start();
  events.create(3);
  const first = next(events, null);
  expect(shown(first)).toEqual(['created 1', 'created 2', 'created 3']);
  const cut = first.changes[0]?.position ?? null;
  await events.setActive(3, false);
  events.create(1);
  const rest = next(events, cut);
  expect(shown(rest)).toEqual(['created 2']);
  expect(rest.isEnd).toBe(false);
  expect(shown(next(events, rest.position))).toEqual(['disabled 3', 'created 4']);
});

test('a stream begins again when its changes are forgotten', () => {
  const events = start();
  events.create(2);
  const { position } = next(events, null);
  events.forgetChanges();
  events.create(1);
  const again = next(events, position);
  expect([again.isReset, shown(again), events.resets]).toEqual([true, ['created 1', 'created 2', 'created 3'], 1]);
  expect(next(events, again.position)).toMatchObject({ isReset: false, changes: [], isEnd: true });
});
