import { z } from 'zod';
import { KEY_IS_SET, PRIVATE_SETTINGS, publicPart } from '#domain/workspace/private-settings';
import type { Json } from '#domain/text/json';
import type { StoredKey } from '../../platform/key-check.ts';
import { hashKey, quickHash } from '../../platform/key-check.ts';

/** Seals texts for the disk, each bound to a name. */
export interface SettingsSealer {
  seal(name: string, value: string): string;
  /** null if it cannot be opened here. */
  open(name: string, sealed: string): string | null;
  /** Why `open` returns null, as the end of a sentence. */
  whyClosed(sealed: string): string;
}

/** The result of reading a setting. */
interface ReadSetting {
  value: unknown;
  /** Why only a part of its value could be read, as the end of a sentence; null if it was complete. */
  closed: string | null;
  /** The key, if the setting is one. */
  apiKey?: StoredKey;
}

const hashed = z.strictObject({ hash: z.string(), quick: z.string().optional() });
const sealed = z.strictObject({ sealed: z.string(), public: z.string() });

const API_KEY = 'events.apiKey';
const isPrivate = (key: string) => PRIVATE_SETTINGS.find((one) => one === key);
const nameOf = (key: string) => `setting:${key}`;

/**
 * The stored form of settings: the key of the events API as a slow hash with a sealed quick one, values with a secret
 * sealed, everything else plain.
 */
export class StoredSettings {
  readonly #sealer: SettingsSealer;

  constructor(sealer: SettingsSealer) {
    this.#sealer = sealer;
  }

  /** Throws errors of sealing. */
  toStored(key: string, value: Json): Json {
    if (typeof value !== 'string' || value === '') return value;
    if (key === API_KEY) return this.keyToStored(hashKey(value), quickHash(value));
    const name = isPrivate(key);
    const open = name && publicPart(name, value);
    if (open === undefined || open === value) return value;
    return { sealed: this.#sealer.seal(nameOf(key), value), public: open };
  }

  /** A key whose quick hash cannot be sealed is checked by the slow one after each start. */
  keyToStored(hash: string, quick: string): { hash: string; quick?: string } {
    try {
      return { hash, quick: this.#sealer.seal(nameOf(API_KEY), quick) };
    } catch {
      return { hash };
    }
  }

  fromStored(key: string, stored: unknown): ReadSetting {
    if (key === API_KEY) {
      if (stored === '' || stored === null || stored === undefined) return { value: stored, closed: null };
      const apiKey = this.#keyFromStored(stored);
      // A key is set that no key matches: the API stays closed until a new one is set.
      if (apiKey) return { value: KEY_IS_SET, closed: null, apiKey };
      return {
        value: KEY_IS_SET,
        closed: 'the stored value is not a hash',
        apiKey: { hash: 'unreadable', quick: null },
      };
    }
    const found = isPrivate(key) && sealed.safeParse(stored).data;
    if (!found) return { value: stored, closed: null };
    const value = this.#sealer.open(nameOf(key), found.sealed);
    return { value: value ?? found.public, closed: value === null ? this.#sealer.whyClosed(found.sealed) : null };
  }

  #keyFromStored(stored: unknown): StoredKey | null {
    if (typeof stored === 'string') return { hash: hashKey(stored), quick: quickHash(stored) };
    const { hash, quick } = hashed.safeParse(stored).data ?? {};
    if (hash === undefined) return null;
    return { hash, quick: quick === undefined ? null : this.#sealer.open(nameOf(API_KEY), quick) };
  }

  /** The JSON that replaces one of an earlier version; null if it may stay. */
  readonly rewritten = (key: string, json: string): string | null => {
    const before: unknown = JSON.parse(json);
    if (typeof before !== 'string') return null;
    const now = this.toStored(key, before);
    return now === before ? null : JSON.stringify(now);
  };
}
