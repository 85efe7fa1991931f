import { errorTitle, inspect } from './inspect.ts';
import { callBuiltIn, classOf, kindOf } from './kinds.ts';
import { MAX_CONSOLE_VALUES, MAX_CONSOLE_VALUES_TOTAL } from '../protocol/limits.ts';
import {
  append,
  getOwnPropertyDescriptor,
  hasOwn,
  isArray,
  isError,
  isView,
  keys,
  own,
  sliceText,
  stringify,
} from './primordials.ts';

const MAX_DEPTH = 5;
const MAX_MEMBERS = 100;
const MAX_LEAF = 500;
const MAX_NAME = 200;

/** Characters that all entries of the run may still use. */
let left = MAX_CONSOLE_VALUES_TOTAL;
/** Characters that the current entry may still use. */
let room = 0;

/** An object whose members are being written; `inside` is the object that contains it. */
interface Inside {
  object: object;
  inside: Inside | null;
}

/**
 * What an entry logs, for people who unfold it: JSON of a ConsoleValue for each argument; '' if none is an object, or if
 * the run has logged too many. Bounded in depth, members and characters; never calls a getter.
 */
export function valuesJson(values: unknown[]): string {
  let hasObjects = false;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (typeof value === 'object' && value !== null) hasObjects = true;
  }
  if (!hasObjects || left <= 0) return '';
  room = MAX_CONSOLE_VALUES;
  let json = '';
  try {
    for (let index = 0; index < values.length && index < MAX_MEMBERS; index += 1) {
      const value = values[index];
      const part = typeof value === 'string' ? leaf(cut(value, MAX_LEAF * 4)) : node(value, null, 0);
      json += (index === 0 ? '' : ',') + part;
    }
  } catch {
    return '';
  }
  json = `[${json}]`;
  left -= json.length;
  return json;
}

function node(value: unknown, inside: Inside | null, depth: number): string {
  if (typeof value !== 'object' || value === null) return leaf(inspect(value, MAX_LEAF));
  for (let above = inside; above !== null; above = above.inside) if (above.object === value) return leaf('[Circular]');
  try {
    return container(value, inside, depth);
  } catch {
    return leaf('[a value that cannot be shown]');
  }
}

function container(object: object, inside: Inside | null, depth: number): string {
  const here: Inside = { object, inside };
  if (isArray(object)) return members(`Array (${object.length})`, here, depth, arrayNames(object), object.length);
  const kind = isError(object) ? 'Error' : kindOf(object);
  if (kind === 'Map' || kind === 'Set') return entries(kind, here, depth);
  if (isView(object) && kind !== 'DataView') {
    const length = (callBuiltIn(object, 'length') as number | undefined) ?? 0;
    return members(`${kind} (${length})`, here, depth, arrayNames(object as unknown as unknown[], length), length);
  }
  if (kind !== '' && kind !== 'Error') return leaf(inspect(object, MAX_LEAF));
  const names = keys(object);
  const title = kind === 'Error' ? errorTitle(object as Error, MAX_LEAF) : nameOf(object);
  return members(title, here, depth, names, names.length);
}

function nameOf(object: object): string {
  const name = classOf(object);
  return name === '' ? 'Object' : sliceText(name, 0, -1);
}

/** The present indexes of an array, as many as are shown. */
function arrayNames(array: unknown[], length = array.length): string[] {
  const names: string[] = [];
  for (let index = 0; index < length && index < MAX_MEMBERS; index += 1) {
    if (hasOwn(array, index)) append(names, `${index}`);
  }
  return names;
}

/** @param total how many there are; `names` can be the first ones only */
function members(title: string, here: Inside, depth: number, names: string[], total: number): string {
  const most = depth >= MAX_DEPTH ? 0 : names.length < MAX_MEMBERS ? names.length : MAX_MEMBERS;
  let json = '';
  let shown = 0;
  spend(title.length + 40);
  while (shown < most) {
    if (room <= 0) break;
    const name = names[shown] as string;
    json += `${shown === 0 ? '' : ','}[${quoted(cut(name, MAX_NAME))},${member(here, name, depth)}]`;
    shown += 1;
  }
  const more = shown === names.length && total <= MAX_MEMBERS ? 0 : total - shown;
  return `{"title":${stringify(cut(title, MAX_LEAF))},"members":[${json}],"more":${more > 0 ? more : 0}}`;
}

function member(here: Inside, name: string, depth: number): string {
  const found = getOwnPropertyDescriptor(here.object, name);
  if (found === undefined) return leaf('undefined');
  return hasOwn(found, 'value') ? node(own(found, 'value'), here, depth + 1) : leaf('(getter)');
}

function entries(kind: 'Map' | 'Set', here: Inside, depth: number): string {
  const total = (callBuiltIn(here.object, 'size') as number | undefined) ?? 0;
  let json = '';
  let shown = 0;
  spend(40);
  const visit = (value: unknown, key: unknown): void => {
    if (room <= 0 || shown >= MAX_MEMBERS || depth >= MAX_DEPTH) return;
    const name = kind === 'Map' ? inspect(key, 2 * MAX_NAME) : `${shown}`;
    json += `${shown === 0 ? '' : ','}[${quoted(cut(name, MAX_NAME))},${node(value, here, depth + 1)}]`;
    shown += 1;
  };
  callBuiltIn(here.object, 'forEach', [visit]);
  return `{"title":"${kind} (${total})","members":[${json}],"more":${total - shown}}`;
}

function leaf(text: string): string {
  return quoted(text);
}

function quoted(text: string): string {
  spend(text.length + 6);
  return stringify(text);
}

function spend(characters: number): void {
  room -= characters;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${sliceText(text, 0, most - 1)}…`;
}
