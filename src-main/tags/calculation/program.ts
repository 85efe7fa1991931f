import type { Json } from '#domain/json';
import { isJsonObject, parseJson } from '#domain/json';
import type { Quality } from '#domain/quality';
import type { Expression } from './expression.ts';
import { KNOWN_GLOBALS } from './plain.ts';

/** The program of some expressions, level by level; the same expressions always give the same text. */
export interface Program {
  body: string;
  /** The tags whose values and qualities it is given, by their slots: first those of the expressions, then the others. */
  slots: readonly string[];
}

/** What a program is given as its `tagValue`, and, without the slots before the level, after each level. */
export interface ProgramInput {
  /** Values by slot. */
  v: Json[];
  /** Qualities by slot. */
  q: Quality[];
  /** Which expressions of the level to leave out. */
  s: boolean[];
}

export interface PlacedExpression {
  path: string;
  expression: Expression;
}

/** What became of one expression. */
export type RawResult = { ok: true; value: Json } | { ok: false; why: 'failed' | 'not a value'; message: string };

/**
 * Before the first expression the program takes away what only it may use. `$$x` turns a result into JSON: texts,
 * numbers and Booleans as they are, anything else as one member that says what it is.
 */
const HEAD = `'use strict';
const { v: $$v, q: $$q } = tagValue;
let { s: $$s } = tagValue, $$r = [];
const $$set = TagValueManager.Set, $$stringify = JSON.stringify, $$finite = Number.isFinite, $$view = ArrayBuffer.isView;
const $$Bytes = Uint8Array, $$Buffer = ArrayBuffer, $$Promise = Promise, $$Text = String, $$Map = Map, $$Set = Set;
for (const name of ['TagValueManager', 'console', 'tagName', 'tagScopeDiagram', 'tagScopeLocation', 'tagValue']) delete globalThis[name];
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
  try {
    return { e: typeof e === 'object' && e !== null ? $$Text(e.name) + ': ' + $$Text(e.message) : $$Text(e) };
  } catch {
    return { e: 'an error that cannot be shown' };
  }
};
`;

/** Hands over a level, and takes what it became and what the next level is to leave out. */
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
 * Freezes everything that one expression could change for another: the objects of the language, as far as they can be
 * reached, and the values that are handed in. What no expression may name is taken away first, since freezing takes its
 * time.
 */
const FREEZE = `const $$z = (() => {
  const { freeze, isFrozen, getPrototypeOf, getOwnPropertyDescriptor } = Object, { ownKeys } = Reflect;
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
      for (const key of ownKeys(object)) {
        const { value, get, set } = getOwnPropertyDescriptor(object, key);
        add(value);
        add(get);
        add(set);
      }
    }
    return first;
  };
  const hidden = [(async function* () {})(), (function* () {})(), (async () => {})(), [].values(), new Map().values()];
  hidden.push(new Set().values(), ''[Symbol.iterator](), 'a'.matchAll(/a/g));
  const kept = new Set(${JSON.stringify([...KNOWN_GLOBALS, 'Function', 'globalThis'])});
  for (const name of Object.getOwnPropertyNames(globalThis)) if (!kept.has(name)) delete globalThis[name];
  deep(globalThis);
  for (const value of hidden) deep(value);
  return (value) => (typeof value === 'object' && value !== null ? deep(value) : value);
})();
for (let i = 0; i < $$v.length; i++) $$z($$v[i]);
`;
const LEAVE = 'const $$z = (value) => value;\n';

/** The program that evaluates levels of expressions in one run and returns the results of the last level. */
export function programOf(levels: readonly (readonly PlacedExpression[])[]): Program {
  const slots = new Map<string, number>();
  for (const { path } of levels.flat()) slots.set(path, slots.size);
  for (const { expression } of levels.flat()) {
    for (const path of expression.inputs) if (!slots.has(path)) slots.set(path, slots.size);
  }
  const all = levels.flat();
  // An expression that is alone has nobody to disturb.
  const isHarmless = all.length === 1 || all.every(({ expression }) => expression.plain);
  const parts = [HEAD, isHarmless ? LEAVE : FREEZE, HANDOVER];
  let from = 0;
  for (const [index, level] of levels.entries()) {
    for (const [place, { expression }] of level.entries()) {
      const text = withSlots(expression, slots);
      parts.push(
        `try { $$r[${place}] = $$s[${place}] ? null : $$x((${text}\n)); } catch ($$c) { $$r[${place}] = $$f($$c); }\n`,
      );
    }
    parts.push(index < levels.length - 1 ? `$$h(${from});\n` : 'return $$r;');
    from += level.length;
  }
  return { body: parts.join(''), slots: [...slots.keys()] };
}

/** The text with a slot in place of every reference; lines stay lines. */
function withSlots({ text, references }: Expression, slots: ReadonlyMap<string, number>): string {
  let replaced = '';
  let done = 0;
  for (const { path, asks, start, end } of references) {
    const lines = text.slice(start, end).replaceAll(/[^\n\r\u2028\u2029]/g, '');
    replaced += `${text.slice(done, start)}${asks === 'value' ? '$$v' : '$$q'}[${slots.get(path)}]${lines}`;
    done = end;
  }
  return replaced + text.slice(done);
}

/** The results of a level of `count` expressions; null when this is not what a program of ours hands over. */
export function resultsOf(raw: Json, count: number): RawResult[] | null {
  if (!Array.isArray(raw) || raw.length > count) return null;
  return Array.from({ length: count }, (_, place) => resultOf(raw[place] ?? null));
}

function resultOf(raw: Json): RawResult {
  if (!isJsonObject(raw)) return { ok: true, value: Array.isArray(raw) ? null : raw };
  const { j, e, f } = raw;
  if (typeof j === 'string') return { ok: true, value: parseJson(j) };
  if (typeof e === 'string') return { ok: false, why: 'failed', message: e.slice(0, 1_000) };
  return { ok: false, why: 'not a value', message: typeof f === 'string' ? f.slice(0, 100) : 'nothing' };
}
