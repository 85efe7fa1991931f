import type { Settings } from '#domain/workspace/settings';
import type { EventStore } from '../store/event-store.ts';
import { pause } from '../../platform/pause.ts';
import type { RuleStorage } from './rule-library.ts';

export interface RetentionParts {
  store: RuleStorage;
  events: EventStore;
  settings: { get(): Settings };
  rules: () => readonly { id: number }[];
  log: (where: string, fault: unknown) => void;
}

const EVERY_MS = 30_000;
/** When the first run begins: the start of an instance has more urgent work than counting its events. */
const FIRST_MS = 500;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Batches of samples, or rows of a table, that one step deletes: a few ms. */
const STEP = 500;

/**
 * Deletes expired data in small steps between other work: disabled events, changes of events and samples by age and count, and the rows of
 * rules that were deleted with their rows.
 */
export class Retention {
  readonly #parts: RetentionParts;
  readonly #stop = new AbortController();
  #work: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #first: NodeJS.Timeout | null = null;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.soon(), EVERY_MS);
    this.#timer.unref();
    this.#first = setTimeout(() => this.soon(), FIRST_MS);
    this.#first.unref();
  }

  /** Runs again after the current run. */
  soon(): void {
    this.#work = this.#work.then(() => this.run()).catch((thrown: unknown) => this.#parts.log('retention', thrown));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    if (this.#timer) clearInterval(this.#timer);
    if (this.#first) clearTimeout(this.#first);
    await this.#work;
  }

  /** Deletes everything that has expired. */
  async run(): Promise<void> {
    const { events, settings, store } = this.#parts;
    const limits = settings.get();
    for (const { id, resultTable } of store.rules.toDrop()) await this.#drop(id, resultTable);
    if (this.#stop.signal.aborted) return;
    const daysAgo = (days: number) => (days === 0 ? Number.NEGATIVE_INFINITY : store.clock.now() - days * DAY_MS);
    const before = daysAgo(limits['retention.eventDays']);
    await events.expire({ before, keep: limits['retention.events'] }, () => !this.#stop.signal.aborted);
    await events.expireChanges(
      { before: daysAgo(limits['retention.changeDays']), keep: limits['retention.changes'] },
      () => !this.#stop.signal.aborted,
    );
    for (const { id } of this.#parts.rules()) await this.#expireSamples(id, limits);
  }

  /**
   * The events of a rule are deleted first: no event may refer to a deleted row. A rule that is restored in the
   * meantime keeps the remaining ones.
   */
  async #drop(id: number, table: string): Promise<void> {
    const { events, store } = this.#parts;
    await events.deleteOfRule(id, () => !this.#stop.signal.aborted && store.rules.isToDrop(id));
    for (;;) {
      if (this.#stop.signal.aborted) return;
      const gone = await store.commits.run(() => {
        if (!store.rules.isToDrop(id)) return true;
        const isGone = store.results.dropSome(table, STEP);
        if (isGone) store.rules.dropped(id);
        return isGone;
      });
      if (gone) return;
      await this.#yieldTurn();
    }
  }

  async #expireSamples(ruleId: number, limits: Settings): Promise<void> {
    const { store } = this.#parts;
    const before = store.clock.now() - limits['retention.sampleHours'] * HOUR_MS;
    let excess = store.windows.count(ruleId) - limits['retention.samples'];
    for (;;) {
      if (this.#stop.signal.aborted) return;
      const deleted = await store.commits.run(() => {
        let count = 0;
        for (const batch of store.windows.oldest(ruleId, STEP)) {
          if (excess <= 0 && batch.toMs >= before) break;
          store.windows.delete(batch.id);
          excess -= batch.count;
          count += 1;
        }
        return count;
      });
      if (deleted < STEP) return;
      await this.#yieldTurn();
    }
  }

  async #yieldTurn(): Promise<void> {
    await pause(5, this.#stop.signal);
  }
}
