import type { RunContext, RunError } from '#domain/run/run';
import type { Client } from '../../../client/client.ts';
import { problemOf } from '../../../client/errors.ts';
import { Store } from '../../../support/store.ts';
import type { Ended, RunState } from './runs.ts';

/** Why a text was not run; lines and columns count from 1. */
export interface NotRun {
  why: string;
  line: number | null;
  column: number | null;
}

/** The live runs of one script, separate from its manual runs. */
export interface LiveState {
  /** Whether one is running or about to start. */
  busy: boolean;
  /** The last one that ran. */
  last: Ended | null;
  /** The current text was not run: it does not compile, or main could not be reached. `last` stays. */
  notRun: NotRun | null;
  /** Whether the preview shows it instead of the last manual run. */
  shown: boolean;
}

export const NO_LIVE_RUN: LiveState = { busy: false, last: null, notRun: null, shown: false };

/** The input of a live run. */
export interface LiveText {
  body: string;
  context: RunContext;
}

/** Calls `start` when typing in the script `key` pauses; returns how to cancel that. */
export type AfterPause = (key: string, start: () => void) => () => void;

/**
 * Starts a dry run of the edited text after a pause in typing. Main saves nothing of such a run, gives it little time,
 * and uses only mocks for its API calls. At most one per script at a time: a later one cancels it.
 */
export class LiveRuns {
  readonly store = new Store<ReadonlyMap<string, LiveState>>(new Map());
  readonly #client: Pick<Client, 'runs'>;
  readonly #afterPause: AfterPause;
  readonly #pending = new Map<string, { cancel: () => void; end: AbortController }>();
  #seq = 0;

  constructor(client: Pick<Client, 'runs'>, afterPause: AfterPause) {
    this.#client = client;
    this.#afterPause = afterPause;
  }

  of(key: string): LiveState {
    return this.store.get().get(key) ?? NO_LIVE_RUN;
  }

  /** Runs the text after a pause in typing, unless another call replaces it; cancels the current live run. */
  soon(key: string, text: LiveText): void {
    this.#drop(key);
    const end = new AbortController();
    const cancel = this.#afterPause(key, () => void this.#run(key, text, end.signal));
    this.#pending.set(key, { cancel, end });
    this.#change(key, { busy: true });
  }

  /** Runs the text because a tag changed; false if another live run is in progress, which goes first. */
  async rerun(key: string, text: LiveText): Promise<boolean> {
    if (this.#pending.has(key)) return false;
    const end = new AbortController();
    this.#pending.set(key, { cancel: () => {}, end });
    this.#change(key, { busy: true });
    await this.#run(key, text, end.signal, true);
    return true;
  }

  /** Stops until the next request; the result of the last live run stays. */
  cancel(key: string): void {
    this.#drop(key);
    if (this.of(key).busy) this.#change(key, { busy: false });
  }

  /** Switches between the last live run and the last manual run; the next one that ends is shown in any case. */
  show(key: string, shown: boolean): void {
    if (this.of(key).shown !== shown) this.#change(key, { shown });
  }

  /** Drops a script: it was closed, or its live runs were turned off. */
  forget(key: string): void {
    this.#drop(key);
    const left = new Map(this.store.get());
    if (left.delete(key)) this.store.set(left);
  }

  async #run(key: string, { body, context }: LiveText, signal: AbortSignal, rerun = false): Promise<void> {
    try {
      const report = await this.#client.runs.execute({ body, context, dryRun: true, live: true }, { signal });
      if (signal.aborted) return;
      if (report.error && doesNotCompile(report.error)) {
        const { message, line, column } = report.error;
        return this.#end(key, { notRun: { why: message, line, column } });
      }
      this.#seq += 1;
      const last: Ended = { outcome: { kind: 'report', report }, body, context, seq: this.#seq, live: true, rerun };
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
    pending?.cancel();
    pending?.end.abort();
  }

  #change(key: string, change: Partial<LiveState>): void {
    this.store.set(new Map(this.store.get()).set(key, { ...this.of(key), ...change }));
  }
}

/** The run that the preview and the editor show: the manual one while it is running, else the selected one. */
export function shownRun(run: RunState | undefined, live: LiveState | undefined): Ended | null {
  const byHand = run?.last ?? null;
  if (!live?.last || run?.running) return byHand;
  return live.shown || !byHand ? live.last : byHand;
}

/** Errors at run time have a stack; a body that does not compile did not run. */
function doesNotCompile({ name, stack }: RunError): boolean {
  return name === 'SyntaxError' && stack.length === 0;
}
