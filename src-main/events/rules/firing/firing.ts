import type { AggregationEvent } from '#domain/event/event';
import { localTimeText } from '#domain/text/local-time';
import type { ColumnType, Rule, RuleState, SampleValue } from '#domain/rule/rule';
import type { ClosedWindow } from '#domain/rule/rule-window';
import type { EventStore } from '../../store/event-store.ts';
import type { ColumnValue, DataRow, ResultTables } from '../../../storage/events/result-tables.ts';
import type { CommitQueue } from '../../../storage/commit-queue.ts';
import type { ActiveRule } from '../active-rule.ts';
import type { Closing } from '../sampling/samples.ts';
import type { Verdict } from '../conditions/condition.ts';
import type { RuleStorage } from '../rule-library.ts';

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

/** What storing the end of a window needs of its rule. */
type Settling = Pick<ActiveRule, 'settling' | 'settle' | 'kept' | 'failed'>;

interface ClosingEntry {
  run: Settling;
  closing: Closing | null;
  /** Does the work; returns how the promise settles once that is kept. */
  work: () => () => void;
  reject: (reason: unknown) => void;
  written: ReturnType<ActiveRule['settle']>;
}

/**
 * Stores what became of closed windows. Those that close in one turn share one job of the commit queue, since a savepoint
 * for each takes a tenth of the time of a firing; where one of them fails, each has a job of its own.
 */
export class ClosingJobs {
  readonly #commits: Pick<CommitQueue, 'run'>;
  #gathered: ClosingEntry[] = [];

  constructor(commits: Pick<CommitQueue, 'run'>) {
    this.#commits = commits;
  }

  /**
   * Does the work in the transaction that stores that the window is over; resolves with what it returned once that is
   * durable, rejects with what it threw and with nothing of it kept. Work may be done again after it was undone.
   */
  run<T>(run: Settling, closing: Closing | null, work: () => T): Promise<T> {
    run.settling += 1;
    return new Promise<T>((resolve, reject) => {
      const working = () => {
        const value = work();
        return () => resolve(value);
      };
      this.#gathered.push({ run, closing, work: working, reject, written: [] });
      if (this.#gathered.length === 1) void this.#together();
    });
  }

  async #together(): Promise<void> {
    let entries: ClosingEntry[] = [];
    try {
      const settle = await this.#commits.run(() => {
        entries = this.#gathered.splice(0);
        return entries.map(attempt);
      });
      for (const [place, entry] of entries.entries()) kept(entry, settle[place]);
    } catch (thrown) {
      // The queue took no job at all.
      if (entries.length === 0) entries = this.#gathered.splice(0);
      const [only, ...others] = entries;
      if (only && others.length === 0) undone(only, thrown);
      else await Promise.all(entries.map((entry) => this.#alone(entry)));
    }
  }

  async #alone(entry: ClosingEntry): Promise<void> {
    entry.run.failed(entry.written.splice(0));
    try {
      kept(entry, await this.#commits.run(() => attempt(entry)));
    } catch (thrown) {
      undone(entry, thrown);
    }
  }
}

function attempt({ run, closing, work, written }: ClosingEntry): () => void {
  if (closing) written.push(...run.settle(closing));
  return work();
}

function kept({ run, closing }: ClosingEntry, settle: (() => void) | undefined): void {
  run.kept(closing);
  run.settling -= 1;
  settle?.();
}

function undone({ run, written, reject }: ClosingEntry, thrown: unknown): void {
  run.failed(written);
  run.settling -= 1;
  reject(thrown);
}

interface WindowEndsParts {
  store: RuleStorage;
  events: EventStore;
  log: (where: string, fault: unknown) => void;
}

/** How often a rule has fired since the start, at work or not. */
type Tally = Pick<RuleState, 'firings' | 'lastFiredAt'>;

const NONE: Tally = { firings: 0, lastFiredAt: null };

/** Stores what became of windows that are over, and counts how often rules fired. */
export class WindowEnds {
  readonly #parts: WindowEndsParts;
  readonly #jobs: ClosingJobs;
  readonly #tallies = new Map<number, Tally>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #leftSamples: () => void;

  /** @param leftSamples called when a job is done and its rule still has samples that are not stored */
  constructor(parts: WindowEndsParts, leftSamples: () => void) {
    this.#parts = parts;
    this.#jobs = new ClosingJobs(parts.store.commits);
    this.#leftSamples = leftSamples;
  }

  /** Stores what became of a window: a data row and an event where it fires, and in any case that it is over. */
  finish(active: ActiveRule, closing: Closing, verdict: Verdict): void {
    active.problem = verdict.kind === 'error' ? `The condition failed: ${verdict.message}` : null;
    const keeping = this.#keep(active, closing, verdict.kind === 'fires' && !closing.window.empty);
    this.#underWay.add(keeping);
    void keeping.finally(() => this.#underWay.delete(keeping));
  }

  /** Does work that deals with a closed window, in the transaction that stores that it is over. */
  async job<T>(active: ActiveRule, closing: Closing | null, work: () => T): Promise<T> {
    const result = await this.#jobs.run(active, closing, work);
    if (active.hasUnwritten) this.#leftSamples();
    return result;
  }

  /** Counts firings that are stored. */
  count(ruleId: number, fired: readonly Firing[]): void {
    const { firings, lastFiredAt } = this.tallyOf(ruleId);
    this.#tallies.set(ruleId, {
      firings: firings + fired.length,
      lastFiredAt: fired.at(-1)?.firedAt ?? lastFiredAt,
    });
  }

  tallyOf(ruleId: number): Tally {
    return this.#tallies.get(ruleId) ?? NONE;
  }

  /** The rule is gone. */
  forget(ruleId: number): void {
    this.#tallies.delete(ruleId);
  }

  /** Resolves when nothing is under way any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Never rejects. */
  async #keep(active: ActiveRule, closing: Closing, fires: boolean): Promise<void> {
    const { store, events, log } = this.#parts;
    const { rule } = active;
    const at = store.clock.now();
    try {
      const firing = await this.job(active, closing, () =>
        fires ? fire({ results: store.results, events }, rule, closing.window, { at, by: 'window' }) : null,
      );
      active.stored();
      if (firing) this.count(rule.id, [firing]);
    } catch (thrown) {
      // The window is kept, and tried again.
      active.notStored(closing, thrown);
      log(`firing rule ${rule.id}`, thrown);
    }
  }
}

/** A value as its column takes it; null where a tag has changed its type and the value no longer fits. */
function columnValue(value: SampleValue | null, type: ColumnType): ColumnValue {
  if (value === null) return null;
  if (type === 'TEXT') return String(value);
  const number = typeof value === 'boolean' ? Number(value) : value;
  if (typeof number !== 'number') return null;
  return type === 'REAL' || Number.isSafeInteger(number) ? number : null;
}
