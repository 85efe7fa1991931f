import type { RunContext, RunReport } from '#domain/run/run';
import type { Client } from '../../../client/client.ts';
import { problemOf } from '../../../client/errors.ts';
import type { Problem } from '../../../client/errors.ts';
import { Store } from '../../../support/store.ts';

/** The outcome of a run in this window. */
export type RunOutcome =
  | { kind: 'report'; report: RunReport }
  /** Cancelled here before main responded; the report of such a run is ignored. */
  | { kind: 'stopped'; afterMs: number; dryRun: boolean }
  /** Main could not be reached, or failed; says nothing about the script. */
  | { kind: 'failed'; problem: Problem; dryRun: boolean };

/** A completed run, its body, and its context. */
export interface Ended {
  outcome: RunOutcome;
  body: string;
  context: RunContext;
  /** The number of the run, from 1, for each kind of run. */
  seq: number;
  /** A live run; otherwise a manual one. */
  live: boolean;
  /** A live run that a changed tag started. */
  rerun?: boolean;
}

export interface RunState {
  /** The current run. */
  running: { startedAt: number; dryRun: boolean; stopping: boolean } | null;
  /** The last completed run. */
  last: Ended | null;
}

const IDLE: RunState = { running: null, last: null };

/** The runs of the open scripts: at most one at a time for each, and its last outcome. */
export class Runs {
  readonly store = new Store<ReadonlyMap<string, RunState>>(new Map());
  readonly #client: Pick<Client, 'runs'>;
  readonly #underWay = new Map<string, { id: string; giveUp: AbortController }>();
  #seq = 0;

  constructor(client: Pick<Client, 'runs'>) {
    this.#client = client;
  }

  of(key: string): RunState {
    return this.store.get().get(key) ?? IDLE;
  }

  /** Runs a body; resolves when the run has ended in any way. Ignored for a script that is already running. */
  async run(key: string, body: string, context: RunContext, dryRun: boolean): Promise<void> {
    if (this.#underWay.has(key)) return;
    const run = { id: crypto.randomUUID(), giveUp: new AbortController() };
    const startedAt = performance.now();
    this.#underWay.set(key, run);
    this.#set(key, { ...this.of(key), running: { startedAt, dryRun, stopping: false } });
    const outcome = await this.#outcome({ body, context, dryRun, key: run.id }, run.giveUp.signal, startedAt);
    this.#underWay.delete(key);
    this.#seq += 1;
    this.#set(key, { running: null, last: { outcome, body, context, seq: this.#seq, live: false } });
  }

  /** Cancels the run, which then ends with a report of its effects; a second call does not wait for the report. */
  stop(key: string): void {
    const run = this.#underWay.get(key);
    const { running, last } = this.of(key);
    if (!run || !running) return;
    if (running.stopping) return run.giveUp.abort();
    this.#set(key, { running: { ...running, stopping: true }, last });
    this.#client.runs.cancel({ key: run.id }).catch(() => run.giveUp.abort());
  }

  /** Drops a closed script; cancels its run. */
  forget(key: string): void {
    this.#underWay.get(key)?.giveUp.abort();
    const left = new Map(this.store.get());
    if (left.delete(key)) this.store.set(left);
  }

  async #outcome(
    request: { body: string; context: RunContext; dryRun: boolean; key: string },
    signal: AbortSignal,
    startedAt: number,
  ): Promise<RunOutcome> {
    try {
      return { kind: 'report', report: await this.#client.runs.execute(request, { signal }) };
    } catch (error) {
      if (signal.aborted) {
        return { kind: 'stopped', afterMs: performance.now() - startedAt, dryRun: request.dryRun };
      }
      return { kind: 'failed', problem: problemOf(error), dryRun: request.dryRun };
    }
  }

  #set(key: string, state: RunState): void {
    this.store.set(new Map(this.store.get()).set(key, state));
  }
}
