import { MAX_JSON_DEPTH } from '../protocol/limits.ts';
import {
  abs,
  ArrayPrototype,
  base64Of,
  booleanOf,
  captureStackTrace,
  EngineError,
  getPrototypeOf,
  isArray,
  isError,
  isFinite,
  isoTextOf,
  isView,
  keys,
  matchOnce,
  ObjectPrototype,
  PrimitiveNumber,
  PrimitiveString,
  PrimitiveUint8Array,
  sliceText,
  stringify,
  tagOf,
  timeOf,
} from './primordials.ts';
import type { Visit } from './place.ts';
import { placeOf } from './place.ts';

const MAX_EXACT = 2 ** 53;

/** What a conversion does where JSON cannot say the value. */
export interface JsonRules {
  /** How messages call the value as a whole: `the result`. */
  subject: string;
  /** The most characters of the text. */
  maxLength: number;
  /** What to say when the text gets longer. */
  tooLong: string;
  /** Called for NaN, Infinity and invalid dates, which become null; calls `notJson` where they may not. */
  notFinite(place: string, what: string): void;
}

/** What is thrown when a value, or a member of it, is nothing that JSON can say; the message tells where and what. */
export const NOT_JSON = { message: '' };

export function notJson(message: string): never {
  NOT_JSON.message = message;
  throw NOT_JSON;
}

// The state of the one conversion that goes on. A `toJSON` or getter of the value may start another: see convert.
let rules: JsonRules;
let length = 0;
let here: Visit | null = null;
let key: string | number = '';
let visits: Visit[] = [];

/**
 * The value as JSON text: Dates become ISO text, undefined null, typed arrays and ArrayBuffers Base64
 * text, errors `{ name, message }`, BigInts within ±2^53 numbers; `toJSON` is honoured as JSON.stringify does.
 * Throws NOT_JSON for a function, symbol, cycle, collection or other value that JSON cannot say.
 */
export function toJson(value: unknown, by: JsonRules): string {
  const outer = { rules, length, here, key, visits };
  try {
    begin(by);
    return write(value, 0);
  } finally {
    ({ rules, length, here, key, visits } = outer);
  }
}

/** As toJson, and refuses proxies too. It marks the objects of the value, so nothing may use them afterwards. */
export function toJsonAtTheEnd(value: unknown, by: JsonRules): string {
  begin(by);
  const text = write(value, 0);
  refuseProxies();
  return text;
}

function begin(by: JsonRules): void {
  rules = by;
  length = 0;
  here = null;
  key = '';
  visits = [];
}

function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      return isFinite(value) ? counted(`${value}`) : nothing(`${value}`);
    case 'boolean':
      return counted(value ? 'true' : 'false');
    case 'undefined':
      return counted('null');
    case 'object':
      return value === null ? counted('null') : writeObject(value, depth);
    default:
      return writeRare(value);
  }
}

/** Looks at the length first: quoting a text that is too long could take all the memory of the run. */
function quoted(value: string): string {
  if (length + value.length > rules.maxLength) notJson(rules.tooLong);
  return counted(stringify(value));
}

function writeRare(value: unknown): string {
  if (typeof value === 'bigint') {
    const number = PrimitiveNumber(value);
    if (abs(number) <= MAX_EXACT) return counted(`${number}`);
    const digits = abs(number) < 1e40 ? ` (${value}n)` : '';
    return refuse(`a BigInt${digits} beyond ±2^53, which JSON cannot keep exactly; make it text`);
  }
  return refuse(typeof value === 'function' ? 'a function; put in what it computes' : `a ${typeof value}`);
}

function writeObject(object: object, depth: number): string {
  if (depth >= MAX_JSON_DEPTH) return refuse(`nested deeper than ${MAX_JSON_DEPTH} levels`);
  for (let above = here; above !== null; above = above.parent) {
    if (above.object === object)
      return refuse(`a cycle: it leads back to ${placeOf(rules.subject, above.parent, above.key)}`);
  }
  const outer = here;
  const outerKey = key;
  const visit: Visit = { object, parent: outer, key: outerKey };
  visits[visits.length] = visit;
  here = visit;
  const text = isArray(object) ? writeArray(object, depth) : writeOther(object, depth);
  here = outer;
  key = outerKey;
  return text;
}

function writeOther(object: object, depth: number): string {
  const prototype: unknown = getPrototypeOf(object);
  if (prototype === ObjectPrototype || prototype === null) return writePlain(object, depth);
  if (isView(object)) return counted(`"${base64Of(bytesOf(object))}"`);
  if (isError(object)) return writeMembers({ name: object.name, message: object.message }, depth);
  const tag = tagOf(object);
  switch (tag) {
    case '[object Date]': {
      const time = timeOf(object as Date);
      return isFinite(time) ? counted(`"${isoTextOf(object as Date)}"`) : nothing('an invalid Date', true);
    }
    case '[object ArrayBuffer]':
      return counted(`"${base64Of(new PrimitiveUint8Array(object as ArrayBuffer))}"`);
    case '[object Boolean]':
      return write(booleanOf(object), depth);
    case '[object Number]':
      return write(PrimitiveNumber(object), depth);
    case '[object String]':
      return write(PrimitiveString(object), depth);
    case '[object Promise]':
      return refuse('a Promise; await it first', true);
    case '[object Map]':
      return refuse('a Map; use Object.fromEntries(map)', true);
    case '[object Set]':
      return refuse('a Set; use Array.from(set)', true);
    case '[object RegExp]':
    case '[object WeakMap]':
    case '[object WeakSet]':
    case '[object WeakRef]':
      return refuse(`a ${sliceText(tag, 8, -1)}`, true);
    default:
      return writePlain(object, depth);
  }
}

function writePlain(object: object, depth: number): string {
  const { toJSON } = object as { toJSON?: unknown };
  if (typeof toJSON !== 'function') return writeMembers(object as Record<string, unknown>, depth);
  return write((object as { toJSON(key: string): unknown }).toJSON(`${key}`), depth + 1);
}

function writeMembers(object: Record<string, unknown>, depth: number): string {
  const names = keys(object);
  let text = '{';
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] as string;
    key = name;
    text += counted(`${index === 0 ? '' : ','}${stringify(name)}:`) + write(object[name], depth + 1);
  }
  return `${text}${counted('}')}`;
}

function writeArray(array: unknown[], depth: number): string {
  if (getPrototypeOf(array) !== ArrayPrototype && 'toJSON' in array) return writePlain(array, depth);
  let text = '[';
  for (let index = 0; index < array.length; index += 1) {
    key = index;
    text += (index === 0 ? '' : counted(',')) + write(array[index], depth + 1);
  }
  return `${text}${counted(']')}`;
}

/** A proxy looks like any object to JavaScript, but the engine refuses to keep a stack trace on one. */
function refuseProxies(): void {
  if (visits.length === 0) return;
  stopTraces();
  for (let index = 0; index < visits.length; index += 1) {
    const visit = visits[index] as Visit;
    try {
      captureStackTrace(visit.object);
    } catch (thrown) {
      // Of frozen and sealed objects the engine says `Cannot define property`.
      const { message } = thrown as Error;
      if (matchOnce(/^Cannot/, message) !== null) continue;
      notJson(`${placeOf(rules.subject, visit.parent, visit.key)} is a proxy; make a plain copy of it`);
    }
  }
}

function stopTraces(): void {
  try {
    EngineError.stackTraceLimit = 0;
  } catch {
    // The script made it its own: traces only cost time.
  }
}

function nothing(what: string, entered = false): string {
  rules.notFinite(entered ? placeOfHere() : placeOf(rules.subject, here, key), what);
  return counted('null');
}

function counted(text: string): string {
  length += text.length;
  if (length > rules.maxLength) notJson(rules.tooLong);
  return text;
}

/** Refuses the value at hand; `entered` says that it is the object that was entered last. */
function refuse(what: string, entered = false): never {
  return notJson(`${entered ? placeOfHere() : placeOf(rules.subject, here, key)} is ${what}`);
}

function placeOfHere(): string {
  return here === null ? rules.subject : placeOf(rules.subject, here.parent, here.key);
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new PrimitiveUint8Array(view.buffer, view.byteOffset, view.byteLength);
}
