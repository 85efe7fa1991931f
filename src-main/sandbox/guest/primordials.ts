/**
 * The built-ins the guest works with, taken before the body runs: a script that replaces globals or prototypes breaks
 * itself alone. Every run has a fresh realm, so this file is part of what a run costs: methods are kept as they are, for
 * `apply`. To bind them, so that they take their receiver first, would take longer than most runs use them.
 */
export const PrimitiveError = Error;
export const PrimitiveTypeError = TypeError;
export const PrimitiveUint8Array = Uint8Array;
export const PrimitiveString = String;
export const PrimitiveNumber = Number;

export const { apply } = Reflect;
export const { isArray } = Array;
export const { isView } = ArrayBuffer;
export const { isFinite } = Number;
export const { isError } = Error;
export const { parse, stringify } = JSON;
export const { defineProperty, getPrototypeOf, keys } = Object;
export const { abs, min } = Math;

export const ObjectPrototype = Object.prototype;
export const ArrayPrototype = Array.prototype;

const sliceMethod = String.prototype.slice;
const execMethod = RegExp.prototype.exec;
const indexOfMethod = String.prototype.indexOf;
const tagMethod = Object.prototype.toString;
const timeMethod = Date.prototype.getTime;
const isoTextMethod = Date.prototype.toISOString;
const base64Method = Uint8Array.prototype.toBase64;
const booleanMethod = Boolean.prototype.valueOf;
const subarrayMethod = Uint8Array.prototype.subarray;
const joinMethod = Uint8Array.prototype.join;

/** `[object Date]` and the like. */
export function tagOf(value: unknown): string {
  return apply<unknown, [], string>(tagMethod, value, []);
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

export function timeOf(date: Date): number {
  return apply(timeMethod, date, []);
}

export function isoTextOf(date: Date): string {
  return apply(isoTextMethod, date, []);
}

export function base64Of(bytes: Uint8Array): string {
  return apply(base64Method, bytes, []);
}

/** Some of the bytes as numbers with commas between them. */
export function joinBytes(bytes: Uint8Array, from: number, to: number): string {
  return apply(joinMethod, apply(subarrayMethod, bytes, [from, to]), [',']);
}

export function booleanOf(boxed: object): boolean {
  return apply(booleanMethod, boxed, []);
}

/** What V8 adds to Error. */
interface EngineError {
  captureStackTrace(target: object, above?: (...args: never[]) => unknown): void;
  stackTraceLimit: number;
  prepareStackTrace?: unknown;
}

export const EngineError = Error as unknown as EngineError;
export const { captureStackTrace } = EngineError;
