import type { JournalScript } from '#domain/run/journal';
import type { JsonObject } from '#domain/text/json';
import { messageOf, TagwrightError } from '../../../platform/errors.ts';

/** The parts of the script library that script tags use. */
export interface ScriptSource {
  /** Throws NOT_FOUND; for a deleted script, with its id in `data.deleted`. */
  get(ref: { id: number } | { group: string; name: string }): {
    id: number;
    group: string;
    name: string;
    version: number;
    body: string;
  };
  /** Every version, newest first, including deleted scripts. */
  versions(ref: { id: number }): { group: string; name: string }[];
  onChange(listener: () => void): () => void;
}

/** A script by its id, or by its name, "Group/Name", if an import found no script with that name. */
export type ScriptKey = number | string;

/** The scripts of a tag, and how often a watch reads it. */
export interface Bindings {
  readScript?: ScriptKey;
  writeScript?: ScriptKey;
  updateMs: number;
}

/** A script in settings: its name, its id, or a name that need not exist. */
export type GivenScript = string | { id: number } | { name: string };

export type Found = { ok: true; key: ScriptKey } | { ok: false; reason: string };
/** A bound script. Without one, `id` is that of the deleted script, or null for a name that never had one. */
export type BoundScript =
  | { ok: true; id: number; name: string; body: string; script: JournalScript }
  | { ok: false; id: number | null; name: string; reason: string };

/**
 * The bindings of tags to scripts. Settings show a script by its name, "Group/Name", and the workspace stores its id,
 * so that a script may be renamed and moved. The ids belong to the settings object that `settingsOf` created: code with
 * that object has the binding, whatever happens to the names. A binding to a script that was deleted, or that never
 * existed, is one to its name: the script that has the name now is used.
 */
export class ScriptBindings {
  readonly #library: ScriptSource;
  readonly #ids = new WeakMap<JsonObject, Bindings>();
  readonly #scripts = new Map<ScriptKey, BoundScript>();

  constructor(library: ScriptSource) {
    this.#library = library;
  }

  /** The script of a setting. A deleted one is found too: it may be restored. */
  find(given: GivenScript): Found {
    if (typeof given === 'object' && 'name' in given) {
      const named = this.find(given.name);
      return named.ok || refOf(given.name) === null ? named : { ok: true, key: given.name };
    }
    const ref = typeof given === 'string' ? refOf(given) : given;
    if (ref === null) return { ok: false, reason: 'name a script of the library as "Group/Name"' };
    try {
      return { ok: true, key: this.#library.get(ref).id };
    } catch (thrown) {
      const deleted = thrown instanceof TagwrightError ? thrown.data['deleted'] : undefined;
      return typeof deleted === 'number' ? { ok: true, key: deleted } : { ok: false, reason: messageOf(thrown) };
    }
  }

  /** Settings for people, with names, which carry the binding. */
  settingsOf(scripts: Partial<Bindings>, updateMs: number): JsonObject {
    const { readScript, writeScript } = scripts;
    const settings: JsonObject = {
      ...(readScript !== undefined && { readScript: this.script(readScript).name }),
      ...(writeScript !== undefined && { writeScript: this.script(writeScript).name }),
      updateMs,
    };
    this.#ids.set(settings, { ...scripts, updateMs });
    return settings;
  }

  of(settings: JsonObject): Bindings {
    const bindings = this.#ids.get(settings);
    if (!bindings) throw new Error('the settings of a script tag were not parsed');
    return bindings;
  }

  /** The stored form of the settings: with ids in place of names. */
  stored(settings: JsonObject): JsonObject {
    const { readScript, writeScript, updateMs } = this.of(settings);
    return {
      ...(readScript !== undefined && { readScript: storedKey(readScript) }),
      ...(writeScript !== undefined && { writeScript: storedKey(writeScript) }),
      updateMs,
    };
  }

  /** The same settings if the names are still valid, else new ones with the current names of the scripts. */
  renamed(settings: JsonObject): JsonObject {
    const { updateMs, ...scripts } = this.of(settings);
    const now = this.settingsOf(scripts, updateMs);
    return now['readScript'] === settings['readScript'] && now['writeScript'] === settings['writeScript']
      ? settings
      : now;
  }

  /** The script of a binding with its current name and body, or why there is none. */
  script(key: ScriptKey): BoundScript {
    const known = this.#scripts.get(key);
    if (known) return known;
    const found = typeof key === 'number' ? key : this.find(key);
    const id = typeof found === 'number' ? found : found.ok && typeof found.key === 'number' ? found.key : null;
    const script = id === null ? missing(String(key)) : this.#load(id);
    this.#scripts.set(key, script);
    return script;
  }

  /** The library has changed. */
  forget(): void {
    this.#scripts.clear();
  }

  #load(id: number): BoundScript {
    const { script, problem } = this.#current({ id });
    if (script) return script;
    const [last] = this.#library.versions({ id });
    const inItsPlace = last && this.#current({ group: last.group, name: last.name }).script;
    if (inItsPlace) return inItsPlace;
    return { ok: false, id, name: last ? `${last.group}/${last.name}` : '', reason: `its script ${problem}` };
  }

  /** A script that is not deleted, or why there is none. */
  #current(ref: Parameters<ScriptSource['get']>[0]): { script?: BoundScript; problem: string } {
    try {
      const { id, group, name, version, body } = this.#library.get(ref);
      const full = `${group}/${name}`;
      return { script: { ok: true, id, name: full, body, script: { name: full, version } }, problem: '' };
    } catch (thrown) {
      if (!(thrown instanceof TagwrightError) || thrown.code !== 'NOT_FOUND') throw thrown;
      if ('id' in ref && thrown.data['deleted'] === undefined) throw thrown;
      return { problem: thrown.message };
    }
  }
}

const missing = (name: string): BoundScript => ({
  ok: false,
  id: null,
  name,
  reason: `its script "${name}" does not exist`,
});

const storedKey = (key: ScriptKey): JsonObject => (typeof key === 'number' ? { id: key } : { name: key });

function refOf(text: string): { group: string; name: string } | null {
  const [group, name, ...more] = text.split('/').map((part) => part.trim());
  return group && name && more.length === 0 ? { group, name } : null;
}
