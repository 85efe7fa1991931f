import type { HiddenPart } from '#domain/run/journal';
import type { Json } from '#domain/text/json';
import { lengthOfJson } from '#domain/text/json';
import { inTurns, type Steps } from '../../platform/turns.ts';
import { SECRET_LENGTH } from '#domain/mock/api-secret';
import { decodedParts } from './decoded-parts.ts';
import { credentialsIn } from './masking.ts';
import { MASK, type Masking, SecretMask } from './secret-mask.ts';
import { credentialsInLongText, lengthOfLongText, type LongText } from './long-credentials.ts';
import { mayBeSecret, numberOf } from './secret-numbers.ts';

/** The secrets of a call. */
export interface CallSecrets {
  values: readonly string[];
  /** Texts that may have more of them, and are too long to be searched at once. */
  unread: readonly LongText[];
}

/** The secrets that a run knows when it makes a call. */
export type KnownSecrets = Pick<RunSecrets, 'hasUnread' | 'read' | 'shownWith' | 'united'>;

/** Stored values in which secrets of earlier runs were hidden. */
export interface HiddenValues {
  /** False if there are none for certain: then no value needs to be looked up. */
  readonly mayHave: boolean;
  /** Hides named secrets in a text; null if there are none. */
  readonly mask: ((text: string) => string) | null;
  /**
   * The parts of a value that are secrets; an empty list if only the value itself is known; null for any other value. The
   * same list for the same value, as long as nothing changes.
   */
  secretsIn(value: Json): readonly HiddenPart[] | null;
}

/** Characters of a text that is searched at once: 5 ms. */
export const SHORT = 131_072;
/** Values that are found in every form. Further ones are found as they are: preparing them takes 10 ms for 1,000. */
const MOST_VALUES = 1_000;
/** Values that are learned at once: about 1 ms. */
const STEP_VALUES = 2_000;
/** A longer value is not a secret as a whole. */
const MOST_WHOLE = 2_000;
/** Characters and bytes of texts that wait until a secret in them could be written; then the next call waits. */
const MOST_UNREAD = 16 * 1_048_576;
const BASE64 = /^[\w+/-]+=*$/;

/** The secrets that the API calls of a run, of the runs around it and of those in it used or got, or that stored values had. */
export class RunSecrets {
  readonly stored: HiddenValues | null;
  readonly #keepsTexts: boolean;
  readonly #values = new Set<string>();
  /** The secrets that are numbers; null if there are none. */
  #numbers: Set<number> | null = null;
  /** Hidden parts of values that are known here already. */
  readonly #seen = new WeakSet<readonly HiddenPart[]>();
  /** Made when they are needed: most runs have no secrets. */
  #further: PlainValues | null = null;
  #mask: SecretMask | null = null;
  #unread: { text: LongText; isRecorded: boolean }[] = [];
  #reading: Promise<void> | null = null;
  #isUnknown = false;
  /** Where secrets are in long values that are about to be written, by their JSON. */
  #places: Map<string, readonly number[]> | null = null;

  /** @param keepsTexts whether anything records what the run does: otherwise long texts are not searched */
  constructor(stored: HiddenValues | null = null, keepsTexts = true) {
    this.stored = stored;
    this.#keepsTexts = keepsTexts;
  }

  /** @param isRecorded whether the capsule of the run has the texts, which are searched there again */
  add({ values, unread }: CallSecrets, isRecorded = false): void {
    this.#learn(values);
    if (this.#keepsTexts) for (const text of unread) this.#unread.push({ text, isRecorded });
  }

  /** The run sees values of tags: they may have secrets that an earlier run stored. */
  see(values: readonly { readonly value: Json }[]): void {
    for (const { value } of values) this.seeValue(value);
  }

  seeValue(value: Json | undefined): void {
    const found = value === undefined ? null : (this.stored?.secretsIn(value) ?? null);
    if (!found || value === undefined || this.#seen.has(found)) return;
    this.#seen.add(found);
    for (const part of found) this.#learn(decodedParts(part));
    if (found.length > 0) return;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (text.length <= MOST_WHOLE) {
      this.#learn(decodedParts({ before: '', text, after: '' }));
      // A user with a password.
      if (BASE64.test(text)) this.#learn(credentialsIn([['authorization', `Basic ${text}`]], '', null));
    }
    if (text.length <= SHORT) this.#learn(credentialsIn([], '', text));
    else this.add({ values: [], unread: [text] });
  }

  get values(): readonly string[] {
    return [...this.#values, ...(this.#further?.values ?? [])];
  }

  /** Whether there are so many that main does not hide them in long texts. */
  get areMany(): boolean {
    return this.#further !== null && this.#further.size > 0;
  }

  /** Texts that are not searched yet, and that the capsule of the run does not have. */
  get unread(): readonly LongText[] {
    return this.#unread.flatMap(({ text, isRecorded }) => (isRecorded ? [] : [text]));
  }

  get hasUnread(): boolean {
    return this.#unread.length > 0;
  }

  /** Whether a text could not be searched: then nothing that the run did can be shown. */
  get isUnknown(): boolean {
    return this.#isUnknown;
  }

  /** Whether so many texts wait that the next call has to. */
  get isFull(): boolean {
    return this.#unread.reduce((size, { text }) => size + lengthOfLongText(text), 0) > MOST_UNREAD;
  }

  /** Searches all texts, in turns with everything else or in a thread. Never rejects. */
  read(): Promise<void> {
    return (this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    }));
  }

  /** Whether values can be written: no secret in them is unknown. */
  isReadyFor(items: readonly { readonly value: Json }[]): boolean {
    return items.every(({ value }) => isPlain(value) || (!this.hasUnread && !this.#isLong(value)));
  }

  /** Searches everything that may have secrets of these values, and long values, in turns. Never rejects. */
  async prepare(items: readonly { readonly value: Json }[]): Promise<void> {
    if (items.some(({ value }) => !isPlain(value))) await this.read();
    for (const { value } of items) {
      if (!this.#isLong(value)) continue;
      const text = JSON.stringify(value);
      const places = await inTurns(this.#finder.places(Buffer.from(text)));
      if (places.length > 0) (this.#places ??= new Map()).set(text, places);
    }
  }

  /**
   * Hides them in a text; null if there are none. It is made when it is needed. A text is hidden as a whole while secrets are
   * unknown.
   */
  get mask(): ((text: string) => string) | null {
    if (this.hasUnread || this.#isUnknown) return () => MASK;
    const [finder, further] = [this.#finder, this.#further];
    if (further) return (text) => further.masked(finder.text(text));
    return finder.isEmpty ? null : (text) => finder.text(text);
  }

  /** Hides them, named secrets and those of `others` in texts outside of the run, such as its calls. */
  shownWith(others: SecretMask): Masking {
    const masks = [(text: string) => others.text(text), this.mask, this.stored?.mask].filter((mask) => mask != null);
    return { text: (text) => masks.reduce((shown, mask) => mask(shown), text) };
  }

  /** A mask of the secrets that are found in every form, and of another mask. */
  united(others: SecretMask): SecretMask {
    return SecretMask.united(others, this.#finder);
  }

  /** Whether a number is one of them. As long as some are unknown, every number that may be one. */
  hasNumber(value: number): boolean {
    if (this.hasUnread || this.#isUnknown) return mayBeSecret(value);
    return this.#numbers !== null && this.#numbers.has(value);
  }

  /** Where they are in the JSON of a value: starts and ends alternately, in bytes of UTF-8. Empty if that is not known. */
  placesIn(text: string): readonly number[] {
    if (text.length > SHORT) return this.#places?.get(text) ?? [];
    return this.#finder.placesIn(Buffer.from(text));
  }

  get #finder(): SecretMask {
    return (this.#mask ??= new SecretMask(this.#values));
  }

  #isLong(value: Json): boolean {
    if (this.#values.size === 0 || isPlain(value) || typeof value === 'number') return false;
    return typeof value === 'string' ? value.length > SHORT : lengthOfJson(value, SHORT) > SHORT;
  }

  #learn(values: Iterable<string>): void {
    const { size } = this.#values;
    for (const value of values) {
      const number = numberOf(value);
      if (number !== null) (this.#numbers ??= new Set()).add(number);
      if (this.#values.size < MOST_VALUES) this.#values.add(value);
      else if (!this.#values.has(value)) (this.#further ??= new PlainValues()).add(value);
    }
    if (this.#values.size > size) this.#mask = null;
  }

  *#learnInSteps(values: readonly string[]): Steps<void> {
    for (let at = 0; at < values.length; at += STEP_VALUES) {
      this.#learn(values.slice(at, at + STEP_VALUES));
      yield;
    }
  }

  async #read(): Promise<void> {
    for (let [next] = this.#unread; next; [next] = this.#unread) {
      const found = await credentialsInLongText(next.text).catch(() => null);
      if (found) await inTurns(this.#learnInSteps(found));
      else this.#isUnknown = true;
      this.#unread.shift();
    }
  }
}

/** Values that the journal shows as they are. */
const isPlain = (value: Json): boolean =>
  typeof value === 'number' ? !mayBeSecret(value) : value === null || typeof value === 'boolean';

/**
 * Very many secrets, which are found in texts only as they are: a list of 100,000 keys is ready at once, where every form of
 * them takes main 2 s. The time is that of the text's length, for each length that a secret has.
 */
class PlainValues {
  readonly #values = new Set<string>();
  readonly #lengths = new Set<number>();

  get size(): number {
    return this.#values.size;
  }

  get values(): Iterable<string> {
    return this.#values;
  }

  add(value: string): void {
    if (value.length < SECRET_LENGTH.min || value.length > SECRET_LENGTH.max) return;
    this.#values.add(value);
    this.#lengths.add(value.length);
  }

  /** The longest secret that begins first is hidden first. */
  masked(text: string): string {
    if (this.size === 0) return text;
    const lengths = [...this.#lengths].toSorted((a, b) => b - a);
    let shown = '';
    let from = 0;
    for (let at = 0; at < text.length;) {
      const length = lengths.find((one) => at + one <= text.length && this.#values.has(text.slice(at, at + one)));
      if (length === undefined) {
        at += 1;
      } else {
        shown += text.slice(from, at) + MASK;
        at += length;
        from = at;
      }
    }
    return from === 0 ? text : shown + text.slice(from);
  }
}
