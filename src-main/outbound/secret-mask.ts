import { SECRET_LENGTH } from '#domain/api-secret';
import { formsOf } from './secret-forms.ts';

export const MASK = '***';

/**
 * Masks the given secrets wherever they stand, in every form in which a request may carry them. Values shorter than
 * SECRET_LENGTH.min are left: they stand in texts by chance.
 */
export class SecretMask {
  /** The longest first: a secret may be part of another. */
  readonly #forms: readonly string[];
  #bytes: readonly string[] | null = null;

  /** @param others a mask whose secrets this one masks too */
  constructor(secrets: Iterable<string>, others?: SecretMask) {
    const forms = new Set<string>(others === undefined ? [] : others.#forms);
    for (const secret of secrets) {
      if (secret.length < SECRET_LENGTH.min) continue;
      for (const form of formsOf(secret)) forms.add(form);
    }
    this.#forms = [...forms].toSorted((a, b) => b.length - a.length);
  }

  get isEmpty(): boolean {
    return this.#forms.length === 0;
  }

  text(text: string): string {
    return masked(text, this.#forms);
  }

  /** Of bytes that may be text in UTF-8 or in Latin-1; the same bytes where no secret is among them. */
  bytes(bytes: Buffer): Buffer {
    if (this.isEmpty) return bytes;
    this.#bytes ??= [...new Set(this.#forms.flatMap((form) => [form, Buffer.from(form).toString('latin1')]))].toSorted(
      (a, b) => b.length - a.length,
    );
    const text = bytes.toString('latin1');
    const shown = masked(text, this.#bytes);
    return shown === text ? bytes : Buffer.from(shown, 'latin1');
  }
}

function masked(text: string, forms: readonly string[]): string {
  let shown = text;
  for (const form of forms) if (shown.includes(form)) shown = shown.replaceAll(form, MASK);
  return shown;
}
