import { MagicString } from 'magic-string';
import { type Inserted, lineAt, lineStartsOf } from './columns.ts';

/** Characters of a text with its insertions: 50,000 statements with a probe each have 8 million. */
export const MOST_MARKED = 8_000_000;

/** With its insertions, a text has more characters than MOST_MARKED. */
export class TooLong extends Error {}

/**
 * A text with insertions between two marks each, without new lines. Places are those of a parser, which saw
 * the text after `offset` other characters.
 */
export class MarkedText {
  readonly #text: MagicString;
  readonly #mark: string;
  readonly #offset: number;
  readonly #lineStarts: number[];
  #length: number;
  /** The insertions, in the order in which they were made. */
  readonly inserted: Inserted[] = [];

  constructor(text: string, mark: string, offset: number) {
    this.#text = new MagicString(text);
    this.#mark = mark;
    this.#offset = offset;
    this.#length = text.length;
    this.#lineStarts = lineStartsOf(text);
  }

  /** Inserts text before a node: after that of outer nodes which start at the same place. */
  open(at: number, text: string): void {
    this.#text.appendRight(this.#note(at, text), this.#marked(text));
  }

  /** Inserts text after a node: before that of outer nodes which end at the same place. */
  close(at: number, text: string): void {
    this.#text.prependLeft(this.#note(at, text), this.#marked(text));
  }

  /** A part of the original. */
  slice(from: number, to: number): string {
    return this.#text.original.slice(from - this.#offset, to - this.#offset);
  }

  /** Line and column in the original, from 1. */
  placeOf(at: number): { line: number; column: number } {
    const place = at - this.#offset;
    const line = lineAt(this.#lineStarts, place);
    return { line, column: place - (this.#lineStarts[line - 1] ?? 0) + 1 };
  }

  toString(): string {
    return this.#text.toString();
  }

  /** The place of an insertion in the text; at its end, if that is after it. Throws TooLong. */
  #note(at: number, text: string): number {
    const place = Math.min(at - this.#offset, this.#text.original.length);
    const { length } = this.#marked(text);
    this.#length += length;
    if (this.#length > MOST_MARKED) throw new TooLong();
    this.inserted.push({ at: place, length });
    return place;
  }

  #marked(text: string): string {
    return this.#mark + text + this.#mark;
  }
}
