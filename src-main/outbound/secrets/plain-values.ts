import { SECRET_LENGTH } from '#domain/mock/api-secret';
import { MASK } from './secret-mask.ts';

/**
 * Very many secrets, which are found in texts only as they are: a list of 100,000 keys is ready at once, where every form of
 * them takes main 2 s. The time is that of the text's length, for each length that a secret has.
 */
export class PlainValues {
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
