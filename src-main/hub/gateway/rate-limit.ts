const MAX_NAMES = 10_000;

/** Tokens that are taken by name and come back over time: bursts are allowed, and the rate is limited. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #left = new Map<string, { tokens: number; at: number }>();

  constructor({ perSecond, burst }: { perSecond: number; burst: number }) {
    this.#perSecond = perSecond;
    this.#burst = burst;
  }

  /** Takes one; returns 0, or the seconds until there is one. */
  take(name: string): number {
    const wait = this.wait(name);
    const tokens = this.#tokensOf(name);
    if (wait > 0) return wait;
    this.#left.delete(name);
    this.#left.set(name, { tokens: tokens - 1, at: performance.now() });
    const [oldest] = this.#left.keys();
    if (this.#left.size > MAX_NAMES && oldest !== undefined) this.#left.delete(oldest);
    return 0;
  }

  /** The seconds until there is one, without taking it; 0 if there is one. */
  wait(name: string): number {
    const tokens = this.#tokensOf(name);
    return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / this.#perSecond);
  }

  #tokensOf(name: string): number {
    const known = this.#left.get(name);
    if (!known) return this.#burst;
    return Math.min(this.#burst, known.tokens + ((performance.now() - known.at) / 1_000) * this.#perSecond);
  }
}
