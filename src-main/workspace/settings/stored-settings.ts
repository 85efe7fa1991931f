import { z } from 'zod';
import { KEY_IS_SET, PRIVATE_SETTINGS, publicPart } from '#domain/private-settings';
import type { Json } from '#domain/json';
import { hashKey } from '../../platform/key-check.ts';

/** Seals texts for the disk, each under a name. */
export interface SettingsSealer {
  seal(name: string, value: string): string;
  /** null where it cannot be opened here. */
  open(name: string, sealed: string): string | null;
}

/** A setting as it was read; `readable` is false where only a part of its value could be. */
interface ReadSetting {
  value: unknown;
  readable: boolean;
  /** Of the key, where the setting is one. */
  hash?: string;
}

const hashed = z.strictObject({ hash: z.string() });
const sealed = z.strictObject({ sealed: z.string(), public: z.string() });

const isPrivate = (key: string) => PRIVATE_SETTINGS.find((one) => one === key);
const nameOf = (key: string) => `setting:${key}`;

/**
 * How settings are written into the database: the key of the events API as a hash, values with a secret in them sealed,
 * everything else as it is.
 */
export class StoredSettings {
  readonly #sealer: SettingsSealer;

  constructor(sealer: SettingsSealer) {
    this.#sealer = sealer;
  }

  /** Throws what sealing throws. */
  toStored(key: string, value: Json): Json {
    if (typeof value !== 'string' || value === '') return value;
    if (key === 'events.apiKey') return { hash: hashKey(value) };
    const name = isPrivate(key);
    const open = name && publicPart(name, value);
    if (open === undefined || open === value) return value;
    return { sealed: this.#sealer.seal(nameOf(key), value), public: open };
  }

  fromStored(key: string, stored: unknown): ReadSetting {
    if (key === 'events.apiKey') {
      const hash = hashed.safeParse(stored).data?.hash ?? (typeof stored === 'string' && stored && hashKey(stored));
      if (hash) return { value: KEY_IS_SET, readable: true, hash };
      // A key is set, and none fits it: the API stays closed until a new one is set.
      const isNone = stored === '' || stored === null || stored === undefined;
      return isNone ? { value: stored, readable: true } : { value: KEY_IS_SET, readable: false, hash: 'unreadable' };
    }
    const found = isPrivate(key) && sealed.safeParse(stored).data;
    if (!found) return { value: stored, readable: true };
    const value = this.#sealer.open(nameOf(key), found.sealed);
    return { value: value ?? found.public, readable: value !== null };
  }

  /** The JSON that belongs in the place of one that an earlier version wrote; null where it may stay. */
  readonly rewritten = (key: string, json: string): string | null => {
    const before: unknown = JSON.parse(json);
    if (typeof before !== 'string') return null;
    const now = this.toStored(key, before);
    return now === before ? null : JSON.stringify(now);
  };
}
