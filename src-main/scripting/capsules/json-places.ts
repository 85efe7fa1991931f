import { grouped } from '#domain/text/grouped';
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from '../../platform/host-pipe/json-bytes.ts';

const LINE_FEED = 0x0a;
/** What JSON allows between its parts, and what begins a text, a list, an object or a number. */
const BLANKS = Buffer.from(' \t\r\n');
const STARTS = Buffer.from('"[{-0123456789');

/** Values have up to 500 levels, in a report in a capsule. */
const MAX_LEVELS = 560;
/** Parsing takes about 0.2 µs and 80 bytes for each part. */
const MAX_PARTS = 10_000_000;
const FORBIDDEN = '__proto__';
/** Each character of a name may be escaped with six. */
const MAX_ESCAPED = FORBIDDEN.length * 6;

/** Something in a JSON text that must not be parsed, and its byte. */
export interface TextFault {
  reason: string;
  at: number;
}

/**
 * The fault of a JSON text before it is parsed: its nesting, the number of its parts, or a member `__proto__`; null
 * if nothing. The text need not be JSON: the parser finds syntax errors.
 */
export function faultInText(json: Buffer): TextFault | null {
  let level = 0;
  let parts = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) {
      const end = endOfText(json, at);
      if (end < json.length && isName(json, end + 1) && isForbidden(json, at, end)) {
        return { reason: `a member is called "${FORBIDDEN}"`, at };
      }
      at = end;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      level += 1;
      parts += 1;
      if (level > MAX_LEVELS) return { reason: `it is nested more than ${MAX_LEVELS} levels deep`, at };
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      level -= 1;
    } else if (byte === COMMA) {
      parts += 1;
    }
    if (parts > MAX_PARTS) return { reason: `it has more than ${grouped(MAX_PARTS)} parts`, at };
  }
  return null;
}

/** The texts that begin values other than texts, numbers, lists and objects. */
const LITERALS = ['true', 'false', 'null'].map((text) => Buffer.from(text));

/**
 * The byte at which a text that is not JSON has something else instead of a value, such as the bracket after `[1,`: the one
 * fault for which the parser has no place. The length of the text if there is none.
 */
export function placeWithoutValue(json: Buffer): number {
  const open: (number | undefined)[] = [];
  let wantsValue = true;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (BLANKS.includes(byte)) continue;
    if (wantsValue && !(byte === CLOSE_LIST && json[lastBefore(json, at)] === OPEN_LIST)) {
      const literal = LITERALS.find((one) => one[0] === byte);
      const end = literal ? at + literal.findIndex((letter, index) => json[at + index] !== letter) : at;
      if (literal ? end >= at : !STARTS.includes(byte)) return end;
    }
    wantsValue = byte === OPEN_LIST || byte === COLON || (byte === COMMA && open.at(-1) === OPEN_LIST);
    if (byte === QUOTE) at = endOfText(json, at);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) open.push(byte);
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) open.pop();
  }
  return json.length;
}

/** The last byte before a place that is not blank. */
function lastBefore(json: Buffer, at: number): number {
  let before = at - 1;
  while (before > 0 && BLANKS.includes(json[before] ?? 0)) before -= 1;
  return before;
}

/** The byte of the value of a member of a JSON text that is valid; of the innermost member on the path that exists. */
export function placeOfMember(json: Buffer, path: readonly (string | number)[]): number {
  let at = skipBlanks(json, 0);
  for (const part of path) {
    const found = memberOf(json, at, part);
    if (found === null) break;
    at = found;
  }
  return at;
}

/** `at line 3, column 5` */
export function placeText(bytes: Buffer, at: number): string {
  let line = 1;
  let start = 0;
  for (let next = bytes.indexOf(LINE_FEED); next !== -1 && next < at; next = bytes.indexOf(LINE_FEED, start)) {
    line += 1;
    start = next + 1;
  }
  const column = bytes.toString('utf8', start, at).length + 1;
  return `at line ${grouped(line)}, column ${grouped(column)}`;
}

/** The byte of the quote that ends a text. */
function endOfText(json: Buffer, quote: number): number {
  let end = json.indexOf(QUOTE, quote + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf(QUOTE, end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: Buffer, at: number): boolean {
  let slashes = 0;
  while (json[at - 1 - slashes] === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}

const skipBlanks = (json: Buffer, from: number): number => {
  let at = from;
  while (at < json.length && (json[at] ?? 0) <= 0x20) at += 1;
  return at;
};

const isName = (json: Buffer, after: number): boolean => json[skipBlanks(json, after)] === COLON;

function isForbidden(json: Buffer, quote: number, end: number): boolean {
  const length = end - quote - 1;
  if (length < FORBIDDEN.length || length > MAX_ESCAPED) return false;
  return textOf(json, quote, end) === FORBIDDEN;
}

function textOf(json: Buffer, quote: number, end: number): string | null {
  try {
    const text: unknown = JSON.parse(json.toString('utf8', quote, end + 1));
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}

/** The byte of a member or an item of the object or list at a place. */
function memberOf(json: Buffer, open: number, part: string | number): number | null {
  if (json[open] !== (typeof part === 'number' ? OPEN_LIST : OPEN_OBJECT)) return null;
  let at = skipBlanks(json, open + 1);
  for (let index = 0; at < json.length && json[at] !== CLOSE_LIST && json[at] !== CLOSE_OBJECT; index += 1) {
    let name: string | null = null;
    if (typeof part === 'string') {
      const end = endOfText(json, at);
      name = textOf(json, at, end);
      at = skipBlanks(json, skipBlanks(json, end + 1) + 1);
    }
    if (part === (typeof part === 'number' ? index : name)) return at;
    at = skipBlanks(json, endOfValue(json, at));
    if (json[at] === COMMA) at = skipBlanks(json, at + 1);
  }
  return null;
}

/** The byte after a value. */
function endOfValue(json: Buffer, start: number): number {
  let level = 0;
  for (let at = start; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) {
      at = endOfText(json, at);
      if (level === 0) return at + 1;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      level += 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (level === 0) return at;
      level -= 1;
      if (level === 0) return at + 1;
    } else if (byte === COMMA && level === 0) {
      return at;
    }
  }
  return json.length;
}
