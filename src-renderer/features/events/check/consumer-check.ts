import type { ConformanceReport, SituationReport } from '#domain/event/conformance';
import type { Client } from '../../../client/client.ts';
import { isAbort, problemOf } from '../../../client/errors.ts';
import { Store } from '../../../support/store.ts';

/** What the user chooses for a check. */
export type CheckChoice = Omit<Parameters<Client['consumers']['check']>[0], 'key'>;

/** A situation in the list: not reached yet, in progress, or over. */
export interface ShownSituation {
  name: string;
  title: string;
  isCurrent: boolean;
  report: SituationReport | null;
}

export interface RunningCheck {
  choice: CheckChoice;
  /** Where the consumer finds the test events; null until requests are accepted. */
  address: { url: string; apiKey: string | null } | null;
  situations: readonly ShownSituation[];
  /** The user has ended it. */
  isEnding: boolean;
}

export interface FinishedCheck {
  report: ConformanceReport;
  junit: string;
  page: string;
}

export interface ConsumerCheckState {
  /** null while none is in progress. */
  running: RunningCheck | null;
  last: FinishedCheck | null;
  /** What was chosen for the last one. */
  choice: CheckChoice | null;
  /** Why the last one has no report. */
  problem: string | null;
}

/** The check of a consumer, at most one at a time in a window. It continues while its dialog is hidden. */
export class CheckRun {
  readonly store = new Store<ConsumerCheckState>({ running: null, last: null, choice: null, problem: null });
  readonly #client: Pick<Client, 'consumers'>;
  #key = '';
  #leave = new AbortController();

  constructor(client: Pick<Client, 'consumers'>) {
    this.#client = client;
  }

  /** Resolves when it has ended in any way. Ignored while one is in progress. */
  async start(choice: CheckChoice): Promise<void> {
    if (this.store.get().running) return;
    this.#key = crypto.randomUUID();
    this.#leave = new AbortController();
    const { signal } = this.#leave;
    const running = { choice, address: null, situations: [], isEnding: false };
    this.store.set({ running, last: null, choice, problem: null });
    try {
      for await (const step of await this.#client.consumers.check({ key: this.#key, ...choice }, { signal })) {
        if (step.kind === 'ready') {
          const { url, apiKey, situations } = step;
          const shown = situations.map((one) => ({ ...one, isCurrent: false, report: null }));
          this.#patch({ address: { url, apiKey }, situations: shown });
        } else if (step.kind === 'begun') this.#situation(step.name, { isCurrent: true });
        else if (step.kind === 'situation') {
          this.#situation(step.situation.name, { isCurrent: false, report: step.situation });
        } else this.store.update((state) => ({ ...state, running: null, last: step }));
      }
      if (this.store.get().running) throw new Error('The check ended without a report.');
    } catch (error) {
      const problem = isAbort(error) ? null : problemOf(error).message;
      this.store.update((state) => ({ ...state, running: null, problem }));
    }
  }

  /** Ends it early: what was done so far is reported. */
  async end(): Promise<void> {
    this.#patch({ isEnding: true });
    await this.#client.consumers.endCheck({ key: this.#key });
  }

  /** Forgets the last one, so that another one can be chosen. */
  clear(): void {
    this.store.update((state) => ({ ...state, last: null, problem: null }));
  }

  /** Ends it without a report, with the view. */
  close(): void {
    this.#leave.abort();
  }

  #situation(name: string, change: Partial<ShownSituation>): void {
    const { running } = this.store.get();
    const situations = running?.situations.map((one) => (one.name === name ? { ...one, ...change } : one));
    if (situations) this.#patch({ situations });
  }

  #patch(change: Partial<RunningCheck>): void {
    this.store.update((state) => ({ ...state, running: state.running && { ...state.running, ...change } }));
  }
}

/** What the status of a check in progress says. */
export function progressText({ address, situations, isEnding, choice }: RunningCheck): string {
  if (isEnding) return 'Ending…';
  if (!address) return 'Starting…';
  const done = situations.filter(({ report }) => report !== null).length;
  const current = situations.find(({ isCurrent }) => isCurrent);
  if (current) return `Situation ${done + 1} of ${situations.length}: ${current.title}`;
  if (done > 0) return `${done} of ${situations.length} situations`;
  return `Waiting for the first request${choice.client === null ? '' : ` of ${choice.client}`}, at most ${choice.waitSeconds.toLocaleString('en')} s`;
}

/** `my-erp: failed` */
export function outcomeText({ client, consumers, state, situations }: ConformanceReport): string {
  const name = client ?? (consumers.length > 0 ? consumers.join(', ') : 'The consumer');
  const done = situations.filter((one) => one.state !== 'skipped').length;
  return `${name}: ${state === 'cancelled' ? `ended after ${done} of ${situations.length} situations` : state}`;
}
