import { settingsShape } from '#contract';
import type { Settings } from '#domain/settings';
import { DEFAULT_SETTINGS } from '#domain/settings';
import { TagwrightError } from '../platform/errors.ts';
import { Listeners } from '../platform/events.ts';
import type { Log } from '../platform/log.ts';
import type { CommitQueue } from '../storage/commit-queue.ts';
import type { SettingsRepository } from '../storage/settings-repository.ts';

/** Some of the settings; those that are undefined stay as they are. */
export type SettingsPatch = { [Key in keyof Settings]?: Settings[Key] | undefined };

/** What the settings need of the open workspace. */
export interface SettingsStore {
  readonly settings: SettingsRepository;
  readonly commits: CommitQueue;
}

/** The settings of the workspace. Only what was changed is stored, so that a better default reaches old workspaces. */
export class SettingsService {
  readonly #store: SettingsStore;
  readonly #log: Log;
  readonly #changes = new Listeners<Settings>();
  readonly #names = new Listeners<{ keys: string[] }>();
  #current: Settings;

  constructor(store: SettingsStore, log: Log) {
    this.#store = store;
    this.#log = log;
    this.#current = this.#read();
  }

  /** All settings as they are now. */
  get(): Settings {
    return { ...this.#current };
  }

  /** Called with all settings after every change; the function returned removes the listener. */
  onChange(listener: (settings: Settings) => void): () => void {
    return this.#changes.add(listener);
  }

  /** As onChange, with the names of those that were changed: values may be secret. */
  onNames(listener: (change: { keys: string[] }) => void): () => void {
    return this.#names.add(listener);
  }

  /** Changes some settings and resolves with all of them once that is durable. BAD_REQUEST with `data.issues`. */
  async update(patch: SettingsPatch): Promise<Settings> {
    const checked = settingsShape.partial().strict().safeParse(patch);
    if (!checked.success) {
      const issues = checked.error.issues.map(({ path, message }) => ({ path: path.map(String), message }));
      const text = issues.map(({ path, message }) => `${path.join('.') || 'settings'}: ${message}`).join('. ');
      throw new TagwrightError('BAD_REQUEST', `${text}.`, { data: { issues } });
    }
    this.#current = await this.#store.commits.run(() => {
      for (const [key, value] of Object.entries(checked.data)) {
        if (value !== undefined) this.#store.settings.put(key, value);
      }
      return this.#read();
    });
    return this.#changed(Object.keys(checked.data));
  }

  /** Settings go back to their defaults, as if they had never been changed. Resolves once that is durable. */
  async reset({ keys }: { keys: readonly (keyof Settings)[] }): Promise<Settings> {
    this.#current = await this.#store.commits.run(() => {
      for (const key of keys) this.#store.settings.delete(key);
      return this.#read();
    });
    return this.#changed(keys);
  }

  #changed(keys: readonly string[]): Settings {
    this.#changes.emit(this.get());
    this.#names.emit({ keys: [...keys] });
    return this.get();
  }

  /** What cannot be read or is unknown falls back to its default and is logged. */
  #read(): Settings {
    const settings: Record<string, unknown> = { ...DEFAULT_SETTINGS };
    for (const [key, text] of this.#store.settings.all()) {
      if (!(key in DEFAULT_SETTINGS)) {
        this.#log.warn('a stored setting is not known to this version and is ignored', { key });
        continue;
      }
      const value: unknown = JSON.parse(text);
      if (settingsShape.partial().safeParse({ [key]: value }).success) settings[key] = value;
      else this.#log.warn('a stored setting cannot be used; its default is', { key });
    }
    return settingsShape.parse(settings);
  }
}
