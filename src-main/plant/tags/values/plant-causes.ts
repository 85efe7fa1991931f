import type { Clock } from '../../../platform/clock.ts';
import type { CommitQueue, LateJob } from '../../../storage/commit-queue.ts';
import type { Journal } from '../../../storage/journal/journal.ts';
import { areAlike, type IntendedEntries, type JournalPlace } from '../../../storage/journal/journal-text.ts';
import type { WriteIntent, WriteIntentRepository } from '../../../storage/repositories/write-intent-repository.ts';
import type { OutsideWork } from './pending-writes.ts';
import type { SetEntry } from './tag-transactions.ts';

/** How long an intent waits for a Set that continues it, ms. */
const WAIT_MS = 20;
/** How long after a failure of the disk an intent is ended again, ms. */
const AGAIN_MS = 1_000;

/** A committed Set that is not yet in the journal. */
interface WrittenSet {
  entries: readonly SetEntry[];
  causes: IntendedEntries;
  place: JournalPlace;
}

/** The last one, whose intent is still stored. */
interface LastSet extends WrittenSet {
  intent: number;
  /** Records it and deletes the intent. */
  end: LateJob;
}

export interface PlantCausesParts {
  commits: CommitQueue;
  clock: Clock;
  journal: Pick<Journal, 'intended' | 'placeOf' | 'wroteIntended'>;
  intents: WriteIntentRepository;
  log: (fault: unknown) => void;
}

/** The commit of plant.db, with a step for tests before it. */
export interface PlantCommit {
  outside: OutsideWork;
  /** The intent is on the disk. */
  intended: () => void;
  /** Commits. If nothing was committed, it calls `forget` inside a job, and throws. */
  decide: (forget: () => void) => Promise<void>;
}

/**
 * Records the causes of Sets whose values are all in plant.db, one Set at a time. So that no crash leaves a value without
 * its cause, an intent with the causes is on the disk before plant.db is committed. It stays until the next transaction of
 * the workspace, or for 20 ms. If a Set like it follows in this time, that Set replaces the intent by its own while plant.db
 * is committed, without waiting for the disk. If a crash loses that, the intent on the disk still says who wrote, and the
 * log of plant.db that there were more commits.
 */
export class PlantCauses {
  readonly #parts: PlantCausesParts;
  #last: LastSet | null = null;

  constructor(parts: PlantCausesParts) {
    this.#parts = parts;
  }

  /** Commits a Set, with its causes. Throws what `decide` throws, and errors of the disk before anything is committed. */
  async commit(entries: readonly SetEntry[], plant: PlantCommit): Promise<void> {
    const last = this.#continued(entries);
    if (last) await this.#continue(last, entries, plant);
    else await this.#begin(entries, plant);
  }

  /** The last Set, if its intent also covers these entries. */
  #continued(entries: readonly SetEntry[]): LastSet | null {
    const last = this.#last;
    this.#last = null;
    if (!last || !areAlike(last.entries, entries)) return null;
    // A transaction before that of the new intent would end the last one.
    return this.#parts.commits.isIdle && last.end.take() ? last : null;
  }

  async #begin(entries: readonly SetEntry[], { outside, intended, decide }: PlantCommit): Promise<void> {
    const { commits, clock, journal, intents } = this.#parts;
    const begun = await commits.run(() => {
      const causes = journal.intended(entries);
      if (causes === null) return null;
      outside.beginCommit();
      return { causes, intent: intents.insert(intentOf(outside, causes), clock.iso()) };
    });
    intended();
    await decide(() => begun && intents.delete(begun.intent));
    if (begun) this.#last = this.#committed(begun.intent, entries, begun.causes);
  }

  async #continue(last: LastSet, entries: readonly SetEntry[], { outside, decide }: PlantCommit): Promise<void> {
    const { commits, clock, journal, intents, log } = this.#parts;
    const { intent } = last;
    const deciding = decide(() => intents.delete(intent));
    let causes: IntendedEntries | null = null;
    const replacing = commits.runUnsynced(() => {
      causes = journal.intended(entries);
      this.#record([last]);
      if (causes === null) intents.delete(intent);
      else intents.replace(intent, intentOf(outside, causes), clock.iso());
      return causes;
    });
    const [decided, replaced] = await Promise.allSettled([deciding, replacing]);
    const isCommitted = decided.status === 'fulfilled';
    if (replaced.status === 'rejected') {
      log(replaced.reason);
      this.#endAgain(intent, [last, ...(isCommitted && causes ? [this.#placed(entries, causes)] : [])]);
    }
    if (!isCommitted) throw decided.reason;
    if (replaced.status === 'fulfilled' && causes) this.#last = this.#committed(intent, entries, causes);
  }

  #committed(intent: number, entries: readonly SetEntry[], causes: IntendedEntries): LastSet {
    const written = this.#placed(entries, causes);
    return { ...written, intent, end: this.#endIn(WAIT_MS, intent, [written]) };
  }

  /** The place in the journal is before everything that the Set leads to. */
  #placed(entries: readonly SetEntry[], causes: IntendedEntries): WrittenSet {
    return { entries, causes, place: this.#parts.journal.placeOf(causes) };
  }

  #endIn(ms: number, intent: number, sets: readonly WrittenSet[]): LateJob {
    const { commits, intents, log } = this.#parts;
    const end = () => {
      this.#record(sets);
      intents.delete(intent);
    };
    return commits.runLate(end, ms, (fault) => {
      log(fault);
      this.#endAgain(intent, sets);
    });
  }

  /** The disk failed. Other entries may have been added since, so these come after them. */
  #endAgain(intent: number, sets: readonly WrittenSet[]): void {
    const { journal } = this.#parts;
    const moved = sets.map((set) => ({ ...set, place: { ...journal.placeOf(set.causes), at: set.place.at } }));
    this.#endIn(AGAIN_MS, intent, moved);
  }

  /** Inside a job. */
  #record(sets: readonly WrittenSet[]): void {
    for (const { causes, entries, place } of sets) this.#parts.journal.wroteIntended(causes, entries, place);
  }
}

const intentOf = ({ evidence }: OutsideWork, { text }: IntendedEntries): Omit<WriteIntent, 'id'> => ({
  evidence,
  writes: [{ to: 'journal', entries: text }],
});
