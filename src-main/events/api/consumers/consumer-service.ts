import type { ConformanceStep } from '#domain/event/conformance';
import type { Consumer, FaultPlan } from '#domain/event/consumer';
import { TagwrightError } from '../../../platform/errors.ts';
import { pause } from '../../../platform/pause.ts';
import type { ConsumerChecks } from '../conformance/consumer-checks.ts';
import type { FaultPlans } from '../faults/fault-plans.ts';
import type { ConsumerLog } from './consumer-log.ts';

/** Between two lists for a follower, ms. */
const BATCH_MS = 1_000;

/** The consumers of the events API for the window and the command line. */
export class ConsumerService {
  readonly #log: ConsumerLog;
  readonly #plans: FaultPlans;
  readonly #checks: ConsumerChecks;

  constructor({ log, plans, checks }: { log: ConsumerLog; plans: FaultPlans; checks: ConsumerChecks }) {
    this.#log = log;
    this.#plans = plans;
    this.#checks = checks;
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

  /**
   * `consumer` is a name, or a program that one consumer has.
   * @throws TagwrightError NOT_FOUND if there is no such consumer, or there are several
   */
  inject({ consumer, ...plan }: FaultPlan & { consumer: string }): void {
    this.#plans.start(this.#nameOf(consumer), plan);
  }

  endFaults({ consumer }: { consumer?: string | undefined }): { ended: number } {
    if (consumer === undefined) return { ended: this.#plans.stopAll() };
    // A consumer that was forgotten can still have faults.
    const names = new Set([consumer, ...this.#log.namesOf(consumer)]);
    return { ended: [...names].filter((name) => this.#plans.stop(name)).length };
  }

  /** @param signal ends it without a report @throws TagwrightError PORT_TAKEN */
  check(input: Parameters<ConsumerChecks['check']>[0], signal: AbortSignal): AsyncGenerator<ConformanceStep> {
    return this.#checks.check(input, signal);
  }

  endCheck({ key }: { key: string }): object {
    this.#checks.end(key);
    return {};
  }

  #nameOf(consumer: string): string {
    const [name, ...others] = this.#log.namesOf(consumer);
    if (name === undefined) {
      throw new TagwrightError(
        'NOT_FOUND',
        `No consumer is named "${consumer}". "tagwright consumers list" shows their names.`,
      );
    }
    if (others.length > 0) {
      const names = [name, ...others].map((one) => `"${one}"`).join(', ');
      throw new TagwrightError('NOT_FOUND', `Several consumers are "${consumer}". Use one of these names: ${names}.`);
    }
    return name;
  }
}
