import type { ClosedWindow, RuleProgress, WindowInput } from '#domain/rule/rule-window';
import type { SampleValue } from '#domain/rule/rule';
import type { WindowRepository } from '../../../storage/repositories/window-repository.ts';
import type { CommitQueue } from '../../../storage/commit-queue.ts';

/** Inputs that are stored: samples, and the tag that opens a window, which stands as the tag -1. */
export type StoredInput = Exclude<WindowInput, { kind: 'time' }>;

type BatchEntry = [at: number, tag: number, value: SampleValue | null];

/** Samples as a batch stores them; times count from the first. */
function samplesText(inputs: readonly StoredInput[]): string {
  const from = inputs[0]?.at ?? 0;
  return JSON.stringify(
    inputs.map((input): BatchEntry =>
      input.kind === 'sample' ? [input.at - from, input.tag, input.value] : [input.at - from, -1, input.open],
    ),
  );
}

/** @param from ms since 1970: when the first sample of the batch was taken */
export function samplesOf(text: string, from: number): StoredInput[] {
  const entries: BatchEntry[] = JSON.parse(text);
  return entries.map(([at, tag, value]) =>
    tag < 0 ? { kind: 'gate', at: from + at, open: value === true } : { kind: 'sample', at: from + at, tag, value },
  );
}

/** Samples that belong together in the store: none of them lies on the other side of the end of a window. */
export interface SampleSegment {
  inputs: StoredInput[];
  /** The last batch that belongs before what comes after; null until they are written, or held by a stored window. */
  batchId: number | null;
  /** `held`: a stored window holds them; `late`: they are being written after that. */
  covered: 'no' | 'held' | 'late';
}

/** A closed window whose outcome is not stored yet. */
export interface Closing {
  /** Its place among those of its rule. */
  readonly order: number;
  readonly window: ClosedWindow;
  /** The progress of the rule directly after it. */
  readonly after: RuleProgress;
  readonly segment: SampleSegment;
}

/** Samples that are held in memory while the disk takes none. */
const MAX_UNWRITTEN = 100_000;

/**
 * The samples of a rule that are still to be stored. Writing is left to jobs of the commit queue: `write` and `hold` are
 * called inside of one, then `kept`, or `failed` when it was undone.
 */
export class SampleSegments {
  readonly #store: WindowRepository;
  readonly #ruleId: number;
  #segments: SampleSegment[] = [];
  #open = newSegment();
  /** Samples that a stored window holds, to be written for previews when there is time. */
  #covered: StoredInput[] = [];
  #lastBatch: number;
  #unwritten = 0;

  constructor(store: WindowRepository, ruleId: number, lastBatch: number) {
    this.#store = store;
    this.#ruleId = ruleId;
    this.#lastBatch = lastBatch;
  }

  /** The last batch in the store that belongs to these samples. */
  get lastBatch(): number {
    return this.#lastBatch;
  }

  get hasUnwritten(): boolean {
    return this.#unwritten > 0 || this.#covered.length > 0;
  }

  /** Takes a sample, to be written; false where there are too many already. */
  add(input: StoredInput): boolean {
    if (this.#unwritten >= MAX_UNWRITTEN) return false;
    this.#open.inputs.push(input);
    this.#unwritten += 1;
    return true;
  }

  /** Ends the segment that samples are added to, and begins another. */
  seal(): SampleSegment {
    const segment = this.#open;
    this.#segments.push(segment);
    this.#open = newSegment();
    return segment;
  }

  /** A segment of samples that are in the store already: the batch of this id, newer than all before. */
  stored(batchId: number): SampleSegment {
    this.#lastBatch = batchId;
    return { inputs: [], batchId, covered: 'no' };
  }

  /** Inside a job: writes all samples that are not. Returns what to undo. */
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

  /** Inside a job that stores a window: it holds all samples up to this segment. Returns what to undo. */
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

  /** What a job wrote is kept. */
  kept(): void {
    for (const { covered, inputs } of this.#segments) {
      if (covered !== 'held' || this.#covered.length >= MAX_UNWRITTEN) continue;
      for (const input of inputs) this.#covered.push(input);
    }
    this.#segments = this.#segments.filter(({ batchId }) => batchId === null);
  }

  /** What a job wrote was undone. */
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

/** Samples are stored this long after they were taken at the latest, ms (100 may be lost). */
const AFTER_MS = 75;
/** How soon storing is tried again that failed, ms. */
const AGAIN_MS = 1_000;

/** What storing samples needs of an active rule. */
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
   * When samples are to be stored, on the clock of `performance.now()`; Infinity where there are none, and while others
   * are being stored.
   */
  get dueAt(): number {
    return this.#storing ? Infinity : this.#dueAt;
  }

  /** Says that there are samples to be stored; whether they were the first. */
  need(): boolean {
    if (this.#dueAt !== Infinity) return false;
    this.#dueAt = performance.now() + AFTER_MS;
    return true;
  }

  /** Stores what was sampled until now, after what is being stored. Throws what the disk throws; the samples are kept, and due again. */
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
