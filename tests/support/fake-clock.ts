import type { Clock } from '../../src-main/platform/clock.ts';

/** A clock that moves only when a test moves it. */
export class FakeClock implements Clock {
  #now: number;

  constructor(start = '2026-08-01T10:15:00.000Z') {
    this.#now = Date.parse(start);
  }

  now(): number {
    return this.#now;
  }

  iso(): string {
    return new Date(this.#now).toISOString();
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}
