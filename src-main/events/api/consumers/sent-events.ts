import type { AggregationEvent } from '#domain/event/event';
import { MOST_UNACKNOWLEDGED } from '#domain/event/consumer';

/** A part of the active events that a consumer has been sent: those of a rule, or of all, with ids in a range. */
export interface SentPart {
  ruleId: number | null;
  /** Above this id. */
  after: number;
  /** Up to this id. */
  last: number;
}

interface SentView extends SentPart {
  /** The last id that had been sent at each time (ms since 1970), oldest first. */
  marks: { last: number; at: number }[];
}

const MAX_VIEWS = 8;
const MAX_MARKS = 64;

/** Reads active events after an id, oldest first. */
export type ActiveAfter = (query: { ruleId: number | null; after: number; limit: number }) => AggregationEvent[];

/**
 * What a consumer has been sent. A list is all active events between two ids, so a few numbers stand for any number of
 * events, and nothing is stored for each.
 */
export class SentEvents {
  readonly #views: SentView[] = [];

  add({ ruleId, after, last }: SentPart, at: number): void {
    let view = this.#views.find((one) => one.ruleId === ruleId);
    if (!view) {
      view = { ruleId, after, last: 0, marks: [] };
      this.#views.push(view);
      if (this.#views.length > MAX_VIEWS) this.#views.shift();
    }
    view.after = Math.min(view.after, after);
    if (last <= view.last) return;
    view.last = last;
    view.marks.push({ last, at });
    // Every second one goes, so that old events keep a time, which is at most later than it was.
    if (view.marks.length > MAX_MARKS) view.marks = view.marks.filter((_, index) => index % 2 === 1);
  }

  /** When the ids that it had been sent first reached this one; null if they have not. */
  sentAt({ id, ruleId }: { id: number; ruleId: number }): number | null {
    const times = this.#views
      .filter((view) => (view.ruleId === null || view.ruleId === ruleId) && view.after < id && id <= view.last)
      .flatMap(({ marks }) => marks.find((mark) => mark.last >= id)?.at ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** The events that are still active, and when the oldest of them was sent; null if nothing has been sent. */
  unacknowledged(read: ActiveAfter): { count: number; oldestId: number; at: number } | null {
    if (this.#views.length === 0) return null;
    const sentAt = new Map<number, number>();
    for (const { ruleId, after, last, marks } of this.#views) {
      for (const { AggregationEventId: id } of read({ ruleId, after, limit: MOST_UNACKNOWLEDGED })) {
        if (id > last) break;
        const at = marks.find((mark) => mark.last >= id)?.at ?? 0;
        sentAt.set(id, Math.min(at, sentAt.get(id) ?? at));
      }
    }
    const oldestId = Math.min(...sentAt.keys());
    const count = Math.min(sentAt.size, MOST_UNACKNOWLEDGED);
    return { count, oldestId: count === 0 ? 0 : oldestId, at: sentAt.get(oldestId) ?? 0 };
  }
}
