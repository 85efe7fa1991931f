import type { DebugProtocol } from '@vscode/debugprotocol';
import { DEBUG_LIMITS, type DebugVariable } from '#domain/run/debug';
import { TagwrightError } from '../../platform/errors.ts';
import type { DebuggedRun } from './debugged-run.ts';

/** What a `variablesReference` stands for, until the run continues. `path` is an expression for it; null if there is none. */
type VariableHandle =
  | { kind: 'scope'; run: DebuggedRun; frame: number; names: string[] }
  | { kind: 'object'; run: DebuggedRun; ref: number; length: number; path: string | null }
  | { kind: 'getter'; run: DebuggedRun; ref: number; name: string; path: string | null };

/** Handles of one pause: more would keep more objects of the script. */
const MOST_HANDLES = 100_000;
const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Variables that are sent with a stop: their texts have at most 2,000 characters each. */
const MOST_FIRST = 100;

/** What a person sees first of a frame. */
export interface FirstVariables {
  scopes: DebugProtocol.Scope[];
  variables: { variablesReference: number; variables: DebugProtocol.Variable[] }[];
}

/** The variables of a paused run, by the numbers that DAP gives them. */
export class DebugVariables {
  #handles: VariableHandle[] = [];
  /** Numbers are never used again: those of an earlier pause are no longer valid. */
  #offset = 0;

  /** The run continues: all numbers become invalid. */
  forget(): void {
    this.#offset = (this.#offset + this.#handles.length) % 1_000_000_000;
    this.#handles = [];
  }

  /**
   * The scopes of a frame, and by their reference the variables of scopes that are not closures, in one question. Scopes
   * with many variables are omitted.
   */
  async first(run: DebuggedRun, frame: number): Promise<FirstVariables> {
    const scopes = await this.scopes(run, frame);
    const infos = run.scopesOf(frame);
    const open = infos.map(({ names, isClosure }, index) => ({
      reference: scopes[index]?.variablesReference ?? 0,
      names: isClosure && index > 0 ? [] : names,
    }));
    const names = open.flatMap((one) => one.names);
    if (names.length === 0 || names.length > MOST_FIRST) return { scopes, variables: [] };
    const shown = (await run.variables(frame, names)).map((one) => this.describe(run, one, one.name));
    let from = 0;
    const variables = open
      .filter((one) => one.names.length > 0)
      .map(({ reference, names: { length } }) => {
        from += length;
        return { variablesReference: reference, variables: shown.slice(from - length, from) };
      });
    return { scopes, variables };
  }

  async scopes(run: DebuggedRun, frame: number): Promise<DebugProtocol.Scope[]> {
    return run.scopesOf(frame).map(({ kind, name, isClosure, names }, index) => ({
      name: scopeName(kind, name, isClosure),
      ...(index === 0 && kind === 'function' && { presentationHint: 'locals' as const }),
      variablesReference: this.#add({ kind: 'scope', run, frame, names }),
      namedVariables: names.length,
      expensive: isClosure,
    }));
  }

  /** A page of variables. */
  async list({
    variablesReference,
    filter,
    start = 0,
    count = DEBUG_LIMITS.variables,
  }: DebugProtocol.VariablesArguments): Promise<DebugProtocol.Variable[]> {
    const handle = this.#of(variablesReference);
    const most = Math.min(count === 0 ? DEBUG_LIMITS.variables : count, DEBUG_LIMITS.variables);
    if (handle.kind === 'getter') {
      const value = await handle.run.get(handle.ref, handle.name);
      return [this.describe(handle.run, { ...value, name: handle.name }, handle.path)];
    }
    if (handle.kind === 'scope') {
      if (filter === 'indexed') return [];
      const { run, frame, names } = handle;
      const shown = await run.variables(frame, names.slice(start, start + most));
      return shown.map((one) => this.describe(run, one, one.name));
    }
    const { run, ref, length, path } = handle;
    if (filter === 'indexed') {
      const end = Math.min(length, start + most);
      return start >= end ? [] : this.#members(run, ref, start, end - start, path);
    }
    return this.#members(run, ref, filter === 'named' ? length + start : start, most, path);
  }

  async set(variablesReference: number, name: string, text: string): Promise<DebugProtocol.Variable> {
    const handle = this.#of(variablesReference);
    if (handle.kind === 'getter') throw new TagwrightError('BAD_REQUEST', 'The value of a getter cannot be set.');
    const { run } = handle;
    const assigned =
      handle.kind === 'scope'
        ? await run.assign(handle.frame, null, checkedName(handle.names, name), text)
        : await run.assign(0, handle.ref, name, text);
    return this.describe(run, assigned, null);
  }

  /** @param path an expression for the value */
  describe(run: DebuggedRun, variable: DebugVariable, path: string | null): DebugProtocol.Variable {
    const { name, text, type, ref, length } = variable;
    const evaluateName = path === null ? {} : { evaluateName: path };
    const variablesReference = ref === 0 ? 0 : this.#add({ kind: 'object', run, ref, length, path });
    const counts = length > 0 ? { indexedVariables: length, namedVariables: 2 } : {};
    return { name, value: text, type, variablesReference, ...counts, ...evaluateName };
  }

  async #members(
    run: DebuggedRun,
    ref: number,
    from: number,
    count: number,
    path: string | null,
  ): Promise<DebugProtocol.Variable[]> {
    const members = await run.members(ref, from, count);
    return members.map((one) => {
      const own = path === null ? null : memberPath(path, one.name);
      if (one.type !== 'getter') return this.describe(run, one, own);
      const variablesReference = this.#add({ kind: 'getter', run, ref, name: one.name, path: own });
      return { name: one.name, value: one.text, variablesReference, presentationHint: { lazy: true } };
    });
  }

  #add(handle: VariableHandle): number {
    if (this.#handles.length >= MOST_HANDLES) {
      throw new TagwrightError('BAD_REQUEST', 'Too many values are expanded. Continue the run, then expand fewer.');
    }
    return this.#offset + this.#handles.push(handle);
  }

  #of(reference: number): VariableHandle {
    const handle = this.#handles[reference - this.#offset - 1];
    if (handle) return handle;
    throw new TagwrightError('NOT_FOUND', 'This value no longer exists: the run has continued.');
  }
}

function checkedName(names: readonly string[], name: string): string {
  if (name !== 'this' && names.includes(name)) return name;
  throw new TagwrightError('BAD_REQUEST', `"${name}" cannot be assigned.`);
}

function memberPath(path: string, name: string): string | null {
  if (/^\d+$/.test(name)) return `${path}[${name}]`;
  if (name.startsWith('[')) return null;
  return NAME.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

const KINDS = { function: 'Local', block: 'Block', catch: 'Catch', loop: 'Loop', switch: 'Switch', class: 'Class' };

function scopeName(kind: keyof typeof KINDS, name: string | null, isClosure: boolean): string {
  if (!isClosure) return KINDS[kind];
  return name === null ? 'Script' : `Closure (${name})`;
}
