import type { JsonObject } from '#domain/text/json';
import { messageOf, TagwrightError } from '../../../platform/errors.ts';

/** The parts of the script library that script tags use. */
export interface ScriptSource {
  /** Throws NOT_FOUND; for a deleted script, with its id in `data.deleted`. */
  get(ref: { id: number } | { group: string; name: string }): { id: number; group: string; name: string; body: string };
  /** Every version, newest first, including deleted scripts. */
  versions(ref: { id: number }): { group: string; name: string }[];
  onChange(listener: () => void): () => void;
}

/** The scripts of a tag, by id, and how often a watch reads it. */
export interface Bindings {
  readScript?: number;
  writeScript?: number;
  updateMs: number;
}

export type Found = { ok: true; id: number } | { ok: false; reason: string };
export type BoundScript = { ok: true; name: string; body: string } | { ok: false; name: string; reason: string };

/**
 * The bindings of tags to scripts. Settings show a script by its name, "Group/Name", and the workspace stores its id,
 * so that a script may be renamed and moved. The ids belong to the settings object that `settingsOf` created: code with
 * that object has the binding, whatever happens to the names.
 */
export class ScriptBindings {
  readonly #library: ScriptSource;
  readonly #ids = new WeakMap<JsonObject, Bindings>();
  readonly #scripts = new Map<number, BoundScript>();

  constructor(library: ScriptSource) {
    this.#library = library;
  }

  /** The id of a script from its name or id. A deleted one is found too: it may be restored. */
  find(given: string | { id: number }): Found {
    const ref = typeof given === 'string' ? refOf(given) : given;
    if (ref === null) return { ok: false, reason: 'name a script of the library as "Group/Name"' };
    try {
      return { ok: true, id: this.#library.get(ref).id };
    } catch (thrown) {
      const deleted = thrown instanceof TagwrightError ? thrown.data['deleted'] : undefined;
      return typeof deleted === 'number' ? { ok: true, id: deleted } : { ok: false, reason: messageOf(thrown) };
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
      ...(readScript !== undefined && { readScript: { id: readScript } }),
      ...(writeScript !== undefined && { writeScript: { id: writeScript } }),
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

  /** The current name and body of a script, or why it has none. */
  script(id: number): BoundScript {
    const known = this.#scripts.get(id);
    if (known) return known;
    const script = this.#load(id);
    this.#scripts.set(id, script);
    return script;
  }

  /** The library has changed. */
  forget(): void {
    this.#scripts.clear();
  }

  #load(id: number): BoundScript {
    try {
      const { group, name, body } = this.#library.get({ id });
      return { ok: true, name: `${group}/${name}`, body };
    } catch (thrown) {
      if (!(thrown instanceof TagwrightError) || thrown.data['deleted'] === undefined) throw thrown;
      const [last] = this.#library.versions({ id });
      return { ok: false, name: last ? `${last.group}/${last.name}` : '', reason: `its script ${thrown.message}` };
    }
  }
}

function refOf(text: string): { group: string; name: string } | null {
  const [group, name, ...more] = text.split('/').map((part) => part.trim());
  return group && name && more.length === 0 ? { group, name } : null;
}
