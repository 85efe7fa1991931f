import type { DebugQuestion } from '../../protocol/debug.ts';
import { inspect } from '../inspect.ts';
import { functionName } from '../kinds.ts';
import {
  append,
  getOwnPropertyDescriptor,
  getOwnPropertyNames,
  getOwnPropertySymbols,
  getPrototypeOf,
  hasOwn,
  isArray,
  isError,
  isView,
  own,
  PrimitiveString,
  sliceText,
  stringify,
} from '../primordials.ts';
import {
  classNameOf,
  eachEntry,
  errorText,
  GETTER,
  peekMember,
  safeKindOf,
  sizeOf,
  viewLengthOf,
  wrappedText,
} from './data-only.ts';
import { thrownData } from './thrown-data.ts';
import { isProxy } from './tracked-proxies.ts';

/** Evaluates a text at a place of the body. */
export type FrameView = (text: string) => unknown;

/** A frame of the paused run. */
export interface PausedFrame {
  fn: number;
  point: number;
  view: FrameView | undefined;
}

const MAX_TEXT = 500;
const MAX_PREVIEW = 100;
const MAX_NAME = 200;
const MAX_SHOWN = 300;
const MAX_COUNT = 1_000;
/** Own members of larger objects are not listed by name, which would take long. */
const MAX_MEMBERS = 100_000;

const realm: object = globalThis;

/** The objects that main knows, by their number less one. */
let objects: object[] = [];

/** Main forgets all objects: the run continues. */
export function closeInspection(): void {
  objects = [];
}

/** The reply to a question, as JSON text. Calls code of the author only for `evaluate`, `assign` and `get`. */
export function query(question: DebugQuestion, frames: PausedFrame[], thrown: unknown): string {
  try {
    switch (own(question, 'ask')) {
      case 'scope':
        return scope(frameOf(question, frames), own(question, 'names') ?? []);
      case 'members':
        return membersOf(objectOf(question), own(question, 'from') ?? 0, own(question, 'count') ?? MAX_COUNT);
      case 'evaluate':
        return variable('', evaluated(frameOf(question, frames), own(question, 'text') ?? ''));
      case 'assign':
        return assigned(question, frames);
      case 'peek':
        return peeked(question, frames);
      case 'get':
        return variable(own(question, 'name') ?? '', memberOf(objectOf(question), own(question, 'name') ?? ''));
      case 'thrown':
        return variable('', thrown);
      default:
        return '{"failed":"an unknown question"}';
    }
  } catch (error) {
    return `{"error":${thrownData(error)}}`;
  }
}

function frameOf(question: DebugQuestion, frames: PausedFrame[]): PausedFrame {
  const frame = frames[own(question, 'frame') ?? 0];
  if (frame === undefined) throw new Error('this frame no longer exists');
  return frame;
}

function objectOf(question: DebugQuestion): object {
  const object = objects[(own(question, 'ref') ?? 0) - 1];
  if (object === undefined) throw new Error('this value no longer exists: the run has continued');
  return object;
}

function evaluated({ view }: PausedFrame, text: string): unknown {
  if (view === undefined) throw new Error('nothing can be evaluated here: a variable is named "eval"');
  return view(text);
}

/** The variables of one scope. A variable that is not initialized yet is shown as such. */
function scope(frame: PausedFrame, names: string[]): string {
  let functions = '';
  for (let index = 0; index < names.length; index += 1) functions += `()=>${names[index]},`;
  const read = evaluated(frame, `[${functions}]`) as (() => unknown)[];
  let json = '';
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] as string;
    json += index === 0 ? '' : ',';
    try {
      json += variable(name, (read[index] as () => unknown)());
    } catch {
      json += plain(name, 'not initialized', 'none');
    }
  }
  return `[${json}]`;
}

function assigned(question: DebugQuestion, frames: PausedFrame[]): string {
  const frame = frameOf(question, frames);
  const name = own(question, 'name') ?? '';
  const value = evaluated(frame, own(question, 'text') ?? '');
  if (own(question, 'ref') === undefined) {
    const write = evaluated(frame, `(($)=>{${name}=$})`) as (value: unknown) => void;
    write(value);
  } else {
    (objectOf(question) as Record<string, unknown>)[name] = value;
  }
  return variable(name, value);
}

/** A name, or a member of a member, as far as it can be read without code of the author. */
function peeked(question: DebugQuestion, frames: PausedFrame[]): string {
  const names = own(question, 'names') ?? [];
  let at = 0;
  let value: unknown = realm;
  if (own(question, 'name') !== undefined) {
    const read = evaluated(frameOf(question, frames), `()=>${question.name}`) as () => unknown;
    value = read();
  }
  for (; at < names.length; at += 1) {
    if (value === GETTER) throw new Error('a getter is called only on demand');
    const name = names[at] as string;
    // `?.` of nothing is nothing.
    if (name === '?.' && (value === null || value === undefined)) return variable('', undefined);
    if (name !== '?.') value = peekMember(value, sliceText(name, 1, name.length));
  }
  return value === GETTER ? plain('', '(...)', 'getter') : variable('', value);
}

function memberOf(object: object, name: string): unknown {
  return (object as Record<string, unknown>)[name];
}

/** The members of an object: elements first, then names, symbols, what it contains, and its prototype. */
function membersOf(object: object, from: number, most: number): string {
  const count = most < MAX_COUNT ? most : MAX_COUNT;
  if (isProxy(object)) return '[]';
  const length = lengthOf(object);
  const parts: string[] = [];
  for (let index = from; index < length && parts.length < count; index += 1) {
    const isThere = isView(object) || hasOwn(object, index);
    append(parts, isThere ? member(object, `${index}`) : plain(`${index}`, 'empty', 'none'));
  }
  if (parts.length === count) return listJson(parts);
  const others = othersOf(object, length);
  for (let index = from > length ? from - length : 0; index < others.length && parts.length < count; index += 1) {
    append(parts, (others[index] as () => string)());
  }
  return listJson(parts);
}

function listJson(parts: string[]): string {
  let json = '';
  for (let index = 0; index < parts.length; index += 1) json += `${index === 0 ? '' : ','}${parts[index]}`;
  return `[${json}]`;
}

/** How to write each of the other members, once they are asked for. */
function othersOf(object: object, length: number): (() => string)[] {
  const all: (() => string)[] = [];
  if (length <= MAX_MEMBERS) {
    const names = getOwnPropertyNames(object);
    const isList = length > 0;
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index] as string;
      if (!isList || !isIndex(name, length)) append(all, () => member(object, name));
    }
  }
  const symbols = getOwnPropertySymbols(object);
  for (let index = 0; index < symbols.length; index += 1) {
    const symbol = symbols[index] as symbol;
    append(all, () => member(object, symbol));
  }
  addEntries(object, all);
  const prototype = getPrototypeOf(object) as unknown;
  append(all, () => variable('[[Prototype]]', prototype));
  return all;
}

function addEntries(object: object, all: (() => string)[]): void {
  const kind = safeKindOf(object);
  if (kind !== 'Map' && kind !== 'Set') return;
  let place = 0;
  eachEntry(object, (value, key) => {
    const name = kind === 'Map' ? sliceText(inspectFlat(key), 0, MAX_NAME) : `${place}`;
    place += 1;
    append(all, () => variable(`[${name}]`, value));
  });
}

const isIndex = (name: string, length: number): boolean => {
  const number = +name;
  return number >= 0 && number < length && `${number}` === name;
};

/** How many elements it has; 0 if it is not an array. */
function lengthOf(object: object): number {
  if (isArray(object)) return object.length;
  return viewLengthOf(object);
}

function member(object: object, key: string | symbol): string {
  const name = typeof key === 'symbol' ? `[${PrimitiveString(key)}]` : key;
  const found = getOwnPropertyDescriptor(object, key);
  if (found === undefined) return plain(name, 'undefined', 'undefined');
  if (hasOwn(found, 'value')) return variable(name, own(found, 'value'));
  if (own(found, 'get') === undefined) return plain(name, 'setter', 'none');
  return `{"name":${named(name)},"text":"(...)","type":"getter","ref":0}`;
}

function plain(name: string, text: string, type: string): string {
  return `{"name":${named(name)},"text":${stringify(text)},"type":"${type}","ref":0}`;
}

function variable(name: string, value: unknown): string {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  if (!isObject) return plain(name, primitive(value), value === null ? 'null' : typeof value);
  append(objects, value);
  const length = isProxy(value) ? 0 : lengthOf(value);
  const text = sliceText(preview(value), 0, MAX_TEXT);
  return `{"name":${named(name)},"text":${stringify(text)},"type":"${typeof value}","ref":${objects.length},"length":${length}}`;
}

const named = (name: string): string => stringify(sliceText(name, 0, MAX_NAME));

function primitive(value: unknown): string {
  const text = typeof value === 'string' ? stringify(sliceText(value, 0, MAX_TEXT * 4)) : inspect(value, MAX_TEXT);
  return typeof value === 'string' && value.length > MAX_TEXT * 4 ? `${text}… (${value.length} characters)` : text;
}

/** A value in a text of the debugger: as in the list of variables. */
export function shownText(value: unknown): string {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return sliceText(isObject ? preview(value) : inspect(value, MAX_SHOWN), 0, MAX_SHOWN);
}

/** What an object is, with its first members. Reads data only: never a getter, never a proxy. */
function preview(object: object): string {
  if (isProxy(object)) return 'Proxy';
  if (object === realm) return 'globalThis';
  if (typeof object === 'function') return `ƒ ${functionName(object)}`;
  if (isError(object)) return `[${errorText(object, MAX_TEXT)}]`;
  const length = lengthOf(object);
  if (isArray(object)) return `(${length}) [${firstOf(object, elementNames(object, length), length)}]`;
  const kind = safeKindOf(object);
  if (kind === 'Map' || kind === 'Set') return `${kind}(${sizeOf(object) ?? '?'})`;
  if (length > 0) return `${kind}(${length})`;
  const wrapped = wrappedText(object, kind, primitive);
  if (wrapped !== undefined) return wrapped;
  const names = getOwnPropertyNames(object);
  const members = firstOf(object, names, names.length);
  const title = kind === '' ? titleOf(object) : `${kind} `;
  return `${title}{${members}}`;
}

function titleOf(object: object): string {
  return getPrototypeOf(object) === null ? '[Object: null prototype] ' : classNameOf(object);
}

function elementNames(array: object, length: number): string[] {
  const names: string[] = [];
  for (let index = 0; index < length && index < 10; index += 1) if (hasOwn(array, index)) append(names, `${index}`);
  return names;
}

function firstOf(object: object, names: string[], total: number): string {
  let text = '';
  for (let index = 0; index < names.length; index += 1) {
    if (text.length > MAX_PREVIEW) return `${text}, …`;
    const name = names[index] as string;
    const found = getOwnPropertyDescriptor(object, name);
    const shown = found !== undefined && hasOwn(found, 'value') ? inspectFlat(own(found, 'value')) : '(...)';
    text += `${index === 0 ? '' : ', '}${isArray(object) ? '' : `${sliceText(name, 0, 40)}: `}${shown}`;
  }
  return total > names.length ? `${text}${text === '' ? '' : ', '}…` : text;
}

function inspectFlat(value: unknown): string {
  if (typeof value === 'function') return 'ƒ';
  if (typeof value !== 'object' || value === null) return sliceText(primitive(value), 0, 60);
  if (isProxy(value)) return 'Proxy';
  if (value === realm) return 'globalThis';
  if (isArray(value)) return `Array(${value.length})`;
  const kind = isError(value) ? 'Error' : safeKindOf(value);
  return kind === '' ? `${titleOf(value)}{…}` : kind;
}
