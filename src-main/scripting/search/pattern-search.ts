import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Counted, SearchQuery } from '#domain/search/query';
import type { ReplacedText, Replacement } from '#domain/search/replacement';
import { TagwrightError } from '../../platform/errors.ts';
import { programFile } from '../../platform/files/programs.ts';

export interface PatternThreadData {
  query: SearchQuery;
  /** The number of texts that were begun. */
  progress: Int32Array;
}

/** Texts for the thread, which lists up to `list` occurrences in all of them and counts up to `most`. */
export interface PatternBatch {
  texts: readonly string[];
  list: number;
  most: number;
}

/** A text for the thread in which it replaces the occurrences at `starts`, or all of them, up to `most` characters. */
export interface PatternReplacement {
  text: string;
  starts: ReadonlySet<number> | null;
  replacement: Replacement;
  most: number;
}

/** How long a regular expression may take in one text. */
const TEXT_MS = 2_000;
const LOOK_MS = 200;
const MOST_MB = 512;
/** Threads at once; other searches wait for one, so long. */
const MOST_THREADS = 2;
const WAIT_MS = 10_000;

let threads = 0;
const waiting = new Set<() => void>();
const allRun = (): boolean => threads >= MOST_THREADS;

/** Waits until a thread may start. Throws CONFLICT if that takes too long, or the reason of the signal. */
async function threadFree(signal: AbortSignal, waitMs: number): Promise<void> {
  const late = AbortSignal.timeout(waitMs);
  const ended = AbortSignal.any([signal, late]);
  while (allRun() && !ended.aborted) {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.add(resolve);
    ended.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    waiting.delete(resolve);
  }
  signal.throwIfAborted();
  if (allRun()) {
    throw new TagwrightError(
      'CONFLICT',
      `${MOST_THREADS} searches with a regular expression are running already. Wait until one ends, then search again.`,
    );
  }
  threads += 1;
}

/** Runs the regular expression of one search in its own thread, which ends with it, or when a text takes too long. */
export class PatternSearch {
  readonly #query: SearchQuery;
  readonly #textMs: number;
  readonly #waitMs: number;
  readonly #progress = new Int32Array(new SharedArrayBuffer(4));
  #thread: Worker | null = null;

  constructor(query: SearchQuery, textMs = TEXT_MS, waitMs = WAIT_MS) {
    this.#query = query;
    this.#textMs = textMs;
    this.#waitMs = waitMs;
  }

  /**
   * The occurrences in each text. Throws BAD_REQUEST if one takes too long, with its index in `data.text`, or the reason
   * of the signal.
   */
  find(batch: PatternBatch, signal: AbortSignal): Promise<Counted[]> {
    return this.#ask(batch, signal);
  }

  /** The text with its replacements; null if it would be too long. Throws as `find` does. */
  replace(asked: PatternReplacement, signal: AbortSignal): Promise<ReplacedText | null> {
    return this.#ask(asked, signal);
  }

  async #ask<Response>(asked: PatternBatch | PatternReplacement, signal: AbortSignal): Promise<Response> {
    if (!this.#thread) await threadFree(signal, this.#waitMs);
    const thread = (this.#thread ??= new Worker(programFile('pattern-thread'), {
      workerData: { query: this.#query, progress: this.#progress } satisfies PatternThreadData,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
    }));
    const before = Atomics.load(this.#progress, 0);
    let [seen, since] = [before, performance.now()];
    const late = new AbortController();
    const timer = setInterval(() => {
      const now = Atomics.load(this.#progress, 0);
      if (now !== seen) [seen, since] = [now, performance.now()];
      // Until the first text is begun, the thread starts.
      else if (seen > before && performance.now() - since > this.#textMs) late.abort();
    }, LOOK_MS);
    try {
      signal.throwIfAborted();
      const response = once(thread, 'message', { signal: AbortSignal.any([signal, late.signal]) });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage(asked);
      const [answer] = await response;
      return answer;
    } catch (thrown) {
      signal.throwIfAborted();
      const what = late.signal.aborted ? `takes longer than ${this.#textMs / 1_000} s` : 'takes too much memory';
      throw tooMuch(what, Atomics.load(this.#progress, 0) - before - 1, thrown);
    } finally {
      clearInterval(timer);
    }
  }

  /** Ends the thread, also in the middle of a text. */
  async close(): Promise<void> {
    const thread = this.#thread;
    if (!thread) return;
    this.#thread = null;
    await thread.terminate();
    threads -= 1;
    for (const go of waiting) go();
  }
}

function tooMuch(what: string, text: number, cause: unknown): TagwrightError {
  return new TagwrightError(
    'BAD_REQUEST',
    `The regular expression ${what} in one text. Make it simpler: avoid nested repetition, such as (a+)+.`,
    { data: { text }, cause },
  );
}
