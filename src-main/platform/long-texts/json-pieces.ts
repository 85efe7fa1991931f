import { type Json, isJsonObject, lengthOfJson, parseJson } from '#domain/text/json';
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  endOfText,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from '../host-pipe/json-bytes.ts';
import type { Steps } from '../turns.ts';
import { TextBuilder, TextInParts } from './text-in-parts.ts';

/** Bytes that are parsed at once: about 2 ms. */
const PIECE = 131_072;
/** Characters that are written at once. */
const WRITTEN = 262_144;
/** About the characters of a list or an object that is written at once. */
const SHORT_VALUE = 16_384;
/** Bytes that are searched at once: less than 1 ms. */
const SEARCHED = 262_144;
/**
 * Levels of lists and objects that are divided. Each of them is searched once more; deeper ones are parsed at once, whatever
 * their length.
 */
const LEVELS = 8;

/** `\u00e9` */
const LONGEST_ESCAPE = 6;
const SMALL_U = 0x75;
/** The first bytes of values that may be long. */
const LONG_VALUE = new Set(Buffer.from('[{"-0123456789'));
const BLANKS = new Set(Buffer.from(' \t\r\n'));

/**
 * Parses JSON in UTF-8 in steps of a few ms: lists and objects member by member, long texts piece by piece. The result is that
 * of `JSON.parse`. Throws a SyntaxError if it is no JSON.
 */
export function* parseInPieces(text: Buffer): Steps<Json> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- none of its texts is in parts
  return (yield* parsedIn(text, 0, text.length, joined)) as Json;
}

/** The same, but texts with more than 131,072 bytes are in parts, because to join them takes one long step. */
export function* parseWithParts(text: Buffer): Steps<Parsed> {
  return yield* parsedIn(text, 0, text.length, inParts);
}

/** JSON whose long texts may be in parts. */
export type Parsed = Json | TextInParts | Parsed[] | ParsedObject;

interface ParsedObject {
  [member: string]: Parsed;
}

/** Takes the pieces of a long text, in order. */
interface LongTextMaker {
  add(piece: string): void;
  build(): string | TextInParts;
}

class JoinedText implements LongTextMaker {
  #text = '';

  add(piece: string): void {
    this.#text += piece;
  }

  build(): string {
    return this.#text;
  }
}

type MakeText = () => LongTextMaker;
const joined: MakeText = () => new JoinedText();
const inParts: MakeText = () => new TextBuilder();

function* parsedIn(text: Buffer, from: number, to: number, make: MakeText, levels = LEVELS): Steps<Parsed> {
  const start = afterBlanks(text, from, to);
  const end = beforeBlanks(text, start, to);
  if (end - start > PIECE) {
    const first = text[start];
    if (first === QUOTE) return yield* textInPieces(text, start, end, make);
    if (levels > 0 && first === OPEN_LIST) return yield* listInPieces(text, start, end, make, levels);
    if (levels > 0 && first === OPEN_OBJECT) return yield* objectInPieces(text, start, end, make, levels);
    // A page, which need not be read to its end.
    if (!LONG_VALUE.has(first ?? 0)) throw new SyntaxError('a long value that is no list, object, text or number');
  }
  return parseJson(text.toString('utf8', start, end));
}

/**
 * The JSON of a value in UTF-8, in parts, as `JSON.stringify` writes it, in steps of a few ms: long texts piece by piece, large
 * lists and objects member by member. The value must be JSON, whose members may be undefined, and texts in parts.
 */
export function* writtenInPieces(value: unknown): Steps<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const encoder = new TextEncoder();
  let text = '';
  function* add(more: string): Steps<void> {
    text += more;
    if (text.length < WRITTEN) return;
    parts.push(encoder.encode(text));
    text = '';
    yield;
  }
  function* addValue(item: unknown): Steps<void> {
    if (item instanceof TextInParts) {
      yield* add('"');
      for (const part of item.parts) yield* add(JSON.stringify(part).slice(1, -1));
      yield* add('"');
    } else if (typeof item === 'string' && item.length > WRITTEN) {
      yield* add('"');
      for (let at = 0; at < item.length;) {
        // Half of a pair of surrogates would be written as an escape.
        const to = at + WRITTEN - (isHighSurrogate(item.charCodeAt(at + WRITTEN - 1)) ? 1 : 0);
        yield* add(JSON.stringify(item.slice(at, to)).slice(1, -1));
        at = to;
      }
      yield* add('"');
    } else if (typeof item !== 'object' || item === null || isShort(item)) {
      yield* add(JSON.stringify(item));
    } else if (Array.isArray(item)) {
      for (const [at, one] of item.entries()) {
        yield* add(at === 0 ? '[' : ',');
        yield* addValue(one);
      }
      yield* add(']');
    } else {
      let mark = '{';
      for (const [name, member] of Object.entries(item)) {
        if (member === undefined) continue;
        yield* add(`${mark}${JSON.stringify(name)}:`);
        mark = ',';
        yield* addValue(member);
      }
      yield* add(mark === '{' ? '{}' : '}');
    }
  }
  yield* addValue(value);
  parts.push(encoder.encode(text));
  return parts;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON, but for undefined members
const isShort = (value: object): boolean => lengthOfJson(value as Json, SHORT_VALUE) <= SHORT_VALUE;

function* textInPieces(text: Buffer, start: number, end: number, make: MakeText): Steps<string | TextInParts> {
  if (text[end - 1] !== QUOTE) throw new SyntaxError('a text has no end');
  const whole = make();
  for (let from = start + 1; from < end - 1;) {
    const to = from + PIECE < end - 1 ? Math.min(betweenCharacters(text, from + PIECE, from), end - 1) : end - 1;
    // A quote in it that is not escaped is a syntax error.
    const part = parseJson(`"${text.toString('utf8', from, to)}"`);
    if (typeof part !== 'string') throw new SyntaxError('a part of a text is none');
    whole.add(part);
    from = to;
    yield;
  }
  return whole.build();
}

/** That place in a text, or a later one if it is in a character or an escape. `from` is an earlier place that is in neither. */
function betweenCharacters(text: Buffer, at: number, from: number): number {
  let escape = at - 1;
  while (escape > from && at - escape < LONGEST_ESCAPE && text[escape] !== BACKSLASH) escape -= 1;
  if (text[escape] === BACKSLASH) {
    let first = escape;
    while (first > from && text[first - 1] === BACKSLASH) first -= 1;
    if ((escape - first) % 2 === 1) escape -= 1;
    const end = escape + (text[escape + 1] === SMALL_U ? LONGEST_ESCAPE : 2);
    if (end >= at) return end;
  }
  let place = at;
  while (isContinued(text[place])) place += 1;
  return place;
}

/** Whether a byte continues a character of UTF-8. */
const isContinued = (byte = 0): boolean => (byte & 0xc0) === 0x80;

function* listInPieces(text: Buffer, start: number, end: number, make: MakeText, levels: number): Steps<Parsed[]> {
  const list: Parsed[] = [];
  yield* inGroups(text, start, end, function* (from, to, isLong) {
    if (isLong) list.push(yield* parsedIn(text, from, to, make, levels - 1));
    else for (const item of itemsOf(text.toString('utf8', from, to))) list.push(item);
  });
  return list;
}

function* objectInPieces(
  text: Buffer,
  start: number,
  end: number,
  make: MakeText,
  levels: number,
): Steps<ParsedObject> {
  const object: ParsedObject = {};
  yield* inGroups(text, start, end, function* (from, to, isLong) {
    if (!isLong) {
      const members = parseJson(`{${text.toString('utf8', from, to)}}`);
      if (!isJsonObject(members)) throw new SyntaxError('an object has other members');
      for (const [name, value] of Object.entries(members)) setMember(object, name, value);
      return;
    }
    const quote = afterBlanks(text, from, to);
    const close = text[quote] === QUOTE ? yield* endOfLongText(text, quote) : to;
    const colon = afterBlanks(text, close + 1, to);
    if (text[colon] !== COLON) throw new SyntaxError('a member has no name');
    const name = parseJson(text.toString('utf8', quote, close + 1));
    if (typeof name !== 'string') throw new SyntaxError('a member has no name');
    setMember(object, name, yield* parsedIn(text, colon + 1, to, make, levels - 1));
  });
  return object;
}

/** As JSON.parse does it: a member can be named `__proto__`. */
function setMember(object: ParsedObject, name: string, value: Parsed): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Parses the text from here to there: one long member of a list or an object, or several short ones. */
type ParseGroup = (from: number, to: number, isLong: boolean) => Steps<void>;

/** The members of the list or object that is this part of the text: long ones one by one, short ones in groups. */
function* inGroups(text: Buffer, start: number, end: number, parse: ParseGroup): Steps<void> {
  const search = new MemberSearch(text, start, end);
  /** Short members that are parsed together begin here. */
  let group = start + 1;
  for (let from = group; from < end;) {
    let at = search.endOfMember();
    for (; at < 0; at = search.endOfMember()) yield;
    const isLong = at - from > PIECE && afterBlanks(text, from, at) < at;
    const to = isLong ? from - 1 : at;
    const isLast = at === end - 1;
    if (group < from || !isLong) {
      if (to - group > PIECE || isLong || isLast) {
        yield* parseShort(text, group, to, isLast && !isLong && group === start + 1, parse);
        group = to + 1;
        yield;
      }
    }
    if (isLong) {
      yield* parse(from, at, true);
      group = at + 1;
      yield;
    }
    from = at + 1;
  }
}

/** @param mayBeEmpty whether these are all members: only then there may be none */
function* parseShort(text: Buffer, from: number, to: number, mayBeEmpty: boolean, parse: ParseGroup): Steps<void> {
  if (afterBlanks(text, from, to) < to) yield* parse(from, to, false);
  else if (!mayBeEmpty) throw new SyntaxError('a member is missing');
}

/** Finds where the members of a list or an object end. */
class MemberSearch {
  readonly #text: Buffer;
  readonly #end: number;
  #depth = 0;
  /** Where the search continues; in a text, the complement of that. */
  #at: number;

  constructor(text: Buffer, start: number, end: number) {
    const close = text[start] === OPEN_LIST ? CLOSE_LIST : CLOSE_OBJECT;
    if (text[end - 1] !== close) throw new SyntaxError('a list or an object has no end');
    this.#text = text;
    this.#end = end;
    this.#at = start + 1;
  }

  /** The comma after the next member, or the bracket after the last one; -1 if it must be called again. */
  endOfMember(): number {
    const text = this.#text;
    const until = Math.abs(this.#at) + SEARCHED;
    let at = this.#at;
    if (at < 0) {
      at = endOfText(text, ~at, until);
      if (at < 0) return this.#later(at);
      at += 1;
    }
    for (const stop = Math.min(until, this.#end); at < stop; at += 1) {
      const byte = text[at];
      if (byte === QUOTE) {
        at = endOfText(text, at + 1, until);
        if (at < 0) return this.#later(at);
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth += 1;
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        this.#depth -= 1;
        if (this.#depth < 0) {
          if (at === this.#end - 1) return at;
          throw new SyntaxError('a list or an object ends early');
        }
      } else if (byte === COMMA && this.#depth === 0) {
        this.#at = at + 1;
        return at;
      }
    }
    if (at >= this.#end) throw new SyntaxError('a list or an object has no end');
    return this.#later(at);
  }

  #later(at: number): -1 {
    this.#at = at;
    return -1;
  }
}

/** The quote that ends the text which begins at this quote. */
function* endOfLongText(text: Buffer, quote: number): Steps<number> {
  let at = ~(quote + 1);
  while (at < 0) {
    at = endOfText(text, ~at, ~at + SEARCHED);
    if (at < 0) yield;
  }
  return at;
}

function itemsOf(items: string): Json[] {
  const list = parseJson(`[${items}]`);
  if (!Array.isArray(list)) throw new SyntaxError('a list has other members');
  return list;
}

function afterBlanks(text: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && BLANKS.has(text[at] ?? 0)) at += 1;
  return at;
}

function beforeBlanks(text: Buffer, from: number, to: number): number {
  let at = to;
  while (at > from && BLANKS.has(text[at - 1] ?? 0)) at -= 1;
  return at;
}
