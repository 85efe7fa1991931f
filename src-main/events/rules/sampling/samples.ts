import type { ClosedWindow, RuleProgress, WindowInput } from '#domain/rule/rule-window';
import type { SampleValue } from '#domain/rule/rule';
import type { Quality } from '#domain/tag/quality';
import type { WindowRepository } from '../../../storage/repositories/window-repository.ts';
import type { CommitQueue } from '../../../storage/commit-queue.ts';

/** Inputs that are stored: samples, and changes of the tag that opens a window, which is tag -1. */
export type StoredInput = Exclude<WindowInput, { kind: 'time' }>;

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

  #append(inputs: readonly StoredInput[], covered: 0 | 1): number {
    return this.#store.append({
      ruleId: this.#ruleId,
      fromMs: inputs[0]?.at ?? 0,
      toMs: inputs.at(-1)?.at ?? 0,
      count: inputs.length,
      samples: samplesText(inputs),
      covered,
    });
  }
}

const newSegment = (): SampleSegment => ({ inputs: [], batchId: null, covered: 'no' });

/** Maximum delay until samples are stored, ms (100 may be lost). */
const AFTER_MS = 75;
/** Delay before a failed write is retried, ms. */
const AGAIN_MS = 1_000;

/** The parts of an active rule that storing samples needs. */
type UnstoredSamples = Pick<SampleSegments, 'hasUnwritten' | 'write' | 'kept' | 'failed'>;

/** Stores the samples of all rules, in one transaction soon after they were taken. */
export class SampleStore {
  readonly #commits: CommitQueue;
  #storing: Promise<void> | null = null;
  #dueAt = Infinity;

  constructor(commits: CommitQueue) {
    this.#commits = commits;
  }

  /**
   * When samples must be stored, on the clock of `performance.now()`; Infinity if there are none, and while others are
   * being stored.
   */
  get dueAt(): number {
    return this.#storing ? Infinity : this.#dueAt;
  }

  /** Registers samples to be stored; returns whether they are the first. */
  need(): boolean {
    if (this.#dueAt !== Infinity) return false;
    this.#dueAt = performance.now() + AFTER_MS;
    return true;
  }

  /**
   * Stores all samples up to now, after those that are being stored. Throws errors of the disk; the samples are kept,
   * and due again.
   */
  async store(rules: Iterable<UnstoredSamples>): Promise<void> {
    while (this.#storing) await this.#storing.catch(() => undefined);
    this.#dueAt = Infinity;
    const wanting = [...rules].filter(({ hasUnwritten }) => hasUnwritten);
    if (wanting.length === 0) return;
    this.#storing = this.#store(wanting);
    try {
      await this.#storing;
    } finally {
      this.#storing = null;
    }
  }

  async #store(rules: readonly UnstoredSamples[]): Promise<void> {
    const written: { rule: UnstoredSamples; segments: SampleSegment[] }[] = [];
    try {
      await this.#commits.run(() => {
        for (const rule of rules) written.push({ rule, segments: rule.write() });
      });
      for (const { rule } of written) rule.kept();
    } catch (thrown) {
      for (const { rule, segments } of written) rule.failed(segments);
      this.#dueAt = performance.now() + AGAIN_MS;
      throw thrown;
    }
  }
}
