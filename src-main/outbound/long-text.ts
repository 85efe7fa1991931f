import type { Json } from '#domain/text/json';
import { parseInPieces } from '../platform/long-texts/json-pieces.ts';
import type { AnyText } from '../platform/long-texts/text-in-parts.ts';
import type { Steps } from '../platform/turns.ts';

/** The beginning of a body that is a form: its first name. */
export const BEGINS_FORM = /^[^\s=&{[<]{1,200}=/;
/** More characters than the beginning of a form has. */
export const FORM_START = 256;
/** Characters of a text that is searched at once: about 2 ms. */
export const SHORT_TEXT = 262_144;
/** Characters of a long text that are searched at once. */
const WINDOW = 131_072;
/** More than a match has between its parts, and than a pattern looks at around it. */
const AROUND = 512;
/** A match has at most so many stretches of blanks, which may have any length. */
const MOST_STRETCHES = 4;
/** White space, and blanks in the encoding of URLs and forms. */
const BLANK = /[\s+%20]/;

/**
 * Calls back for every match of a global pattern, as `matchAll` finds them, in steps. Only stretches of blanks and the end of a
 * match may be longer than AROUND, and it must not depend on the beginning or the end of the text.
 */
export function* eachMatch(text: AnyText, pattern: RegExp, found: (match: RegExpExecArray) => void): Steps<void> {
  const search = new RegExp(pattern);
  let size = WINDOW;
  for (let from = 0; ;) {
    const start = Math.max(0, from - AROUND);
    const end = Math.min(from + size, text.length);
    const isLast = end === text.length;
    const part = text.slice(start, end);
    search.lastIndex = from - start;
    let next = isLast ? end : beforeParts(text, from, end - AROUND);
    for (let match = search.exec(part); match !== null; match = search.exec(part)) {
      const index = start + match.index;
      const to = index + match[0].length;
      // More text could make it longer.
      if (!isLast && to > end - AROUND) {
        next = Math.min(next, index);
        break;
      }
      match.index = index;
      found(match);
      next = Math.max(next, to);
    }
    if (isLast) return;
    size = next > from ? WINDOW : 2 * size;
    from = next;
    yield;
  }
}

/** A place before everything that can be the beginning of a match which ends after `at`. */
function beforeParts(text: AnyText, from: number, at: number): number {
  let place = at;
  for (let stretch = 0; stretch < MOST_STRETCHES; stretch += 1) {
    while (place > from && BLANK.test(text.at(place - 1) ?? '')) place -= 1;
    place -= AROUND / MOST_STRETCHES;
  }
  return Math.max(from, place);
}

/** Whether a pattern occurs in a text. It may also find what only the text around a match excludes. */
export function* occursIn(text: AnyText, pattern: RegExp): Steps<boolean> {
  for (let from = 0; from < text.length; from += WINDOW) {
    if (pattern.test(text.slice(from, from + WINDOW + AROUND))) return true;
    yield;
  }
  return false;
}

/** A text in UTF-8. */
export function* bytesOfText(text: AnyText): Steps<Buffer> {
  if (typeof text === 'string' && text.length <= SHORT_TEXT) return Buffer.from(text);
  const parts: Buffer[] = [];
  for (const part of typeof text === 'string' ? piecesOf(text) : text.parts) {
    parts.push(Buffer.from(part));
    yield;
  }
  return yield* joined(parts);
}

/** Never between the halves of a character. */
function* piecesOf(text: string): Generator<string, void, void> {
  for (let from = 0; from < text.length;) {
    const last = text.charCodeAt(from + WINDOW - 1);
    const to = from + WINDOW - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
    yield text.slice(from, to);
    from = to;
  }
}

function* joined(parts: readonly Buffer[]): Steps<Buffer> {
  const whole = Buffer.allocUnsafeSlow(parts.reduce((size, { length }) => size + length, 0));
  let size = 0;
  for (const [index, part] of parts.entries()) {
    size += part.copy(whole, size);
    if (index % 4 === 3) yield;
  }
  return whole;
}

/** The value of a text that is JSON; undefined for other texts. */
export function* jsonInSteps(text: AnyText): Steps<Json | undefined> {
  const bytes = yield* bytesOfText(text);
  try {
    return yield* parseInPieces(bytes);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

/** Whether a text in UTF-8 is JSON. */
export function* isJsonInSteps(bytes: Buffer): Steps<boolean> {
  try {
    yield* parseInPieces(bytes);
    return true;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return false;
    throw thrown;
  }
}

const MARK = Buffer.from('\ufeff');

/** The length of the byte order mark with which a text in UTF-8 begins; a decoder omits it. */
export const markLength = (bytes: Buffer): number => (bytes.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0);

/** Bytes in a charset as a decoder reads them, piece by piece. */
function* decodedPieces(bytes: Buffer, charset: string): Generator<string, void, void> {
  const decoder = new TextDecoder(charset);
  for (let from = 0; from < bytes.length; from += WINDOW)
    yield decoder.decode(bytes.subarray(from, from + WINDOW), { stream: true });
  yield decoder.decode();
}

/** Bytes in another charset as UTF-8, for a decoder. */
export function* inUtf8(bytes: Buffer, charset: string): Steps<Buffer> {
  const parts: Buffer[] = [];
  for (const piece of decodedPieces(bytes, charset)) {
    parts.push(Buffer.from(piece));
    yield;
  }
  // A mark that remains is a part of the text: the decoder would omit it.
  const first = parts.find((part) => part.length > 0);
  if (first && markLength(first) > 0) parts.unshift(MARK);
  return yield* joined(parts);
}

/** The beginning of a text, with more than this number of characters if it has more. */
export function* textStart(bytes: Buffer, charset: string, length: number): Steps<string> {
  let start = '';
  for (const piece of decodedPieces(bytes, charset)) {
    start += piece;
    if (start.length > length) break;
    yield;
  }
  return start;
}
