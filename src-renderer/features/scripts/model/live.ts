import type { RunContext, RunError } from '#domain/run/run';
import type { Client } from '../../../client/client.ts';
import { problemOf } from '../../../client/errors.ts';
import { Store } from '../../../support/store.ts';
import type { Ended, RunState } from './runs.ts';

/** How long nothing must be typed before a live run begins, ms. */
const LIVE_DELAY_MS = 400;

/** Why a text was not run; lines and columns count from 1. */
export interface NotRun {
  why: string;
  line: number | null;
  column: number | null;
}

/** The live runs of one script: a slot of their own beside the runs by hand. */
export interface LiveState {
  /** Whether one goes on or is about to begin. */
  busy: boolean;
  /** The last one that ran. */
  last: Ended | null;
  /** The text as it is now did not run: it does not compile, or main could not be asked. `last` stays meanwhile. */
  notRun: NotRun | null;
  /** Whether the preview shows it, and not the last run by hand. */
  shown: boolean;
}

export const NO_LIVE_RUN: LiveState = { busy: false, last: null, notRun: null, shown: false };

/** What a live run is made of. */
export interface LiveText {
  body: string;
  context: RunContext;
}

/**
 * Dry-runs the text that is being typed, when nothing was typed for a moment. Main keeps nothing of such a run, gives it
 * little time, and answers its API calls from mocks only. At most one of each script at a time: a later one cancels it.
 */
export class LiveRuns {
  readonly store = new Store<ReadonlyMap<string, LiveState>>(new Map());
  readonly #client: Pick<Client, 'runs'>;
  readonly #delayMs: number;
  readonly #pending = new Map<string, { timer: ReturnType<typeof setTimeout>; end: AbortController }>();
  #seq = 0;

  constructor(client: Pick<Client, 'runs'>, delayMs = LIVE_DELAY_MS) {
    this.#client = client;
    this.#delayMs = delayMs;
  }

  of(key: string): LiveState {
    return this.store.get().get(key) ?? NO_LIVE_RUN;
  }

  /** Runs the text after the delay, unless another one comes before; ends a live run that goes on. */
  soon(key: string, text: LiveText): void {
    this.#drop(key);
    const end = new AbortController();
    const timer = setTimeout(() => void this.#run(key, text, end.signal), this.#delayMs);
    this.#pending.set(key, { timer, end });
    this.#change(key, { busy: true });
  }

  /** Runs nothing more until it is asked again; what the last live run gave stays. */
  hush(key: string): void {
    this.#drop(key);
    if (this.of(key).busy) this.#change(key, { busy: false });
  }

  /** Chooses between the last live run and the last run by hand; the next that ends is shown in any case. */
  show(key: string, shown: boolean): void {
    if (this.of(key).shown !== shown) this.#change(key, { shown });
  }

  /** Forgets a script: it is not open any more, or its live runs are not wanted. */
  forget(key: string): void {
    this.#drop(key);
    const left = new Map(this.store.get());
    if (left.delete(key)) this.store.set(left);
  }

  async #run(key: string, { body, context }: LiveText, signal: AbortSignal): Promise<void> {
    try {
      const report = await this.#client.runs.execute({ body, context, dryRun: true, live: true }, { signal });
      if (signal.aborted) return;
      if (report.error && doesNotCompile(report.error)) {
        const { message, line, column } = report.error;
        return this.#end(key, { notRun: { why: message, line, column } });
      }
      this.#seq += 1;
      const last: Ended = { outcome: { kind: 'report', report }, body, context, seq: this.#seq, live: true };
      this.#end(key, { last, notRun: null, shown: true });
    } catch (error) {
      if (!signal.aborted) this.#end(key, { notRun: { why: problemOf(error).message, line: null, column: null } });
    }
  }

  #end(key: string, change: Partial<LiveState>): void {
    this.#pending.delete(key);
    this.#change(key, { ...change, busy: false });
  }

  #drop(key: string): void {
    const pending = this.#pending.get(key);
    this.#pending.delete(key);
    clearTimeout(pending?.timer);
    pending?.end.abort();
  }

  #change(key: string, change: Partial<LiveState>): void {
    this.store.set(new Map(this.store.get()).set(key, { ...this.of(key), ...change }));
  }
}

/** The run that the preview and the editor show: the one by hand while that goes on, else whichever was chosen. */
export function shownRun(run: RunState | undefined, live: LiveState | undefined): Ended | null {
  const byHand = run?.last ?? null;
  if (!live?.last || run?.running) return byHand;
  return live.shown || !byHand ? live.last : byHand;
}

/** What is thrown when a body runs has a stack; of one that does not compile nothing ran. */
function doesNotCompile({ name, stack }: RunError): boolean {
  return name === 'SyntaxError' && stack.length === 0;
}
