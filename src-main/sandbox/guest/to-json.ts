import { MAX_JSON_DEPTH } from './limits.ts';
import {
  abs,
  ArrayPrototype,
  base64Of,
  bigintText,
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
  typedArrayBuffer,
  typedArrayBytes,
  typedArrayName,
  typedArrayOffset,
  viewBuffer,
  viewBytes,
  viewOffset,
} from './primordials.ts';

const MAX_EXACT = 2 ** 53;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** What a conversion does where JSON cannot say the value. */
export interface JsonRules {
  /** How messages call the value as a whole: `the result`. */
  subject: string;
  /** The most characters of the text. */
  maxLength: number;
  /** What to say when the text gets longer. */
  tooLong: string;
  /** Called for NaN, Infinity and invalid dates, which become null; throws where they may not. */
  notFinite(place: string, what: string): void;
}

/** The value, or a member of it, is nothing that JSON can say. */
export class NotJsonError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/**
 * The value as JSON text (decision 4): Dates become ISO text, undefined null, typed arrays and ArrayBuffers Base64
 * text, errors `{ name, message }`, BigInts within ±2^53 numbers; `toJSON` is honoured as JSON.stringify does.
 * Throws NotJsonError with the place of a function, symbol, cycle, collection or other value that JSON cannot say.
 */
export function toJson(value: unknown, rules: JsonRules): string {
  return new Writer(rules).write(value, 0);
}

/** As toJson, and refuses proxies too. It marks the objects of the value, so nothing may use them afterwards. */
export function toJsonAtTheEnd(value: unknown, rules: JsonRules): string {
  const writer = new Writer(rules);
  const text = writer.write(value, 0);
  writer.refuseProxies();
  return text;
}

interface Visit {
  object: object;
  parent: Visit | null;
  key: string | number;
}

class Writer {
  readonly #rules: JsonRules;
  #length = 0;
  #here: Visit | null = null;
  #key: string | number = '';
  readonly #visits: Visit[] = [];
  #visited = 0;

  constructor(rules: JsonRules) {
    this.#rules = rules;
  }

  write(value: unknown, depth: number): string {
    switch (typeof value) {
      case 'string':
        return this.#count(stringify(value));
      case 'number':
        if (isFinite(value)) return this.#count(`${value}`);
        return this.#nothing(`${value}`);
      case 'boolean':
        return this.#count(value ? 'true' : 'false');
      case 'undefined':
        return this.#count('null');
      case 'bigint':
        return this.#bigint(value);
      case 'function':
        return this.#refuse('a function; return what it computes instead');
      case 'symbol':
        return this.#refuse('a symbol');
      default:
        return value === null ? this.#count('null') : this.#object(value as object, depth);
    }
  }

  /** A proxy looks like any object to JavaScript, but the engine refuses to keep a stack trace on one. */
  refuseProxies(): void {
    EngineError.stackTraceLimit = 0;
    for (let index = 0; index < this.#visited; index += 1) {
      const visit = this.#visits[index];
      if (visit === undefined) return;
      try {
        captureStackTrace(visit.object);
      } catch (thrown) {
        const message = (thrown as Error).message;
        if (typeof message === 'string' && matchOnce(/^Cannot/, message) === null) {
          throw new NotJsonError(`${this.#placeOf(visit.parent, visit.key)} is a proxy; return a plain copy of it`);
        }
      }
    }
  }

  #object(object: object, depth: number): string {
    if (depth >= MAX_JSON_DEPTH) return this.#refuse(`nested deeper than ${MAX_JSON_DEPTH} levels`);
    for (let above = this.#here; above !== null; above = above.parent) {
      if (above.object === object)
        return this.#refuse(`a cycle: it contains ${this.#placeOf(above.parent, above.key)}`);
    }
    const outer = this.#here;
    const key = this.#key;
    const visit: Visit = { object, parent: outer, key };
    this.#visits[this.#visited] = visit;
    this.#visited += 1;
    this.#here = visit;
    const text = isArray(object) ? this.#array(object, depth) : this.#other(object, depth);
    this.#here = outer;
    this.#key = key;
    return text;
  }

  #other(object: object, depth: number): string {
    const prototype: unknown = getPrototypeOf(object);
    if (prototype === ObjectPrototype || prototype === null) return this.#plain(object, depth);
    if (isView(object) || tagOf(object) === '[object ArrayBuffer]') return this.#bytes(object);
    if (isError(object)) return this.#members({ name: object.name, message: object.message }, depth);
    switch (tagOf(object)) {
      case '[object Date]':
        return this.#date(object as Date);
      case '[object Boolean]':
        return this.write(booleanOf(object), depth);
      case '[object Number]':
        return this.write(PrimitiveNumber(object), depth);
      case '[object String]':
        // eslint-disable-next-line typescript/no-base-to-string -- a String object
        return this.write(PrimitiveString(object), depth);
      case '[object Promise]':
        return this.#refuseHere('a Promise; await it first');
      case '[object Map]':
        return this.#refuseHere('a Map; use Object.fromEntries(map)');
      case '[object Set]':
        return this.#refuseHere('a Set; use Array.from(set)');
      case '[object WeakMap]':
      case '[object WeakSet]':
      case '[object WeakRef]':
        return this.#refuseHere(`a ${sliceText(tagOf(object), 8, -1)}`);
      case '[object RegExp]':
        return this.#refuseHere('a regular expression; return its text instead');
      default:
        return this.#plain(object, depth);
    }
  }

  #plain(object: object, depth: number): string {
    const { toJSON } = object as { toJSON?: unknown };
    if (typeof toJSON !== 'function') return this.#members(object as Record<string, unknown>, depth);
    return this.write((object as { toJSON(key: string): unknown }).toJSON(`${this.#key}`), depth + 1);
  }

  #members(object: Record<string, unknown>, depth: number): string {
    const names = keys(object);
    let text = '{';
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index] as string;
      const head = this.#count(`${index === 0 ? '' : ','}${stringify(name)}:`);
      this.#key = name;
      text += head + this.write(object[name], depth + 1);
    }
    return `${text}${this.#count('}')}`;
  }

  #array(array: unknown[], depth: number): string {
    const { toJSON } = array as { toJSON?: unknown };
    if (typeof toJSON === 'function' && getPrototypeOf(array) !== ArrayPrototype) return this.#plain(array, depth);
    let text = '[';
    for (let index = 0; index < array.length; index += 1) {
      this.#key = index;
      const comma = index === 0 ? '' : this.#count(',');
      text += comma + this.write(array[index], depth + 1);
    }
    return `${text}${this.#count(']')}`;
  }

  #date(date: Date): string {
    const time = timeOf(date);
    return isFinite(time) ? this.#count(`"${isoTextOf(date)}"`) : this.#nothing('an invalid Date');
  }

  #bytes(object: object): string {
    return this.#count(`"${base64Of(bytesOf(object))}"`);
  }

  #bigint(value: bigint): string {
    const number = PrimitiveNumber(value);
    if (abs(number) <= MAX_EXACT) return this.#count(`${number}`);
    const digits = abs(number) < 1e40 ? ` (${bigintText(value)}n)` : '';
    return this.#refuse(`a BigInt${digits} beyond ±2^53, which JSON cannot keep exactly; return it as text`);
  }

  #nothing(what: string): string {
    this.#rules.notFinite(this.#place(), what);
    return this.#count('null');
  }

  #count(text: string): string {
    this.#length += text.length;
    if (this.#length > this.#rules.maxLength) throw new NotJsonError(this.#rules.tooLong);
    return text;
  }

  #refuse(what: string): never {
    throw new NotJsonError(`${this.#place()} is ${what}`);
  }

  /** As #refuse, for the object that was entered last. */
  #refuseHere(what: string): never {
    const here = this.#here;
    throw new NotJsonError(`${here === null ? this.#rules.subject : this.#placeOf(here.parent, here.key)} is ${what}`);
  }

  #place(): string {
    return this.#placeOf(this.#here, this.#key);
  }

  #placeOf(parent: Visit | null, key: string | number): string {
    if (parent === null) return this.#rules.subject;
    let place = step(key);
    for (let visit: Visit = parent; visit.parent !== null; visit = visit.parent) place = step(visit.key) + place;
    return `${this.#rules.subject}${place}`;
  }
}

function step(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  const shown = key.length > 100 ? `${sliceText(key, 0, 100)}…` : key;
  return matchOnce(IDENTIFIER, shown) === null ? `[${stringify(shown)}]` : `.${shown}`;
}

function bytesOf(object: object): Uint8Array {
  if (!isView(object)) return new PrimitiveUint8Array(object as ArrayBuffer);
  return typedArrayName(object) === undefined
    ? new PrimitiveUint8Array(viewBuffer(object), viewOffset(object), viewBytes(object))
    : new PrimitiveUint8Array(typedArrayBuffer(object), typedArrayOffset(object), typedArrayBytes(object));
}
