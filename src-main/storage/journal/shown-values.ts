import { hash } from 'node:crypto';
import { grouped } from '#domain/text/grouped';
import { type Json, lengthOfJson } from '#domain/text/json';
import type { JournalStatements } from './journal-statements.ts';

/** Hides secrets in a text. */
export type TextMask = (text: string) => string;

/** Characters of a value, as JSON, and of a text. A longer value is described. */
const MOST = 2_000;

/** No part of a long value is shown: it could be a part of a secret. */
function tooLong(value: Json): string {
  const what = typeof value === 'string' ? `a text of ${grouped(value.length)} characters` : 'a value';
  return `(${what}, too long for the journal)`;
}

/** What hides the secrets of the API calls of a run. */
type OwnSecrets = { readonly mask: TextMask | null } | undefined;

/** How many values with secrets of runs are remembered. */
const MOST_REMEMBERED = 1_000;
const SECRET = JSON.stringify('***');

/** Values as the journal shows them: masked, and bounded. */
export class JournalValues {
  readonly #statements: Pick<JournalStatements, 'hidden' | 'hide' | 'dropHidden'>;
  #maskOf: () => TextMask | null = () => null;
  /** Undefined until it is needed: secrets are only opened then. */
  #mask: TextMask | null | undefined;
  /** Hashes of values with secrets of runs; null until they are needed. */
  #remembered: Set<string> | null = null;

  constructor(statements: Pick<JournalStatements, 'hidden' | 'hide' | 'dropHidden'>) {
    this.#statements = statements;
  }

  /** Uses another mask from now on. */
  maskWith(maskOf: () => TextMask | null): void {
    this.#maskOf = maskOf;
    this.#mask = undefined;
  }

  get mask(): TextMask | null {
    if (this.#mask === undefined) this.#mask = this.#maskOf();
    return this.#mask;
  }

  /**
   * As JSON text. Inside a job: a value in which a secret of the run is hidden is remembered, because other changes have it as
   * the value before.
   * @param own the secrets of the run that writes it
   */
  json(value: Json, own?: OwnSecrets): string {
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return JSON.stringify(value);
    if (typeof value === 'string' ? value.length > MOST : lengthOfJson(value, MOST) > MOST) {
      return JSON.stringify(tooLong(value));
    }
    const text = JSON.stringify(value);
    const hide = own?.mask ?? null;
    const hidden = hide ? masked(value, hide) : value;
    const { mask } = this;
    if (hide && JSON.stringify(hidden) !== text) this.#remember(text);
    else if (this.#isRemembered(text)) return SECRET;
    return mask || hide ? JSON.stringify(mask ? masked(hidden, mask) : hidden) : text;
  }

  /** A text that is cut could contain a part of a secret, so a long one is described. */
  text(text: string, own?: OwnSecrets): string {
    if (text.length > MOST) return tooLong(text);
    const hidden = own?.mask?.(text) ?? text;
    return this.mask?.(hidden) ?? hidden;
  }

  get #hashes(): Set<string> {
    return (this.#remembered ??= new Set(this.#statements.hidden.all().map((bytes) => bytes.toString('base64'))));
  }

  #isRemembered(text: string): boolean {
    return this.#hashes.size > 0 && this.#hashes.has(hash('sha256', text, 'base64'));
  }

  #remember(text: string): void {
    const name = hash('sha256', text, 'base64');
    if (this.#hashes.has(name)) return;
    this.#hashes.add(name);
    this.#statements.hide.run(Buffer.from(name, 'base64'));
    if (this.#hashes.size <= MOST_REMEMBERED) return;
    this.#statements.dropHidden.run(MOST_REMEMBERED);
    this.#remembered = null;
  }
}

function masked(value: Json, mask: TextMask): Json {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => masked(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [mask(name), masked(item, mask)]));
}
