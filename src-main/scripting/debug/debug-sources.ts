import { createHash } from 'node:crypto';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { RunContext } from '#domain/run/run';
import type { JsonObject } from '#domain/text/json';
import type { DebuggedRun } from './debugged-run.ts';
import type { SourceArgument } from './dap-arguments.ts';

/** Where a body comes from. */
export interface Origin {
  /** Names it in breakpoints: `script:12` in the library, `tag:<path>` for others, or what a client has chosen. */
  key: string;
  name: string;
  scriptId: number | null;
  /** A file of the client, which it can open. */
  isFile: boolean;
}

/** The scripts of tags, and of the library. */
export interface ScriptNames {
  /** The script that a tag runs for a read or a write; null if it is not known. */
  ofTag(path: string, access: 'read' | 'write'): { id: number; name: string } | null;
  /** The expression of a calculation; null for other tags. */
  expressionOf(path: string): string | null;
  byId(id: number): { name: string; body: string } | null;
  byName(name: string): { id: number; body: string } | null;
}

/** The sources of a debug session: the body that it runs, and the scripts of tags. */
export class DebugSources {
  readonly #names: ScriptNames;
  /** Bodies that a client can ask for, by their number less one. */
  readonly #bodies: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #keys: string[] = [];
  #root: Origin = { key: 'body', name: 'script', scriptId: null, isFile: false };

  constructor(names: ScriptNames) {
    this.#names = names;
  }

  get root(): Origin {
    return this.#root;
  }

  setRoot(root: Origin): void {
    this.#root = root;
  }

  originOf(run: Pick<DebuggedRun, 'context'>, isRoot: boolean): Origin {
    return isRoot ? this.#root : originOfTag(this.#names, run.context);
  }

  /** A source as DAP describes it, with a number to ask for its text. */
  describe(origin: Origin, body: string): DebugProtocol.Source {
    const { key, name, isFile } = origin;
    if (isFile) return { name, path: key };
    const id = createHash('sha256').update(key).update('\0').update(body).digest('base64');
    let number = this.#numbers.get(id);
    if (number === undefined) {
      number = this.#bodies.push(body);
      this.#keys.push(key);
      this.#numbers.set(id, number);
    }
    return { name, path: key, sourceReference: number };
  }

  /** The key of a source in a request: by its path, its number, or its name in the library. */
  keyOf({ path, sourceReference = 0, name }: SourceArgument): string {
    if (path !== undefined && path !== '') return path;
    const numbered = this.#keys[sourceReference - 1];
    if (numbered !== undefined) return numbered;
    const script = name === undefined ? null : this.#names.byName(name);
    if (script !== null) return `script:${script.id}`;
    return name ?? this.#root.key;
  }

  /** The text of a source; null if it is not known. */
  body({ sourceReference = 0, ...source }: SourceArgument): string | null {
    return this.#bodies[sourceReference - 1] ?? this.bodyOf(this.keyOf(source));
  }

  bodyOf(key: string): string | null {
    const [, id] = /^script:(\d+)$/.exec(key) ?? [];
    return id === undefined ? null : (this.#names.byId(Number(id))?.body ?? null);
  }
}

/** The script that a run is of, by the tag that it runs for. */
export function originOfTag(names: ScriptNames, { tagName, ...context }: RunContext): Origin {
  const access = 'tagValue' in context ? 'write' : 'read';
  const script = tagName === '' ? null : names.ofTag(tagName, access);
  if (script) return { key: `script:${script.id}`, name: script.name, scriptId: script.id, isFile: false };
  return { key: `tag:${tagName}`, name: tagName === '' ? 'script' : tagName, scriptId: null, isFile: false };
}

/** The names of scripts, from the definitions of tags and the library. */
export function scriptNamesOf(
  definitions: { definition(tag: { path: string }): { settings: JsonObject } },
  library: {
    list(): { scripts: { id: number; group: string; name: string }[] };
    get(ref: { id: number }): { group: string; name: string; body: string };
  },
): ScriptNames {
  const byName = (name: string): number | null =>
    library.list().scripts.find((one) => `${one.group}/${one.name}` === name)?.id ?? null;
  const byId = (id: number): { name: string; body: string } | null => {
    try {
      const { group, name, body } = library.get({ id });
      return { name: `${group}/${name}`, body };
    } catch {
      return null;
    }
  };
  const setting = (path: string, name: string): string | null => {
    try {
      const value = definitions.definition({ path }).settings[name];
      return typeof value === 'string' ? value : null;
    } catch {
      return null;
    }
  };
  return {
    ofTag: (path, access) => {
      const name = setting(path, access === 'read' ? 'readScript' : 'writeScript');
      const id = name === null ? null : byName(name);
      return id === null || name === null ? null : { id, name };
    },
    expressionOf: (path) => setting(path, 'expression'),
    byId,
    byName: (name) => {
      const id = byName(name);
      const found = id === null ? null : byId(id);
      return id === null || found === null ? null : { id, body: found.body };
    },
  };
}
