import { createHmac, randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { TagwrightError } from './errors.ts';
import { InTurn } from './in-turn.ts';

/** Users choose keys of 8 characters too: a guess is to cost some 30 ms of a processor and 16 MB. */
const COST = { N: 16_384, r: 8, p: 1 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** The longest key that a setting takes. */
const MAX_KEY_LENGTH = 200;
/** Requests that may wait for a hash, and wrong keys that are remembered. */
const MAX_WAITING = 64;
const MAX_WRONG = 1_000;

const scryptOf: (key: string, salt: Buffer, length: number, cost: typeof COST) => Promise<Buffer> = promisify(scrypt);

/** A key as it is stored: `scrypt:SALT:HASH`, both in base64. The key cannot be read from it. */
export function hashKey(key: string): string {
  const salt = randomBytes(SALT_BYTES);
  const hash = scryptSync(key, salt, HASH_BYTES, COST);
  return `scrypt:${salt.toString('base64')}:${hash.toString('base64')}`;
}

/**
 * Compares keys that clients send with the hash of the right one. From the first right key on, that takes microseconds;
 * until then each other key costs a hash, one at a time and beside the event loop.
 */
export class KeyCheck {
  /** Digests in memory are of no use elsewhere. */
  readonly #pepper = randomBytes(32);
  readonly #turns = new InTurn();
  #hash: string | null = null;
  #right: Buffer | null = null;
  readonly #wrong = new Set<string>();
  #waiting = 0;

  /** @param hash of the right key, made by `hashKey`; null where none is wanted @param key the key itself where it is known */
  use(hash: string | null, key?: string): void {
    if (hash === this.#hash) return;
    this.#hash = hash;
    this.#right = key === undefined ? null : this.#digest(key);
    this.#wrong.clear();
  }

  /**
   * Whether one of the keys is right; always where none is wanted. Throws UNAVAILABLE while too many keys wait for
   * their hash.
   */
  check(keys: readonly string[]): boolean | Promise<boolean> {
    if (this.#hash === null) return true;
    const possible = keys.filter((key) => key.length <= MAX_KEY_LENGTH);
    if (this.#right) return this.#isAmong(this.#right, possible);
    const unknown = possible.filter((key) => !this.#wrong.has(this.#digest(key).toString('base64')));
    if (unknown.length === 0) return false;
    if (this.#waiting >= MAX_WAITING) {
      throw new TagwrightError('UNAVAILABLE', 'Too many calls with unknown keys are being checked.');
    }
    return this.#verify(this.#hash, unknown);
  }

  async #verify(hash: string, keys: readonly string[]): Promise<boolean> {
    this.#waiting += 1;
    try {
      return await this.#turns.run(async () => {
        // Others of the same turn may have found it meanwhile, or the key was changed.
        if (this.#hash !== hash) return false;
        if (this.#right) return this.#isAmong(this.#right, keys);
        for (const key of keys) {
          const digest = this.#digest(key);
          const isRight = await fits(key, hash);
          if (this.#hash !== hash) return false;
          if (isRight) {
            this.#right = digest;
            return true;
          }
          const [oldest] = this.#wrong;
          if (this.#wrong.size >= MAX_WRONG && oldest !== undefined) this.#wrong.delete(oldest);
          this.#wrong.add(digest.toString('base64'));
        }
        return false;
      });
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Compares with all of them, each in constant time. */
  #isAmong(right: Buffer, keys: readonly string[]): boolean {
    return keys.filter((key) => timingSafeEqual(this.#digest(key), right)).length > 0;
  }

  #digest(key: string): Buffer {
    return createHmac('sha256', this.#pepper).update(key).digest();
  }
}

async function fits(key: string, hash: string): Promise<boolean> {
  const [scheme, salt = '', stored = ''] = hash.split(':');
  const expected = Buffer.from(stored, 'base64');
  if (scheme !== 'scrypt' || expected.length !== HASH_BYTES) return false;
  return timingSafeEqual(await scryptOf(key, Buffer.from(salt, 'base64'), HASH_BYTES, COST), expected);
}
