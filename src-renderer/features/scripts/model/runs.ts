import type { RunContext, RunReport } from '#domain/run/run';
import type { Client } from '../../../client/client.ts';
import { problemOf } from '../../../client/errors.ts';
import type { Problem } from '../../../client/errors.ts';
import { Store } from '../../../support/store.ts';

/** How a run ended, as this window saw it. */
export type Outcome =
  | { kind: 'report'; report: RunReport }
  /** Given up here before main answered; the report of such a run goes nowhere. */
  | { kind: 'stopped'; afterMs: number; dryRun: boolean }
  /** Main could not be asked, or could not do it; says nothing about the script. */
  | { kind: 'failed'; problem: Problem; dryRun: boolean };

/** A run that ended, the body that it ran, and what it was given. */
export interface Ended {
  outcome: Outcome;
  body: string;
  context: RunContext;
  /** Counts the runs of its sort, from 1. */
  seq: number;
  /** A dry run of what was being typed; else one by hand. */
  live: boolean;
}

export interface RunState {
  /** The run that goes on now. */
  running: { startedAt: number; dryRun: boolean; stopping: boolean } | null;
  /** The last one that ended. */
  last: Ended | null;
}

const IDLE: RunState = { running: null, last: null };

/** The runs of the open scripts: at most one of each at a time, and the last outcome of each. */
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

  /** Runs a body; ends when the run has ended, however that was. A script that runs already is left alone. */
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

  /** Cancels the run, which then ends with a report of what it did; asked a second time, does not wait for that. */
  stop(key: string): void {
    const run = this.#underWay.get(key);
    const { running, last } = this.of(key);
    if (!run || !running) return;
    if (running.stopping) return run.giveUp.abort();
    this.#set(key, { running: { ...running, stopping: true }, last });
    this.#client.runs.cancel({ key: run.id }).catch(() => run.giveUp.abort());
  }

  /** Forgets a script that is not open any more; stops what runs. */
  forget(key: string): void {
    this.#underWay.get(key)?.giveUp.abort();
    const left = new Map(this.store.get());
    if (left.delete(key)) this.store.set(left);
  }

  async #outcome(
    request: { body: string; context: RunContext; dryRun: boolean; key: string },
    signal: AbortSignal,
    startedAt: number,
  ): Promise<Outcome> {
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
