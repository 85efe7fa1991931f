import type { JournalScript } from '#domain/run/journal';
import type { RunContext, RunReport } from '#domain/run/run';
import type { ShownValues } from '#domain/run/shown-values';
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
  /** What a run of *Show values* has noted. */
  values?: RunValueNotes;
}

export type RunValueNotes = Omit<ShownValues, 'report'>;

interface AskedRun {
  body: string;
  context: RunContext;
  dryRun: boolean;
  /** The saved script whose body this is. */
  script?: JournalScript;
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
  readonly #client: Pick<Client, 'runs' | 'debug'>;
  readonly #inProgress = new Map<string, { id: string; giveUp: AbortController }>();
  #seq = 0;

  constructor(client: Pick<Client, 'runs' | 'debug'>) {
    this.#client = client;
  }

  of(key: string): RunState {
    return this.store.get().get(key) ?? IDLE;
  }

  /** Runs a body; resolves when the run has ended in any way. Ignored for a script that is already running. */
  run(key: string, body: string, context: RunContext, dryRun: boolean, script?: JournalScript): Promise<void> {
    return this.#run(key, { body, context, dryRun, ...(script && { script }) }, async (request, signal) => ({
      report: await this.#client.runs.execute(request, { signal }),
    }));
  }

  /** A dry run that notes its values, as the last manual run. */
  runWithValues(key: string, body: string, context: RunContext): Promise<void> {
    return this.#run(key, { body, context, dryRun: true }, async (request, signal) => {
      const { report, ...values } = await this.#client.debug.values(request, { signal });
      // A body that does not parse has none.
      return values.parts.length === 0 ? { report } : { report, values };
    });
  }

  /** Forgets the noted values of the last run. */
  hideValues(key: string): void {
    const { running, last } = this.of(key);
    if (!last?.values) return;
    const { values: _values, ...others } = last;
    this.#set(key, { running, last: others });
  }

  async #run(key: string, request: AskedRun, execute: Execute): Promise<void> {
    if (this.#inProgress.has(key)) return;
    const run = { id: crypto.randomUUID(), giveUp: new AbortController() };
    const startedAt = performance.now();
    const { body, context, dryRun } = request;
    this.#inProgress.set(key, run);
    this.#set(key, { ...this.of(key), running: { startedAt, dryRun, stopping: false } });
    const ended = await outcomeOf(() => execute({ ...request, key: run.id }, run.giveUp.signal), {
      signal: run.giveUp.signal,
      startedAt,
      dryRun,
    });
    this.#inProgress.delete(key);
    this.#seq += 1;
    this.#set(key, { running: null, last: { ...ended, body, context, seq: this.#seq, live: false } });
  }

  /** Shows a run that ended elsewhere, such as a debugged one, as the last manual run. */
  show(key: string, ended: Pick<Ended, 'outcome' | 'body' | 'context'>): void {
    this.#seq += 1;
    this.#set(key, { ...this.of(key), last: { ...ended, seq: this.#seq, live: false } });
  }

  /** Cancels the run, which then ends with a report of its effects; a second call does not wait for the report. */
  stop(key: string): void {
    const run = this.#inProgress.get(key);
    const { running, last } = this.of(key);
    if (!run || !running) return;
    if (running.stopping) return run.giveUp.abort();
    this.#set(key, { running: { ...running, stopping: true }, last });
    this.#client.runs.cancel({ key: run.id }).catch(() => run.giveUp.abort());
  }

  /** Drops a closed script; cancels its run. */
  forget(key: string): void {
    this.#inProgress.get(key)?.giveUp.abort();
    const left = new Map(this.store.get());
    if (left.delete(key)) this.store.set(left);
  }

  #set(key: string, state: RunState): void {
    this.store.set(new Map(this.store.get()).set(key, state));
  }
}

type Execute = (
  request: AskedRun & { key: string },
  signal: AbortSignal,
) => Promise<{ report: RunReport; values?: RunValueNotes }>;

async function outcomeOf(
  execute: () => ReturnType<Execute>,
  { signal, startedAt, dryRun }: { signal: AbortSignal; startedAt: number; dryRun: boolean },
): Promise<Pick<Ended, 'outcome' | 'values'>> {
  try {
    const { report, ...values } = await execute();
    return { outcome: { kind: 'report', report }, ...values };
  } catch (error) {
    if (signal.aborted) return { outcome: { kind: 'stopped', afterMs: performance.now() - startedAt, dryRun } };
    return { outcome: { kind: 'failed', problem: problemOf(error), dryRun } };
  }
}
