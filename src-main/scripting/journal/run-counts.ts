import type { JournalScript, RunCount, RunOrigin } from '#domain/run/journal';
import type { NestedScript, NestedScriptEnd } from '#domain/run/script-evaluator';
import type { Clock } from '../../platform/clock.ts';
import type { Journal } from '../../storage/journal/journal.ts';
import type { JournalReader } from '../../storage/journal/journal-reader.ts';
import { type CountingCause, type CountRow, isCounting } from '../../storage/journal/journal-text.ts';
import type { SampledRun } from '../capsules/capsule-recorder.ts';
import type { RunCounting, RunTally } from '../runs/run-tree.ts';
import type { ScriptOutcome } from '../sandbox/script-run.ts';
import type { RunJournal } from './run-journal.ts';

const HOUR_MS = 3_600_000;
/** How long counts are only in memory, ms. */
const FLUSH_MS = 60_000;
/** Runs that are recorded within an hour: of all scripts and conditions, and of one. */
const MOST_RECORDED = 50;
const MOST_RECORDED_OF_ONE = 5;
/** Failed runs of one script that have an entry of their own within an hour; further ones are counted. */
const MOST_FAILED = 20;
/** Counts that share a row, which is written again as a whole. */
const ROW = 100;
/** How many hours a script or a condition that no longer runs is remembered. */
const REMEMBERED = 24;

export interface RunCountsParts {
  journal: Pick<Journal, 'enabled' | 'storeCounts'>;
  reader: Pick<JournalReader, 'tagId' | 'pathOf' | 'newestCounts'>;
  runs: Pick<RunJournal, 'keep' | 'flush'>;
  /** Runs a script, and records what it sees. */
  sample: (script: NestedScript) => Promise<SampledRun>;
  clock: Pick<Clock, 'now'>;
}

/**
 * Counts the runs of watches and conditions that changed nothing: in memory, and once a minute in the journal, where an
 * entry has those of one hour. The first one of each hour is recorded in full.
 */
export class RunCounts implements RunCounting {
  readonly #parts: RunCountsParts;
  /** By what runs, and for whom. */
  readonly #tallies = new Map<string, Tally>();
  readonly #changed = new Set<OpenCount>();
  #hour = 0;
  #recorded = 0;
  #timer: NodeJS.Timeout | null = null;
  #isRead = false;
  #isClosed = false;
  /** The flushes, one after another. */
  #flushed: Promise<void> = Promise.resolve();

  constructor(parts: RunCountsParts) {
    this.#parts = parts;
  }

  of({ origin, context, body }: NestedScript): Tally | null {
    if (!origin || !isCounting(origin.cause) || !this.#parts.journal.enabled || this.#isClosed) return null;
    const { cause, rule } = origin;
    const hour = Math.floor(this.#parts.clock.now() / HOUR_MS);
    if (hour !== this.#hour) this.#begin(hour);
    const key = keyOf(cause, rule ? `${rule.id}` : context.tagName);
    let tally = this.#tallies.get(key);
    if (!tally) this.#tallies.set(key, (tally = new Tally(this.#owner)));
    tally.use({ cause, rule: rule ?? null, script: origin.script, tag: context.tagName, body, hour });
    return tally;
  }

  /** Stores what was counted so far. Never rejects: counts that cannot be stored are kept for the next time. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    return (this.#flushed = this.#flushed.then(() => this.#flush()));
  }

  /** The journal was cleared: counting starts again with the next run. */
  forget(): void {
    this.#tallies.clear();
    this.#changed.clear();
  }

  /** Stores the rest; later runs are not counted. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.flush();
  }

  /** What tallies share. */
  readonly #owner: Owner = {
    sample: (script) => this.#parts.sample(script),
    keepFailed: (origin) => this.#parts.runs.keep(origin, null),
    now: () => this.#parts.clock.now(),
    hasRoom: () => this.#recorded < MOST_RECORDED,
    /** In hours: if there are more scripts than samples of an hour, they take turns. */
    interval: () => Math.ceil(this.#tallies.size / MOST_RECORDED),
    records: () => {
      this.#recorded += 1;
    },
    changed: (count) => {
      this.#changed.add(count);
      if (!this.#isClosed) this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
    },
  };

  /** An hour begins. */
  #begin(hour: number): void {
    this.#hour = hour;
    this.#recorded = 0;
    if (!this.#isRead) this.#continue(hour);
    this.#isRead = true;
    for (const [key, { count }] of this.#tallies) {
      if (!count || Math.abs(hour - count.hour) > REMEMBERED) this.#tallies.delete(key);
    }
  }

  /** Continues the entries of this hour from before the start. */
  #continue(hour: number): void {
    const { reader } = this.#parts;
    for (const row of reader.newestCounts()) {
      for (const entry of row.counts) {
        const { count, cause } = entry;
        if (Math.floor(count.from / HOUR_MS) !== hour) continue;
        const tag = count.tagId === null ? '' : reader.pathOf(count.tagId);
        const tally = new Tally(this.#owner);
        tally.count = { tag, hour, row, cause, count };
        this.#tallies.set(keyOf(cause, count.rule ? `${count.rule.id}` : tag), tally);
      }
    }
  }

  async #flush(): Promise<void> {
    const { journal, reader, runs } = this.#parts;
    // Samples are stored before the entries that name them.
    await runs.flush();
    const changed = [...this.#changed];
    if (changed.length === 0) return;
    this.#changed.clear();
    const added = changed.filter(({ row }) => row === null);
    for (let at = 0; at < added.length; at += ROW) {
      const row: CountRow = { id: null, counts: added.slice(at, at + ROW) };
      for (const open of added.slice(at, at + ROW)) {
        open.row = row;
        if (open.count.rule === null) open.count.tagId = reader.tagId(open.tag);
      }
    }
    const rows = new Set(changed.flatMap(({ row }) => (row ? [row] : [])));
    if ((await journal.storeCounts([...rows])) || !journal.enabled) return;
    for (const count of changed) this.#owner.changed(count);
  }
}

const keyOf = (cause: CountingCause, what: string): string =>
  cause.by === 'rule' ? `condition ${what}` : `${cause.of ?? 'read'} ${what}`;

interface Owner {
  sample(script: NestedScript): Promise<SampledRun>;
  keepFailed(origin: RunOrigin): void;
  now(): number;
  hasRoom(): boolean;
  interval(): number;
  records(): void;
  changed(count: OpenCount): void;
}

/** A count in memory. */
interface OpenCount {
  readonly tag: string;
  readonly hour: number;
  readonly cause: CountingCause;
  readonly count: RunCount;
  /** Null until it is stored for the first time. */
  row: CountRow | null;
}

interface TalliedRun {
  cause: CountingCause;
  rule: RunCount['rule'];
  script: JournalScript | null;
  tag: string;
  body: string;
  hour: number;
}

/** The runs of one script, or one condition, for one kind of caller. */
class Tally implements RunTally {
  /** That of the last hour with a run. */
  count: OpenCount | null = null;
  readonly #owner: Owner;
  /** The condition, which has no version; null if it is not known. */
  #body: string | null = null;
  #recorded = 0;
  #failed = 0;
  /** The hour of its last sample. */
  #sampled = Number.NEGATIVE_INFINITY;
  #isRecording = false;
  #hasFailed = false;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** A run begins: it counts for this hour, and for this version. */
  use(run: TalliedRun): void {
    const { count } = this;
    const isSame = run.rule ? (this.#body ?? run.body) === run.body : isVersion(count?.count.script, run.script);
    this.#body = run.rule && run.body;
    if (count?.hour === run.hour && isSame) return;
    if (count?.hour !== run.hour) [this.#recorded, this.#failed] = [0, 0];
    if (!isSame) this.#sampled = Number.NEGATIVE_INFINITY;
    this.count = openCount(run, this.#owner.now());
  }

  get isDue(): boolean {
    if (this.#isRecording || this.#recorded >= MOST_RECORDED_OF_ONE || !this.#owner.hasRoom() || !this.count)
      return false;
    return (
      this.#hasFailed ||
      // Also after the clock was set back.
      (this.count.count.sample === null && Math.abs(this.count.hour - this.#sampled) >= this.#owner.interval())
    );
  }

  async record(script: NestedScript): Promise<NestedScriptEnd> {
    this.#isRecording = true;
    this.#recorded += 1;
    this.#owner.records();
    const { count } = this;
    try {
      const { report, origin, keep, isFull } = await this.#owner.sample(script);
      const verdict = verdictOf(report, origin, count);
      const isSample = verdict === 'unchanged' && isFull;
      // A condition that is true has the entry of its firing.
      if (isSample || verdict === 'failed' || (verdict === 'changed' && !script.origin?.rule)) await keep();
      if (verdict === 'failed') this.#hasFailed = true;
      else if (verdict === 'unchanged') this.#add(count, report.timing.totalMs, isSample ? (origin?.id ?? null) : null);
      return report;
    } finally {
      this.#isRecording = false;
    }
  }

  ended(outcome: ScriptOutcome, origin: RunOrigin | null): void {
    const verdict = verdictOf(outcome, origin, this.count);
    if (verdict === 'unchanged') this.#add(this.count, outcome.timing.totalMs, null);
    else if (verdict === 'failed') this.#fail(origin);
  }

  #add(open: OpenCount | null, ms: number, sample: number | null): void {
    if (!open) return;
    const { count } = open;
    this.#hasFailed = false;
    const now = this.#owner.now();
    count.from = Math.min(count.from, now);
    count.to = Math.max(count.to, now);
    count.runs += 1;
    count.totalMs += ms;
    count.longestMs = Math.max(count.longestMs, ms);
    if (sample !== null) {
      count.sample = sample;
      this.#sampled = open.hour;
    }
    this.#owner.changed(open);
  }

  /** The next run is recorded. */
  #fail(origin: RunOrigin | null): void {
    this.#hasFailed = true;
    this.#failed += 1;
    if (origin && this.#failed <= MOST_FAILED) {
      this.#owner.keepFailed(origin);
    } else if (this.count) {
      this.count.count.failed += 1;
      this.#owner.changed(this.count);
    }
  }
}

function verdictOf(
  { status, result }: Pick<ScriptOutcome, 'status' | 'result'>,
  origin: RunOrigin | null,
  open: OpenCount | null,
): 'changed' | 'unchanged' | 'failed' | 'cancelled' {
  if (status === 'cancelled') return 'cancelled';
  if (status !== 'ok') return 'failed';
  if (!open?.count.rule) return origin?.isStored ? 'changed' : 'unchanged';
  if (!Array.isArray(result) || result.some((one) => typeof one !== 'boolean')) return 'failed';
  return result.includes(true) ? 'changed' : 'unchanged';
}

const isVersion = (a: JournalScript | null | undefined, b: JournalScript | null): boolean =>
  a?.version === b?.version && a?.name === b?.name;

function openCount({ tag, hour, cause, script, rule }: TalliedRun, now: number): OpenCount {
  const none = { runs: 0, failed: 0, from: now, to: now, totalMs: 0, longestMs: 0, sample: null };
  return { tag, hour, cause, count: { tagId: null, script, rule, ...none }, row: null };
}
