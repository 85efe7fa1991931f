import { hash } from 'node:crypto';
import type { HiddenPart, RunOrigin } from '#domain/run/journal';
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

/** The secrets of a run. */
type OwnSecrets = RunOrigin['secrets'];

/** How many values with secrets of runs are remembered. */
const MOST_REMEMBERED = 1_000;
const MASK = '***';
const SECRET = JSON.stringify(MASK);
/** A shorter text has no secret, and a number with fewer digits is none. */
const LEAST = 4;
const LEAST_DIGITS = 6;
/** Bytes around a secret that show how it is encoded: three characters, each escaped. */
const AROUND = 36;
/** Texts that were looked up, and their characters together. */
const MOST_LOOKED_UP = 500;
const MOST_TEXT = 1_048_576;

type HiddenStatements = Pick<JournalStatements, 'hidden' | 'hide' | 'dropHidden'>;

/**
 * Values as the journal shows them: masked, and bounded. Those in which it hid a secret of a run are remembered by their hash,
 * with the places of the secrets: other changes have such a value as the one before, and other runs read it.
 */
export class JournalValues {
  readonly #statements: HiddenStatements;
  /** Whether a value may be remembered: false as soon as it is known that none is. */
  mayHave = true;
  #maskOf: () => TextMask | null = () => null;
  /** Undefined until it is needed: secrets are only opened then. */
  #mask: TextMask | null | undefined;
  /** By the hash of a value: the places of its secrets in its JSON, null if they are unknown. Null until it is needed. */
  #remembered: Map<string, readonly number[] | null> | null = null;
  /** How many digits the remembered numbers have: a hash of any other number is never computed. */
  #digits: ReadonlySet<number> = new Set();
  /** Texts that runs read, with their secrets: each read would compute a hash. */
  readonly #lookedUp = new Map<string, readonly HiddenPart[] | null>();
  #lookedUpText = 0;

  constructor(statements: HiddenStatements) {
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
   * As JSON text. Inside a job: a value in which a secret of the run is hidden is remembered.
   * @param own the secrets of the run that writes it
   */
  json(value: Json, own?: OwnSecrets): string {
    if (typeof value === 'number') return this.#number(value, own);
    if (value === null || typeof value === 'boolean') return JSON.stringify(value);
    if (typeof value === 'string' ? value.length > MOST : lengthOfJson(value, MOST) > MOST) {
      if (own?.mask) this.#rememberLong(JSON.stringify(value), own);
      return JSON.stringify(tooLong(value));
    }
    const text = JSON.stringify(value);
    const hide = own?.mask ?? null;
    const hidden = hide ? masked(value, hide, (number) => own?.hasNumber?.(number) ?? false) : value;
    const { mask } = this;
    if (hide && JSON.stringify(hidden) !== text) this.#remember(text, own?.placesIn?.(text) ?? []);
    else if (this.#isRemembered(text)) return SECRET;
    return mask || hide ? JSON.stringify(mask ? masked(hidden, mask) : hidden) : text;
  }

  /** A value that is stored elsewhere, without secrets. */
  shown(value: string | number): string | number {
    if (this.secretsIn(value)) return MASK;
    return typeof value === 'number' ? value : (this.mask?.(value) ?? value);
  }

  /** A text that is cut could contain a part of a secret, so a long one is described. */
  text(text: string, own?: OwnSecrets): string {
    if (text.length > MOST) return tooLong(text);
    const hidden = own?.mask?.(text) ?? text;
    return this.mask?.(hidden) ?? hidden;
  }

  /**
   * The secrets of earlier runs in a value; an empty list if only the value itself is known to have some; null if it is not
   * remembered.
   */
  secretsIn(value: Json): readonly HiddenPart[] | null {
    if (!this.mayHave || this.#hashes.size === 0) return null;
    if (typeof value === 'string' ? value.length < LEAST : value === null || typeof value === 'boolean') return null;
    const isNumber = typeof value === 'number';
    if (isNumber && this.#digits.size === 0) return null;
    const text = JSON.stringify(value);
    if (isNumber && !this.#digits.has(text.length)) return null;
    const known = this.#lookedUp.get(text);
    if (known !== undefined) return known;
    const found = this.#secretsOf(text);
    this.#lookedUpText += text.length;
    if (this.#lookedUp.size >= MOST_LOOKED_UP || this.#lookedUpText > MOST_TEXT) this.#forgetLookedUp(text.length);
    this.#lookedUp.set(text, found);
    return found;
  }

  #secretsOf(text: string): readonly HiddenPart[] | null {
    const places = this.#hashes.get(hash('sha256', text, 'base64'));
    if (!places) return places === null ? [] : null;
    const bytes = Buffer.from(text);
    const secrets: HiddenPart[] = [];
    for (let at = 0; at + 1 < places.length; at += 2) {
      const [from = 0, to = 0] = places.slice(at, at + 2);
      secrets.push({
        before: bytes.toString('utf8', Math.max(0, from - AROUND), from),
        text: bytes.toString('utf8', from, to),
        after: bytes.toString('utf8', to, to + AROUND),
      });
    }
    return secrets;
  }

  #forgetLookedUp(length = 0): void {
    this.#lookedUp.clear();
    this.#lookedUpText = length;
  }

  get #hashes(): Map<string, readonly number[] | null> {
    if (!this.#remembered) {
      const rows = this.#statements.hidden.all();
      this.#remembered = new Map(rows.map(({ hash: bytes, places }) => [bytes.toString('base64'), placesOf(places)]));
      this.mayHave = rows.length > 0;
      this.#digits = new Set([...this.#remembered.values()].flatMap(digitsOf));
    }
    return this.#remembered;
  }

  /** The JSON of a number, which is a secret only as a whole. */
  #number(value: number, own: OwnSecrets): string {
    const text = JSON.stringify(value);
    if (text.length < LEAST_DIGITS) return text;
    if (own?.hasNumber?.(value)) {
      this.#remember(text, [0, text.length]);
      return SECRET;
    }
    return this.secretsIn(value) ? SECRET : text;
  }

  #isRemembered(text: string): boolean {
    return this.#hashes.size > 0 && this.#hashes.has(hash('sha256', text, 'base64'));
  }

  /** A long value, which is only described. */
  #rememberLong(text: string, own: NonNullable<OwnSecrets>): void {
    const places = own.placesIn?.(text) ?? [];
    if (places.length > 0) this.#remember(text, places);
  }

  /** @param places of the secrets in the text, in bytes; empty if they are unknown */
  #remember(text: string, places: readonly number[]): void {
    const name = hash('sha256', text, 'base64');
    if (this.#hashes.has(name)) return;
    this.#hashes.set(name, places.length === 0 ? null : places);
    if (places[0] === 0) this.#digits = new Set([...this.#digits, ...digitsOf(places)]);
    this.mayHave = true;
    this.#forgetLookedUp();
    this.#statements.hide.run(Buffer.from(name, 'base64'), places.length === 0 ? null : JSON.stringify(places));
    if (this.#hashes.size <= MOST_REMEMBERED) return;
    this.#statements.dropHidden.run(MOST_REMEMBERED);
    this.#remembered = null;
  }
}

/** The digits of a number, which alone begins with a secret: the JSON of other values begins with a mark. */
const digitsOf = (places: readonly number[] | null): number[] => (places?.[0] === 0 ? places.slice(1, 2) : []);

/** Null for places that are not stored, or damaged. */
function placesOf(stored: string | null): readonly number[] | null {
  try {
    const places: unknown = JSON.parse(stored ?? 'null');
    return Array.isArray(places) && places.length > 0 && places.every(Number.isInteger) ? places : null;
  } catch {
    return null;
  }
}

function masked(value: Json, mask: TextMask, isSecret: (value: number) => boolean = () => false): Json {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'number') return isSecret(value) ? MASK : value;
  if (Array.isArray(value)) return value.map((item) => masked(item, mask, isSecret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [mask(name), masked(item, mask, isSecret)]));
}
