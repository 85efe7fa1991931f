import type { AggregationEvent } from '#domain/event/event';
import { localTimeText } from '#domain/text/local-time';
import type { ColumnType, Rule, RuleState, SampleValue } from '#domain/rule/rule';
import type { Cause, CurrentValue } from '#domain/run/journal';
import type { ClosedWindow } from '#domain/rule/rule-window';
import type { EventStore } from '../../store/event-store.ts';
import type { ColumnValue, ResultTables } from '../../../storage/events/result-tables.ts';
import type { CommitQueue } from '../../../storage/commit-queue.ts';
import type { ActiveRule, Closing } from '../active-rule.ts';
import type { Verdict } from '../conditions/condition.ts';
import type { RuleStorage } from '../rule-library.ts';

/** The result of a firing. */
export interface Firing {
  rowId: number;
  event: AggregationEvent | null;
  firedAt: string;
}

export interface FiringParts {
  results: ResultTables;
  events: EventStore;
  journal: RuleStorage['journal'];
}

/**
 * Fires a rule: one data row, and one event if the rule triggers events. Must be called inside a job of the commit
 * queue, which makes them one transaction.
 * @param at ms since 1970 in UTC: when it fires
 * @param current what a firing by hand added to the window
 */
export function fire(
  { results, events, journal }: FiringParts,
  rule: Rule,
  window: ClosedWindow,
  { at, by, current }: { at: number; by: 'window' | Cause; current?: readonly CurrentValue[] },
): Firing {
  const firedAt = localTimeText(at);
  const rowId = results.insert(
    rule.resultTable,
    rule.outputs.map(({ column }) => column),
    {
      firedAt,
      firedBy: by === 'window' ? by : 'hand',
      windowStart: localTimeText(window.start),
      windowEnd: localTimeText(window.end),
      samples: window.samples,
      badSamples: window.bad,
      values: rule.outputs.map(({ columnType }, place) => columnValue(window.outputs[place] ?? null, columnType)),
    },
  );
  const event = !rule.triggersEvents
    ? null
    : events.insert({
        ruleId: rule.id,
        eventDateTime: firedAt,
        at,
        resultTableName: rule.resultTable,
        resultTableRecordId: rowId,
      });
  const { id: ruleId, name, savedAt, condition, resultTable: table } = rule;
  const version = { ruleId, rule: name, savedAt, condition, table, ...(current && { current }) };
  journal.fired(version, rowId, event?.AggregationEventId ?? null, by === 'window' ? null : by);
  return { rowId, event, firedAt };
}

/** The parts of a rule that storing the end of a window needs. */
type Settling = Pick<ActiveRule, 'settling' | 'settle' | 'kept' | 'failed'>;

interface ClosingEntry {
  run: Settling;
  closing: Closing | null;
  /** Does the work; returns how the promise settles once that is durable. */
  work: () => () => void;
  reject: (reason: unknown) => void;
  written: ReturnType<ActiveRule['settle']>;
}

/**
 * Stores the outcomes of closed windows. Windows that close in one turn share one job of the commit queue, because a
 * savepoint for each takes a tenth of the time of a firing; if one of them fails, each gets a job of its own.
 */
export class ClosingJobs {
  readonly #commits: Pick<CommitQueue, 'run'>;
  #gathered: ClosingEntry[] = [];

  constructor(commits: Pick<CommitQueue, 'run'>) {
    this.#commits = commits;
  }

  /**
   * Does the work in the transaction that stores the outcome of the window; resolves with its result once that is
   * durable, rejects with its exception after undoing everything. Work may be repeated after it was undone.
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
      // The queue did not accept the job.
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

/** How often a rule has fired since the start, active or not. */
type RuleTally = Pick<RuleState, 'firings' | 'lastFiredAt'>;

const NONE: RuleTally = { firings: 0, lastFiredAt: null };

/** Stores the outcomes of closed windows, and counts how often rules fired. */
export class WindowEnds {
  readonly #parts: WindowEndsParts;
  readonly #jobs: ClosingJobs;
  readonly #tallies = new Map<number, RuleTally>();
  readonly #inProgress = new Set<Promise<void>>();
  readonly #leftSamples: () => void;

  /** @param leftSamples called if a job is done and its rule still has samples that are not stored */
  constructor(parts: WindowEndsParts, leftSamples: () => void) {
    this.#parts = parts;
    this.#jobs = new ClosingJobs(parts.store.commits);
    this.#leftSamples = leftSamples;
  }

  /** Stores the outcome of a window: a data row and an event if it fires, and in any case that it is settled. */
  finish(active: ActiveRule, closing: Closing, verdict: Verdict): void {
    active.problem = verdict.kind === 'error' ? `The condition failed: ${verdict.message}` : null;
    const keeping = this.#keep(active, closing, verdict.kind === 'fires' && !closing.window.empty);
    this.#inProgress.add(keeping);
    void keeping.finally(() => this.#inProgress.delete(keeping));
  }

  /** Does work that settles a closed window, in the transaction that stores its outcome. */
  async job<T>(active: ActiveRule, closing: Closing | null, work: () => T): Promise<T> {
    const result = await this.#jobs.run(active, closing, work);
    if (active.hasUnwritten) this.#leftSamples();
    return result;
  }

  /** Counts stored firings. */
  count(ruleId: number, fired: readonly Firing[]): void {
    const { firings, lastFiredAt } = this.tallyOf(ruleId);
    this.#tallies.set(ruleId, {
      firings: firings + fired.length,
      lastFiredAt: fired.at(-1)?.firedAt ?? lastFiredAt,
    });
  }

  tallyOf(ruleId: number): RuleTally {
    return this.#tallies.get(ruleId) ?? NONE;
  }

  /** The rule was deleted. */
  forget(ruleId: number): void {
    this.#tallies.delete(ruleId);
  }

  /** Resolves when nothing is in progress. */
  async settled(): Promise<void> {
    await Promise.all(this.#inProgress);
  }

  /** Never rejects. */
  async #keep(active: ActiveRule, closing: Closing, fires: boolean): Promise<void> {
    const { store, events, log } = this.#parts;
    const { rule } = active;
    const at = store.clock.now();
    try {
      const firing = await this.job(active, closing, () =>
        fires
          ? fire({ results: store.results, events, journal: store.journal }, rule, closing.window, { at, by: 'window' })
          : null,
      );
      active.stored();
      if (firing) this.count(rule.id, [firing]);
    } catch (thrown) {
      // The window is kept, and retried.
      active.notStored(closing, thrown);
      log(`firing rule ${rule.id}`, thrown);
    }
  }
}

/** A value in the type of its column; null if a tag has changed its type and the value no longer fits. */
function columnValue(value: SampleValue | null, type: ColumnType): ColumnValue {
  if (value === null) return null;
  if (type === 'TEXT') return String(value);
  const number = typeof value === 'boolean' ? Number(value) : value;
  if (typeof number !== 'number') return null;
  return type === 'REAL' || Number.isSafeInteger(number) ? number : null;
}
