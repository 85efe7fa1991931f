import { randomBytes } from 'node:crypto';
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-bytes.ts';
import { JSON_COST, MAX_JSON_DEPTH, UNSCANNED_BYTES } from './limits.ts';

const POINT = 0x2e;
const EXPONENT = 0x65;
const LARGE_EXPONENT = 0x45;
/** 1 for the bytes that delimit the parts of a text; digits and white space don't. */
const TELLING = new Uint8Array(256);
for (const byte of [QUOTE, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT]) TELLING[byte] = 1;
for (const byte of [POINT, EXPONENT, LARGE_EXPONENT]) TELLING[byte] = 1;
/** Integers of up to 9 digits need no memory of their own. */
const SHORT_NUMBER = 9;
/** A longer gap between two parts has white space, which none of our hosts sends; the parser would read all of it. */
const LONGEST_NUMBER = 32;

/** The message around a value, and nesting added by conversions: an item in a list in a call. */
const LEVELS = MAX_JSON_DEPTH + 20;
/** The engine stores texts of up to 10 characters only once, and searches for each of them. */
const SHORT_TEXT = 12;
/** From this length on, native code searches for the end of a text. */
const LOOKED_AT = 64;
const MIX = 0x01000193;
/** Hashes of texts and shapes seen before. A host that knew the seed could produce collisions. */
const SEEN = 1 << 15;
const SEED = randomBytes(4).readInt32LE();

/** Why a JSON text is rejected: it has too many parts for one message, is nested too deeply, or has white space. */
export type JsonExcess = 'parts' | 'depth' | 'blanks';

/**
 * Checks without parsing whether a JSON text may be parsed: the time and memory of parsing depend on the number of its
 * arrays, objects, members and texts far more than on its bytes. Short texts pass unchecked. `most` is in the units of
 * JSON_COST. The text need not be JSON: the parser finds syntax errors.
 */
export function excessOf(json: Uint8Array, most: number): JsonExcess | null {
  return json.length <= UNSCANNED_BYTES ? null : new Scan(json, most).excess();
}

/** One scan of a text, from its first byte to its last. */
class Scan {
  readonly #json: Uint8Array;
  readonly #most: number;
  readonly #seen = new Int32Array(SEEN);
  /** The hash of the names so far of the object at each level. */
  readonly #shapes = new Int32Array(LEVELS + 1);
  #cost = 0;
  #level = 0;
  /** Where the last text begins. */
  #textAt = 0;
  /** The last significant byte. */
  #lastAt = 0;

  constructor(json: Uint8Array, most: number) {
    this.#json = json;
    this.#most = most;
  }

  excess(): JsonExcess | null {
    const json = this.#json;
    for (let at = 0; at < json.length; at += 1) {
      const byte = json[at] ?? 0;
      if (TELLING[byte] === 0) {
        if (at - this.#lastAt > LONGEST_NUMBER) return 'blanks';
        continue;
      }
      if (at - this.#lastAt > SHORT_NUMBER) this.#cost += JSON_COST.longNumber;
      switch (byte) {
        case QUOTE:
          at = this.#text(at + 1);
          break;
        case COMMA:
          this.#cost += JSON_COST.other;
          break;
        case COLON:
          this.#member(at);
          break;
        case OPEN_LIST:
        case OPEN_OBJECT:
          this.#level += 1;
          if (this.#level > LEVELS) return 'depth';
          this.#shapes[this.#level] = SEED;
          this.#cost += JSON_COST.container;
          break;
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          if (this.#level > 0) this.#level -= 1;
          break;
        default:
          this.#cost += JSON_COST.longNumber;
      }
      this.#lastAt = at;
      if (this.#cost > this.#most) return 'parts';
    }
    return null;
  }

  /** Moves to the closing quote of a text, and returns its position. */
  #text(from: number): number {
    const json = this.#json;
    let at = from;
    for (const until = Math.min(from + LOOKED_AT, json.length); at < until; at += 1) {
      const byte = json[at];
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) at += 1;
    }
    this.#textAt = from;
    this.#cost += JSON_COST.text;
    if (at - from >= LOOKED_AT) return this.#endOfText(at);
    if (at - from <= SHORT_TEXT && at - from > 1 && this.#isNew(this.#hash(from, at))) this.#cost += JSON_COST.newText;
    return at;
  }

  /** The position of the closing quote of a long text. A text full of escaped quotes is not searched quote by quote. */
  #endOfText(from: number): number {
    const json = this.#json;
    let at = from;
    for (;;) {
      const quote = json.indexOf(QUOTE, at);
      if (quote < 0) return json.length;
      let before = quote;
      while (before > at && json[before - 1] === BACKSLASH) before -= 1;
      if ((quote - before) % 2 === 0) return quote;
      at = quote + 1;
      for (const until = Math.min(at + LOOKED_AT, json.length); at < until; at += 1) {
        if (json[at] === QUOTE) return at;
        if (json[at] === BACKSLASH) at += 1;
      }
    }
  }

  /** The last text is a name. Objects with the same names in the same order are cheap, every new order is not. */
  #member(at: number): void {
    const name = this.#hash(this.#textAt, at);
    this.#textAt = at;
    const shapes = this.#shapes;
    shapes[this.#level] = Math.imul((shapes[this.#level] ?? 0) ^ name, MIX) + name;
    this.#cost += JSON_COST.member;
    if (this.#isNew(shapes[this.#level] ?? 0)) this.#cost += JSON_COST.newShape;
  }

  #hash(from: number, to: number): number {
    const json = this.#json;
    let hash = SEED;
    for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (json[at] ?? 0), MIX);
    return hash;
  }

  #isNew(hash: number): boolean {
    const place = (hash ^ (hash >>> 15)) & (SEEN - 1);
    if (this.#seen[place] === hash) return false;
    this.#seen[place] = hash;
    return true;
  }
}
