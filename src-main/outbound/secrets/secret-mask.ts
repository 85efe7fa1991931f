import { SECRET_LENGTH } from '#domain/mock/api-secret';
import { atOnce, inTurns, type Steps } from '../../platform/turns.ts';
import { formsOf } from './secret-forms.ts';
import { STEP_PARTS, TextFinder, united } from './text-finder.ts';
import { folded, sourcesOf, unescaped } from './unescape.ts';

export const MASK = '***';

/** Hides secrets in texts. */
export type Masking = Pick<SecretMask, 'text'>;

/** How many levels of escapes are read: text of XML in JSON in a parameter of a URL has three. */
const LEVELS = 6;

/**
 * Masks the given secrets anywhere: plain, in Base64, and escaped in any of the ways of `unescape.ts`, also one in
 * another. Values shorter than SECRET_LENGTH.min are not masked: they occur in texts by chance. The time is linear in
 * the length of the text.
 */
export class SecretMask {
  /** In Latin-1, to find them in bytes. */
  #forms: ReadonlySet<string>;
  #finder: TextFinder | null = null;
  #hasBlanks: boolean | null = null;

  /** @param others a mask whose secrets this one also masks */
  constructor(secrets: Iterable<string>, others?: SecretMask) {
    const forms = new Set<string>();
    for (const secret of new Set(secrets)) {
      if (secret.length < SECRET_LENGTH.min) continue;
      for (const form of formsOf(secret)) if (form.length >= SECRET_LENGTH.min) forms.add(form);
    }
    if (forms.size === 0 && others !== undefined) {
      this.#forms = others.#forms;
      this.#finder = others.#finder;
    } else {
      if (others !== undefined) for (const form of others.#forms) forms.add(form);
      this.#forms = forms;
    }
  }

  /** A mask from the forms of another one, which can be sent to a thread. */
  static withForms(forms: Iterable<string>): SecretMask {
    const mask = new SecretMask([]);
    mask.#forms = new Set(forms);
    return mask;
  }

  /** Masks what either of them masks. */
  static united(one: SecretMask, other: SecretMask): SecretMask {
    if (other.isEmpty) return one;
    return one.isEmpty ? other : SecretMask.withForms([...one.#forms, ...other.#forms]);
  }

  get forms(): string[] {
    return [...this.#forms];
  }

  get isEmpty(): boolean {
    return this.#forms.size === 0;
  }

  /** Bytes of memory, roughly. */
  get size(): number {
    let size = 0;
    for (const { length } of this.#forms) size += 2 * length;
    return size;
  }

  text(text: string): string {
    if (this.isEmpty || text.length < SECRET_LENGTH.min) return text;
    const bytes = Buffer.from(text);
    const masked = this.bytes(bytes);
    return masked === bytes ? text : masked.toString();
  }

  /** Like `text`; main does other things in the meantime if the text is long. */
  async textInTurns(text: string): Promise<string> {
    if (this.isEmpty || text.length < SECRET_LENGTH.min) return text;
    const bytes = Buffer.from(text);
    const masked = await this.bytesInTurns(bytes);
    return masked === bytes ? text : masked.toString();
  }

  /** For bytes that may be text in UTF-8 or Latin-1; returns the same bytes if they contain no secret. */
  bytes(bytes: Buffer): Buffer {
    return atOnce(this.#masked(bytes));
  }

  /** Like `bytes`; main does other things in the meantime if there are many. */
  bytesInTurns(bytes: Buffer): Promise<Buffer> {
    return inTurns(this.#masked(bytes));
  }

  /** Where they are in a text in UTF-8: starts and ends alternately, in order. */
  placesIn(bytes: Buffer): number[] {
    return atOnce(this.places(bytes));
  }

  *places(bytes: Buffer): Steps<number[]> {
    if (this.isEmpty) return [];
    this.#finder ??= new TextFinder(this.forms.map((form) => Buffer.from(form, 'latin1')));
    // In a form each blank is a plus sign or a percent code.
    this.#hasBlanks ??= this.forms.some((form) => form.includes(' '));
    return yield* secretsIn(bytes, this.#finder, this.#hasBlanks);
  }

  *#masked(bytes: Buffer): Steps<Buffer> {
    const parts = yield* this.places(bytes);
    return parts.length === 0 ? bytes : yield* replaced(bytes, parts);
  }
}

/** Hides values in a text, in any encoding; null if there is nothing to hide. */
export function textMask(values: Iterable<string>): ((text: string) => string) | null {
  const mask = new SecretMask(values);
  return mask.isEmpty ? null : (text) => mask.text(text);
}

/** Starts and ends alternately, in order. */
function* secretsIn(bytes: Buffer, finder: TextFinder, hasBlanks: boolean): Steps<number[]> {
  const levels = [bytes];
  while (levels.length <= LEVELS) {
    const next = yield* unescaped(levels.at(-1) ?? bytes);
    if (next === null) break;
    levels.push(next);
  }
  // All other levels are folded.
  if (hasBlanks && levels.length === 1) levels[0] = yield* folded(bytes);
  let parts: number[] = [];
  for (const level of levels.toReversed()) {
    const found = yield* finder.find(level);
    parts = yield* united(found, parts.length === 0 ? parts : yield* sourcesOf(level, parts));
  }
  return parts;
}

function* replaced(bytes: Buffer, parts: readonly number[]): Steps<Buffer> {
  // A mask is shorter than any form.
  const masked = Buffer.allocUnsafe(bytes.length);
  let size = 0;
  let from = 0;
  for (let index = 0; index < parts.length; index += 2) {
    if (index % STEP_PARTS === 0) yield;
    size += bytes.copy(masked, size, from, parts[index]);
    size += masked.write(MASK, size, 'latin1');
    from = parts[index + 1] ?? bytes.length;
  }
  size += bytes.copy(masked, size, from);
  return masked.subarray(0, size);
}
