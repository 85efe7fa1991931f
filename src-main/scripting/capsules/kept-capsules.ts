import { randomUUID } from 'node:crypto';

/** Capsules that windows have opened; the newest one whatever its size. */
const MOST_KEPT = 3;
const MOST_BYTES = 16 * 1_048_576;

/** Keeps capsules in memory by a key; the oldest ones make room for new ones. */
export class KeptCapsules<T> {
  readonly #most: number;
  readonly #kept = new Map<string, { capsule: T; bytes: number }>();

  constructor(most = MOST_KEPT) {
    this.#most = most;
  }

  /** Returns the key. @param bytes the size of its text */
  keep(capsule: T, bytes: number): string {
    const key = randomUUID();
    this.#kept.set(key, { capsule, bytes });
    let total = [...this.#kept.values()].reduce((sum, kept) => sum + kept.bytes, 0);
    for (const [oldest, kept] of this.#kept) {
      if (this.#kept.size === 1 || (this.#kept.size <= this.#most && total <= MOST_BYTES)) break;
      this.#kept.delete(oldest);
      total -= kept.bytes;
    }
    return key;
  }

  /** Undefined if it is no longer kept. */
  get(key: string): T | undefined {
    return this.#kept.get(key)?.capsule;
  }
}
