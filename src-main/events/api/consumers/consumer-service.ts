import type { Consumer, FaultPlan } from '#domain/event/consumer';
import { TagwrightError } from '../../../platform/errors.ts';
import { pause } from '../../../platform/pause.ts';
import type { FaultPlans } from '../faults/fault-plans.ts';
import type { ConsumerLog } from './consumer-log.ts';

/** Between two lists for a follower, ms. */
const BATCH_MS = 1_000;

/** The consumers of the events API for the window and the command line. */
export class ConsumerService {
  readonly #log: ConsumerLog;
  readonly #plans: FaultPlans;

  constructor({ log, plans }: { log: ConsumerLog; plans: FaultPlans }) {
    this.#log = log;
    this.#plans = plans;
  }

  /** The last one that was active first. */
  list(): Promise<Consumer[]> {
    return this.#log.list((name) => this.#plans.of(name));
  }

  /** The list at once, and again after changes, at most once a second, until the signal aborts. */
  async *watch(signal: AbortSignal): AsyncGenerator<Consumer[]> {
    let wake = Promise.withResolvers<void>();
    const nudge = () => wake.resolve();
    const unsubscribes = [this.#log.changed.add(nudge), this.#plans.changed.add(nudge)];
    signal.addEventListener('abort', nudge, { once: true });
    try {
      while (!signal.aborted) {
        wake = Promise.withResolvers();
        yield await this.list();
        await pause(BATCH_MS, signal);
        if (!signal.aborted) await wake.promise;
      }
    } finally {
      for (const unsubscribe of unsubscribes) unsubscribe();
      signal.removeEventListener('abort', nudge);
    }
  }

  /** @throws TagwrightError NOT_FOUND if there is no such consumer */
  inject({ consumer, ...plan }: FaultPlan & { consumer: string }): void {
    if (!this.#log.has(consumer)) {
      throw new TagwrightError(
        'NOT_FOUND',
        `No consumer is named "${consumer}". "tagwright consumers list" shows their names.`,
      );
    }
    this.#plans.start(consumer, plan);
  }

  endFaults({ consumer }: { consumer?: string | undefined }): { ended: number } {
    if (consumer === undefined) return { ended: this.#plans.stopAll() };
    return { ended: this.#plans.stop(consumer) ? 1 : 0 };
  }
}
