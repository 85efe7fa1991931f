import { grouped } from '#domain/text/grouped';
import { type Json, lengthOfJson } from '#domain/text/json';

/** Hides secrets in a text. */
export type TextMask = (text: string) => string;

/** Characters of a value, as JSON, and of a text. A longer value is described. */
const MOST = 2_000;

/** No part of a long value is shown: it could be a part of a secret. */
function tooLong(value: Json): string {
  const what = typeof value === 'string' ? `a text of ${grouped(value.length)} characters` : 'a value';
  return `(${what}, too long for the journal)`;
}

/** Values as the journal shows them: masked, and bounded. */
export class JournalValues {
  #maskOf: () => TextMask | null = () => null;
  /** Undefined until it is needed: secrets are only opened then. */
  #mask: TextMask | null | undefined;

  /** Uses another mask from now on. */
  maskWith(maskOf: () => TextMask | null): void {
    this.#maskOf = maskOf;
    this.#mask = undefined;
  }

  get mask(): TextMask | null {
    if (this.#mask === undefined) this.#mask = this.#maskOf();
    return this.#mask;
  }

  /** As JSON text. */
  json(value: Json): string {
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return JSON.stringify(value);
    if (typeof value === 'string') return JSON.stringify(this.text(value));
    if (lengthOfJson(value, MOST) > MOST) return JSON.stringify(tooLong(value));
    const { mask } = this;
    return JSON.stringify(mask ? masked(value, mask) : value);
  }

  /** A text that is cut could contain a part of a secret, so a long one is described. */
  text(text: string): string {
    if (text.length > MOST) return tooLong(text);
    const { mask } = this;
    return mask ? mask(text) : text;
  }
}

function masked(value: Json, mask: TextMask): Json {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => masked(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [mask(name), masked(item, mask)]));
}
