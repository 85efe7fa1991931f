import type { OffsetAt } from '#domain/text/local-time';
import type { Rule, RuleState, SampleValue } from '#domain/rule/rule';
import type { ClosedWindow, RuleProgress, RuleWindows, WindowInput } from '#domain/rule/rule-window';
import { windowsOf } from '#domain/rule/rule-window';
import { messageOf } from '../../platform/errors.ts';
import type { WindowRepository } from '../../storage/repositories/window-repository.ts';
import type { ConditionState } from './conditions/condition.ts';
import { newCondition } from './conditions/condition.ts';
import type { Sampler } from './sampling/sampler.ts';
import { sampleRule } from './sampling/sampler.ts';
import type { Closing, SampleSegment, StoredInput } from './sampling/samples.ts';
import { SampleSegments, samplesOf } from './sampling/samples.ts';

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
