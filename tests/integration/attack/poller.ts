import { setTimeout as wait } from 'node:timers/promises';

/** Polls the events API, as an external tool does. */
export class Poller {
  answered = 0;
  slowestMs = 0;
  readonly problems: string[] = [];
  readonly #end = new AbortController();
  readonly #polling: Promise<void>;

  constructor(eventsApi: string) {
    this.#polling = this.#poll(`${eventsApi}/api/events?limit=100`);
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#polling;
  }

  async #poll(url: string): Promise<void> {
    while (!this.#end.signal.aborted) {
      const requestedAt = performance.now();
      try {
        const response = await fetch(url, { signal: AbortSignal.timeout(20_000) });
        const list: unknown = await response.json();
        if (response.status !== 200 || !Array.isArray(list)) this.problems.push(`status ${response.status}`);
        this.answered += 1;
        this.slowestMs = Math.max(this.slowestMs, performance.now() - requestedAt);
      } catch (thrown) {
        this.problems.push(String(thrown));
      }
      await wait(25);
    }
  }
}
