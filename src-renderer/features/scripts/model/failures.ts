import type { FailureMatrix, FailureProgress } from '#domain/run/failures';
import type { RunContext } from '#domain/run/run';
import type { Client } from '../../../client/client.ts';
import { isAbort, problemOf } from '../../../client/errors.ts';
import type { Problem } from '../../../client/errors.ts';
import { Store } from '../../../support/store.ts';

/** A matrix, and the text that it is of. */
export interface TriedFailures {
  /** The key of the recorded run in main. */
  key: string;
  matrix: FailureMatrix;
  body: string;
  context: RunContext;
}

export interface FailuresState {
  /** null while nothing is tried; `of` is 0 until the run is recorded. */
  progress: FailureProgress | null;
  last: TriedFailures | null;
  /** Why the last attempt has no matrix. */
  problem: Problem | null;
}

export const NOT_TRIED: FailuresState = { progress: null, last: null, problem: null };

/** The failure matrices of the open scripts: at most one attempt at a time for each. */
export class FailureMatrices {
  /** By the `editor` of the doc. */
  readonly store = new Store<ReadonlyMap<string, FailuresState>>(new Map());
  readonly #client: Pick<Client, 'failures'>;
  readonly #inProgress = new Map<string, AbortController>();

  constructor(client: Pick<Client, 'failures'>) {
    this.#client = client;
  }

  of(key: string): FailuresState {
    return this.store.get().get(key) ?? NOT_TRIED;
  }

  /** Tries the failures of a text; resolves when that has ended in any way. Ignored while an attempt is in progress. */
  async try(
    key: string,
    request: Parameters<Client['failures']['try']>[0],
    onMatrix: (matrix: FailureMatrix) => void = () => undefined,
  ): Promise<void> {
    if (this.#inProgress.has(key)) return;
    const end = new AbortController();
    this.#inProgress.set(key, end);
    this.#patch(key, { progress: { done: 0, of: 0, leftMs: 0 }, problem: null });
    const { body, context } = request;
    try {
      for await (const step of await this.#client.failures.try(request, { signal: end.signal })) {
        if (step.kind === 'progress') {
          const { kind: _, ...progress } = step;
          this.#patch(key, { progress });
        } else {
          this.#patch(key, { last: { key: step.key, matrix: step.matrix, body, context } });
          onMatrix(step.matrix);
        }
      }
    } catch (error) {
      if (!end.signal.aborted && !isAbort(error)) this.#patch(key, { problem: problemOf(error) });
    } finally {
      this.#inProgress.delete(key);
      this.#patch(key, { progress: null });
    }
  }

  /** Cancels an attempt; the last matrix stays. */
  cancel(key: string): void {
    this.#inProgress.get(key)?.abort();
  }

  #patch(key: string, patch: Partial<FailuresState>): void {
    this.store.set(new Map(this.store.get()).set(key, { ...this.of(key), ...patch }));
  }
}
