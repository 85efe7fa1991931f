import { distance } from 'fastest-levenshtein';

/** The names that are nearest to one that was not found, best first; only those that a slip could explain. */
export function nearestNames(wanted: string, names: readonly string[], count = 3): string[] {
  const key = wanted.toLowerCase();
  const reach = Math.max(2, Math.floor(wanted.length * 0.4));
  return names
    .map((name) => ({ name, far: distance(key, name.toLowerCase()) }))
    .filter(({ far }) => far <= reach)
    .toSorted((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ name }) => name);
}

/** ` Did you mean "a" or "b"?`, or nothing. */
export function didYouMean(suggestions: readonly string[]): string {
  if (suggestions.length === 0) return '';
  return ` Did you mean ${suggestions.map((name) => `"${name}"`).join(' or ')}?`;
}
