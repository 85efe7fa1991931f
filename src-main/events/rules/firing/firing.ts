import type { AggregationEvent } from '#domain/event/event';
import { localTimeText } from '#domain/text/local-time';
import type { Rule } from '#domain/rule/rule';
import type { ClosedWindow } from '#domain/rule/rule-window';
import type { EventStore } from '../../store/event-store.ts';
import type { DataRow, ResultTables } from '../../../storage/events/result-tables.ts';
import { columnValue } from '../rule-columns.ts';

/** What came of a firing. */
export interface Firing {
  rowId: number;
  event: AggregationEvent | null;
  firedAt: string;
}

export interface FiringParts {
  results: ResultTables;
  events: EventStore;
}

/**
 * Fires a rule: one data row, and one event where the rule triggers events. To be called inside a job of
 * the commit queue, which makes them one transaction.
 * @param at ms since 1970 in UTC: when it fires
 */
export function fire(
  { results, events }: FiringParts,
  rule: Rule,
  window: ClosedWindow,
  { at, by }: { at: number; by: DataRow['firedBy'] },
): Firing {
  const firedAt = localTimeText(at);
  const rowId = results.insert(
    rule.resultTable,
    rule.outputs.map(({ column }) => column),
    {
      firedAt,
      firedBy: by,
      windowStart: localTimeText(window.start),
      windowEnd: localTimeText(window.end),
      samples: window.samples,
      badSamples: window.bad,
      values: rule.outputs.map(({ columnType }, place) => columnValue(window.outputs[place] ?? null, columnType)),
    },
  );
  if (!rule.triggersEvents) return { rowId, event: null, firedAt };
  const event = events.insert({
    ruleId: rule.id,
    eventDateTime: firedAt,
    at,
    resultTableName: rule.resultTable,
    resultTableRecordId: rowId,
  });
  return { rowId, event, firedAt };
}
