import { nameKey } from './name-key.ts';

/** `Overview copy`, `Overview copy 2`: the first one that is not in `taken`, shortened to `longest` characters. */
export function copyName(name: string, taken: readonly string[], longest: number): string {
  const keys = new Set(taken.map(nameKey));
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? ' copy' : ` copy ${count}`;
    const cut = name.slice(0, longest - suffix.length);
    // An unpaired surrogate is not valid text.
    const copy = cut.replace(/[\uD800-\uDBFF]$/, '').trimEnd() + suffix;
    if (!keys.has(nameKey(copy))) return copy;
  }
}
