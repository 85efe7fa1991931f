import { randomBytes } from 'node:crypto';
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  endOfText,
  LOOKED_AT,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './json-bytes.ts';
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
  return json.length <= UNSCANNED_BYTES ? null : new Scan(json, most).excess(json.length);
}

/** Bytes that are checked at once: about 1 ms. */
const STEP_BYTES = 524_288;

/** Yields after each step. */
type ExcessSteps = Generator<void, JsonExcess | null, void>;

/** The same in steps. @param levels how many levels of arrays and objects there may be; by default, about those of a call */
export function* excessInSteps(json: Uint8Array, most: number, levels = LEVELS): ExcessSteps {
  const scan = new Scan(json, most, levels);
  for (let until = STEP_BYTES; ; until += STEP_BYTES) {
    const excess = scan.excess(until);
    if (excess !== null || until >= json.length) return excess;
    yield;
  }
}

/** One scan of a text, from its first byte to its last. */
class Scan {
  readonly #json: Uint8Array;
  readonly #most: number;
  readonly #levels: number;
  readonly #seen = new Int32Array(SEEN);
  /** The hash of the names so far of the object at each level. */
  readonly #shapes: Int32Array;
  #cost = 0;
  #level = 0;
  /** Where the scan continues; in a long text, the complement of that. */
  #at = 0;
  /** Where the last text begins. */
  #textAt = 0;
  /** The last significant byte. */
  #lastAt = 0;

  constructor(json: Uint8Array, most: number, levels = LEVELS) {
    this.#json = json;
    this.#most = most;
    this.#levels = levels;
    this.#shapes = new Int32Array(levels + 1);
  }

  /** Scans on to about this place, or to the first excess. */
  excess(until: number): JsonExcess | null {
    const json = this.#json;
    let at = this.#at;
    if (at < 0) {
      at = endOfText(json, ~at, until);
      if (at < 0) {
        this.#at = at;
        return null;
      }
      this.#lastAt = at;
      at += 1;
    }
    for (const end = Math.min(until, json.length); at < end; at += 1) {
      const byte = json[at] ?? 0;
      if (TELLING[byte] === 0) {
        if (at - this.#lastAt > LONGEST_NUMBER) return 'blanks';
        continue;
      }
      if (at - this.#lastAt > SHORT_NUMBER) this.#cost += JSON_COST.longNumber;
      switch (byte) {
        case QUOTE:
          at = this.#text(at + 1, until);
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
          if (this.#level > this.#levels) return 'depth';
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
      if (this.#cost > this.#most) return 'parts';
      if (at < 0) break;
      this.#lastAt = at;
    }
    this.#at = at;
    return null;
  }

  /** The closing quote of a text; the complement of a place in it if it is long and ends later than `until`. */
  #text(from: number, until: number): number {
    const json = this.#json;
    let at = from;
    for (const stop = Math.min(from + LOOKED_AT, json.length); at < stop; at += 1) {
      const byte = json[at];
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) at += 1;
    }
    this.#textAt = from;
    this.#cost += JSON_COST.text;
    if (at - from >= LOOKED_AT) return endOfText(json, at, until);
    if (at - from <= SHORT_TEXT && at - from > 1 && this.#isNew(this.#hash(from, at))) this.#cost += JSON_COST.newText;
    return at;
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
