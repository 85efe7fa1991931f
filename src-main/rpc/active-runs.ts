import { TagwrightError } from '../platform/errors.ts';

/** The runs that can be cancelled by their key: after `runs.cancel`, the run itself still responds with its report. */
export class ActiveRuns {
  readonly #byKey = new Map<string, AbortController>();

  /**
   * Starts a run with a signal that aborts when the caller disconnects or the run is cancelled by its key.
   * @throws TagwrightError CONFLICT if a run with that key is in progress.
   */
  async run<T>(
    key: string | undefined,
    caller: AbortSignal | undefined,
    start: (signal: AbortSignal) => T | Promise<T>,
  ): Promise<T> {
    const cancel = new AbortController();
    const signal = caller ? AbortSignal.any([caller, cancel.signal]) : cancel.signal;
    if (key === undefined) return start(signal);
    if (this.#byKey.has(key)) {
      throw new TagwrightError(
        'CONFLICT',
        `A run with the key "${key}" is already running. Give every run its own key.`,
      );
    }
    this.#byKey.set(key, cancel);
    try {
      return await start(signal);
    } finally {
      this.#byKey.delete(key);
    }
  }

  /** Whether there was such a run. */
  cancel(key: string): boolean {
    const run = this.#byKey.get(key);
    run?.abort();
    return run !== undefined;
  }
}
