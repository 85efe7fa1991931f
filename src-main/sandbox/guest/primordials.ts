/**
 * The built-ins the guest works with, taken before the body runs: a script that replaces globals or prototypes breaks
 * itself alone. Methods are called with their receiver first.
 */
const { bind, call } = Function.prototype;

function uncurry<This, Args extends unknown[], Result>(
  method: (this: This, ...args: Args) => Result,
): (self: This, ...args: Args) => Result {
  return bind.call(call, method) as (self: This, ...args: Args) => Result;
}

const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;

function getterOf<Value>(prototype: object, key: PropertyKey): (self: unknown) => Value {
  const getter = Object.getOwnPropertyDescriptor(prototype, key)?.get as (this: unknown) => Value;
  return uncurry(getter);
}

export const PrimitiveError = Error;
export const PrimitiveTypeError = TypeError;
export const PrimitiveUint8Array = Uint8Array;
export const PrimitiveString = String;
export const PrimitiveNumber = Number;

export const { isArray } = Array;
export const { isView } = ArrayBuffer;
export const { isFinite, isSafeInteger } = Number;
export const { isError } = Error;
export const { parse, stringify } = JSON;
export const { defineProperty, getPrototypeOf, keys } = Object;
export const { abs, min } = Math;

export const ObjectPrototype = Object.prototype;
export const ArrayPrototype = Array.prototype;

export const tagOf = uncurry(Object.prototype.toString);
export const hasOwn = uncurry(Object.prototype.hasOwnProperty);
export const sliceText = uncurry(String.prototype.slice);
export const indexOfText = uncurry(String.prototype.indexOf);
export const codeUnitAt = uncurry(String.prototype.charCodeAt);
export const matchOnce = uncurry(RegExp.prototype.exec);
export const timeOf = uncurry(Date.prototype.getTime);
export const isoTextOf = uncurry(Date.prototype.toISOString);
export const base64Of = uncurry(Uint8Array.prototype.toBase64);
export const booleanOf = uncurry(Boolean.prototype.valueOf) as (self: unknown) => boolean;
export const bigintText = uncurry(BigInt.prototype.toString);
export const typedArrayName = getterOf<string | undefined>(TypedArrayPrototype, Symbol.toStringTag);
export const typedArrayBuffer = getterOf<ArrayBuffer>(TypedArrayPrototype, 'buffer');
export const typedArrayOffset = getterOf<number>(TypedArrayPrototype, 'byteOffset');
export const typedArrayBytes = getterOf<number>(TypedArrayPrototype, 'byteLength');
export const viewBuffer = getterOf<ArrayBuffer>(DataView.prototype, 'buffer');
export const viewOffset = getterOf<number>(DataView.prototype, 'byteOffset');
export const viewBytes = getterOf<number>(DataView.prototype, 'byteLength');

/** Frames of the engine, a V8 extension. */
interface EngineError {
  captureStackTrace(target: object, above?: (...args: never[]) => unknown): void;
  stackTraceLimit: number;
  prepareStackTrace?: unknown;
}

export const EngineError = Error as unknown as EngineError;
export const { captureStackTrace } = EngineError;
