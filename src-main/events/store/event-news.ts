import type { AggregationEvent, EventChanges, EventCounts } from '#domain/event/event';
import { MAX_NOTIFIED_CHANGES } from '#domain/event/event';
import { Listeners } from '../../platform/events.ts';

/** What is told beside the changes: asked for right before. */
export interface EventState {
  version(): number;
  counts(): Promise<EventCounts>;
}

/** Changes are told no sooner than this after those before, ms: they are gathered meanwhile. */
const EVERY_MS = 100;

/** Tells of events that were made, changed or deleted: at once, but ten times a second at most. */
export class EventNews {
  readonly #state: EventState;
  readonly #listeners = new Listeners<EventChanges>();
  readonly #changed = new Map<number, AggregationEvent>();
  readonly #deleted = new Set<number>();
  #more = false;
  #timer: NodeJS.Timeout | null = null;
  #toldAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(state: EventState) {
    this.#state = state;
  }

  /** Called after commits with what changed; the function returned removes the listener. */
  onChange(listener: (changes: EventChanges) => void): () => void {
    return this.#listeners.add(listener);
  }

  changed(event: AggregationEvent): void {
    const { AggregationEventId: id } = event;
    if (this.#changed.size < MAX_NOTIFIED_CHANGES || this.#changed.has(id)) this.#changed.set(id, event);
    else this.#more = true;
    this.#tellSoon();
  }

  deleted(id: number): void {
    this.#changed.delete(id);
    if (this.#deleted.size < MAX_NOTIFIED_CHANGES) this.#deleted.add(id);
    else this.#more = true;
    this.#tellSoon();
  }

  close(): void {
    this.#closed = true;
    this.#listeners.clear();
    if (this.#timer) clearTimeout(this.#timer);
  }

  /** After everyone who waits for the commit has gone on. */
  #tellSoon(): void {
    if (this.#timer || this.#closed) return;
    const ms = Math.max(0, this.#toldAt + EVERY_MS - performance.now());
    this.#timer = setTimeout(() => void this.#tell(), ms);
  }

  async #tell(): Promise<void> {
    // With nobody to tell, nothing is counted.
    const isHeard = this.#listeners.size > 0;
    const counts = isHeard ? await this.#state.counts().catch(() => null) : null;
    this.#timer = null;
    this.#toldAt = performance.now();
    // What cannot be counted now is told with the next change.
    if (this.#closed || (isHeard && counts === null)) return;
    const changes = { events: [...this.#changed.values()], deleted: [...this.#deleted], more: this.#more };
    this.#changed.clear();
    this.#deleted.clear();
    this.#more = false;
    if (counts) this.#listeners.emit({ version: this.#state.version(), counts, ...changes });
  }
}
