import type { Json } from '#domain/text/json';
import { isJsonObject, parseJson } from '#domain/text/json';
import type { Quality } from '#domain/tag/quality';
import type { Expression } from './expression.ts';
import { IS_TAKEN, KNOWN_GLOBALS, PLAIN_MEMBERS } from './plain.ts';

/** The program of some expressions, level by level; the same expressions always produce the same text. */
export interface Program {
  body: string;
  /** The tags whose values and qualities it receives, by slot: first those of the expressions, then the others. */
  slots: readonly string[];
}

/** The `tagValue` of a program, and, without the slots before the level, its input after each level. */
export interface ProgramInput {
  /** Values by slot. */
  v: Json[];
  /** Qualities by slot. */
  q: Quality[];
  /** Which expressions of the level to skip. */
  s: boolean[];
}

export interface PlacedExpression {
  path: string;
  expression: Expression;
}

/** The result of one expression; `not plain`: it must be evaluated alone. */
export type RawResult =
  | { ok: true; value: Json }
  | { ok: false; why: 'failed' | 'not a value' | 'not plain'; message: string };

/**
 * Before the first expression, the program deletes what only it may use. `$$x` converts a result to JSON: texts,
 * numbers and Booleans unchanged, anything else as one member that names its form.
 */
const HEAD = `'use strict';
const { v: $$v, q: $$q } = tagValue;
let { s: $$s } = tagValue, $$r = [];
const $$alone = {};
const $$set = TagValueManager.Set, $$stringify = JSON.stringify, $$finite = Number.isFinite, $$view = ArrayBuffer.isView;
const $$ownKeys = Reflect.ownKeys, $$iterator = Symbol.iterator;
const $$Bytes = Uint8Array, $$Buffer = ArrayBuffer, $$Promise = Promise, $$Text = String, $$Map = Map, $$Set = Set;
for (const name of ['TagValueManager', 'ApiValueManager', 'console', 'tagName', 'tagScopeDiagram', 'tagScopeLocation', 'tagValue']) delete globalThis[name];
const $$object = (r) => {
  if (r instanceof $$Promise) return { f: 'a promise; an expression cannot wait' };
  if (r instanceof $$Buffer) return new $$Bytes(r).toBase64();
  if (r instanceof $$Map || r instanceof $$Set) return { f: 'a Map or a Set; make it an object or an array' };
  if ($$view(r)) return new $$Bytes(r.buffer, r.byteOffset, r.byteLength).toBase64();
  const text = $$stringify(r);
  return text === undefined ? { f: 'nothing that JSON can say' } : { j: text };
};
const $$x = (r) => {
  switch (typeof r) {
    case 'number': return $$finite(r) ? r : { f: $$Text(r) };
    case 'string': case 'boolean': return r;
    case 'undefined': return null;
    case 'object': return r === null ? null : $$object(r);
    default: return { f: 'a ' + typeof r };
  }
};
const $$f = (e) => {
  if (e === $$alone) return { a: true };
  try {
    return { e: typeof e === 'object' && e !== null ? $$Text(e.name) + ': ' + $$Text(e.message) : $$Text(e) };
  } catch {
    return { e: 'an error that cannot be shown' };
  }
};
`;

/** Returns a level, and receives its values and what to skip in the next level. */
const HANDOVER = `const $$h = (from) => {
  const { v, q, s } = $$set([{ tag: 'calculations', value: $$r }]).Value[0].Value;
  for (let i = 0; i < v.length; i++) {
    $$v[from + i] = $$z(v[i]);
    $$q[from + i] = q[i];
  }
  $$s = s;
  $$r = [];
};
`;

/**
 * Keys of members that are known only at run time: numbers, members on the list, such as a column called name, and
 * texts that are not members of anything in the realm. With any other key the expression is not plain.
 */
const KEYS = `const $$listed = { __proto__: null, ${[...PLAIN_MEMBERS].map((name) => `${JSON.stringify(name)}: true`).join(', ')} };
const $$k = (key) => {
  if (typeof key === 'number') return key;
  const text = $$Text(key);
  if (typeof key === 'symbol' || (!(text in $$listed) && $$taken(text))) throw $$alone;
  return text;
};
`;

/**
 * Deletes everything that no expression may name: if one declares such a name, such as a parameter called Reflect, the
 * name would refer to the global outside of the parameter's scope.
 */
const TAKE_AWAY = `const $$global = globalThis, $$known = new Set(${JSON.stringify([...KNOWN_GLOBALS])});
for (const name of Object.getOwnPropertyNames($$global)) if (!$$known.has(name)) delete $$global[name];
`;

/**
 * Freezes everything through which one expression could affect another, in addition to the rules for plain expressions:
 * everything that is reachable from the known globals, from unnamed values of the language and through accessors, and
 * the input values. The last match of RegExp is state that freezing does not cover, and Temporal is large: the members
 * that lead to them are deleted.
 */
const FREEZE = `const $$z = (() => {
  const { freeze, isFrozen, getPrototypeOf, getOwnPropertyDescriptor } = Object;
  const deep = (first) => {
    const waiting = [first];
    const add = (value) => {
      if ((typeof value === 'object' && value !== null) || typeof value === 'function') if (!isFrozen(value)) waiting.push(value);
    };
    while (waiting.length > 0) {
      const object = waiting.pop();
      if (isFrozen(object)) continue;
      freeze(object);
      add(getPrototypeOf(object));
      for (const key of $$ownKeys(object)) {
        const { value, get, set } = getOwnPropertyDescriptor(object, key);
        add(value);
        if (get === undefined) continue;
        add(get);
        add(set);
        try {
          add(object[key]);
        } catch {}
      }
    }
    return first;
  };
  for (const key of Object.getOwnPropertyNames(RegExp)) if (getOwnPropertyDescriptor(RegExp, key).get) delete RegExp[key];
  delete Date.prototype.toTemporalInstant;
  const task = async () => {}, list = [].values();
  const hidden = [Object($$iterator), new Error(), (async function* () {})(), (function* () {})(), task, task(), list, new Map().values(), new Set().values(),
    ''[$$iterator](), 'a'.matchAll(/a/g), list.map((one) => one), list.constructor.from({ next: task }), new Uint8Array().buffer];
  deep($$global);
  for (const value of hidden) deep(value);
  return (value) => (typeof value === 'object' && value !== null ? deep(value) : value);
})();
for (let i = 0; i < $$v.length; i++) $$z($$v[i]);
`;
const LEAVE = 'const $$z = (value) => value;\n';

/** The program that evaluates levels of expressions in one run and returns the results of the last level. */
export function programOf(levels: readonly (readonly PlacedExpression[])[]): Program {
  const all = levels.flat();
  const slots = new Map<string, number>();
  for (const { path } of all) slots.set(path, slots.size);
  for (const { expression } of all) {
    for (const path of expression.inputs) if (!slots.has(path)) slots.set(path, slots.size);
  }
  const parts = [HEAD, ...locksOf(all), HANDOVER];
  let from = 0;
  for (const [index, level] of levels.entries()) {
    for (const [place, { expression }] of level.entries()) {
      const text = inSlots(expression, slots, all.length > 1);
      parts.push(
        `try { $$r[${place}] = $$s[${place}] ? null : $$x((${text}\n)); } catch ($$c) { $$r[${place}] = $$f($$c); }\n`,
      );
    }
    parts.push(index < levels.length - 1 ? `$$h(${from});\n` : 'return $$r;');
    from += level.length;
  }
  return { body: parts.join(''), slots: [...slots.keys()] };
}

/** Isolates the expressions from each other; not needed for one that runs alone. */
function locksOf(all: readonly PlacedExpression[]): string[] {
  if (all.length === 1) return [TAKE_AWAY, LEAVE];
  const members = new Set(all.flatMap(({ expression }) => [...expression.members]));
  const hasKeys = all.some(({ expression }) => expression.keys.length > 0);
  const isFrozen = all.some(({ expression }) => expression.realm !== 'shared');
  return [
    ...(hasKeys || members.size > 0 ? [`const $$taken = ${IS_TAKEN};\n`] : []),
    // Main knows this from its own engine; if the host's engine has such members, every expression is evaluated alone.
    ...(members.size > 0
      ? [`if (${JSON.stringify([...members])}.some($$taken)) throw new Error('not plain here');\n`]
      : []),
    ...(hasKeys ? [KEYS] : []),
    ...(isFrozen ? [TAKE_AWAY, FREEZE] : [LEAVE]),
  ];
}

/** The text with a slot in place of every reference and, if requested, a check of every key; lines stay lines. */
function inSlots({ text, references, keys }: Expression, slots: ReadonlyMap<string, number>, checked: boolean): string {
  const edits = references.map(({ path, reads, start, end }) => {
    const lines = text.slice(start, end).replaceAll(/[^\n\r\u2028\u2029]/g, '');
    return { start, end, by: `${reads === 'value' ? '$$v' : '$$q'}[${slots.get(path)}]${lines}` };
  });
  for (const { start, end } of checked ? keys : []) {
    edits.push({ start, end: start, by: '$$k((' }, { start: end, end, by: '))' });
  }
  let replaced = '';
  let done = 0;
  for (const { start, end, by } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    replaced += text.slice(done, start) + by;
    done = end;
  }
  return replaced + text.slice(done);
}

/** The results of a level of `count` expressions; null if they don't have the form that our program produces. */
export function resultsOf(raw: Json, count: number): RawResult[] | null {
  if (!Array.isArray(raw) || raw.length > count) return null;
  return Array.from({ length: count }, (_, place) => resultOf(raw[place] ?? null));
}

function resultOf(raw: Json): RawResult {
  if (!isJsonObject(raw)) return { ok: true, value: Array.isArray(raw) ? null : raw };
  const { j, e, f, a } = raw;
  if (a === true) return { ok: false, why: 'not plain', message: 'an expression has disturbed it' };
  if (typeof j === 'string') return { ok: true, value: parseJson(j) };
  if (typeof e === 'string') return { ok: false, why: 'failed', message: e.slice(0, 1_000) };
  return { ok: false, why: 'not a value', message: typeof f === 'string' ? f.slice(0, 100) : 'nothing' };
}
