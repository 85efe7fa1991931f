import type { OffsetAt } from '#domain/text/local-time';
import type { Rule, SampleValue } from '#domain/rule/rule';
import type { ClosedWindow, RuleProgress, RuleWindows, WindowInput } from '#domain/rule/rule-window';
import { windowsOf } from '#domain/rule/rule-window';
import type { WindowRepository } from '../../storage/repositories/window-repository.ts';
import type { StoredInput } from './sampling/sample-text.ts';
import type { Segment } from './sampling/sample-segments.ts';
import { SampleSegments } from './sampling/sample-segments.ts';
import { samplesOf } from './sampling/sample-text.ts';

/** A window that is over and of which it is not yet stored what became of it. */
export interface Closing {
  /** Its place among those of the run. */
  readonly order: number;
  readonly window: ClosedWindow;
  /** What was known directly after. */
  readonly after: RuleProgress;
  readonly segment: Segment;
}

/** Samples after which what is known is stored, so that a restart has no more to count in. */
const CHECKPOINT_SAMPLES = 2_000;

/**
 * One rule at work: its windows, and what of them is still to be stored. Writing is left to jobs of the commit queue:
 * `write` and `settle` are called inside of one, then `kept`, or `failed` when it was undone.
 */
export class RuleRun {
  rule: Rule;
  /** Windows that wait for the verdict of the condition, oldest first. */
  readonly waiting: Closing[] = [];
  /** Closings whose job is under way. */
  settling = 0;
  readonly #store: WindowRepository;
  readonly #windows: RuleWindows;
  #progress: RuleProgress;
  readonly #samples: SampleSegments;
  #sinceCheckpoint = 0;
  #needsCheckpoint: boolean;
  #closings = 0;
  /** The last window of which it is stored what became of it. */
  #settled = 0;
  #ended = false;

  /** Takes up what is stored of the rule's windows; what closed meanwhile waits then. */
  constructor(rule: Rule, store: WindowRepository, now: number, offsetAt?: OffsetAt) {
    this.rule = rule;
    this.#store = store;
    this.#windows = windowsOf(rule, offsetAt);
    const stored = store.open(rule.id);
    this.#progress = stored ? progressOf(stored.state) : this.#windows.begin(now);
    this.#needsCheckpoint = stored === null;
    this.#samples = new SampleSegments(store, rule.id, stored?.batchId ?? store.lastBatch(rule.id));
    if (stored) this.#replay(stored.batchId);
  }

  get progress(): RuleProgress {
    return this.#progress;
  }

  /** What a tag showed last; null where that could not be used. */
  held(tag: number): SampleValue | null {
    return this.#progress.held[tag] ?? null;
  }

  /** The open window as it would close now. */
  now(at: number): ClosedWindow | null {
    return this.#windows.closedAt(this.#progress, at);
  }

  /** When the open window closes by the clock; Infinity where that is not known. */
  get closesAt(): number {
    return this.#progress.window?.end ?? Infinity;
  }

  get hasUnwritten(): boolean {
    return this.#samples.hasUnwritten || this.#needsCheckpoint;
  }

  /** Counts in what happened; a window that closes by it waits then. */
  take(input: WindowInput): void {
    if (input.kind !== 'time') this.#keep(input);
    const { progress, closed } = this.#windows.step(this.#progress, input);
    this.#progress = progress;
    if (closed) this.waiting.push(this.#sealed(closed));
  }

  /** Closes the open window by hand. */
  close(at: number): Closing | null {
    const { progress, closed } = this.#windows.close(this.#progress, at);
    this.#progress = progress;
    return closed && this.#sealed(closed);
  }

  /** The rule was changed or deleted: jobs of this run that come later store nothing of its windows any more. */
  end(): void {
    this.#ended = true;
  }

  /** What became of a window could not be stored: it waits again, in its place. */
  putBack(closing: Closing): void {
    const before = this.waiting.findLastIndex(({ order }) => order < closing.order);
    this.waiting.splice(before + 1, 0, closing);
  }

  /** Inside a job: stores all samples that are not. Returns what to undo. */
  write(): Segment[] {
    if (this.#ended) return [];
    const written = this.#samples.write();
    this.#checkpointWhenDue();
    return written;
  }

  /**
   * Inside a job: stores that a window is over and dealt with, and what was known directly after; that holds all samples
   * until then. Returns what to undo.
   */
  settle(closing: Closing): Segment[] {
    // What is stored of a later window is what is known: it is not to be put back to this one.
    if (this.#ended || closing.order < this.#settled) return [];
    const held = this.#samples.hold(closing.segment);
    const state = JSON.stringify(closing.after);
    this.#store.putOpen(this.rule.id, { batchId: closing.segment.batchId ?? this.#samples.lastBatch, state });
    this.#sinceCheckpoint = 0;
    this.#needsCheckpoint = false;
    return held;
  }

  /** What a job wrote is kept; `closing` is the window that it dealt with, where it did. */
  kept(closing: Closing | null = null): void {
    if (closing) this.#settled = Math.max(this.#settled, closing.order);
    this.#samples.kept();
  }

  /** What a job wrote was undone. */
  failed(written: readonly Segment[]): void {
    this.#samples.failed(written);
    this.#needsCheckpoint = true;
  }

  #keep(input: StoredInput): void {
    this.#sinceCheckpoint += 1;
    // The window itself is complete in memory: it is stored as a whole as soon as the disk takes it.
    if (!this.#samples.add(input)) this.#needsCheckpoint = true;
  }

  #checkpointWhenDue(): void {
    const due = this.#needsCheckpoint || this.#sinceCheckpoint >= CHECKPOINT_SAMPLES;
    // A window that waits for its verdict would be forgotten by a checkpoint that lies after it.
    if (!due || this.waiting.length > 0 || this.settling > 0) return;
    this.#store.putOpen(this.rule.id, { batchId: this.#samples.lastBatch, state: JSON.stringify(this.#progress) });
    this.#sinceCheckpoint = 0;
    this.#needsCheckpoint = false;
  }

  #sealed(window: ClosedWindow): Closing {
    return { order: ++this.#closings, window, after: this.#progress, segment: this.#samples.seal() };
  }

  #replay(from: number): void {
    for (const { id, fromMs, samples } of this.#store.after(this.rule.id, from)) {
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
