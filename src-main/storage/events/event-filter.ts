import type { EventFilter } from '#domain/event/event';
import { EVENTS_OF_RULE } from './event-blocks.ts';

/** A filter as the parameters of a statement: SQLite has no booleans. */
export type FilterParameters = Omit<EventFilter, 'active'> & { active: number | null };

export const filterParameters = ({ active, ruleId, from, to }: EventFilter): FilterParameters => ({
  active: active === null ? null : Number(active),
  ruleId,
  from,
  to,
});

/** Parts of a WHERE clause for `FilterParameters`. */
export const IS_ACTIVE = '(@active IS NULL OR active = @active)';
const IN_TIME = '(@from IS NULL OR at_ms >= @from) AND (@to IS NULL OR at_ms < @to)';
export const OF_RULE = '(@ruleId IS NULL OR rule_id = @ruleId)';
/** All conditions of a filter except the rule, which a base selects. */
export const IN_FILTER = `${IS_ACTIVE} AND ${IN_TIME}`;

/** The part of a query after FROM events, up to a further condition on the ids: the best index for a filter. */
export const EVENT_BASES = {
  all: 'NOT INDEXED WHERE',
  rule: EVENTS_OF_RULE,
  active: 'INDEXED BY events_active WHERE active = 1 AND',
  disabled: 'INDEXED BY events_disabled WHERE active = 0 AND',
};

/** The base by state alone, for filters without a rule. */
export const stateBaseOf = ({ active }: Pick<FilterParameters, 'active'>): 'all' | 'active' | 'disabled' =>
  active === null ? 'all' : active === 1 ? 'active' : 'disabled';

export const baseOf = (filter: Pick<FilterParameters, 'active' | 'ruleId'>): keyof typeof EVENT_BASES =>
  filter.ruleId === null ? stateBaseOf(filter) : 'rule';
