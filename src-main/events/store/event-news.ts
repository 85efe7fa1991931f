import type { EventChanges, EventCounts } from '#domain/event/event';
import { Listeners } from '../../platform/events.ts';

/** Minimum time between two notifications, ms; changes in between are counted together. */
const EVERY_MS = 100;

/** Notifies that events were created, changed or deleted: soon, and at most ten times a second. */
export class EventNews {
  readonly #counts: () => Promise<EventCounts>;
  readonly #listeners = new Listeners<EventChanges>();
  #timer: NodeJS.Timeout | null = null;
  /** Whether the counts are being read, and whether something has changed since that began. */
  #reading = false;
  #changedSince = false;
  #notifiedAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  /** @param counts reads the counts for a notification */
  constructor(counts: () => Promise<EventCounts>) {
    this.#counts = counts;
  }

  /** Called after commits; the returned function removes the listener. */
  onChange(listener: (changes: EventChanges) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Must be called after the commit; listeners are called after its callers have continued. */
  changed(): void {
    this.#changedSince = this.#reading;
    if (this.#timer || this.#reading || this.#closed) return;
    const ms = Math.max(0, this.#notifiedAt + EVERY_MS - performance.now());
    this.#timer = setTimeout(() => void this.#notify(), ms);
  }

  close(): void {
    this.#closed = true;
    this.#listeners.clear();
    if (this.#timer) clearTimeout(this.#timer);
  }

  async #notify(): Promise<void> {
    this.#timer = null;
    this.#reading = true;
    // Without listeners, nothing is counted.
    const counts = this.#listeners.size > 0 ? await this.#counts().catch(() => null) : null;
    this.#reading = false;
    this.#notifiedAt = performance.now();
    // If the counts could not be read, the next change sends them.
    if (!this.#closed && counts) this.#listeners.emit({ counts });
    if (!this.#changedSince) return;
    this.#changedSince = false;
    this.changed();
  }
}
