import { functionName } from '../kinds.ts';
import {
  getOwnPropertyDescriptor,
  getOwnPropertyNames,
  hasOwn,
  isArray,
  isError,
  isView,
  own,
  PrimitiveString,
  sliceText,
  stringify,
} from '../primordials.ts';
import { classNameOf, errorText, safeKindOf, sizeOf, viewLengthOf, wrappedText } from './data-only.ts';
import { isProxy } from './tracked-proxies.ts';

/** Members and elements that a text names. */
const MAX_MEMBERS = 8;
const MAX_NAME = 24;
/** Characters of a member. */
const MAX_FLAT = 30;
/** A string that was put together from parts is copied when a part of it is read. */
const MAX_COPIED = 10_000_000;

/**
 * What a value is, in a few words. Runs no code of the author: reads no getter and no proxy. The cost does not depend on
 * the size of the value, except for plain objects, whose names are listed.
 */
export function shortText(value: unknown, most: number): string {
  try {
    const text = textOf(value, most);
    return text.length <= most ? text : `${sliceText(text, 0, most - 1)}…`;
  } catch {
    return '(a value that cannot be shown)';
  }
}

function textOf(value: unknown, most: number): string {
  if (typeof value === 'function') return functionOf(value);
  if (typeof value !== 'object' || value === null) return primitive(value, most);
  if (isProxy(value)) return 'Proxy';
  if (isError(value)) return errorText(value, most);
  if (isArray(value)) return arrayOf(value, most);
  const kind = safeKindOf(value);
  switch (kind) {
    case '':
      return plainOf(value, most);
    case 'Map':
    case 'Set':
      return `${kind}(${sizeOf(value) ?? '?'})`;
    case 'Date':
      return wrappedText(value, kind, (one) => primitive(one, most)) ?? kind;
    default:
      return isView(value) && kind !== 'DataView' ? `${kind}(${viewLengthOf(value)})` : kind;
  }
}

function primitive(value: unknown, most: number): string {
  switch (typeof value) {
    case 'string':
      return stringOf(value, most);
    case 'number':
      return value === 0 && 1 / value < 0 ? '-0' : `${value}`;
    case 'bigint':
      return bigintOf(value);
    default:
      return PrimitiveString(value);
  }
}

function stringOf(value: string, most: number): string {
  if (value.length > MAX_COPIED) return `String of ${value.length} characters`;
  return value.length <= most ? stringify(value) : `${stringify(sliceText(value, 0, most))}…`;
}

/** The digits of a very long number would take long. */
function bigintOf(value: bigint): string {
  const limit = 10n ** 60n;
  return value < limit && value > -limit ? `${value}n` : 'BigInt of more than 60 digits';
}

function functionOf(value: object): string {
  return isProxy(value) ? 'Proxy' : `ƒ ${sliceText(functionName(value), 0, MAX_FLAT)}`;
}

function arrayOf(array: unknown[], most: number): string {
  const { length } = array;
  let text = '';
  for (let index = 0; index < length && index < MAX_MEMBERS; index += 1) {
    if (text.length > most) break;
    text += `${index === 0 ? '' : ', '}${hasOwn(array, index) ? memberOf(array, index) : 'empty'}`;
  }
  return length > MAX_MEMBERS ? `(${length}) [${text}, …]` : `[${text}]`;
}

function plainOf(object: object, most: number): string {
  const names = getOwnPropertyNames(object);
  let text = '';
  for (let index = 0; index < names.length && index < MAX_MEMBERS; index += 1) {
    if (text.length > most) break;
    const name = names[index] as string;
    text += `${index === 0 ? '' : ', '}${sliceText(name, 0, MAX_NAME)}: ${memberOf(object, name)}`;
  }
  return `${sliceText(classNameOf(object), 0, MAX_FLAT)}{${text}${names.length > MAX_MEMBERS ? ', …' : ''}}`;
}

function memberOf(object: object, name: string | number): string {
  const found = getOwnPropertyDescriptor(object, name);
  if (found === undefined || !hasOwn(found, 'value')) return '(…)';
  return flat(own(found, 'value'));
}

function flat(value: unknown): string {
  if (typeof value === 'function') return 'ƒ';
  if (typeof value !== 'object' || value === null) {
    const text = primitive(value, MAX_FLAT);
    return text.length <= MAX_FLAT + 3 ? text : `${sliceText(text, 0, MAX_FLAT)}…`;
  }
  if (isProxy(value)) return 'Proxy';
  if (isArray(value)) return value.length === 0 ? '[]' : `Array(${value.length})`;
  if (isError(value)) return 'Error';
  const kind = safeKindOf(value);
  return kind === '' ? '{…}' : kind;
}
