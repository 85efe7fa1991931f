import { JSON_COST, MAX_JSON_COST, MAX_JSON_DEPTH } from '../../../platform/host-pipe/limits.ts';
import { callBuiltIn, kindOf } from './kinds.ts';
import {
  ArrayPrototype,
  EngineError,
  ObjectPrototype,
  PrimitiveString,
  PrimitiveUint8Array,
  base64Of,
  captureStackTrace,
  getOwnPropertySymbols,
  getPrototypeOf,
  hasMember,
  hasOwn,
  isArray,
  isEnumerable,
  isError,
  isFinite,
  isView,
  isoTextOf,
  keys,
  matchOnce,
  sliceText,
  stringify,
  timeOf,
} from './primordials.ts';

/** An object on the way, and how it was reached. */
interface Visit {
  object: object;
  parent: Visit | null;
  key: string | number;
  /** The object that was entered before it; null for the first. */
  before: Visit | null;
}

/**
 * The place of a value as messages name it: `the result.lines[3]`.
 * @param subject the name of the whole value
 * @param parent the object that contains it; null for the whole
 * @param last its key in the parent
 */
function placeOf(subject: string, parent: Visit | null, last: string | number): string {
  if (parent === null) return subject;
  let place = step(last);
  for (let visit = parent; visit.parent !== null; visit = visit.parent) place = step(visit.key) + place;
  return `${subject}${place}`;
}

function step(name: string | number): string {
  if (typeof name === 'number') return `[${name}]`;
  const shown = name.length > 100 ? `${sliceText(name, 0, 100)}…` : name;
  return matchOnce(/^[A-Za-z_$][\w$]*$/, shown) === null ? `[${stringify(shown)}]` : `.${shown}`;
}

export const MAX_EXACT = 2 ** 53;

/** What a conversion does with values that JSON cannot represent. */
export interface JsonRules {
  /** The name of the whole value in messages: `the result`. */
  subject: string;
  /** The maximum length of the text in characters. */
  maxLength: number;
  /** The message for a longer text. */
  tooLong: string;
  /**
   * Called for NaN, Infinity and invalid dates, which are replaced by null, and for members with symbol keys, which are
   * omitted. Calls `notJson` if nothing may be lost.
   */
  lost(place: string, what: string, became: string): void;
}

/** Thrown if JSON cannot represent a value or a member of it; the message names the place and the reason. */
export const NOT_JSON = { message: '' };

export function notJson(message: string): never {
  NOT_JSON.message = message;
  throw NOT_JSON;
}

/** The minimum that the child counts, in the units of JSON_COST: one for each value, comma or start of a container. */
const MORE_FOR_CONTAINER = JSON_COST.container - 2 * JSON_COST.other;
const MORE_FOR_TEXT = JSON_COST.text - JSON_COST.other;
const MORE_FOR_MEMBER = JSON_COST.text + JSON_COST.member;

// The state of the one conversion in progress. A `toJSON` or getter of the value may start another: see toJson.
let rules: JsonRules;
let length = 0;
let cost = 0;
let here: Visit | null = null;
let key: string | number = '';
/** The objects of the value, last one first. */
let visits: Visit | null = null;

/**
 * The value as JSON text: Dates become ISO text, undefined null, typed arrays and ArrayBuffers Base64 text, errors
 * their name, message and own members, BigInts within ±2^53 numbers; `toJSON` is honored as in JSON.stringify. Throws
 * NOT_JSON for everything else that JSON cannot represent exactly: functions, symbols, cycles, collections, boxed
 * primitives.
 */
export function toJson(value: unknown, by: JsonRules): string {
  const outer = { rules, length, cost, here, key, visits };
  try {
    begin(by);
    return write(value, 0);
  } finally {
    ({ rules, length, cost, here, key, visits } = outer);
  }
}

/** Like toJson, but also rejects proxies. It marks the objects of the value, so nothing may use them afterwards. */
export function toJsonAtTheEnd(value: unknown, by: JsonRules): string {
  begin(by);
  const text = write(value, 0);
  refuseProxies();
  return text;
}

function begin(by: JsonRules): void {
  rules = by;
  length = 0;
  cost = 0;
  here = null;
  key = '';
  visits = null;
}

function write(value: unknown, depth: number): string {
  charge(JSON_COST.other);
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

/** Checks the length first: quoting a text that is too long could take all the memory of the run. */
function quoted(value: string): string {
  if (length + value.length > rules.maxLength) notJson(rules.tooLong);
  charge(MORE_FOR_TEXT);
  return counted(stringify(value));
}

function writeRare(value: unknown): string {
  if (typeof value === 'bigint') {
    // Compared as a BigInt: as a number it would be rounded first.
    if (value >= -MAX_EXACT && value <= MAX_EXACT) return counted(`${value}`);
    const digits = value > -1e40 && value < 1e40 ? ` (${value}n)` : '';
    return refuse(`a BigInt${digits} beyond ±2^53, which JSON cannot represent exactly; convert it to text`);
  }
  return refuse(typeof value === 'function' ? 'a function; use its result instead' : `a ${typeof value}`);
}

function writeObject(object: object, depth: number): string {
  if (depth >= MAX_JSON_DEPTH) return refuse(`nested deeper than ${MAX_JSON_DEPTH} levels`);
  for (let above = here; above !== null; above = above.parent) {
    if (above.object === object)
      return refuse(`a cycle: it leads back to ${placeOf(rules.subject, above.parent, above.key)}`);
  }
  const outer = here;
  const outerKey = key;
  here = { object, parent: outer, key: outerKey, before: visits };
  visits = here;
  const text = isArray(object) ? writeArray(object, depth) : writeOther(object, depth);
  here = outer;
  key = outerKey;
  return text;
}

function writeOther(object: object, depth: number): string {
  const prototype: unknown = getPrototypeOf(object);
  if (prototype === ObjectPrototype || prototype === null) {
    return hasOwn(object, 'toJSON') ? writeConverted(object, depth) : writePlain(object, depth);
  }
  if (isView(object)) return writeBytes(object);
  const kind = isError(object) ? 'Error' : kindOf(object);
  // A Date has a toJSON, which returns the same text.
  if (kind !== 'Date' && hasMember(object, 'toJSON')) return writeConverted(object, depth);
  return kind === '' ? writePlain(object, depth) : writeBuiltIn(object, kind, depth);
}

function writeBuiltIn(object: object, kind: string, depth: number): string {
  switch (kind) {
    case 'Error':
      return writeError(object as Error, depth);
    case 'Date':
      return writeDate(object);
    case 'ArrayBuffer':
      return writeBytes(object);
    case 'Boolean':
    case 'Number':
    case 'String':
    case 'BigInt':
    case 'Symbol':
      return refuse(`a ${kind} object; use its primitive, value.valueOf()`, true);
    case 'Promise':
      return refuse('a Promise; await it first', true);
    case 'Map':
      return refuse('a Map; use Object.fromEntries(map)', true);
    case 'Set':
      return refuse('a Set; use Array.from(set)', true);
    case 'URLSearchParams':
      return refuse('a URLSearchParams; use params.toString() or Object.fromEntries(params)', true);
    case 'Iterator':
      return refuse('an iterator; use Array.from(iterator)', true);
    case 'AsyncIterator':
      return refuse('an async iterator; use await Array.fromAsync(iterator)', true);
    default:
      return refuse(`${matchOnce(/^[AEIO]/, kind) === null ? 'a' : 'an'} ${kind}`, true);
  }
}

function writeDate(object: object): string {
  let time;
  try {
    time = timeOf(object);
  } catch {
    return refuse('an object with the prototype of Date, but not a Date; maybe a proxy', true);
  }
  return isFinite(time) ? counted(`"${isoTextOf(object)}"`) : nothing('an invalid Date', true);
}

function writeBytes(object: object): string {
  let text;
  try {
    // Read first, because it limits the text. Throws if the value only inherits from a buffer.
    if (length + ((callBuiltIn(object, 'byteLength') as number | undefined) ?? 0) > rules.maxLength)
      notJson(rules.tooLong);
    text = isView(object) ? viewBase64(object) : base64Of(new PrimitiveUint8Array(object as ArrayBuffer));
  } catch (thrown) {
    if (thrown === NOT_JSON) throw thrown;
    return refuse('a buffer whose bytes cannot be read: it was transferred, or is a proxy', true);
  }
  return counted(`"${text}"`);
}

function viewBase64(view: ArrayBufferView): string {
  try {
    return base64Of(view as Uint8Array);
  } catch {
    // Only one sort of view has this method.
  }
  const buffer = callBuiltIn(view, 'buffer') as ArrayBuffer;
  const from = callBuiltIn(view, 'byteOffset') as number;
  return base64Of(new PrimitiveUint8Array(buffer, from, callBuiltIn(view, 'byteLength') as number));
}

/** Name and message, which an error often has from its class, then its own members, including non-enumerable ones. */
function writeError(error: Error, depth: number): string {
  const members: Record<string, unknown> = {
    __proto__: null,
    name: textIn(error, 'name', 'Error'),
    message: textIn(error, 'message', ''),
  };
  if (hasOwn(error, 'cause')) members['cause'] = error.cause;
  if (hasOwn(error, 'errors')) members['errors'] = (error as AggregateError).errors;
  const names = keys(error);
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] as keyof Error;
    members[name] = error[name];
  }
  return writeMembers(error, members, depth);
}

/** An own member unchanged; a member of its class if that is a text. */
function textIn(error: Error, name: 'name' | 'message', otherwise: string): unknown {
  if (hasOwn(error, name)) return error[name];
  try {
    const text: unknown = error[name];
    return typeof text === 'string' ? text : otherwise;
  } catch {
    return otherwise;
  }
}

function writeConverted(object: object, depth: number): string {
  const { toJSON } = object as { toJSON?: unknown };
  if (typeof toJSON !== 'function') return writePlain(object, depth);
  // Counted together with the value that it becomes.
  cost -= JSON_COST.other;
  return write((object as { toJSON(key: string): unknown }).toJSON(`${key}`), depth + 1);
}

function writePlain(object: object, depth: number): string {
  return writeMembers(object, object as Record<string, unknown>, depth);
}

function writeMembers(object: object, members: Record<string, unknown>, depth: number): string {
  const symbols = getOwnPropertySymbols(object);
  if (symbols.length > 0) loseSymbols(object, symbols);
  const names = keys(members);
  charge(MORE_FOR_CONTAINER);
  let text = '{';
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] as string;
    key = name;
    if (name === '__proto__') refuse('a property name that JSON readers treat as the prototype; rename it');
    charge(MORE_FOR_MEMBER);
    text += counted(`${index === 0 ? '' : ','}${stringify(name)}:`) + write(members[name], depth + 1);
  }
  return `${text}${counted('}')}`;
}

function loseSymbols(object: object, symbols: symbol[]): void {
  for (let index = 0; index < symbols.length; index += 1) {
    const symbol = symbols[index] as symbol;
    if (!isEnumerable(object, symbol)) continue;
    rules.lost(`${placeOfHere()}[${PrimitiveString(symbol)}]`, 'a member with a symbol key', 'omitted');
  }
}

function writeArray(array: unknown[], depth: number): string {
  const ofClass = getPrototypeOf(array) !== ArrayPrototype;
  if (ofClass ? hasMember(array, 'toJSON') : hasOwn(array, 'toJSON')) {
    if (typeof (array as { toJSON?: unknown }).toJSON === 'function') return writeConverted(array, depth);
  }
  charge(MORE_FOR_CONTAINER);
  let text = '[';
  for (let index = 0; index < array.length; index += 1) {
    key = index;
    text += (index === 0 ? '' : counted(',')) + write(array[index], depth + 1);
  }
  return `${text}${counted(']')}`;
}

/** A proxy looks like any object to JavaScript, but the engine cannot attach a stack trace to one. */
function refuseProxies(): void {
  if (visits === null) return;
  stopTraces();
  for (let visit: Visit | null = visits; visit !== null; visit = visit.before) {
    try {
      captureStackTrace(visit.object);
    } catch (thrown) {
      // For frozen and sealed objects, the engine throws `Cannot define property`.
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
    // The script replaced it: stack traces would only cost time.
  }
}

function nothing(what: string, entered = false): string {
  rules.lost(entered ? placeOfHere() : placeOf(rules.subject, here, key), what, 'replaced by null');
  return counted('null');
}

/**
 * Main accepts a limited number of parts, which the child counts; here, one too many is rejected before it is
 * converted.
 */
function charge(units: number): void {
  cost += units;
  if (cost <= MAX_JSON_COST) return;
  const most = `the limit corresponds to ${MAX_JSON_COST / 1e6} million numbers`;
  notJson(`${rules.subject} has too many parts (arrays, objects, members and values): ${most}`);
}

function counted(text: string): string {
  length += text.length;
  if (length > rules.maxLength) notJson(rules.tooLong);
  return text;
}

/** Rejects the current value; `entered` means that it is the object that was entered last. */
function refuse(what: string, entered = false): never {
  return notJson(`${entered ? placeOfHere() : placeOf(rules.subject, here, key)} is ${what}`);
}

function placeOfHere(): string {
  return here === null ? rules.subject : placeOf(rules.subject, here.parent, here.key);
}
