import type { OffsetAt } from '#domain/text/local-time';
import { CORRECTION_MS, type Rule, type RuleState, type SampleValue } from '#domain/rule/rule';
import type { ClosedWindow, RuleProgress, RuleWindows, StoredInput, WindowInput } from '#domain/rule/rule-window';
import type { Quality } from '#domain/tag/quality';
import { windowsOf } from '#domain/rule/rule-window';
import { messageOf } from '../../platform/errors.ts';
import type { WindowRepository } from '../../storage/repositories/window-repository.ts';
import type { ConditionState } from './conditions/condition.ts';
import { newCondition } from './conditions/condition.ts';
import type { Sampler } from './sampling/sampler.ts';
import { sampleRule } from './sampling/sampler.ts';

/** The quality is that of a value that is not usable. */
type BatchEntry = [at: number, tag: number, value: SampleValue | null, quality?: Quality];

/** Samples in the form of a stored batch; times count from the first. */
function samplesText(inputs: readonly StoredInput[]): string {
  const from = inputs[0]?.at ?? 0;
  return JSON.stringify(
    inputs.map((input): BatchEntry =>
      input.kind !== 'sample'
        ? [input.at - from, -1, input.open]
        : input.quality === undefined
          ? [input.at - from, input.tag, input.value]
          : [input.at - from, input.tag, input.value, input.quality],
    ),
  );
}

/** @param from ms since 1970: when the first sample of the batch was taken */
export function samplesOf(text: string, from: number): StoredInput[] {
  const entries: BatchEntry[] = JSON.parse(text);
  return entries.map(([at, tag, value, quality]) =>
    tag < 0
      ? { kind: 'gate', at: from + at, open: value === true }
      : { kind: 'sample', at: from + at, tag, value, ...(quality !== undefined && { quality }) },
  );
}

/** Samples that are stored together: all within one window. */
export interface SampleSegment {
  inputs: StoredInput[];
  /** The last batch that precedes later samples; null until they are written, or held by a stored window. */
  batchId: number | null;
  /** `held`: a stored window holds them; `late`: they are being written after that. */
  covered: 'no' | 'held' | 'late';
}

/** A closed window whose outcome is not stored yet. */
export interface Closing {
  /** Its position among the windows of its rule. */
  readonly order: number;
  readonly window: ClosedWindow;
  /** The progress of the rule directly after it. */
  readonly after: RuleProgress;
  readonly segment: SampleSegment;
}

/** Maximum number of samples in memory while the disk accepts no writes. */
const MAX_UNWRITTEN = 100_000;

/**
 * The samples of a rule that are not stored yet. Jobs of the commit queue do the writing: `write` and `hold` are called
 * inside one, then `kept`, or `failed` if it was undone.
 */
export class SampleSegments {
  readonly #store: WindowRepository;
  readonly #ruleId: number;
  #segments: SampleSegment[] = [];
  #open = newSegment();
  /** Samples that a stored window holds, to be written for previews later. */
  #covered: StoredInput[] = [];
  #lastBatch: number;
  #unwritten = 0;

  constructor(store: WindowRepository, ruleId: number, lastBatch: number) {
    this.#store = store;
    this.#ruleId = ruleId;
    this.#lastBatch = lastBatch;
  }

  /** The last stored batch that belongs to these samples. */
  get lastBatch(): number {
    return this.#lastBatch;
  }

  get hasUnwritten(): boolean {
    return this.#unwritten > 0 || this.#covered.length > 0;
  }

  /** Adds a sample to be written; false if there are too many already. */
  add(input: StoredInput): boolean {
    if (this.#unwritten >= MAX_UNWRITTEN) return false;
    this.#open.inputs.push(input);
    this.#unwritten += 1;
    return true;
  }

  /** Ends the current segment and begins another. */
  seal(): SampleSegment {
    const segment = this.#open;
    this.#segments.push(segment);
    this.#open = newSegment();
    return segment;
  }

  /** A segment of samples that are already stored: the batch with this id, newer than all before. */
  stored(batchId: number): SampleSegment {
    this.#lastBatch = batchId;
    return { inputs: [], batchId, covered: 'no' };
  }

  /** Inside a job: writes all samples that are not written yet. Returns the undo function. */
  write(): SampleSegment[] {
    this.seal();
    const written: SampleSegment[] = [];
    if (this.#covered.length > 0) {
      const late: SampleSegment = { inputs: this.#covered, batchId: null, covered: 'late' };
      this.#covered = [];
      late.batchId = this.#lastBatch = this.#append(late.inputs, 1);
      written.push(late);
    }
    for (const segment of this.#segments) {
      if (segment.batchId !== null) continue;
      if (segment.inputs.length > 0) this.#lastBatch = this.#append(segment.inputs, 0);
      segment.batchId = this.#lastBatch;
      this.#unwritten -= segment.inputs.length;
      written.push(segment);
    }
    return written;
  }

  /** Inside a job that stores a window: it holds all samples up to this segment. Returns the undo function. */
  hold(last: SampleSegment): SampleSegment[] {
    const held: SampleSegment[] = [];
    if (last.batchId !== null) return held;
    for (const segment of this.#segments) {
      if (segment.batchId === null) {
        segment.batchId = this.#lastBatch;
        segment.covered = 'held';
        this.#unwritten -= segment.inputs.length;
        held.push(segment);
      }
      if (segment === last) break;
    }
    return held;
  }

  /** The write of a job is durable. */
  kept(): void {
    for (const { covered, inputs } of this.#segments) {
      if (covered !== 'held' || this.#covered.length >= MAX_UNWRITTEN) continue;
      for (const input of inputs) this.#covered.push(input);
    }
    this.#segments = this.#segments.filter(({ batchId }) => batchId === null);
  }

  /** The write of a job was undone. */
  failed(written: readonly SampleSegment[]): void {
    for (const segment of written) {
      if (segment.covered === 'late') {
        this.#covered = [...segment.inputs, ...this.#covered];
        continue;
      }
      segment.batchId = null;
      segment.covered = 'no';
      this.#unwritten += segment.inputs.length;
    }
    this.#lastBatch = this.#store.lastBatch(this.#ruleId);
  }

  /** A batch is of times that follow each other: another one begins where the clock was set back. */
  #append(inputs: readonly StoredInput[], covered: 0 | 1): number {
    let id = this.#lastBatch;
    for (let from = 0, to = 1; to <= inputs.length; to += 1) {
      const [last, next] = [inputs[to - 1]?.at ?? 0, inputs[to]?.at ?? Number.NEGATIVE_INFINITY];
      if (next >= last - CORRECTION_MS) continue;
      const some = inputs.slice(from, to);
      const [fromMs, samples] = [some[0]?.at ?? 0, samplesText(some)];
      id = this.#store.append({ ruleId: this.#ruleId, fromMs, toMs: last, count: some.length, samples, covered });
      from = to;
    }
    return id;
  }
}

const newSegment = (): SampleSegment => ({ inputs: [], batchId: null, covered: 'no' });

/** Number of samples after which the progress is stored, so that a restart has no more to replay. */
const CHECKPOINT_SAMPLES = 2_000;

/** Delay before storing a firing is retried, ms. */
const RETRY_MS = 1_000;

/**
 * One active rule: its windows, its condition, its problem, and the samples that are not stored yet. Jobs of the commit
 * queue do the writing: they call `write` and `settle`, then `kept`, or `failed` if the job was undone.
 */
export class ActiveRule {
  /** Windows that wait for the verdict of the condition, oldest first. */
  readonly waiting: Closing[] = [];
  /** Closings whose job is in progress. */
  settling = 0;
  /** The problem of the rule, as a sentence; null if there is none. */
  problem: string | null = null;
  #rule: Rule;
  #condition = newCondition();
  /** A firing could not be stored: when that is retried, on the clock of `performance.now()`; null otherwise. */
  #storedNotBefore: number | null = null;
  #stopSampling = (): void => {};
  readonly #store: WindowRepository;
  readonly #windows: RuleWindows;
  #progress: RuleProgress;
  readonly #samples: SampleSegments;
  #sinceCheckpoint = 0;
  #needsCheckpoint: boolean;
  #closings = 0;
  /** The last window whose outcome is stored. */
  #settled = 0;
  #ended = false;

  /** Loads the stored state of the rule's windows; windows that have closed since then wait. */
  constructor(rule: Rule, store: WindowRepository, now: number, offsetAt?: OffsetAt) {
    this.#rule = rule;
    this.#store = store;
    this.#windows = windowsOf(rule, offsetAt);
    const stored = store.open(rule.id);
    this.#progress = stored ? progressOf(stored.state) : this.#windows.begin(now);
    this.#needsCheckpoint = stored === null;
    this.#samples = new SampleSegments(store, rule.id, stored?.batchId ?? store.lastBatch(rule.id));
    if (stored) this.#replay(stored.batchId);
  }

  get rule(): Rule {
    return this.#rule;
  }

  /** Replaced together with the rule, so that an evaluation of the previous rule is detected. */
  get condition(): ConditionState {
    return this.#condition;
  }

  /** Applies a saved change of the rule that does not affect its windows. */
  replace(rule: Rule): void {
    this.#rule = rule;
    this.#condition = newCondition();
    this.problem = null;
  }

  /** Samples its tags until it ends; `taken` is called after samples. */
  sampleWith(sampler: Sampler, taken: () => void): void {
    this.#stopSampling = sampleRule(sampler, this, taken);
  }

  /** The open window as it would close now, and the problem. */
  state(at: number): Pick<RuleState, 'id' | 'window' | 'problem'> {
    const { window } = this.#progress;
    return {
      id: this.#rule.id,
      window: window && {
        start: window.start,
        end: window.end,
        samples: window.samples,
        badSamples: window.bad,
        outputs: this.now(at)?.outputs ?? [],
      },
      problem: this.problem,
    };
  }

  /** False directly after a firing could not be stored. */
  get canStore(): boolean {
    return this.#storedNotBefore === null || performance.now() >= this.#storedNotBefore;
  }

  /** How many windows to store next: after a failure only the oldest, as a trial. */
  storedNext(most: number): number {
    return this.#storedNotBefore === null ? most : 1;
  }

  /** A window's outcome is stored. */
  stored(): void {
    this.#storedNotBefore = null;
  }

  /** A window's outcome could not be stored: it waits again, in its place, and storing is retried. */
  notStored(closing: Closing, thrown: unknown): void {
    this.#storedNotBefore = performance.now() + RETRY_MS;
    this.problem = `A firing could not be stored: ${messageOf(thrown)}`;
    this.requeue(closing);
  }

  get progress(): RuleProgress {
    return this.#progress;
  }

  /** The last value of a tag; null if that could not be used. */
  held(tag: number): SampleValue | null {
    return this.#progress.held[tag] ?? null;
  }

  /** The open window as it would close now. */
  now(at: number): ClosedWindow | null {
    return this.#windows.closedAt(this.#progress, at);
  }

  /** When the clock closes the open window; Infinity if unknown. */
  get closesAt(): number {
    return this.#progress.window?.end ?? Infinity;
  }

  get hasUnwritten(): boolean {
    return this.#samples.hasUnwritten || this.#needsCheckpoint;
  }

  /** Applies an input; a window that it closes then waits. */
  take(input: WindowInput): void {
    if (input.kind !== 'time') this.#keep(input);
    const { progress, closed } = this.#windows.step(this.#progress, input);
    this.#progress = progress;
    if (closed) this.waiting.push(this.#sealed(closed));
  }

  /** Closes the open window manually. */
  close(at: number): Closing | null {
    const { progress, closed } = this.#windows.close(this.#progress, at);
    this.#progress = progress;
    return closed && this.#sealed(closed);
  }

  /** The rule was changed or deleted: sampling stops, and later jobs store nothing of its windows. */
  end(): void {
    this.#stopSampling();
    this.#ended = true;
  }

  /** The outcome of a window could not be stored: it waits again, in its place. */
  requeue(closing: Closing): void {
    const before = this.waiting.findLastIndex(({ order }) => order < closing.order);
    this.waiting.splice(before + 1, 0, closing);
  }

  /** Inside a job: stores all samples that are not stored yet. Returns the undo function. */
  write(): SampleSegment[] {
    if (this.#ended) return [];
    const written = this.#samples.write();
    this.#checkpointWhenDue();
    return written;
  }

  /**
   * Inside a job: stores that a window is settled, and the progress directly after it, which covers all samples until
   * then. Returns the undo function.
   */
  settle(closing: Closing): SampleSegment[] {
    // If a later window is stored, the stored progress must not be reset to this one.
    if (this.#ended || closing.order < this.#settled) return [];
    const held = this.#samples.hold(closing.segment);
    const state = JSON.stringify(closing.after);
    this.#store.putOpen(this.#rule.id, { batchId: closing.segment.batchId ?? this.#samples.lastBatch, state });
    this.#sinceCheckpoint = 0;
    this.#needsCheckpoint = false;
    return held;
  }

  /** The write of a job is durable; `closing` is the window that it settled, if any. */
  kept(closing: Closing | null = null): void {
    if (closing) this.#settled = Math.max(this.#settled, closing.order);
    this.#samples.kept();
  }

  /** The write of a job was undone. */
  failed(written: readonly SampleSegment[]): void {
    this.#samples.failed(written);
    this.#needsCheckpoint = true;
  }

  #keep(input: StoredInput): void {
    this.#sinceCheckpoint += 1;
    // The window itself is complete in memory: it is stored as a whole as soon as the disk accepts writes.
    if (!this.#samples.add(input)) this.#needsCheckpoint = true;
  }

  #checkpointWhenDue(): void {
    const due = this.#needsCheckpoint || this.#sinceCheckpoint >= CHECKPOINT_SAMPLES;
    // A later checkpoint would lose a window that waits for its verdict.
    if (!due || this.waiting.length > 0 || this.settling > 0) return;
    this.#store.putOpen(this.#rule.id, { batchId: this.#samples.lastBatch, state: JSON.stringify(this.#progress) });
    this.#sinceCheckpoint = 0;
    this.#needsCheckpoint = false;
  }

  #sealed(window: ClosedWindow): Closing {
    return { order: ++this.#closings, window, after: this.#progress, segment: this.#samples.seal() };
  }

  #replay(from: number): void {
    for (const { id, fromMs, samples } of this.#store.after(this.#rule.id, from)) {
      const closed: ClosedWindow[] = [];
      for (const input of samplesOf(samples, fromMs)) {
        const step = this.#windows.step(this.#progress, input);
        this.#progress = step.progress;
        if (step.closed) closed.push(step.closed);
      }
      const segment = this.#samples.stored(id);
      for (const window of closed) {
        this.waiting.push({ order: ++this.#closings, window, after: this.#progress, segment });
      }
    }
  }
}

function progressOf(state: string): RuleProgress {
  return JSON.parse(state);
}
