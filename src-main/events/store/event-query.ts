import type { EventPage } from '../../storage/events/event-repository.ts';

/** Which events of the workbench's list are meant, newest first. */
export interface EventQuery {
  active?: boolean | null | undefined;
  ruleId?: number | null | undefined;
  /** ms since 1970 in UTC: at or after, and before. */
  from?: number | null | undefined;
  to?: number | null | undefined;
  /** Ids below this one. */
  before?: number | null | undefined;
  limit: number;
}

/** The page of the database that is meant: what is not said may be anything. */
export function pageOf({ active = null, ruleId = null, from = null, to = null, before, limit }: EventQuery): EventPage {
  return {
    active: active === null ? null : Number(active),
    ruleId,
    from,
    to,
    before: before ?? Number.MAX_SAFE_INTEGER,
    limit,
  };
}
