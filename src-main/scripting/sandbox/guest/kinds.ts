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

/** For objects that the engine does not name, unless their base has a name. */
const UNNAMED = 'built-in object';

/** A prototype of the engine and the kind of its instances; '' for a prototype of the script. */
interface KnownKind {
  prototype: object;
  kind: string;
  next: KnownKind | null;
}

let known: KnownKind | null = null;
/** Classes of the standard globals that were used; they are written in JavaScript, but are not the script's own. */
let added: KnownKind | null = null;
/** The last class of the script that was found: usually the next object has the same. */
let last: KnownKind | null = null;

/**
 * Which built-in an object is, by what it inherits from: `Date`, `Map`, `Error`, `DateTimeFormat` and so on; '' for
 * plain objects, arrays and the script's own classes, which only have members. It is only the name: a proxy of a Map
 * and an object from `Object.create(Map.prototype)` are a Map too.
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

/** Makes the instances of a class a kind of its own; anything but an object is ignored. */
export function addKind(prototype: unknown, kind: string): void {
  if (typeof prototype === 'object' && prototype !== null) added = { prototype, kind, next: added };
}

function kindOfPrototype(prototype: object): string {
  for (let entry = added; entry !== null; entry = entry.next) if (entry.prototype === prototype) return entry.kind;
  if (last !== null && last.prototype === prototype) return last.kind;
  known ??= knownKinds();
  for (let entry: KnownKind | null = known; entry !== null; entry = entry.next) {
    if (entry.prototype === prototype) return entry.kind;
  }
  last = { prototype, kind: kindByConstructor(prototype), next: null };
  return last.kind;
}

/**
 * The kinds that scripts use, created by syntax: the prototypes are the engine's, even if the globals were replaced.
 */
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

/** The name of a built-in class that has this prototype; '' if it is the script's own. */
function kindByConstructor(prototype: object): string {
  if (!hasOwn(prototype, 'constructor')) return hasNativeMethods(prototype) ? UNNAMED : '';
  const constructor = dataMember(prototype, 'constructor');
  if (typeof constructor !== 'function' || !isNative(constructor)) return '';
  const name = functionName(constructor);
  // These have members alone, though the engine made their prototype.
  return name === 'Object' || name === 'Array' || name === 'Function' ? '' : name;
}

/** A prototype without a constructor, such as the segments of a text, has only methods of the engine. */
function hasNativeMethods(prototype: object): boolean {
  const names = getOwnPropertyNames(prototype);
  for (let index = 0; index < names.length; index += 1) {
    const method = dataMember(prototype, names[index] as string);
    if (typeof method !== 'function' || !isNative(method)) return false;
  }
  return names.length > 0;
}

/** The name of a function or class; '' if it has none, or a getter instead. */
export function functionName(of: object): string {
  const name = dataMember(of, 'name');
  return typeof name === 'string' ? name : '';
}

/**
 * Calls a getter or method that a built-in object inherits, such as `view.byteLength`. Undefined if the script has
 * replaced it; throws if the object is not of that class.
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

/** The name of its class with a space, or what it has instead; '' for a plain object. */
export function classOf(object: object): string {
  const prototype = prototypeOf(object);
  if (prototype === null) return '[Object: null prototype] ';
  if (prototype === ObjectPrototype || !hasOwn(prototype, 'constructor')) return '';
  const { constructor } = prototype;
  const name = typeof constructor === 'function' ? functionName(constructor) : '';
  return name === '' ? '' : `${name} `;
}
