import { settingsShape } from '#contract/settings';
import { KEY_IS_SET, PRIVATE_SETTINGS } from '#domain/workspace/private-settings';
import type { Settings } from '#domain/workspace/settings';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { TagwrightError } from '../../platform/errors.ts';
import { PLAIN } from '../../platform/plain-words.ts';
import { Listeners } from '../../platform/events.ts';
import type { StoredKey } from '../../platform/key-check.ts';
import { KeyCheck } from '../../platform/key-check.ts';
import type { Log } from '../../platform/log.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { SettingsRepository } from '../../storage/repositories/settings-repository.ts';
import type { SettingsSealer } from './stored-settings.ts';
import { StoredSettings } from './stored-settings.ts';

/** Some of the settings; undefined ones stay unchanged. */
export type SettingsPatch = { [Key in keyof Settings]?: Settings[Key] | undefined };

/** The parts of the open workspace that the settings use. */
export interface SettingsStore {
  readonly settings: SettingsRepository;
  readonly commits: CommitQueue;
}

interface ReadSettings {
  settings: Settings;
  /** The key of the events API; null if none is set. */
  apiKey: StoredKey | null;
  /** Why the secret in a setting cannot be opened, and what to do. */
  closed: Map<string, string>;
}

/**
 * The settings of the workspace. Only changed settings are stored, so that a better default reaches old workspaces. The
 * key of the events API is only known as a hash: `get()` returns KEY_IS_SET instead.
 */
export class SettingsService {
  /** The key that every call of the events API must have. */
  readonly apiKey = new KeyCheck((hash, quick) => void this.#keepQuick(hash, quick));
  readonly #stored: StoredSettings;
  readonly #store: SettingsStore;
  readonly #log: Log;
  readonly #changes = new Listeners<Settings>();
  readonly #names = new Listeners<{ keys: string[] }>();
  #current: Settings;
  #closed: ReadonlyMap<string, string>;

  constructor(store: SettingsStore, log: Log, sealer: SettingsSealer) {
    this.#store = store;
    this.#log = log;
    this.#stored = new StoredSettings(sealer);
    const { settings, apiKey, closed } = this.#read();
    this.#current = settings;
    this.#closed = closed;
    this.apiKey.use(apiKey);
  }

  /** All current settings. */
  get(): Settings {
    return { ...this.#current };
  }

  /**
   * Why the secret in a setting cannot be opened here, and what to do; null if it has none or is open. `get()` then
   * returns its value without the secret.
   */
  closedBecause(key: keyof Settings): string | null {
    return this.#closed.get(key) ?? null;
  }

  /** Called with all settings after every change; the returned function removes the listener. */
  onChange(listener: (settings: Settings) => void): () => void {
    return this.#changes.add(listener);
  }

  /** Like onChange, with the names of the changed settings: values may be secret. */
  onNames(listener: (change: { keys: string[] }) => void): () => void {
    return this.#names.add(listener);
  }

  /**
   * Changes some settings and resolves with all of them once that is durable. KEY_IS_SET leaves the key unchanged; the
   * value from `get()` leaves a setting unchanged if its secret cannot be opened here. BAD_REQUEST with `data.issues`.
   */
  async update(patch: SettingsPatch): Promise<Settings> {
    const checked = settingsShape.partial().strict().safeParse(patch, PLAIN);
    if (!checked.success) {
      const issues = checked.error.issues.map(({ path, message }) => ({ path: path.map(String), message }));
      const text = issues.map(({ path, message }) => `${path.join('.') || 'settings'}: ${message}`).join('. ');
      throw new TagwrightError('BAD_REQUEST', `${text}.`, { data: { issues } });
    }
    const { 'events.apiKey': apiKey, ...others } = checked.data;
    const wanted: SettingsPatch = apiKey === KEY_IS_SET ? this.#withKeptKey(others) : checked.data;
    const changes: SettingsPatch = { ...wanted };
    for (const key of PRIVATE_SETTINGS) if (this.#isKeptClosed(key, wanted[key])) delete changes[key];
    const stored = Object.entries(changes).flatMap(([key, value]) =>
      value === undefined ? [] : [{ key, value: this.#stored.toStored(key, value) }],
    );
    const now = await this.#store.commits.run(() => {
      for (const { key, value } of stored) this.#store.settings.put(key, value);
      return this.#read();
    });
    return this.#changed(Object.keys(changes), now);
  }

  /** Resets settings to their defaults, as if they had never been changed. Resolves once that is durable. */
  async reset({ keys }: { keys: readonly (keyof Settings)[] }): Promise<Settings> {
    const now = await this.#store.commits.run(() => {
      for (const key of keys) this.#store.settings.delete(key);
      return this.#read();
    });
    return this.#changed(keys, now);
  }

  #isKeptClosed(key: keyof Settings, value: unknown): boolean {
    return this.#closed.has(key) && value === this.#current[key];
  }

  /** A patch based on the result of `get()`. */
  #withKeptKey(others: SettingsPatch): SettingsPatch {
    if (this.#current['events.apiKey'] === KEY_IS_SET) return others;
    const message = `No key is set, so "${KEY_IS_SET}" cannot keep one. Send a key of 8 to 200 characters, or "".`;
    const issues = [{ path: ['events.apiKey'], message }];
    throw new TagwrightError('BAD_REQUEST', `events.apiKey: ${message}`, { data: { issues } });
  }

  #changed(keys: readonly string[], { settings, apiKey, closed }: ReadSettings): Settings {
    this.#current = settings;
    this.#closed = closed;
    this.apiKey.use(apiKey);
    this.#changes.emit(this.get());
    this.#names.emit({ keys: [...keys] });
    return this.get();
  }

  /** Stores the quick hash: without it, the next start needs the slow hash again. */
  async #keepQuick(hash: string, quick: string): Promise<void> {
    const { settings, commits } = this.#store;
    const stored = this.#stored.keyToStored(hash, quick);
    await commits
      .run(() => {
        // Another key may have been set in the meantime.
        const { apiKey } = this.#read();
        if (apiKey?.hash === hash) settings.put('events.apiKey', stored);
      })
      .catch(() => undefined);
  }

  /** Unreadable or unknown settings fall back to their default and are logged. */
  #read(): ReadSettings {
    const settings: Record<string, unknown> = { ...DEFAULT_SETTINGS };
    let apiKey: StoredKey | null = null;
    const closed = new Map<string, string>();
    for (const [key, text] of this.#store.settings.all()) {
      if (!(key in DEFAULT_SETTINGS)) {
        this.#log.warn('a stored setting is not known to this version and is ignored', { key });
        continue;
      }
      const read = this.#stored.fromStored(key, JSON.parse(text));
      const { value } = read;
      if (read.closed !== null) {
        const message = `The secret in setting ${key} cannot be opened here: ${read.closed}. Set it again: tagwright settings set ${key}=VALUE`;
        closed.set(key, message);
        this.#log.warn(message, { event: 'settings.unreadable', setting: key });
      }
      apiKey = read.apiKey ?? apiKey;
      if (settingsShape.partial().safeParse({ [key]: value }).success) settings[key] = value;
      else this.#log.warn('a stored setting is invalid; its default is used', { key });
    }
    return { settings: settingsShape.parse(settings), apiKey, closed };
  }
}
