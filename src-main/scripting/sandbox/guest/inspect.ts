import { MAX_CONSOLE_TEXT } from '../protocol/limits.ts';
import { callBuiltIn, classOf, functionName, kindOf } from './kinds.ts';
import {
  dateTextOf,
  getOwnPropertySymbols,
  hasOwn,
  isArray,
  isEnumerable,
  isError,
  isView,
  keys,
  matchOnce,
  PrimitiveString,
  sliceText,
  stringify,
} from './primordials.ts';

const MAX_DEPTH = 4;
const UNSHOWN = '[a value that cannot be shown]';

/** Reserved for closing brackets and for the counts of dropped members. */
const NOTES = 200;

/** An object whose members are being shown; `inside` is the object that contains it. */
interface Shown {
  object: object;
  inside: Shown | null;
}

/** Characters that may still be written: members beyond are counted, not read. */
let room = 0;

/**
 * A value in a form for people, in about as many characters as remain. Never throws, although getters and proxies of
 * the value may. The cost depends on the length of the output, not on the size of the value.
 */
export function inspect(value: unknown, most = MAX_CONSOLE_TEXT): string {
  const outer = room;
  room = most - NOTES;
  try {
    return show(value, null, 0);
  } finally {
    room = outer;
  }
}

function show(value: unknown, inside: Shown | null, depth: number): string {
  const before = room;
  try {
    if (typeof value === 'function') return spent(showFunction(value, inside, depth), before);
    if (typeof value === 'object' && value !== null) return spent(showObject(value, inside, depth), before);
    return spent(showPrimitive(value), before);
  } catch {
    return spent(UNSHOWN, before);
  }
}

/** Counts a text as written, without adding its parts again. */
function spent(text: string, before: number): string {
  room = before - text.length;
  return text;
}

function showPrimitive(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      return value === 0 && 1 / value < 0 ? '-0' : `${value}`;
    case 'bigint':
      return `${value}n`;
    case 'symbol':
      return PrimitiveString(value);
    default:
      return PrimitiveString(value);
  }
}

function quoted(text: string): string {
  const most = room > 20 ? room : 20;
  if (text.length <= most) return `'${escaped(text)}'`;
  return `'${escaped(sliceText(text, 0, most))}'... ${text.length - most} more characters`;
}

function escaped(text: string): string {
  if (matchOnce(/['\\\u0000-\u001f]/, text) === null) return text;
  let result = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] as string;
    if (character === "'" || character === '\\') result += `\\${character}`;
    else result += character < ' ' ? sliceText(stringify(character), 1, -1) : character;
  }
  return result;
}

function showFunction(of: object, inside: Shown | null, depth: number): string {
  const name = functionName(of);
  const members = depth < MAX_DEPTH ? showMembers({ object: of, inside }, keys(of), 0, depth) : '';
  return `[Function${name === '' ? ' (anonymous)' : `: ${name}`}]${members === '' ? '' : ` { ${members} }`}`;
}

function showObject(object: object, inside: Shown | null, depth: number): string {
  if (depth >= MAX_DEPTH) return isArray(object) ? '[Array]' : '[Object]';
  for (let above = inside; above !== null; above = above.inside) if (above.object === object) return '[Circular]';
  const shown: Shown = { object, inside };
  if (isArray(object)) return showArray(object, shown, depth);
  const kind = isError(object) ? 'Error' : kindOf(object);
  switch (kind) {
    case '':
      return showPlain(shown, classOf(object), depth);
    case 'Error':
      return showError(object as Error, shown, depth);
    case 'Map':
    case 'Set':
      return `${kind} (${size(object)}) {${showEntries(shown, kind === 'Map', depth)}}`;
    case 'WeakMap':
    case 'WeakSet':
    case 'WeakRef':
      return `${kind} { ? }`;
    case 'Boolean':
    case 'Number':
    case 'String':
    case 'BigInt':
    case 'Symbol':
      return `Object(${showPrimitive((object as { valueOf(): unknown }).valueOf())})`;
    case 'Date':
      return dateTextOf(object);
    case 'RegExp':
      return PrimitiveString(object);
    case 'URL':
    case 'URLSearchParams':
      return `${kind} ${quoted(PrimitiveString(object))}`;
    case 'ArrayBuffer':
      return `ArrayBuffer (${(callBuiltIn(object, 'byteLength') as number | undefined) ?? 0} bytes) {}`;
    default:
      return isView(object) && kind !== 'DataView' ? showView(object, kind) : showPlain(shown, `${kind} `, depth);
  }
}

function showPlain(shown: Shown, title: string, depth: number): string {
  const members = showMembers(shown, keys(shown.object), 0, depth);
  return members === '' ? `${title}{}` : `${title}{ ${members} }`;
}

function showError(error: Error, shown: Shown, depth: number): string {
  const title = errorTitle(error, room);
  room -= title.length;
  const hidden = (name: string) => hasOwn(error, name) && !isEnumerable(error, name);
  const cause = hidden('cause') ? `[cause]: ${showMember(shown, 'cause', depth)}` : '';
  const errors = hidden('errors') ? `[errors]: ${showMember(shown, 'errors', depth)}` : '';
  const members = together(together(cause, errors), showMembers(shown, keys(error), 0, depth));
  return members === '' ? title : `{ ${title} ${members} }`;
}

/** Name and message. */
export function errorTitle(error: Error, most: number): string {
  const message = textIn(error, 'message', most);
  return `[${textIn(error, 'name', most) || 'Error'}${message === '' ? '' : `: ${message}`}]`;
}

function textIn(error: Error, name: 'name' | 'message', most: number): string {
  try {
    const text: unknown = error[name];
    return typeof text === 'string' ? sliceText(text, 0, most > 20 ? most : 20) : '';
  } catch {
    return '';
  }
}

function showArray(array: unknown[], shown: Shown, depth: number): string {
  let present = 0;
  const items = joined(array.length, 'items', (index) => {
    if (!hasOwn(array, index)) return '';
    present += 1;
    return showMember(shown, index, depth);
  });
  // The names follow the indexes. An array that left no room has so many indexes that they are not read.
  const others = room > 0 ? showMembers(shown, keys(array), present, depth) : '';
  const text = together(items, others);
  return array.length === 0 && others === '' ? '[]' : `[ ${text} ]`;
}

function showView(view: object, kind: string): string {
  const length = (callBuiltIn(view, 'length') as number | undefined) ?? 0;
  const items = joined(length, 'items', (index) => showPrimitive((view as unknown[])[index]));
  return `${kind} (${length}) [${items === '' ? '' : ` ${items} `}]`;
}

function size(collection: object): number {
  return (callBuiltIn(collection, 'size') as number | undefined) ?? 0;
}

function showEntries(shown: Shown, isMap: boolean, depth: number): string {
  const total = size(shown.object);
  let text = '';
  let count = 0;
  const visit = (value: unknown, key: unknown): void => {
    if (room <= 0) return;
    const before = room;
    const entry = isMap
      ? `${show(key, shown, depth + 1)} => ${show(value, shown, depth + 1)}`
      : show(value, shown, depth + 1);
    text = together(text, entry);
    room = before - entry.length - 2;
    count += 1;
  };
  callBuiltIn(shown.object, 'forEach', [visit]);
  return count >= total ? text : `${text}, … ${total - count} more entries`;
}

/** The members from the name at `from` on, and those with symbol keys. */
function showMembers(shown: Shown, names: string[], from: number, depth: number): string {
  const members = joined(names.length - from, 'members', (index) => {
    const name = names[from + index] as string;
    const title = matchOnce(/^[\w$]{1,200}$/, name) === null ? quoted(name) : name;
    room -= title.length + 2;
    return `${title}: ${showMember(shown, name, depth)}`;
  });
  const symbols = getOwnPropertySymbols(shown.object);
  let others = '';
  for (let index = 0; index < symbols.length; index += 1) {
    const symbol = symbols[index] as symbol;
    if (room <= 0 || !isEnumerable(shown.object, symbol)) continue;
    others = together(others, `[${PrimitiveString(symbol)}]: ${showMember(shown, symbol, depth)}`);
  }
  return together(members, others);
}

function showMember({ object, inside }: Shown, name: PropertyKey, depth: number): string {
  try {
    return show((object as Record<PropertyKey, unknown>)[name], { object, inside }, depth + 1);
  } catch {
    return UNSHOWN;
  }
}

/** Texts separated by commas, as many as fit; the rest is counted. */
function joined(count: number, what: string, one: (index: number) => string): string {
  let text = '';
  for (let index = 0; index < count; index += 1) {
    if (room <= 0) return `${text}, … ${count - index} more ${what}`;
    const before = room;
    const member = one(index);
    text += index === 0 ? member : `, ${member}`;
    room = before - member.length - 2;
  }
  return text;
}

function together(first: string, second: string): string {
  return first === '' || second === '' ? first + second : `${first}, ${second}`;
}
