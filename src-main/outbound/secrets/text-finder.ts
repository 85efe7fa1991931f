import type { Steps } from '../../platform/turns.ts';
import { STEP_BYTES } from './unescape.ts';

/** How many starts and ends one step handles. */
export const STEP_PARTS = 8_192;
/** The number of bytes that decide the length of a skip. */
const PAIR = 2;
const MOST_SKIPPED = 255;
/** Numbers with this many digits are in no text by chance. */
const LONG_NUMBER = 8;
/** Repeated parts shorter than this are compared again. */
const LONG_PART = 32;

/**
 * Finds any of some texts in bytes, by the algorithm of Wu and Manber: it skips as many bytes as the shortest text has,
 * unless a pair of bytes is part of one. The time depends neither on the number of texts nor on repetitions in them.
 */
export class TextFinder {
  readonly #shortest: number;
  readonly #mask: number;
  /** The length of a skip, by the hash of a pair. */
  readonly #skips: Uint8Array;
  /** The texts by the last pair of their beginning, which is as long as the shortest text. */
  readonly #texts = new Map<number, Text[]>();

  /** @param texts each has at least two bytes */
  constructor(texts: readonly Buffer[]) {
    const shortest = texts.reduce((least, { length }) => Math.min(least, length), MOST_SKIPPED);
    // Most pairs of other texts are in none of these.
    const bits = Math.ceil(Math.log2(8 * texts.length * shortest));
    this.#shortest = shortest;
    this.#mask = (1 << Math.min(Math.max(bits, 8), 16)) - 1;
    this.#skips = new Uint8Array(this.#mask + 1).fill(shortest - PAIR + 1);
    for (const bytes of texts) {
      for (let end = PAIR; end <= shortest; end += 1) {
        const hash = this.#hash(bytes.readUInt16BE(end - PAIR));
        this.#skips[hash] = Math.min(this.#skips[hash] ?? 0, shortest - end);
      }
      const pair = bytes.readUInt16BE(shortest - PAIR);
      const others = this.#texts.get(pair);
      if (others === undefined) this.#texts.set(pair, [new Text(bytes)]);
      else others.push(new Text(bytes));
    }
  }

  /** Starts and ends alternately, in order; overlapping texts are one. */
  *find(bytes: Buffer): Steps<number[]> {
    const found: number[] = [];
    const parts = new Map<Text, FoundPart>();
    for (let end = this.#shortest; end <= bytes.length;) {
      if (end > this.#shortest) yield;
      end = this.#addFound(bytes, end, parts, found);
    }
    return found;
  }

  /** Continues at an end in one step; returns the end at which the next step continues. */
  #addFound(bytes: Buffer, from: number, parts: Map<Text, FoundPart>, found: number[]): number {
    let end = from;
    for (const until = Math.min(from + STEP_BYTES, bytes.length + 1); end < until;) {
      const pair = ((bytes[end - 2] ?? 0) << 8) | (bytes[end - 1] ?? 0);
      const skip = this.#skips[this.#hash(pair)] ?? 1;
      if (skip === 0) {
        const at = end - this.#shortest;
        for (const text of this.#texts.get(pair) ?? []) {
          if (text.isAt(bytes, at, parts)) add(found, at, at + text.bytes.length);
        }
        end += 1;
      } else {
        end += skip;
      }
    }
    return end;
  }

  #hash(pair: number): number {
    return (Math.imul(pair, 0x9e3779b1) >>> 16) & this.#mask;
  }
}

/** Adds a part that begins after the others began. */
function add(found: number[], start: number, end: number): void {
  const last = found.at(-1);
  if (last === undefined || start >= last) found.push(start, end);
  else if (end > last) found[found.length - 1] = end;
}

/** Parts that are in either list; overlapping ones are one. */
export function* united(some: number[], others: number[]): Steps<number[]> {
  if (others.length === 0) return some;
  const all: number[] = [];
  for (let one = 0, other = 0, step = STEP_PARTS; one < some.length || other < others.length;) {
    if (all.length >= step) {
      step = all.length + STEP_PARTS;
      yield;
    }
    const start = some[one] ?? Number.POSITIVE_INFINITY;
    const otherStart = others[other] ?? Number.POSITIVE_INFINITY;
    if (start <= otherStart) {
      add(all, start, some[one + 1] ?? start);
      one += 2;
    } else {
      add(all, otherStart, others[other + 1] ?? otherStart);
      other += 2;
    }
  }
  return all;
}

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 48 && byte <= 57;
const DOT = 46;

/** Whether a number continues there. */
function continues(bytes: Buffer, at: number, step: 1 | -1): boolean {
  return isDigit(bytes[at]) || (bytes[at] === DOT && isDigit(bytes[at + step]));
}

/** The part of a text that was found, and its start. */
interface FoundPart {
  start: number;
  end: number;
}

class Text {
  readonly bytes: Buffer;
  /** Short numbers are part of others by chance: they are only found as whole numbers. */
  readonly #isNumber: boolean;
  #repeats: Uint32Array | null = null;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#isNumber = bytes.length < LONG_NUMBER && bytes.every(isDigit);
  }

  /**
   * Whether the text is there. Every byte is compared once, as in the Z algorithm: what was found from an earlier start
   * is known to repeat from this one as far as the text repeats its own beginning.
   * @param parts what was found before, updated
   */
  isAt(bytes: Buffer, at: number, parts: Map<Text, FoundPart>): boolean {
    const { length } = this.bytes;
    const part = parts.get(this);
    let same = 0;
    if (part !== undefined && at < part.end) {
      same = this.#repeatAt(at - part.start);
      if (same < part.end - at) return false;
      same = part.end - at;
    }
    while (same < length && bytes[at + same] === this.bytes[same]) same += 1;
    if (same >= LONG_PART) parts.set(this, { start: at, end: at + same });
    return same === length && !(this.#isNumber && (continues(bytes, at - 1, -1) || continues(bytes, at + same, 1)));
  }

  /** How many bytes from there are the same as at the beginning. */
  #repeatAt(index: number): number {
    this.#repeats ??= repeatsOf(this.bytes);
    return this.#repeats[index] ?? 0;
  }
}

function repeatsOf(bytes: Buffer): Uint32Array {
  const repeats = new Uint32Array(bytes.length);
  let start = 0;
  let end = 0;
  for (let at = 1; at < bytes.length; at += 1) {
    let same = at < end ? Math.min(repeats[at - start] ?? 0, end - at) : 0;
    while (at + same < bytes.length && bytes[at + same] === bytes[same]) same += 1;
    repeats[at] = same;
    if (at + same > end) {
      start = at;
      end = at + same;
    }
  }
  return repeats;
}
