import type { ApiArgument } from '#domain/mock/api-call';
import type { Steps } from '../turns.ts';

/** About the characters of a part: to copy, search or encode them takes 1 ms. */
const PART = 131_072;
/** Characters in which a short text is searched first. */
const FIRST_SEARCHED = 1_024;

/**
 * A long text in parts, so that nothing has to copy all of it in one turn. No part ends between the halves of a character.
 * It is read like a text.
 */
export class TextInParts {
  readonly parts: readonly string[];
  /** In characters, and in bytes of UTF-8. */
  readonly length: number;
  readonly bytes: number;
  /** Where each part begins. */
  readonly #starts: readonly number[];

  /** Use TextBuilder. */
  constructor(parts: readonly string[], bytes: number) {
    let length = 0;
    const starts: number[] = [];
    for (const part of parts) {
      starts.push(length);
      length += part.length;
    }
    this.parts = parts;
    this.length = length;
    this.bytes = bytes;
    this.#starts = starts;
  }

  /** For places from 0 to its length. The result is one text, so it should be short. */
  slice(from: number, to = this.length): string {
    const end = Math.min(to, this.length);
    let text = '';
    let at = from;
    for (let index = this.#partAt(from); at < end; index += 1) {
      const start = this.#starts[index] ?? 0;
      const part = this.parts[index] ?? '';
      text += part.slice(at - start, end - start);
      at = start + part.length;
    }
    return text;
  }

  at(place: number): string | undefined {
    const index = this.#partAt(place);
    return this.parts[index]?.[place - (this.#starts[index] ?? 0)];
  }

  /** The text, which is copied at once. */
  get whole(): string {
    return this.parts.join('');
  }

  toJSON(): string {
    return this.whole;
  }

  #partAt(place: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= place) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** A text, in parts if it is long. */
export type AnyText = string | TextInParts;

/** An argument of an API call as it arrives: a long payload is in parts. */
export type PassedArgument = ApiArgument | TextInParts;

export const isText = (value: unknown): value is AnyText => typeof value === 'string' || value instanceof TextInParts;

/** The same for an argument. */
export const wholeArgument = (argument: PassedArgument): ApiArgument =>
  argument instanceof TextInParts ? argument.whole : argument;

/** The text, which is copied at once if it is in parts. */
export const wholeOf = (text: AnyText): string => (typeof text === 'string' ? text : text.whole);

/** A text that is not in parts is one. */
export const partsOf = (text: AnyText): readonly string[] => (typeof text === 'string' ? [text] : text.parts);

/** Creates a text in parts from pieces that end anywhere. */
export class TextBuilder {
  readonly #parts: string[] = [];
  #last = '';
  #bytes = 0;

  /** Adds a piece; long ones become one part each. */
  add(piece: string): void {
    this.#last += piece;
    if (this.#last.length >= PART) this.#flush(isHighSurrogate(this.#last.charCodeAt(this.#last.length - 1)) ? 1 : 0);
  }

  /** Adds what another text has between these places, in steps. */
  *addFrom(text: AnyText, from: number, to = text.length): Steps<void> {
    for (let at = from; at < to; at += PART) {
      this.add(text.slice(at, Math.min(to, at + PART)));
      if (to - at > PART) yield;
    }
  }

  build(): TextInParts {
    this.#flush(0);
    return new TextInParts(this.#parts, this.#bytes);
  }

  /** @param kept characters that wait for the other half */
  #flush(kept: number): void {
    const part = this.#last.slice(0, this.#last.length - kept);
    if (part === '') return;
    this.#last = this.#last.slice(part.length);
    this.#parts.push(part);
    this.#bytes += Buffer.byteLength(part);
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

/** What replaces a part of a text. */
export interface Replacement {
  from: number;
  to: number;
  text: string;
}

/** Replacements that are made at once. */
const STEP_REPLACEMENTS = 2_000;

/** A text with replacements, which are in order, in steps. */
export function* replacedIn(text: AnyText, replacements: Iterable<Replacement>): Steps<TextInParts> {
  const builder = new TextBuilder();
  let done = 0;
  let count = 0;
  for (const { from, to, text: other } of replacements) {
    yield* builder.addFrom(text, done, from);
    builder.add(other);
    done = to;
    count += 1;
    if (count % STEP_REPLACEMENTS === 0) yield;
  }
  yield* builder.addFrom(text, done);
  return builder.build();
}

/** Where a text occurs first between these places of another one, in steps; -1 if it does not. */
export function* placeIn(text: AnyText, wanted: string, from = 0, to = text.length): Steps<number> {
  let size = FIRST_SEARCHED;
  for (let start = from; start <= to; start += size, size = Math.min(PART, 2 * size)) {
    const found = text.slice(start, Math.min(to, start + size + wanted.length)).indexOf(wanted);
    if (found >= 0) return start + found;
    if (size === PART) yield;
  }
  return -1;
}
