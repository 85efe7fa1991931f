import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { outsideRequests } from '../../platform/telemetry/spans.ts';
import type { HubConsumer, HubConsumers, StoredConsumer } from '../../storage/hub/hub-consumers.ts';

/** How long a consumer is cached, ms: a revoked key ends within it. */
const CACHE_MS = 2_000;
const MAX_CACHED = 1_000;
const KEY = /^tgw_([0-9a-f]{12})_([\w-]{43})$/;

/**
 * The stored form of a key. A slow hash protects secrets that people choose; this one has 256 random bits, so that
 * it cannot be guessed, however fast the hash is.
 */
const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');
const NO_KEY_HASH = hashOf(randomBytes(32).toString('base64url'));

/** A new key: `tgw_ID_SECRET`, and its stored form. */
export function newKey(): { id: string; key: string; keyHash: Buffer } {
  const id = randomBytes(6).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  return { id, key: `tgw_${id}_${secret}`, keyHash: hashOf(secret) };
}

/** Finds the consumer of a key, and ends the responses of consumers whose key was revoked or whose rights changed. */
export class ConsumerKeys {
  readonly #store: Pick<HubConsumers, 'find'>;
  readonly #cache = new Map<string, { at: number; found: Promise<StoredConsumer | null> }>();
  /** Open responses by the consumer that they were opened for. */
  readonly #open = new Map<ServerResponse, HubConsumer>();
  #timer: NodeJS.Timeout | null = null;

  constructor(store: Pick<HubConsumers, 'find'>) {
    this.#store = store;
  }

  /**
   * Null if none of the keys is right.
   * @param mayAsk whether the database may be asked for a consumer that is not cached
   * @throws TagwrightError UNAVAILABLE
   */
  async check(keys: readonly string[], mayAsk: () => boolean = () => true): Promise<HubConsumer | null> {
    for (const key of keys.slice(0, 2)) {
      const [, id, secret] = KEY.exec(key) ?? [];
      if (id === undefined || secret === undefined) continue;
      const consumer = await this.#find(id, mayAsk);
      const isRight = timingSafeEqual(hashOf(secret), consumer?.keyHash ?? NO_KEY_HASH);
      if (consumer && isRight) return consumer;
    }
    return null;
  }

  /** Watches a response until it ends. */
  follow(response: ServerResponse, consumer: HubConsumer): void {
    this.#open.set(response, consumer);
    response.once('close', () => this.#open.delete(response));
    this.#timer ??= outsideRequests(() => setTimeout(() => void this.#checkOpen(), CACHE_MS).unref());
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#open.clear();
  }

  async #find(id: string, mayAsk: () => boolean): Promise<StoredConsumer | null> {
    const known = this.#cache.get(id);
    if (known && performance.now() - known.at < CACHE_MS) return known.found;
    if (!mayAsk()) return null;
    const found = this.#store.find([id]).then(([consumer]) => consumer ?? null);
    this.#cache.delete(id);
    this.#cache.set(id, { at: performance.now(), found });
    // The next request tries again.
    found.catch(() => this.#cache.delete(id));
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED && oldest !== undefined) this.#cache.delete(oldest);
    return found;
  }

  async #checkOpen(): Promise<void> {
    try {
      const ids = [...new Set([...this.#open.values()].map(({ id }) => id))];
      const found = new Map((await this.#store.find(ids)).map((one) => [one.id, rightsOf(one)]));
      for (const [response, consumer] of this.#open) {
        if (ids.includes(consumer.id) && found.get(consumer.id) !== rightsOf(consumer)) response.destroy();
      }
    } catch {
      // Without the database, streams have nothing to send either.
    }
    this.#timer = this.#open.size > 0 ? setTimeout(() => void this.#checkOpen(), CACHE_MS).unref() : null;
  }
}

const rightsOf = ({ sites, rights }: HubConsumer): string => JSON.stringify([sites, rights]);
