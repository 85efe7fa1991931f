import { SECRET_LENGTH } from '#domain/mock/api-secret';
import { formsOf } from './secret-forms.ts';

export const MASK = '***';

/**
 * Below this length of text, a pattern costs more than searching every form separately, which takes a millisecond and
 * more for longer texts.
 */
const WORTH_A_PATTERN = 1_000_000;
/** Maximum length of one pattern: longer ones are slow. */
const PATTERN_LENGTH = 8_000;

/**
 * Masks the given secrets anywhere, in every form in which a request may contain them. Values shorter than
 * SECRET_LENGTH.min are not masked: they occur in texts by chance.
 */
export class SecretMask {
  readonly #text: Finder;
  #bytes: Finder | null = null;

  /** @param others a mask whose secrets this one also masks */
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

  /** For bytes that may be text in UTF-8 or Latin-1; returns the same bytes if they contain no secret. */
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
  /** Longest first: a secret may be part of another. */
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
