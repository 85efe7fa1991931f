import type { CapsuleComparison } from '#domain/run/replays/capsule-comparison';
import { type SteppedRun, steppedRun } from '#domain/run/replays/run-steps';
import type { KeptRun, OpenedCapsule, ReplayWithValues } from '#domain/run/replay';
import type { Client } from '../../../client/client.ts';
import { isAbort, problemOf } from '../../../client/errors.ts';
import type { Problem } from '../../../client/errors.ts';
import { gzipText } from '../../../support/gzip.ts';
import { Store } from '../../../support/store.ts';

/** Where a capsule comes from: a run of the journal, or a file with this name. */
export type CapsuleSource = { run: KeptRun } | { file: string };

/** A replay, and the text that it ran. */
export interface EndedReplay {
  replay: ReplayWithValues;
  body: string;
}

type Busy = 'open' | 'replay' | 'compare';

/** Another run next to the open one. */
export interface OtherRun {
  comparison: CapsuleComparison;
  source: CapsuleSource;
  /** The text of the other run. */
  body: string;
}

export interface CapsuleState {
  opened: { capsule: OpenedCapsule; source: CapsuleSource } | null;
  /** The request in progress. */
  busy: Busy | null;
  last: EndedReplay | null;
  compared: OtherRun | null;
  /** The replay that the user steps through, and its current step, from 0. */
  stepping: { ended: EndedReplay; run: SteppedRun; at: number } | null;
  /** Why the last request failed. */
  problem: Problem | null;
}

export const NO_CAPSULE: CapsuleState = {
  opened: null,
  busy: null,
  last: null,
  compared: null,
  stepping: null,
  problem: null,
};

/** The open capsule of each script, and its last replay: at most one request at a time for each. */
export class Capsules {
  /** By the `editor` of the doc. */
  readonly store = new Store<ReadonlyMap<string, CapsuleState>>(new Map());
  /** Whether the tab of replays is shown: only then the editor shows a step. */
  readonly isSeen = new Store(false);
  readonly #client: Pick<Client, 'capsules'>;
  readonly #inProgress = new Map<string, AbortController>();

  constructor(client: Pick<Client, 'capsules'>) {
    this.#client = client;
  }

  of(key: string): CapsuleState {
    return this.store.get().get(key) ?? NO_CAPSULE;
  }

  /** Opens a run of the journal; true if it is open. */
  async open(key: string, run: KeptRun): Promise<boolean> {
    const capsule = await this.#request(key, 'open', (signal) =>
      this.#client.capsules.open({ run: run.id }, { signal }),
    );
    if (capsule) this.show(key, capsule, { run });
    return capsule !== null;
  }

  /** Shows a capsule that main has open. */
  show(key: string, capsule: OpenedCapsule, source: CapsuleSource): void {
    this.cancel(key);
    this.#patch(key, { opened: { capsule, source }, last: null, compared: null, stepping: null, problem: null });
  }

  /** Replays the open capsule with this text, or with its own; null if that failed or was cancelled. */
  async replay(key: string, edited: string | null, values: boolean | 'steps' = false): Promise<EndedReplay | null> {
    const { opened } = this.of(key);
    if (!opened) return null;
    const { capsule } = opened;
    const request = { key: capsule.key, body: edited, ...(values && { values }) };
    const replay = await this.#request(key, 'replay', (signal) => this.#client.capsules.replay(request, { signal }));
    if (!replay || this.of(key).opened?.capsule !== capsule) return null;
    const last = { replay, body: edited ?? capsule.body };
    this.#patch(key, { last, compared: null, stepping: null });
    return last;
  }

  /** Replays a text, and shows its first step; a text that does not parse has none. */
  async stepThrough(key: string, body: string): Promise<void> {
    const ended = await this.replay(key, body, 'steps');
    const run = ended?.replay.values && steppedRun(ended.replay.values);
    if (ended && run) this.#patch(key, { stepping: { ended, run, at: 0 } });
  }

  /** Shows another step, or the nearest one that exists. */
  goToStep(key: string, step: number): void {
    const { stepping } = this.of(key);
    if (!stepping) return;
    const at = Math.min(Math.max(0, step), stepping.run.steps.parts.length - 1);
    if (at !== stepping.at) this.#patch(key, { stepping: { ...stepping, at } });
  }

  stopStepping(key: string): void {
    if (this.of(key).stepping) this.#patch(key, { stepping: null });
  }

  /** Compares the open capsule with a run of the journal, or with the text of a file. */
  async compare(key: string, source: CapsuleSource, text = ''): Promise<void> {
    const { opened } = this.of(key);
    if (!opened) return;
    const { capsule } = opened;
    const compared = await this.#request(key, 'compare', async (signal): Promise<OtherRun> => {
      const given = 'run' in source ? { run: source.run.id } : { gzip: await gzipText(text) };
      const other = await this.#client.capsules.open(given, { signal });
      const both = { before: capsule.key, after: other.key };
      return { comparison: await this.#client.capsules.compare(both, { signal }), source, body: other.body };
    });
    if (compared && this.of(key).opened?.capsule === capsule) this.#patch(key, { compared, stepping: null });
  }

  stopComparing(key: string): void {
    if (this.of(key).compared) this.#patch(key, { compared: null });
  }

  /** Cancels the request in progress; the last replay stays. */
  cancel(key: string): void {
    this.#inProgress.get(key)?.abort();
  }

  /** Back to the list of runs. */
  close(key: string): void {
    this.cancel(key);
    const left = new Map(this.store.get());
    if (left.delete(key)) this.store.set(left);
  }

  /** Null if it failed, was cancelled, or another request is in progress. */
  async #request<T>(key: string, busy: Busy, send: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    if (this.#inProgress.has(key)) return null;
    const end = new AbortController();
    this.#inProgress.set(key, end);
    this.#patch(key, { busy, problem: null });
    try {
      const response = await send(end.signal);
      return end.signal.aborted ? null : response;
    } catch (error) {
      if (!end.signal.aborted && !isAbort(error)) this.#patch(key, { problem: problemOf(error) });
      return null;
    } finally {
      this.#inProgress.delete(key);
      if (this.store.get().has(key)) this.#patch(key, { busy: null });
    }
  }

  #patch(key: string, patch: Partial<CapsuleState>): void {
    this.store.set(new Map(this.store.get()).set(key, { ...this.of(key), ...patch }));
  }
}
