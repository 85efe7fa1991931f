import { nameKey } from './name-key.ts';

/** `Overview copy`, `Overview copy 2`: the first that is none of `taken`, cut so that it has at most `longest` characters. */
export function copyName(name: string, taken: readonly string[], longest: number): string {
  const keys = new Set(taken.map(nameKey));
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? ' copy' : ` copy ${count}`;
    const cut = name.slice(0, longest - suffix.length);
    // Half of a surrogate pair would be no text.
    const copy = cut.replace(/[\uD800-\uDBFF]$/, '').trimEnd() + suffix;
    if (!keys.has(nameKey(copy))) return copy;
  }
}
