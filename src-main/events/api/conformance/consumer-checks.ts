import type { ConformanceStep } from '#domain/event/conformance';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { CheckOptions } from './check-consumer.ts';

type ChosenOptions = Pick<CheckOptions, 'client' | 'port' | 'isOpen' | 'ruleId' | 'seed' | 'seconds' | 'waitSeconds'>;

/** Conformance runs for the window, each with the key of its caller. Their code is loaded with the first one. */
export class ConsumerChecks {
  readonly #parts: { version: string; clock: Clock; log: Log };
  readonly #running = new Map<string, AbortController>();

  constructor(parts: { version: string; clock: Clock; log: Log }) {
    this.#parts = parts;
  }

  /** @param signal ends it without a report @throws TagwrightError PORT_TAKEN */
  async *check(
    { key, ...chosen }: ChosenOptions & { key: string },
    signal: AbortSignal,
  ): AsyncGenerator<ConformanceStep> {
    const [{ checkConsumer }, { SITUATIONS }, { checkJUnit }, { checkPage }] = await Promise.all([
      import('./check-consumer.ts'),
      import('./situations.ts'),
      import('./report-texts.ts'),
      import('./report-page.ts'),
    ]);
    const cancel = new AbortController();
    this.#running.set(key, cancel);
    const steps: ConformanceStep[] = [];
    let wake = Promise.withResolvers<void>();
    const add = (step: ConformanceStep) => {
      steps.push(step);
      wake.resolve();
    };
    const run = checkConsumer({
      ...this.#parts,
      ...chosen,
      situations: SITUATIONS,
      onReady: ({ url, apiKey }) => {
        const situations = SITUATIONS.map(({ name, title }) => ({ name, title }));
        add({ kind: 'ready', url, apiKey: chosen.isOpen ? null : apiKey, situations });
      },
      onBegin: ({ name }) => add({ kind: 'begun', name }),
      onReport: (situation) => add({ kind: 'situation', situation }),
      signal: AbortSignal.any([signal, cancel.signal]),
      // The consumer is a program that the user starts.
      programEnded: new AbortController().signal,
    });
    let isOver = false;
    const over = () => {
      isOver = true;
      wake.resolve();
    };
    run.then(over, over);
    try {
      for (;;) {
        wake = Promise.withResolvers();
        yield* steps.splice(0);
        if (isOver) break;
        await wake.promise;
      }
      const report = await run;
      yield* steps.splice(0);
      if (!signal.aborted) yield { kind: 'done', report, junit: await checkJUnit(report), page: checkPage(report) };
    } finally {
      cancel.abort();
      if (this.#running.get(key) === cancel) this.#running.delete(key);
      await run.catch(() => undefined);
    }
  }

  /** Ends a run early; ignored if it has ended. */
  end(key: string): void {
    this.#running.get(key)?.abort();
  }

  /** Ends all runs, and frees their ports soon. */
  close(): void {
    for (const cancel of this.#running.values()) cancel.abort();
  }
}
