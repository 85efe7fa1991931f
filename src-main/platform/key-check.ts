import { createHmac, randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { TagwrightError } from './errors.ts';
import { Listeners } from './events.ts';
import { InTurn } from './in-turn.ts';

/** Users also choose keys of 8 characters: a guess must cost some 30 ms of a processor and 16 MB. */
const COST = { N: 16_384, r: 8, p: 1 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** The maximum length of a key in the settings. */
const MAX_KEY_LENGTH = 200;
/** Maximum number of requests that wait for a hash, and of wrong keys that are cached. */
const MAX_WAITING = 64;
const MAX_WRONG = 1_000;

const scryptOf: (key: string, salt: Buffer, length: number, cost: typeof COST) => Promise<Buffer> = promisify(scrypt);

/** A key in its stored form: `scrypt:SALT:HASH`, both in base64. The key cannot be derived from it. */
export function hashKey(key: string): string {
  const salt = randomBytes(SALT_BYTES);
  const hash = scryptSync(key, salt, HASH_BYTES, COST);
  return `scrypt:${salt.toString('base64')}:${hash.toString('base64')}`;
}

/**
 * A hash of the key that takes microseconds to compare: `hmac:SALT:HASH`. A weak key can be guessed from it, so it must
 * be sealed wherever it is stored.
 */
export function quickHash(key: string): string {
  const salt = randomBytes(SALT_BYTES);
  return `hmac:${salt.toString('base64')}:${hmacOf(key, salt).toString('base64')}`;
}

/** The required key in its stored form. */
export interface StoredKey {
  /** Created by `hashKey`. */
  hash: string;
  /** Created by `quickHash`; null if unknown here. */
  quick: string | null;
}

/**
 * Compares keys of clients with the required one. With its quick hash, that takes microseconds. Otherwise each unknown
 * key costs a slow hash, one at a time and in the background, until the correct one was found.
 */
export class KeyCheck {
  readonly #turns = new InTurn();
  readonly #onQuick: (hash: string, quick: string) => void;
  #hash: string | null = null;
  #right: QuickKey | null = null;
  /** Digests in memory are useless elsewhere. */
  readonly #pepper = randomBytes(32);
  readonly #wrong = new Set<string>();
  readonly #changes = new Listeners<void>();
  #waiting = 0;

  /** @param onQuick called after the first correct key with its quick hash, which was unknown, and the slow one */
  constructor(onQuick: (hash: string, quick: string) => void = () => undefined) {
    this.#onQuick = onQuick;
  }

  /** @param stored null if no key is required */
  use(stored: StoredKey | null): void {
    const hash = stored?.hash ?? null;
    if (hash === this.#hash) return;
    this.#hash = hash;
    this.#right = quickKey(stored?.quick ?? null);
    this.#wrong.clear();
    if (hash !== null) this.#changes.emit();
  }

  /** Called when another key is required; the returned function removes the listener. */
  onChange(listener: () => void): () => void {
    return this.#changes.add(listener);
  }

  /**
   * Whether one of the keys is correct; always true if none is required. Throws UNAVAILABLE while too many keys wait
   * for their hash.
   */
  check(keys: readonly string[]): boolean | Promise<boolean> {
    if (this.#hash === null) return true;
    const possible = keys.filter((key) => key.length <= MAX_KEY_LENGTH);
    if (this.#right) return isAmong(this.#right, possible);
    const unknown = possible.filter((key) => !this.#wrong.has(this.#digest(key)));
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
        // Others of the same turn may have found it, or the key was changed.
        if (this.#hash !== hash) return false;
        if (this.#right) return isAmong(this.#right, keys);
        for (const key of keys) {
          const isRight = await fits(key, hash);
          if (this.#hash !== hash) return false;
          if (isRight) {
            const quick = quickHash(key);
            this.#right = quickKey(quick);
            this.#onQuick(hash, quick);
            return true;
          }
          const [oldest] = this.#wrong;
          if (this.#wrong.size >= MAX_WRONG && oldest !== undefined) this.#wrong.delete(oldest);
          this.#wrong.add(this.#digest(key));
        }
        return false;
      });
    } finally {
      this.#waiting -= 1;
    }
  }

  #digest(key: string): string {
    return hmacOf(key, this.#pepper).toString('base64');
  }
}

interface QuickKey {
  salt: Buffer;
  digest: Buffer;
}

function quickKey(quick: string | null): QuickKey | null {
  const [scheme, salt = '', stored = ''] = (quick ?? '').split(':');
  const digest = Buffer.from(stored, 'base64');
  return scheme === 'hmac' && digest.length === HASH_BYTES ? { salt: Buffer.from(salt, 'base64'), digest } : null;
}

const hmacOf = (key: string, salt: Buffer) => createHmac('sha256', salt).update(key).digest();

/** Compares with all of them, each in constant time. */
function isAmong({ salt, digest }: QuickKey, keys: readonly string[]): boolean {
  return keys.filter((key) => timingSafeEqual(hmacOf(key, salt), digest)).length > 0;
}

async function fits(key: string, hash: string): Promise<boolean> {
  const [scheme, salt = '', stored = ''] = hash.split(':');
  const expected = Buffer.from(stored, 'base64');
  if (scheme !== 'scrypt' || expected.length !== HASH_BYTES) return false;
  return timingSafeEqual(await scryptOf(key, Buffer.from(salt, 'base64'), HASH_BYTES, COST), expected);
}
