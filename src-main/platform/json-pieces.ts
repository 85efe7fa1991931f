import { type Json, type JsonObject, parseJson } from '#domain/text/json';
import type { Steps } from './turns.ts';

/** Bytes that are parsed at once: about 2 ms. */
const PIECE = 131_072;
/** Characters of texts that are written at once. */
const WRITTEN = 262_144;
/** Places that are searched at once: less than 1 ms. */
const SEARCHED = 65_536;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Parses JSON in UTF-8 without white space between its parts, as `JSON.stringify` writes it, in steps of a few ms: lists and
 * objects member by member, others at once. Throws a SyntaxError if it is no JSON.
 */
export function* parseInPieces(text: Buffer, start = 0, end = text.length): Steps<Json> {
  const first = text[start];
  if (end - start <= PIECE || (first !== OPEN_LIST && first !== OPEN_OBJECT)) {
    return parseJson(text.toString('utf8', start, end));
  }
  if (text[end - 1] !== (first === OPEN_LIST ? CLOSE_LIST : CLOSE_OBJECT)) {
    throw new SyntaxError('a list or an object has no end');
  }
  return yield* first === OPEN_LIST ? listInPieces(text, start, end) : objectInPieces(text, start, end);
}

/**
 * The JSON of a value in UTF-8, in parts, as `JSON.stringify` writes it: the items of its outer `levels` of lists and objects
 * one by one, those within at once. The value must be JSON, whose members may be undefined.
 */
export function* writtenInPieces(value: unknown, levels: number): Steps<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const encoder = new TextEncoder();
  let text = '';
  const write = (): void => {
    parts.push(encoder.encode(text));
    text = '';
  };
  function* add(item: unknown, left: number): Steps<void> {
    if (left === 0 || typeof item !== 'object' || item === null) {
      text += JSON.stringify(item);
    } else if (Array.isArray(item)) {
      text += '[';
      for (const [at, one] of item.entries()) {
        if (at > 0) text += ',';
        yield* add(one, left - 1);
      }
      text += ']';
    } else {
      let isFirst = true;
      text += '{';
      for (const [name, member] of Object.entries(item)) {
        if (member === undefined) continue;
        text += `${isFirst ? '' : ','}${JSON.stringify(name)}:`;
        isFirst = false;
        yield* add(member, left - 1);
      }
      text += '}';
    }
    if (text.length >= WRITTEN) write();
    yield;
  }
  yield* add(value, levels);
  write();
  return parts;
}

function* listInPieces(text: Buffer, start: number, end: number): Steps<Json[]> {
  const list: Json[] = [];
  /** Short items are parsed together: from here to `from`. */
  let group = start + 1;
  const parseGroup = (to: number) => {
    if (to > group) list.push(...itemsOf(text.toString('utf8', group, to)));
  };
  for (let from = start + 1; from < end;) {
    const at = yield* endOfMember(text, from, end);
    if (at - from > PIECE) {
      parseGroup(from - 1);
      list.push(yield* parseInPieces(text, from, at));
      group = at + 1;
      yield;
    } else if (at - group > PIECE || at === end - 1) {
      parseGroup(at);
      group = at + 1;
      yield;
    }
    from = at + 1;
  }
  return list;
}

function* objectInPieces(text: Buffer, start: number, end: number): Steps<JsonObject> {
  const members: [string, Json][] = [];
  for (let from = start + 1; from < end;) {
    const at = yield* endOfMember(text, from, end);
    const colon = text[from] === QUOTE ? endOfText(text, from) + 1 : from;
    if (text[colon] !== COLON) throw new SyntaxError('a member has no name');
    members.push([nameOf(text, from, colon), yield* parseInPieces(text, colon + 1, at)]);
    yield;
    from = at + 1;
  }
  // Not by assignment: a member can be named `__proto__`.
  return Object.fromEntries(members);
}

/** The place of the comma after a member of a list or an object, or of the bracket that ends that at `end`. */
function* endOfMember(text: Buffer, from: number, end: number): Steps<number> {
  let depth = 0;
  let searched = 0;
  for (let at = from; at < end; at += 1) {
    if ((searched += 1) % SEARCHED === 0) yield;
    const byte = text[at];
    if (byte === QUOTE) at = endOfText(text, at);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth -= 1;
      if (depth < 0 && at === end - 1) return at;
      if (depth < 0) break;
    } else if (byte === COMMA && depth === 0) return at;
  }
  throw new SyntaxError('a list or an object has no end');
}

function itemsOf(items: string): Json[] {
  const list = parseJson(`[${items}]`);
  if (!Array.isArray(list)) throw new SyntaxError('a list has other members');
  return list;
}

/** The quote that ends a text. */
function endOfText(text: Buffer, start: number): number {
  for (let at = start; ;) {
    at = text.indexOf(QUOTE, at + 1);
    if (at < 0) throw new SyntaxError('a text has no end');
    let escapes = 0;
    while (text[at - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}

function nameOf(text: Buffer, from: number, to: number): string {
  const name = parseJson(text.toString('utf8', from, to));
  if (typeof name !== 'string') throw new SyntaxError('a member has no name');
  return name;
}
