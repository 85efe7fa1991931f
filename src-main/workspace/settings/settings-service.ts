import { settingsShape } from '#contract/settings';
import { KEY_IS_SET, PRIVATE_SETTINGS } from '#domain/workspace/private-settings';
import type { Settings } from '#domain/workspace/settings';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { TagwrightError } from '../../platform/errors.ts';
import { Listeners } from '../../platform/events.ts';
import type { StoredKey } from '../../platform/key-check.ts';
import { KeyCheck } from '../../platform/key-check.ts';
import type { Log } from '../../platform/log.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { SettingsRepository } from '../../storage/repositories/settings-repository.ts';
import type { SettingsSealer } from './stored-settings.ts';
import { StoredSettings } from './stored-settings.ts';

/** Some of the settings; those that are undefined stay as they are. */
export type SettingsPatch = { [Key in keyof Settings]?: Settings[Key] | undefined };

/** What the settings need of the open workspace. */
export interface SettingsStore {
  readonly settings: SettingsRepository;
  readonly commits: CommitQueue;
}

interface ReadSettings {
  settings: Settings;
  /** Of the events API; null where none is set. */
  apiKey: StoredKey | null;
  /** Why the secret in a setting cannot be opened, and what to do. */
  closed: Map<string, string>;
}

/**
 * The settings of the workspace. Only what was changed is stored, so that a better default reaches old workspaces. The
 * key of the events API is known as a hash alone: `get()` has KEY_IS_SET in its place.
 */
export class SettingsService {
  /** The key that every call of the events API must bring. */
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

  /** All settings as they are now. */
  get(): Settings {
    return { ...this.#current };
  }

  /**
   * Why the secret in a setting cannot be opened here, and what to do; null where it has none or is open. `get()` then
   * has its value without the secret.
   */
  closedBecause(key: keyof Settings): string | null {
    return this.#closed.get(key) ?? null;
  }

  /** Called with all settings after every change; the function returned removes the listener. */
  onChange(listener: (settings: Settings) => void): () => void {
    return this.#changes.add(listener);
  }

  /** As onChange, with the names of those that were changed: values may be secret. */
  onNames(listener: (change: { keys: string[] }) => void): () => void {
    return this.#names.add(listener);
  }

  /**
   * Changes some settings and resolves with all of them once that is durable. KEY_IS_SET leaves the key as it is, and
   * the value that `get()` shows leaves a setting as it is whose secret cannot be opened here.
   * BAD_REQUEST with `data.issues`.
   */
  async update(patch: SettingsPatch): Promise<Settings> {
    const checked = settingsShape.partial().strict().safeParse(patch);
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

  /** Settings go back to their defaults, as if they had never been changed. Resolves once that is durable. */
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

  /** A patch that was made of what `get()` shows. */
  #withKeptKey(others: SettingsPatch): SettingsPatch {
    if (this.#current['events.apiKey'] === KEY_IS_SET) return others;
    const message = `No key is set, so "${KEY_IS_SET}" keeps none. Send a key of 8 to 200 characters, or "".`;
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

  /** So that the next start compares at once; without it that start has the slow hash again. */
  async #keepQuick(hash: string, quick: string): Promise<void> {
    const { settings, commits } = this.#store;
    const stored = this.#stored.keyToStored(hash, quick);
    await commits
      .run(() => {
        // Meanwhile another key may have been set.
        const { apiKey } = this.#read();
        if (apiKey?.hash === hash) settings.put('events.apiKey', stored);
      })
      .catch(() => undefined);
  }

  /** What cannot be read or is unknown falls back to its default and is logged. */
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
      else this.#log.warn('a stored setting cannot be used; its default is', { key });
    }
    return { settings: settingsShape.parse(settings), apiKey, closed };
  }
}
