import type { Steps } from '../../platform/turns.ts';

/** Names of HTML for the characters from 160 to 255, in order. */
const LATIN1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml';
/** Names of HTML and XML for punctuation. */
const PUNCTUATION: Readonly<Record<string, string>> = {
  amp: '&',
  AMP: '&',
  apos: "'",
  ast: '*',
  bsol: '\\',
  colon: ':',
  comma: ',',
  commat: '@',
  dollar: '$',
  equals: '=',
  euro: '€',
  excl: '!',
  grave: '`',
  gt: '>',
  GT: '>',
  Hat: '^',
  lcub: '{',
  lowbar: '_',
  lpar: '(',
  lsqb: '[',
  lt: '<',
  LT: '<',
  NewLine: '\n',
  num: '#',
  percnt: '%',
  period: '.',
  plus: '+',
  quest: '?',
  quot: '"',
  QUOT: '"',
  rcub: '}',
  rpar: ')',
  rsqb: ']',
  semi: ';',
  sol: '/',
  Tab: '\t',
  verbar: '|',
};
const LONGEST_NAME = 8;
/** A name as one number, because there can be millions: adds a letter or digit. */
const keyWith = (key: number, byte: number) => key * 75 + byte - 47;
const keyOf = (name: string) => Buffer.from(name).reduce(keyWith, 0);
const NAMED: ReadonlyMap<number, number> = new Map([
  ...LATIN1.split(' ').map((name, index): [number, number] => [keyOf(name), 160 + index]),
  ...Object.entries(PUNCTUATION).map(([name, mark]): [number, number] => [keyOf(name), mark.charCodeAt(0)]),
]);
/** `&#x00002B;` */
const MOST_DIGITS = 8;

const code = (mark: string) => mark.charCodeAt(0);
const PERCENT = code('%');
const AMPERSAND = code('&');
const BACKSLASH = code('\\');
const HASH = code('#');
const SEMICOLON = code(';');
const OPEN = code('{');
const CLOSE = code('}');
const SMALL_U = code('u');
const LARGE_U = code('U');
const SMALL_X = code('x');
const LARGE_X = code('X');

/**
 * Control characters as their letter after a backslash: a line break and its escape `\n` become the same. Blanks as a
 * plus sign, which stands for them in a form.
 */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => byte);
for (const [index, letter] of Array.from('0......abtnvfr').entries()) if (letter !== '.') FOLDED[index] = code(letter);
FOLDED[code(' ')] = code('+');

const HEX = Array.from('0123456789abcdef', code);
/** The digit of a byte, -1 for other bytes. */
const DIGIT = Int8Array.from({ length: 256 }, (_, byte) => HEX.indexOf(byte | (byte > 64 ? 32 : 0)));

/** How many bytes one step of a long computation reads: about a millisecond. */
export const STEP_BYTES = 65_536;

/** Line breaks, tabs, blanks and the like, folded as in unescaped text. */
export function* folded(bytes: Buffer): Steps<Buffer> {
  const into = Buffer.allocUnsafe(bytes.length);
  for (let from = 0; from < bytes.length; from += STEP_BYTES) {
    if (from > 0) yield;
    foldStretch(bytes, into, from);
  }
  return into;
}

function foldStretch(bytes: Buffer, into: Buffer, from: number): void {
  for (let at = from, until = Math.min(from + STEP_BYTES, bytes.length); at < until; at += 1) {
    const byte = bytes[at] ?? 0;
    into[at] = FOLDED[byte] ?? byte;
  }
}

/**
 * The progress of a pass over bytes. Each step is a plain function, because the same loop in a generator takes up to twice as
 * long.
 */
interface TextPlace {
  /** In the bytes. */
  at: number;
  /** In the unescaped bytes. */
  size: number;
}

/**
 * The bytes without one level of escapes: percent codes, those of strings in JSON and program texts, entities of HTML
 * and XML. Characters beyond ASCII are in UTF-8, except those of percent codes; control characters and blanks are
 * folded. null if there is no escape.
 */
export function* unescaped(bytes: Buffer): Steps<Buffer | null> {
  if (![PERCENT, BACKSLASH, AMPERSAND].some((mark) => bytes.includes(mark))) return null;
  const into = Buffer.allocUnsafe(bytes.length);
  const place = { at: 0, size: 0 };
  while (place.at < bytes.length) {
    if (place.at > 0) yield;
    unescapeStretch(bytes, into, place);
  }
  return place.size === bytes.length ? null : into.subarray(0, place.size);
}

function unescapeStretch(bytes: Buffer, into: Buffer, place: TextPlace): void {
  let { at, size } = place;
  for (const until = Math.min(at + STEP_BYTES, bytes.length); at < until;) {
    const byte = bytes[at] ?? 0;
    const escape = byte === PERCENT || byte === BACKSLASH || byte === AMPERSAND ? escapeAt(bytes, at, byte) : 0;
    if (escape === 0) {
      into[size] = FOLDED[byte] ?? byte;
      size += 1;
      at += 1;
    } else {
      size += put(valueOf(escape), into, size);
      at += lengthOf(escape);
    }
  }
  place.at = at;
  place.size = size;
}

/**
 * Where parts of the unescaped bytes come from.
 * @param spans starts and ends alternately, in order
 */
export function* sourcesOf(bytes: Buffer, spans: readonly number[]): Steps<number[]> {
  const sources: number[] = [];
  const place = { at: 0, size: 0 };
  while (place.at < bytes.length && sources.length < spans.length) {
    if (place.at > 0) yield;
    addSources(bytes, spans, place, sources);
  }
  return sources;
}

function addSources(bytes: Buffer, spans: readonly number[], place: TextPlace, sources: number[]): void {
  let { at, size } = place;
  for (const until = Math.min(at + STEP_BYTES, bytes.length); at < until && sources.length < spans.length;) {
    const byte = bytes[at] ?? 0;
    const escape = byte === PERCENT || byte === BACKSLASH || byte === AMPERSAND ? escapeAt(bytes, at, byte) : 0;
    size += escape === 0 ? 1 : widthOf(valueOf(escape));
    const end = at + (escape === 0 ? 1 : lengthOf(escape));
    // A start is in this character, an end is after it.
    for (let mark = spans[sources.length]; mark !== undefined; mark = spans[sources.length]) {
      const isStart = sources.length % 2 === 0;
      if (isStart ? mark >= size : mark > size) break;
      sources.push(isStart ? at : end);
    }
    at = end;
  }
  place.at = at;
  place.size = size;
}

/** An escape as one number, because there can be millions: what it stands for, and how many bytes it has. */
const escapeOf = (value: number, length: number) => (value << 5) | length;
const lengthOf = (escape: number) => escape & 31;
const valueOf = (escape: number) => escape >>> 5;
/** Values below are single bytes, those above are characters beyond ASCII. */
const BYTES = 256;

/** 0 if none begins there. */
function escapeAt(bytes: Buffer, at: number, byte: number): number {
  if (byte === AMPERSAND) return entityAt(bytes, at);
  const next = bytes[at + 1] ?? -1;
  if (next === SMALL_U || next === LARGE_U) {
    const escape = unicodeAt(bytes, at, next);
    if (escape !== 0) return escape;
  }
  if (byte === PERCENT) {
    const value = hexAt(bytes, at + 1, 2);
    return value < 0 ? 0 : escapeOf(value, 3);
  }
  if (next < 0) return 0;
  const value = next === SMALL_X ? hexAt(bytes, at + 2, 2) : -1;
  // A mark stands for itself.
  return value < 0 ? escapeOf(next, 2) : escapeOf(value, 4);
}

/** `\u002b` and `%u002b`, also as a pair of surrogates; `\u{2b}`, `\U0000002b`. */
function unicodeAt(bytes: Buffer, at: number, letter: number): number {
  if (letter === LARGE_U) {
    const point = hexAt(bytes, at + 2, 8);
    if (point >= 0) return characterOf(point, 10);
  }
  if (bytes[at + 2] === OPEN) {
    const digits = digitsAt(bytes, at + 3, 16);
    const end = at + 3 + digits;
    return digits > 0 && bytes[end] === CLOSE ? characterOf(numberAt(bytes, at + 3, digits, 16), end + 1 - at) : 0;
  }
  const unit = hexAt(bytes, at + 2, 4);
  if (unit < 0) return 0;
  if (unit >= 0xd800 && unit < 0xdc00 && bytes[at + 6] === bytes[at] && bytes[at + 7] === letter) {
    const low = hexAt(bytes, at + 8, 4);
    if (low >= 0xdc00 && low < 0xe000) return characterOf(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00), 12);
  }
  return characterOf(unit, 6);
}

/** `&#43;`, `&#x2b;`, `&plus;` */
function entityAt(bytes: Buffer, at: number): number {
  if (bytes[at + 1] === HASH) {
    const isHex = bytes[at + 2] === SMALL_X || bytes[at + 2] === LARGE_X;
    const from = at + (isHex ? 3 : 2);
    const digits = digitsAt(bytes, from, isHex ? 16 : 10);
    if (digits === 0) return 0;
    // Browsers accept entities without their end.
    const end = from + digits + (bytes[from + digits] === SEMICOLON ? 1 : 0);
    return characterOf(numberAt(bytes, from, digits, isHex ? 16 : 10), end - at);
  }
  let end = at + 1;
  let key = 0;
  for (let byte = bytes[end] ?? 0; end <= at + LONGEST_NAME && isLetterOrDigit(byte); byte = bytes[end] ?? 0) {
    key = keyWith(key, byte);
    end += 1;
  }
  const point = bytes[end] === SEMICOLON ? NAMED.get(key) : undefined;
  return point === undefined ? 0 : characterOf(point, end + 1 - at);
}

/** Code points without a character become U+FFFD, as in UTF-8. */
function characterOf(point: number, length: number): number {
  if (point < 0x80) return escapeOf(point, length);
  const isCharacter = point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
  return escapeOf((isCharacter ? point : 0xfffd) + BYTES, length);
}

const isLetterOrDigit = (byte: number) => ((byte | 32) >= 97 ? (byte | 32) <= 122 : byte >= 48 && byte <= 57);

/** -1 if there are fewer digits. */
function hexAt(bytes: Buffer, at: number, digits: number): number {
  return digitsAt(bytes, at, 16, digits) === digits ? numberAt(bytes, at, digits, 16) : -1;
}

function digitsAt(bytes: Buffer, at: number, base: number, most = MOST_DIGITS): number {
  let digits = 0;
  while (digits < most) {
    const digit = DIGIT[bytes[at + digits] ?? 0] ?? -1;
    if (digit < 0 || digit >= base) break;
    digits += 1;
  }
  return digits;
}

function numberAt(bytes: Buffer, at: number, digits: number, base: number): number {
  let number = 0;
  for (let index = at; index < at + digits; index += 1) number = number * base + (DIGIT[bytes[index] ?? 0] ?? 0);
  return number;
}

function widthOf(value: number): number {
  if (value < BYTES) return 1;
  const point = value - BYTES;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

/** Returns how many bytes it put. */
function put(value: number, into: Buffer, at: number): number {
  const width = widthOf(value);
  if (width === 1) {
    into[at] = FOLDED[value] ?? value;
    return 1;
  }
  let rest = value - BYTES;
  for (let index = at + width - 1; index > at; index -= 1) {
    into[index] = 0x80 | (rest & 0x3f);
    rest >>= 6;
  }
  into[at] = ((0xf00 >> width) & 0xff) | rest;
  return width;
}
