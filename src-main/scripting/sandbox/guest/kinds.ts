import {
  apply,
  BufferPrototype,
  dataMember,
  DatePrototype,
  functionText,
  getOwnPropertyDescriptor,
  getOwnPropertyNames,
  getPrototypeOf,
  hasOwn,
  matchOnce,
  ObjectPrototype,
  own,
  PrimitiveError,
  PrimitivePromise,
} from './primordials.ts';

/** What the engine gives no name, unless what it inherits from has one. */
const UNNAMED = 'built-in object';

/** A prototype of the engine and the kind of what inherits from it; '' for a prototype of the script. */
interface KnownKind {
  prototype: object;
  kind: string;
  next: KnownKind | null;
}

let known: KnownKind | null = null;
/** The class of the script that was met last: mostly it is met again. */
let last: KnownKind | null = null;

/**
 * Which built-in an object is, by what it inherits from: `Date`, `Map`, `Error`, `DateTimeFormat` and so on; '' for plain
 * objects, arrays and the script's own classes, whose members are all there is. It is the name alone: a proxy of a Map
 * and what `Object.create(Map.prototype)` makes are a Map too.
 */
export function kindOf(object: object): string {
  let found = '';
  for (let holder = prototypeOf(object); holder !== null && holder !== ObjectPrototype; holder = prototypeOf(holder)) {
    const kind = kindOfPrototype(holder);
    if (kind !== '' && kind !== UNNAMED) return kind;
    if (kind === UNNAMED) found = kind;
  }
  return found;
}

function kindOfPrototype(prototype: object): string {
  if (last !== null && last.prototype === prototype) return last.kind;
  known ??= knownKinds();
  for (let entry: KnownKind | null = known; entry !== null; entry = entry.next) {
    if (entry.prototype === prototype) return entry.kind;
  }
  last = { prototype, kind: kindByConstructor(prototype), next: null };
  return last.kind;
}

/** Those that scripts use, found by syntax: the prototypes are the engine's, whatever became of the globals. */
function knownKinds(): KnownKind {
  const generators = prototypeOf(function* () {}.prototype as object) as object;
  const asyncGenerators = prototypeOf(async function* () {}.prototype as object) as object;
  let first: KnownKind = { prototype: DatePrototype, kind: 'Date', next: null };
  first = { prototype: PrimitiveError.prototype, kind: 'Error', next: first };
  first = { prototype: BufferPrototype, kind: 'ArrayBuffer', next: first };
  first = { prototype: PrimitivePromise.prototype, kind: 'Promise', next: first };
  first = { prototype: getPrototypeOf(/x/) as object, kind: 'RegExp', next: first };
  first = { prototype: getPrototypeOf(true) as object, kind: 'Boolean', next: first };
  first = { prototype: getPrototypeOf(1) as object, kind: 'Number', next: first };
  first = { prototype: getPrototypeOf('') as object, kind: 'String', next: first };
  first = { prototype: getPrototypeOf(1n) as object, kind: 'BigInt', next: first };
  first = { prototype: prototypeOf(generators) as object, kind: 'Iterator', next: first };
  return { prototype: asyncGenerators, kind: 'AsyncIterator', next: first };
}

function prototypeOf(object: object): object | null {
  return getPrototypeOf(object) as object | null;
}

/** The name of a built-in class that has this prototype; '' when it is the script's own. */
function kindByConstructor(prototype: object): string {
  if (!hasOwn(prototype, 'constructor')) return hasNativeMethods(prototype) ? UNNAMED : '';
  const constructor = dataMember(prototype, 'constructor');
  if (typeof constructor !== 'function' || !isNative(constructor)) return '';
  const name = functionName(constructor);
  // These have members alone, though the engine made their prototype.
  return name === 'Object' || name === 'Array' || name === 'Function' ? '' : name;
}

/** What has no constructor, such as the segments of a text, has methods of the engine and no others. */
function hasNativeMethods(prototype: object): boolean {
  const names = getOwnPropertyNames(prototype);
  for (let index = 0; index < names.length; index += 1) {
    const method = dataMember(prototype, names[index] as string);
    if (typeof method !== 'function' || !isNative(method)) return false;
  }
  return names.length > 0;
}

/** The name of a function or class; '' where it has none, or a getter in place of it. */
export function functionName(of: object): string {
  const name = dataMember(of, 'name');
  return typeof name === 'string' ? name : '';
}

/**
 * Calls a getter or method that a built-in object inherits, as in `view.byteLength`. Undefined where the script has put
 * another in its place; throws where the object is not of that class.
 */
export function callBuiltIn(object: object, name: string, args: unknown[] = []): unknown {
  for (let holder = prototypeOf(object); holder !== null; holder = prototypeOf(holder)) {
    const found = getOwnPropertyDescriptor(holder, name);
    if (found === undefined) continue;
    const method: unknown = own(found, 'get') ?? own(found, 'value');
    if (typeof method !== 'function' || !isNative(method)) return undefined;
    return apply(method as (...all: unknown[]) => unknown, object, args);
  }
  return undefined;
}

function isNative(method: object): boolean {
  // No text of a function that is written in JavaScript ends like this. Few runs get here: each pays for its own pattern.
  return matchOnce(/\{ \[native code\] \}$/, functionText(method)) !== null;
}
