import { SECRET_LENGTH } from '#domain/mock/api-secret';
import { formsOf } from './secret-forms.ts';

export const MASK = '***';

/** Looking for every form by itself takes a millisecond and more of longer texts, which is what a pattern costs. */
const WORTH_A_PATTERN = 1_000_000;
/** Of one pattern: longer ones are slow. */
const PATTERN_LENGTH = 8_000;

/**
 * Masks the given secrets wherever they stand, in every form in which a request may carry them. Values shorter than
 * SECRET_LENGTH.min are left: they stand in texts by chance.
 */
export class SecretMask {
  readonly #text: Finder;
  #bytes: Finder | null = null;

  /** @param others a mask whose secrets this one masks too */
  constructor(secrets: Iterable<string>, others?: SecretMask) {
    const forms = new Set<string>(others === undefined ? [] : others.#text.forms);
    for (const secret of secrets) {
      if (secret.length < SECRET_LENGTH.min) continue;
      for (const form of formsOf(secret)) forms.add(form);
    }
    this.#text = new Finder(forms);
  }

  get isEmpty(): boolean {
    return this.#text.forms.length === 0;
  }

  text(text: string): string {
    return this.#text.masked(text);
  }

  /** Of bytes that may be text in UTF-8 or in Latin-1; the same bytes where no secret is among them. */
  bytes(bytes: Buffer): Buffer {
    if (this.isEmpty) return bytes;
    this.#bytes ??= new Finder(
      new Set(this.#text.forms.flatMap((form) => [form, Buffer.from(form).toString('latin1')])),
    );
    const text = bytes.toString('latin1');
    const masked = this.#bytes.masked(text);
    return masked === text ? bytes : Buffer.from(masked, 'latin1');
  }
}

/** Replaces forms of secrets. */
class Finder {
  /** The longest first: a secret may be part of another. */
  readonly forms: readonly string[];
  #patterns: readonly RegExp[] | null = null;

  constructor(forms: Iterable<string>) {
    this.forms = [...forms].toSorted((a, b) => b.length - a.length);
  }

  masked(text: string): string {
    let masked = text;
    if (text.length * this.forms.length < WORTH_A_PATTERN) {
      for (const form of this.forms) if (masked.includes(form)) masked = masked.replaceAll(form, MASK);
    } else {
      this.#patterns ??= patternsOf(this.forms);
      for (const pattern of this.#patterns) masked = masked.replaceAll(pattern, MASK);
    }
    return masked;
  }
}

function patternsOf(forms: readonly string[]): RegExp[] {
  const sources: string[] = [];
  for (const form of forms) {
    const source = form.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
    const last = sources.at(-1);
    if (last === undefined || last.length + source.length > PATTERN_LENGTH) sources.push(source);
    else sources[sources.length - 1] = `${last}|${source}`;
  }
  return sources.map((source) => new RegExp(source, 'g'));
}
