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
      const asked = performance.now();
      try {
        const answer = await fetch(url, { signal: AbortSignal.timeout(20_000) });
        const list: unknown = await answer.json();
        if (answer.status !== 200 || !Array.isArray(list)) this.problems.push(`status ${answer.status}`);
        this.answered += 1;
        this.slowestMs = Math.max(this.slowestMs, performance.now() - asked);
      } catch (thrown) {
        this.problems.push(String(thrown));
      }
      await wait(25);
    }
  }
}
