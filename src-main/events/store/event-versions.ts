import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { EventRepository } from '../../storage/events/event-repository.ts';

/** Versions of one process: far more than it can make. */
const VERSIONS_OF_EPOCH = 2 ** 32;

/**
 * Numbers the states of the events: every process takes a stretch of numbers of its own with its first change, so that
 * they rise over restarts without a write for each.
 */
export class EventVersions {
  readonly #events: Pick<EventRepository, 'epoch' | 'setEpoch'>;
  readonly #unsubscribe: () => void;
  readonly #epoch: number;
  #made = 0;
  #epochIsTaken = false;
  /** Whether a job since the last commit changed events. */
  #dirty = false;

  constructor({ events, commits }: { events: Pick<EventRepository, 'epoch' | 'setEpoch'>; commits: CommitQueue }) {
    this.#events = events;
    this.#epoch = events.epoch() + 1;
    this.#unsubscribe = commits.onCommit(() => {
      if (!this.#dirty) return;
      this.#dirty = false;
      this.#made += 1;
      // A job that was undone took its stretch back with it.
      this.#epochIsTaken ||= events.epoch() === this.#epoch;
    });
  }

  /**
   * A number that is another one after every change of any event, and higher, over restarts too. Asked before a
   * snapshot is taken it may be older than that, never newer.
   */
  get current(): number {
    return this.#epoch * VERSIONS_OF_EPOCH + this.#made;
  }

  /** Called inside a job before it changes events. The first change of a process takes the stretch of versions. */
  changing(): void {
    this.#dirty = true;
    if (!this.#epochIsTaken) this.#events.setEpoch(this.#epoch);
  }

  close(): void {
    this.#unsubscribe();
  }
}
