import { functionName, kindOf } from '../kinds.ts';
import {
  apply,
  BufferPrototype,
  dataMember,
  dateTextOf,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  isView,
  ObjectPrototype,
  PrimitiveString,
  PrimitiveUint8Array,
  sliceText,
} from '../primordials.ts';
import { isProxy } from './tracked-proxies.ts';

/**
 * Reads of values that run no code of the author: own data and the engine's own functions, saved before the body runs.
 * Neither getters nor proxies are called, nor what a class of the author has in place of a method of the engine.
 */

/** Objects with longer chains are shown as plain ones. */
const MAX_PROTOTYPES = 20;

type Method = (this: unknown, ...all: unknown[]) => unknown;

const sizeOfMap = getterOf(Map.prototype, 'size');
const sizeOfSet = getterOf(Set.prototype, 'size');
const lengthOfView = getterOf(getPrototypeOf(PrimitiveUint8Array.prototype) as object, 'length');
const lengthOfBuffer = getterOf(BufferPrototype, 'byteLength');
const sourceOfPattern = getterOf(RegExp.prototype, 'source');
const eachOfMap = methodOf(Map.prototype, 'forEach');
const eachOfSet = methodOf(Set.prototype, 'forEach');
const valueOfNumber = methodOf(Number.prototype, 'valueOf');
const valueOfString = methodOf(String.prototype, 'valueOf');
const valueOfBoolean = methodOf(Boolean.prototype, 'valueOf');
const valueOfBigInt = methodOf(BigInt.prototype, 'valueOf');
const valueOfSymbol = methodOf(Symbol.prototype, 'valueOf');
const prototypeOfString = String.prototype;

const flags: readonly (readonly [Method, string])[] = [
  [getterOf(RegExp.prototype, 'hasIndices'), 'd'],
  [getterOf(RegExp.prototype, 'global'), 'g'],
  [getterOf(RegExp.prototype, 'ignoreCase'), 'i'],
  [getterOf(RegExp.prototype, 'multiline'), 'm'],
  [getterOf(RegExp.prototype, 'dotAll'), 's'],
  [getterOf(RegExp.prototype, 'unicode'), 'u'],
  [getterOf(RegExp.prototype, 'unicodeSets'), 'v'],
  [getterOf(RegExp.prototype, 'sticky'), 'y'],
];

function getterOf(prototype: object, name: string): Method {
  return getOwnPropertyDescriptor(prototype, name)?.get as Method;
}

function methodOf(prototype: object, name: string): Method {
  return dataMember(prototype, name) as Method;
}

/** The result of a function of the engine; undefined if the object is not of its class. */
function called(method: Method, object: object, args: unknown[] = []): unknown {
  try {
    return apply(method, object, args);
  } catch {
    return undefined;
  }
}

/** The kind of an object; '' if finding it would ask a proxy. */
export function safeKindOf(object: object): string {
  let holder = getPrototypeOf(object) as object | null;
  for (let depth = 0; holder !== null; depth += 1) {
    if (depth === MAX_PROTOTYPES || isProxy(holder)) return '';
    const made = dataMember(holder, 'constructor');
    if (typeof made === 'function' && isProxy(made)) return '';
    holder = getPrototypeOf(holder) as object | null;
  }
  return kindOf(object);
}

/** The name of its class with a space; '' for a plain object. */
export function classNameOf(object: object): string {
  const prototype = getPrototypeOf(object) as object | null;
  if (prototype === null || prototype === ObjectPrototype || isProxy(prototype)) return '';
  const made = dataMember(prototype, 'constructor');
  const name = typeof made === 'function' && !isProxy(made) ? functionName(made) : '';
  return name === '' || name === 'Object' ? '' : `${name} `;
}

/** How many entries a Map or Set has; undefined if it is none. */
export function sizeOf(object: object): number | undefined {
  return (called(sizeOfMap, object) ?? called(sizeOfSet, object)) as number | undefined;
}

/** How many elements a typed array has; 0 for other objects. */
export function viewLengthOf(object: object): number {
  return isView(object) ? ((called(lengthOfView, object) as number | undefined) ?? 0) : 0;
}

/** Calls back for each entry of a Map or Set. */
export function eachEntry(object: object, visit: (value: unknown, key: unknown) => void): void {
  called(called(sizeOfMap, object) === undefined ? eachOfSet : eachOfMap, object, [visit]);
}

/**
 * The text of an object that the engine made for a value that is no object: a date, a pattern, a buffer, or a number,
 * text or other primitive in an object. Undefined for other objects, also for objects that only inherit from such a class.
 */
export function wrappedText(object: object, kind: string, primitive: (value: unknown) => string): string | undefined {
  switch (kind) {
    case 'Date':
      return dateText(object);
    case 'RegExp':
      return patternText(object);
    case 'ArrayBuffer': {
      const bytes = called(lengthOfBuffer, object);
      return typeof bytes === 'number' ? `ArrayBuffer(${bytes})` : undefined;
    }
    case 'Number':
      return inObject(called(valueOfNumber, object), primitive);
    case 'String':
      return inObject(called(valueOfString, object), primitive);
    case 'Boolean':
      return inObject(called(valueOfBoolean, object), primitive);
    case 'BigInt':
      return inObject(called(valueOfBigInt, object), primitive);
    case 'Symbol':
      return inObject(called(valueOfSymbol, object), primitive);
    default:
      return undefined;
  }
}

const inObject = (value: unknown, primitive: (value: unknown) => string): string | undefined =>
  value === undefined ? undefined : `Object(${primitive(value)})`;

function dateText(object: object): string | undefined {
  try {
    return dateTextOf(object);
  } catch {
    return undefined;
  }
}

function patternText(object: object): string | undefined {
  const source = called(sourceOfPattern, object);
  if (typeof source !== 'string') return undefined;
  let text = `/${source}/`;
  for (let index = 0; index < flags.length; index += 1) {
    const [has, letter] = flags[index] as readonly [Method, string];
    if (called(has, object) === true) text += letter;
  }
  return text;
}

/** Name and message of an error. */
export function errorText(error: object, most: number): string {
  const message = inheritedData(error, 'message');
  const name = inheritedData(error, 'name');
  const title = typeof name === 'string' && name !== '' ? sliceText(name, 0, 60) : 'Error';
  return typeof message === 'string' && message !== '' ? `${title}: ${sliceText(message, 0, most)}` : title;
}

/** A member that is no getter, of the object or of its classes. */
export function inheritedData(object: object, name: string): unknown {
  const found = memberOf(object, name);
  return found !== undefined && hasOwn(found, 'value') ? found.value : undefined;
}

/** A member of the object or of its classes; undefined if it has none, or only a proxy knows. */
function memberOf(object: object, name: string): PropertyDescriptor | undefined {
  let holder: object | null = object;
  for (let depth = 0; holder !== null && depth < MAX_PROTOTYPES; depth += 1) {
    if (isProxy(holder)) return undefined;
    const found = getOwnPropertyDescriptor(holder, name);
    if (found !== undefined) return found;
    holder = getPrototypeOf(holder) as object | null;
  }
  return undefined;
}

/** A getter, which only a person calls. */
export const GETTER = {};

/** A member of any value; `GETTER` for one that would run code of the author, and for every member of a proxy. */
export function peekMember(value: unknown, name: string): unknown {
  if (typeof value === 'string') {
    return name === 'length' || hasOwn(value as unknown as object, name)
      ? (value as unknown as Record<string, unknown>)[name]
      : inheritedData(prototypeOfString, name);
  }
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
    if (value === null || value === undefined) throw new TypeError(`${PrimitiveString(value)} has no members`);
    return undefined;
  }
  if (isProxy(value)) return GETTER;
  const found = memberOf(value, name);
  if (found === undefined) return undefined;
  if (hasOwn(found, 'value')) return found.value;
  const { get } = found as { get?: unknown };
  if (get === sizeOfMap || get === sizeOfSet) return sizeOf(value);
  return get === lengthOfView ? viewLengthOf(value) : GETTER;
}
