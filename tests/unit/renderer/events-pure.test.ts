import { describe, expect, it } from 'vitest';
import type { AggregationEvent } from '#domain/event';
import { withChanges } from '../../../src-renderer/features/events/model/event-list.ts';
import { CALL_LANGUAGES, readyCall } from '../../../src-renderer/features/events/model/ready-calls.ts';

const event = (id: number, change: Partial<AggregationEvent> = {}): AggregationEvent => ({
  AggregationEventId: id,
  RuleId: 1,
  EventDateTime: '2026-01-31T06:00:00.000+01:00',
  Active: true,
  ResultTableName: 'result_1',
  ResultTableRecordId: id,
  ...change,
});
const idsOf = (events: readonly AggregationEvent[]) => events.map(({ AggregationEventId: id }) => id);

describe('the list after changes', () => {
  const filter = { active: true, ruleId: null };
  const events = [event(5), event(4), event(2)];

  it('takes what is new to the head, newest first, and lets go what was deleted or no longer fits', () => {
    const told = [event(6), event(4, { Active: false }), event(8), event(7, { Active: false })];
    expect(idsOf(withChanges({ events, filter }, { events: told, deleted: [2] }))).toEqual([8, 6, 5]);
  });

  it('shows a change in its place, and none of an event that lies beyond what was fetched', () => {
    const all = { active: null, ruleId: null };
    const told = [event(1, { Active: false }), event(4, { Active: false })];
    const now = withChanges({ events, filter: all }, { events: told, deleted: [] });
    expect(idsOf(now)).toEqual([5, 4, 2]);
    expect(now[1]?.Active).toBe(false);
  });

  it('keeps to the rule of the filter', () => {
    const told = [event(9, { RuleId: 2 }), event(10)];
    expect(
      idsOf(withChanges({ events: [], filter: { active: null, ruleId: 2 } }, { events: told, deleted: [] })),
    ).toEqual([9]);
  });
});

describe('ready calls', () => {
  const call = { method: 'PUT', url: 'http://127.0.0.1:4860/api/events/7', body: '{"Active": false}' } as const;

  it.each(CALL_LANGUAGES)('%s names method, address, body and type', (language) => {
    const text = readyCall(call, language, false);
    for (const part of [/put/i, call.url, 'application/json', 'Active']) expect(text).toMatch(part);
    expect(text).not.toContain('X-API-Key');
    expect(readyCall(call, language, true)).toContain('X-API-Key');
    expect(readyCall({ ...call, method: 'GET', body: null }, language, false)).not.toContain('application/json');
  });
});
