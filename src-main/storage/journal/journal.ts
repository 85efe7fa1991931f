import type { Database } from 'better-sqlite3';
import { type EventChangeKind, rangesOf } from '#domain/event/event-change';
import type { Cause, JournalFiring, JournalRunEnd, NewRun, RunOrigin } from '#domain/run/journal';
import type { Clock } from '../../platform/clock.ts';
import { TagwrightError } from '../../platform/errors.ts';
import { userName } from '../../platform/user-name.ts';
import type { CommitQueue } from '../commit-queue.ts';
import {
  BLOCK,
  countedName,
  type JournalBlock,
  JournalBlocks,
  type JournalLimits,
  RULE_ITSELF,
  RUN_BYTES,
} from './journal-blocks.ts';
import { type JournalStatements, journalStatements } from './journal-statements.ts';
import {
  BY_RULE,
  causeText,
  type CountRow,
  countText,
  currentText,
  eachWrite,
  type IntendedEntries,
  isNext,
  itemsOf,
  type JournalPlace,
  type Repeated,
  repeatedText,
  runText,
  type WrittenValue,
} from './journal-text.ts';
import { type TextMask, JournalValues } from './shown-values.ts';

/** How long the end of a run waits for others, ms. */
const KEEP_MS = 200;
/** How long nothing is recorded after the disk was full, ms. */
const PAUSE_MS = 60_000;

/** The rows since the last block. A job may be undone: then it lists too much, never too little. */
class OpenBlock implements JournalBlock {
  span: JournalBlock['span'] = null;
  text = 0;
  bytes = 0;
  readonly tags = new Set<number>();
  readonly runs = new Set<number>();
  readonly rows = new Map<number, [number, number]>();
  readonly counted = new Set<string>();
  events: [number, number][] = [];
  /** Whether a row that is still to be added is on its lists. */
  awaitsRow = false;

  isFull(limitBytes: number): boolean {
    return this.text >= BLOCK.text || this.bytes >= Math.min(BLOCK.bytes, limitBytes * BLOCK.part);
  }

  addEntries(id: number, at: number, length: number): void {
    this.#extend(at, at).firstId ??= id;
    this.text += length;
    this.bytes += length;
  }

  /** Adds runs with so many bytes that began between these times. */
  addRuns(firstMs: number, lastMs: number, bytes: number): void {
    this.#extend(firstMs, lastMs);
    this.bytes += bytes;
  }

  #extend(firstMs: number, lastMs: number): NonNullable<JournalBlock['span']> {
    const span = (this.span ??= { firstId: null, firstMs, lastMs });
    span.firstMs = Math.min(span.firstMs, firstMs);
    span.lastMs = Math.max(span.lastMs, lastMs);
    return span;
  }

  addRows(ruleId: number, first: number, last: number): void {
    const known = this.rows.get(ruleId);
    if (known) this.rows.set(ruleId, [Math.min(known[0], first), Math.max(known[1], last)]);
    else this.rows.set(ruleId, [first, last]);
  }

  addEvents(ranges: readonly [number, number][]): void {
    for (const [first, last] of ranges) {
      const before = this.events.at(-1);
      if (before && first >= before[0] && first <= before[1] + 1) before[1] = Math.max(before[1], last);
      else this.events.push([first, last]);
    }
    if (this.events.length <= BLOCK.ranges) return;
    let [low, high] = [Infinity, 0];
    for (const [first, last] of this.events) [low, high] = [Math.min(low, first), Math.max(high, last)];
    this.events = [[low, high]];
  }
}

/**
 * Records what led to each change. Methods that take a cause must be called inside the job that makes the change, so that
 * both are in one commit: the entries of a transaction become one row just before its COMMIT.
 */
export class Journal {
  readonly blocks: JournalBlocks;
  readonly #statements: JournalStatements;
  readonly #commits: CommitQueue;
  readonly #clock: Clock;
  readonly #shown: JournalValues;
  #last: number;
  #name: string | null | undefined;
  #lastCause: { cause: Cause; text: string } | null = null;
  #openBlock: OpenBlock | null = null;
  /** The entries of the open transaction. */
  #open: string[] = [];
  #firings: { firing: JournalFiring; cause: Cause | null }[] = [];
  /** Runs that have ended, to be stored. */
  readonly #ended: { run: RunOrigin; content: Buffer | null }[] = [];
  /** The last commit of `flush`. */
  #flushed: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  /** Whether changes are recorded; the setting `journal.megabytes` 0 turns it off. */
  enabled = true;
  /** The size that `expire` keeps, bytes. A small journal has smaller blocks, so that the newest ones stay. */
  limitBytes = Infinity;
  /** The disk is full: nothing is recorded until then, on the clock of `performance.now()`. */
  #pausedUntil = 0;

  constructor(database: Database, commits: CommitQueue, clock: Clock) {
    this.#statements = journalStatements(database);
    this.#shown = new JournalValues(this.#statements);
    this.#commits = commits;
    this.#clock = clock;
    this.blocks = new JournalBlocks(database);
    this.#last = this.#statements.lastId.get() ?? 0;
    commits.onRefused((thrown) => {
      this.#open = [];
      this.#firings = [];
      // Values that are replaced need no room: they are worth more than the journal.
      if (thrown instanceof TagwrightError && thrown.code === 'STORAGE_FULL') {
        this.#pausedUntil = performance.now() + PAUSE_MS;
      }
    });
  }

  /** Hides secrets in everything that is recorded from now on; `maskOf` is called when it is needed. */
  maskWith(maskOf: () => TextMask | null): void {
    this.#shown.maskWith(maskOf);
  }

  /** Values in which secrets of runs were hidden. */
  get hidden(): Pick<JournalValues, 'mask' | 'mayHave' | 'secretsIn' | 'shown'> {
    return this.#shown;
  }

  /** A run begins. Nothing is stored until it changes something. */
  begin(run: NewRun): RunOrigin {
    const id = (this.#last += 1);
    return { ...run, id, at: this.#clock.now(), end: null, isStored: false };
  }

  /** Inside a job: values of tags are written. Those in a row with the same cause and scope share an entry. */
  wrote(values: readonly WrittenValue[]): void {
    if (!this.#records) return;
    const { tags } = this.#lists;
    for (const { tag } of values) tags.add(tag.id);
    eachWrite(values, this.#shown, (cause, rest) => this.#add('write', cause, rest));
  }

  /**
   * Inside a job: the entries of writes that a commit elsewhere decides; null if nothing is recorded. The runs that make
   * them are stored.
   */
  intended(values: readonly WrittenValue[]): IntendedEntries | null {
    if (!this.#records || values.length === 0) return null;
    const entries: string[] = [];
    eachWrite(values, this.#shown, (cause, rest) => {
      if (cause.by === 'run') this.#ensure(cause.run);
      entries.push(`["write",${this.#causeText(cause)},${rest}]`);
    });
    return { text: `[${entries.join(',')}]`, count: entries.length };
  }

  /** The place of such entries in the journal, before all that begins from now on. */
  placeOf({ count }: IntendedEntries): JournalPlace {
    const id = this.#last + 1;
    this.#last += count;
    return { id, at: this.#clock.now() };
  }

  /** Inside a job: records what `intended` described, after the commit elsewhere. */
  wroteIntended(entries: IntendedEntries, values: readonly WrittenValue[], { id, at }: JournalPlace): void {
    if (!this.#records) return;
    const block = this.#block;
    for (const { tag, cause } of values) {
      block.tags.add(tag.id);
      if (cause.by !== 'run') continue;
      this.#ensure(cause.run);
      block.runs.add(cause.run.id);
    }
    this.#statements.add.run(id, at, entries.text);
    block.addEntries(id, at, entries.text.length);
    this.#endIfFull();
  }

  /** Inside a job: records what `intended` described, after an interruption. */
  repeat(entries: string, how: Repeated = 'certain'): void {
    const text = repeatedText(entries, how, (tagId) => this.#statements.kindOf.get(tagId) !== 'db');
    const { length } = itemsOf(text);
    if (!this.#records || length === 0) return;
    this.#statements.add.run(this.#last + 1, this.#clock.now(), text);
    this.#last += length;
    // Its lists are made again, from its rows.
    this.#openBlock = null;
  }

  /** Inside a job: a forced quality, an override, a stored value or the definition of tags is changed. `paths` of deleted ones. */
  changed(
    kind: 'force' | 'release' | 'clear' | 'define',
    tags: readonly WrittenValue['tag'][],
    what: string,
    cause: Cause,
    paths: readonly string[] = [],
  ): void {
    if (!this.#records || tags.length === 0) return;
    const ids = tags.map(({ id }) => id);
    const { tags: listed } = this.#lists;
    for (const id of ids) listed.add(id);
    const named = paths.length > 1 ? `,${JSON.stringify(paths)}` : '';
    this.#add(kind, cause, `${JSON.stringify(ids)},${JSON.stringify(what)}${named}`);
  }

  /**
   * Inside a job: a rule fires one data row. Firings that follow each other in a transaction share an entry.
   * @param cause null: its window closed
   */
  fired(
    rule: Omit<JournalFiring, 'firstRow' | 'lastRow' | 'firstEvent'>,
    row: number,
    event: number | null,
    cause: Cause | null,
  ): void {
    if (!this.#records) return;
    const one: JournalFiring = { ...rule, firstRow: row, lastRow: row, firstEvent: event };
    this.#commits.beforeCommit(() => {
      if (this.#firings.length === 0) {
        this.#commits.beforeCommit(() => {
          for (const { firing, cause: by } of this.#firings.splice(0)) this.#addFiring(firing, by);
        });
      }
      const last = this.#firings.at(-1);
      if (last?.cause === cause && isNext(last.firing, one)) last.firing.lastRow = one.firstRow;
      else this.#firings.push({ firing: one, cause });
    });
  }

  /** Inside a job: events are disabled, re-activated or deleted. */
  eventsChanged(change: EventChangeKind, ids: readonly number[], cause: Cause): void {
    if (!this.#records || ids.length === 0) return;
    const ranges = rangesOf(ids);
    this.#lists.addEvents(ranges);
    this.#add('event', cause, `${JSON.stringify(change)},${JSON.stringify(ranges)}`);
  }

  /** Inside a job: a rule is saved, deleted or restored. */
  ruleChanged({ id, name }: { id: number; name: string }, what: string, cause: Cause): void {
    if (!this.#records) return;
    this.#lists.addRows(id, RULE_ITSELF, RULE_ITSELF);
    this.#add('rule', cause, `${id},${JSON.stringify(name)},${JSON.stringify(what)}`);
  }

  /** A run has ended. Its row gets that with the next change, or with `keep`. */
  end(run: RunOrigin, end: JournalRunEnd): void {
    run.end = { ...end, error: end.error === null ? null : this.#shown.text(end.error, run.secrets) };
    if (run.isStored) this.keep(run, null);
  }

  /**
   * Stores the end of a run soon, together with that of others: a commit for each would take longer than most runs.
   * @param content see the table `journal_runs`; null if the run is not stored in full
   */
  keep(run: RunOrigin, content: Buffer | null): void {
    if (!this.#records) return;
    this.#ended.push({ run, content });
    this.#timer ??= setTimeout(() => void this.flush(), KEEP_MS).unref();
  }

  /**
   * Stores the ends of runs, and entries that wait for the next commit, now; resolves after all so far. Never rejects: if
   * the disk fails, the ends are dropped.
   */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const ended = this.#ended.splice(0);
    // Commits are made in their order, so the last one ends after those of earlier calls.
    if (ended.length === 0) {
      if (this.#commits.hasLate) this.#flushed = this.#commits.runUnsynced(() => undefined).catch(() => undefined);
      return this.#flushed;
    }
    this.#flushed = this.#commits
      .run(() => {
        const block = this.#block; // Read before these runs are stored, so that they count once.
        for (const { run, content } of ended) {
          if (run.isStored) this.#store(run, content);
          else this.#ensure(run, content);
          block.addRuns(run.at, run.at, RUN_BYTES + (content?.length ?? 0));
        }
        this.#endIfFull();
      })
      .catch(() => undefined);
    return this.#flushed;
  }

  /**
   * Stores counts of runs: each list is a row of its own, which is replaced if it still exists, and gets a number otherwise.
   * Returns whether they are stored: while nothing is recorded, and if the disk fails, they are not.
   */
  async storeCounts(rows: readonly CountRow[]): Promise<boolean> {
    if (!this.#records) return false;
    const job = () => {
      for (const row of rows) {
        const texts = row.counts.map(({ cause, count }) => countText(cause, count));
        if (row.id !== null && this.#statements.replace.run(`[${texts.join(',')}]`, row.id).changes > 0) continue;
        for (const { count } of row.counts) {
          this.#lists.counted.add(countedName(count));
          if (count.sample !== null) this.#lists.runs.add(count.sample);
        }
        row.id = this.#addRow(texts);
      }
    };
    return this.#commits.run(job).then(
      () => true,
      () => false,
    );
  }

  /** Inside a job: deletes all entries, and all runs that are not pinned. */
  clear(): void {
    this.blocks.clear();
    this.#openBlock = null;
    this.#statements.forgotten.run(this.#last, this.#clock.now());
  }

  /** Inside a job: drops the oldest block if it exceeds the limits; whether there was one. */
  expire(limits: JournalLimits): boolean {
    if (!this.blocks.dropOldest(limits, this.#block)) return false;
    const since = this.#statements.hasEntries.get() === 1 ? null : this.#clock.now();
    this.#statements.forgotten.run(this.#last, since);
    return true;
  }

  /** The open block, whose rows are read the first time after a start, and after a block has ended. */
  get #block(): OpenBlock {
    if (!this.#openBlock) this.blocks.readOpen((this.#openBlock = new OpenBlock()));
    return this.#openBlock;
  }

  /** The open block, for what a row of this transaction is about. */
  get #lists(): OpenBlock {
    const block = this.#block;
    block.awaitsRow = true;
    return block;
  }

  get #records(): boolean {
    return this.enabled && (this.#pausedUntil === 0 || performance.now() >= this.#pausedUntil);
  }

  get #user(): string | null {
    return this.#name === undefined ? (this.#name = userName()) : this.#name;
  }

  #addFiring(
    { ruleId, rule, savedAt, condition, table, firstRow, lastRow, firstEvent, current }: JournalFiring,
    cause: Cause | null,
  ): void {
    this.#lists.addRows(ruleId, firstRow, lastRow);
    if (firstEvent !== null) this.#lists.addEvents([[firstEvent, firstEvent + lastRow - firstRow]]);
    const version = JSON.stringify([ruleId, rule, savedAt, condition, table]);
    const added = current ? `,[${current.map((one) => currentText(one, this.#shown)).join(',')}]` : '';
    this.#add('firing', cause, `${version},${firstRow},${lastRow},${firstEvent}${added}`);
  }

  #add(kind: string, cause: Cause | null, rest: string): void {
    if (cause?.by === 'run') {
      this.#ensure(cause.run);
      this.#lists.runs.add(cause.run.id);
    }
    const text = `["${kind}",${this.#causeText(cause)},${rest}]`;
    this.#commits.beforeCommit(() => {
      // After the entries of all jobs of the transaction.
      if (this.#open.length === 0) this.#commits.beforeCommit(() => this.#write());
      this.#open.push(text);
    });
  }

  /** Calls of one connection share their cause. */
  #causeText(cause: Cause | null): string {
    if (cause === null) return BY_RULE;
    if (cause.by === 'run') return causeText(cause, null);
    if (this.#lastCause?.cause !== cause) this.#lastCause = { cause, text: causeText(cause, this.#user) };
    return this.#lastCause.text;
  }

  #write(): void {
    const entries = this.#open;
    if (entries.length === 0) return;
    this.#open = [];
    this.#addRow(entries);
  }

  /** Adds a row with these entries, and ends the block if it is full; the id of the row. */
  #addRow(entries: readonly string[]): number {
    const id = this.#last + 1;
    this.#last += entries.length;
    const text = `[${entries.join(',')}]`;
    const at = this.#clock.now();
    this.#statements.add.run(id, at, text);
    const block = this.#block;
    block.addEntries(id, at, text.length);
    block.awaitsRow = false;
    this.#endIfFull();
    return id;
  }

  /** Inside a job. A block with a row to come ends with that, which its lists are about. */
  #endIfFull(): void {
    const block = this.#block;
    if (!block.isFull(this.limitBytes) || block.awaitsRow) return;
    // A block of runs alone has a number of its own.
    if (block.span?.firstId === null) this.#last += 1;
    this.blocks.end(block, this.#last);
    // If the transaction fails, its rows are read again.
    this.#openBlock = null;
  }

  /** Inside a job: the run and those around it have their rows. */
  #ensure(run: RunOrigin, content: Buffer | null = null): void {
    if (run.isStored) return;
    const parent = run.cause.by === 'run' ? run.cause.run : null;
    if (parent) this.#ensure(parent);
    this.#store(run, content);
    this.#commits.afterCommit(() => {
      run.isStored = true;
    });
  }

  /** The row of a run that has just ended may have been deleted. */
  #store(run: RunOrigin, content: Buffer | null): void {
    const parent = run.cause.by === 'run' ? run.cause.run.id : null;
    this.#statements.addRun.run(run.id, run.at, parent, runText(run, this.#user), content);
  }
}
