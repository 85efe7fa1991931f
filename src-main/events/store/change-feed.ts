import type { EventChange, FeedPage, FeedPosition } from '#domain/event/event-change';
import { Listeners } from '../../platform/events.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { FeedQuery, WantedChanges, WantedQuery } from '../../storage/events/event-change-reader.ts';
import { EventChangeReader } from '../../storage/events/event-change-reader.ts';
import type { EventChangeRepository, NewEventChange } from '../../storage/events/event-change-repository.ts';
import type { EventRepository } from '../../storage/events/event-repository.ts';

interface FeedStorage {
  readonly events: EventRepository;
  readonly eventChanges: EventChangeRepository;
  readonly commits: CommitQueue;
  readonly clock: Clock;
}

/** Number of the newest changes that are also kept in memory, for clients that have all but these. */
const RECENT = 2_000;
/** Changes that one step deletes: a few ms. */
const STEP = 1_000;

/**
 * The change feed of the events: numbers every change in its own transaction, and notifies after the commit. The list,
 * the counts, the window and the stream of the events API follow it.
 */
export class ChangeFeed {
  readonly #store: FeedStorage;
  readonly #reader: EventChangeReader;
  readonly #listeners = new Listeners<readonly EventChange[]>();
  /** The changes of the open transaction. */
  #open: NewEventChange[] = [];
  readonly #recent: EventChange[] = [];
  #last: number;

  constructor(store: FeedStorage) {
    this.#store = store;
    this.#reader = new EventChangeReader(store.events.file);
    this.#last = store.eventChanges.range().last;
  }

  /** The number of the last committed change: higher after every change of any event, over restarts too. */
  get last(): number {
    return this.#last;
  }

  /** Inside a job: changes that are made with its commit. */
  add(changes: readonly NewEventChange[]): void {
    const { commits } = this.#store;
    commits.beforeCommit(() => {
      // After the changes of all other jobs of the transaction.
      if (this.#open.length === 0) commits.beforeCommit(() => this.#write());
      this.#open.push(...changes);
    });
  }

  /** Called after each commit with its changes, in order; the returned function removes the listener. */
  onChange(listener: (changes: readonly EventChange[]) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** The changes after a position; null for a client that has nothing yet, which gets the active events first. */
  next(position: FeedPosition | null, query: FeedQuery): FeedPage {
    return this.#recentOf(position, query) ?? this.#reader.next(position, query);
  }

  /** The next changes after a number that are wanted, from one snapshot of committed changes. */
  wantedAfter(seq: number, query: WantedQuery): WantedChanges {
    return this.#reader.wantedAfter(seq, query);
  }

  /**
   * Deletes the oldest changes, in small steps while allowed: those made before a moment, and those beyond a count. A
   * client that has not got them starts with a new list.
   */
  async expire(limits: { before: number; keep: number }, isWanted: () => boolean): Promise<void> {
    const step = () => isWanted() && this.#store.eventChanges.expire({ ...limits, limit: STEP });
    while (await this.#store.commits.run(step));
  }

  close(): void {
    this.#listeners.clear();
    this.#reader.close();
  }

  /** In the transaction, when all of its jobs are done. */
  #write(): void {
    const changes = this.#open;
    this.#open = [];
    const { eventChanges, commits, clock } = this.#store;
    const first = this.#last + 1;
    eventChanges.append(first, changes, clock.now());
    commits.afterCommit(() => {
      const numbered = changes.map((change, n) => ({ seq: first + n, ...change }));
      this.#last += numbered.length;
      this.#recent.push(...numbered);
      if (this.#recent.length > 2 * RECENT) this.#recent.splice(0, this.#recent.length - RECENT);
      this.#listeners.emit(numbered);
    });
  }

  /** From memory, for a client that has its list and all changes but recent ones. */
  #recentOf(position: FeedPosition | null, { ruleId, limit }: FeedQuery): FeedPage | null {
    if (position === null || position.listed !== null || position.seq > this.#last) return null;
    const from = position.seq - this.#last + this.#recent.length;
    if (from < 0) return null;
    const some = this.#recent.slice(from, from + limit);
    const seq = some.at(-1)?.seq ?? position.seq;
    return {
      isReset: false,
      changes: some
        .filter(({ event }) => ruleId === null || event.RuleId === ruleId)
        .map((change) => ({ kind: change.kind, event: change.event, position: { seq: change.seq, listed: null } })),
      position: { seq, listed: null },
      isEnd: seq === this.#last,
    };
  }
}
