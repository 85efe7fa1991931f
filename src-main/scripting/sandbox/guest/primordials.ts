/**
 * The built-ins that the guest uses, saved before the body runs: a script that replaces globals or prototypes only
 * breaks itself. Every run has a fresh realm, so this file is part of the cost of a run: methods are kept as they are,
 * for `apply`. Binding them, so that they take their receiver first, would take longer than most runs use them.
 *
 * Objects of the guest also inherit what a script puts on a prototype, so the guest only reads and writes own members:
 * literals and class fields create them, `put` and `append` add them, `own` reads them where they may be absent. It
 * uses no iterator, no spread of arrays, and no descriptor that inherits.
 */
export const PrimitiveError = Error;
export const PrimitiveTypeError = TypeError;
export const PrimitiveUint8Array = Uint8Array;
export const PrimitiveString = String;
export const PrimitiveNumber = Number;
export const PrimitivePromise = Promise;
// Each global is looked up once: a lookup costs as much as three functions.
const PrimitiveObject = Object;
const PrimitiveArray = Array;
const PrimitiveBuffer = ArrayBuffer;

export const { apply } = Reflect;
export const { isArray } = PrimitiveArray;
export const { isView } = PrimitiveBuffer;
export const { isFinite } = PrimitiveNumber;
export const { isError } = PrimitiveError;
export const { parse, stringify } = JSON;
export const { getPrototypeOf, setPrototypeOf, hasOwn, keys } = PrimitiveObject;
export const { getOwnPropertyDescriptor, getOwnPropertyNames, getOwnPropertySymbols } = PrimitiveObject;
const { defineProperty } = PrimitiveObject;

export const ObjectPrototype = PrimitiveObject.prototype;
export const ArrayPrototype = PrimitiveArray.prototype;
export const DatePrototype = Date.prototype;
export const BufferPrototype = PrimitiveBuffer.prototype;
const BytesPrototype = PrimitiveUint8Array.prototype;

const { slice: sliceMethod, indexOf: indexOfMethod } = '';
const { exec: execMethod } = RegExp.prototype;
const { getTime: timeMethod, toISOString: isoTextMethod, toString: dateTextMethod } = DatePrototype;
const { toBase64: base64Method, join: joinMethod } = BytesPrototype;
const { propertyIsEnumerable: isEnumerableMethod } = ObjectPrototype;
const { toString: functionTextMethod } = getPrototypeOf(apply) as () => void;

/** A descriptor includes what it inherits, so it must not inherit what the script put on Object.prototype. */
interface Descriptor {
  __proto__: null;
  value?: unknown;
  get?: PropertyDescriptor['get'] | undefined;
  set?: PropertyDescriptor['set'] | undefined;
  writable?: boolean;
  enumerable?: boolean;
  configurable?: boolean;
}

/** Like `object[name] = value`, but ignores setters that the script may have put on prototypes. */
export function put(object: object, name: PropertyKey, value: unknown): void {
  const data: Descriptor = { __proto__: null, value, writable: true, enumerable: true, configurable: true };
  defineProperty(object, name, data as PropertyDescriptor);
}

/** A member that JSON, keys and loops do not show. */
export function putHidden(object: object, name: PropertyKey, value: unknown): void {
  const data: Descriptor = { __proto__: null, value, writable: true, enumerable: false, configurable: true };
  defineProperty(object, name, data as PropertyDescriptor);
}

/** A hidden member that assignments do not change. */
export function putConstant(object: object, name: PropertyKey, value: unknown): void {
  const data: Descriptor = { __proto__: null, value, writable: false, enumerable: false, configurable: true };
  defineProperty(object, name, data as PropertyDescriptor);
}

/** Like an accessor in an object literal. */
export function putAccessor(
  object: object,
  name: PropertyKey,
  get: PropertyDescriptor['get'],
  set: PropertyDescriptor['set'],
): void {
  const accessor: Descriptor = { __proto__: null, get, set, enumerable: true, configurable: true };
  defineProperty(object, name, accessor as PropertyDescriptor);
}

/** An accessor like those of the engine. */
export function putAccessorHidden(
  object: object,
  name: PropertyKey,
  get: PropertyDescriptor['get'],
  set?: PropertyDescriptor['set'],
): void {
  const accessor: Descriptor = { __proto__: null, get, set, enumerable: false, configurable: true };
  defineProperty(object, name, accessor as PropertyDescriptor);
}

/** Like `array.push(value)`, but ignores setters that the script may have put on prototypes. */
export function append<T>(array: T[], value: T): void {
  put(array, array.length, value);
}

/** An own member; undefined if it has none. */
export function own<T extends object, Name extends keyof T>(object: T, name: Name): T[Name] | undefined {
  return hasOwn(object, name) ? object[name] : undefined;
}

/**
 * Whether an object has a member of its own or of its class; excludes what a script put on `Object.prototype` or
 * `Array.prototype`.
 */
export function hasMember(object: object, name: string): boolean {
  for (let holder: object | null = object; holder !== null; holder = getPrototypeOf(holder) as object | null) {
    if (holder === ObjectPrototype || holder === ArrayPrototype) return false;
    if (hasOwn(holder, name)) return true;
  }
  return false;
}

/** An own member that is not an accessor. */
export function dataMember(object: object, name: PropertyKey): unknown {
  const found = getOwnPropertyDescriptor(object, name);
  return found === undefined ? undefined : own(found, 'value');
}

/** Makes `await` use a promise of the engine directly, whatever the script did to `Promise.prototype`. */
export function sealPromise(promise: object): void {
  if (dataMember(PrimitivePromise.prototype, 'constructor') === PrimitivePromise) return;
  const data: Descriptor = { __proto__: null, value: PrimitivePromise };
  defineProperty(promise, 'constructor', data as PropertyDescriptor);
}

export function sliceText(text: string, from: number, to: number): string {
  return apply(sliceMethod, text, [from, to]);
}

export function matchOnce(pattern: RegExp, text: string): RegExpExecArray | null {
  return apply(execMethod, pattern, [text]);
}

export function indexOfText(text: string, part: string, from: number): number {
  return apply(indexOfMethod, text, [part, from]);
}

/** Throws if it is not a Date. */
export function timeOf(date: object): number {
  return apply<unknown, [], number>(timeMethod, date, []);
}

export function isoTextOf(date: object): string {
  return apply<unknown, [], string>(isoTextMethod, date, []);
}

export function dateTextOf(date: object): string {
  return apply<unknown, [], string>(dateTextMethod, date, []);
}

export function base64Of(bytes: Uint8Array): string {
  return apply(base64Method, bytes, []);
}

/** Some of the bytes as numbers separated by commas. */
export function joinBytes(buffer: ArrayBuffer, from: number, count: number): string {
  return apply(joinMethod, new PrimitiveUint8Array(buffer, from, count), [',']);
}

export function functionText(of: object): string {
  return apply<unknown, [], string>(functionTextMethod, of, []);
}

export function isEnumerable(object: object, name: PropertyKey): boolean {
  return apply(isEnumerableMethod, object, [name]);
}

/** The members that V8 adds to Error. */
interface EngineError {
  captureStackTrace(target: object, above?: (...args: never[]) => unknown): void;
  stackTraceLimit: number;
  prepareStackTrace?: unknown;
}

export const EngineError = PrimitiveError as unknown as EngineError;
export const { captureStackTrace } = EngineError;
