import { distance } from 'fastest-levenshtein';
import { MAX_PATH_LENGTH } from '#domain/tag/tag-path';
import type { TagCatalog } from './catalog.ts';
import type { Tag } from './tag.ts';
import { searchTextOf } from './tag.ts';

/**
 * How many paths are compared letter by letter; if there are more, those with the most similar beginning and end are
 * used.
 */
const COMPARED = 1_000;
const SUGGESTED = 3;

/**
 * The paths of the catalog that are nearest to a missing one, nearest first, at most three; none if nothing is
 * similar (more than a third of its characters would have to change). Case does not count. A few ms among 50,000 tags.
 */
export function nearestPaths(catalog: TagCatalog, path: string): string[] {
  if (path.length > MAX_PATH_LENGTH) return [];
  const wanted = searchTextOf(path);
  const furthest = Math.max(2, Math.floor(wanted.length / 3));
  const candidates = catalog.ordered.filter((tag) => Math.abs(tag.searchText.length - wanted.length) <= furthest);
  return mostSimilar(candidates, wanted)
    .map((tag) => ({ path: tag.path, far: distance(tag.searchText, wanted) }))
    .filter(({ far }) => far <= furthest)
    .toSorted((a, b) => a.far - b.far || (a.path < b.path ? -1 : 1))
    .slice(0, SUGGESTED)
    .map((near) => near.path);
}

/** Reports that a path does not exist, with suggestions. */
export function unknownTag(catalog: TagCatalog, path: string): string {
  const near = nearestPaths(catalog, path);
  return near.length === 0
    ? 'the tag does not exist'
    : `the tag does not exist; did you mean ${near.map((one) => `"${one}"`).join(' or ')}?`;
}

/** Limits many candidates to those with the longest common prefix and suffix: a typing error is in one place. */
function mostSimilar(candidates: readonly Tag[], wanted: string): readonly Tag[] {
  if (candidates.length <= COMPARED) return candidates;
  const common = candidates.map((tag) => commonEnds(tag.searchText, wanted));
  const counts = new Uint32Array(2 * MAX_PATH_LENGTH + 3);
  for (const length of common) counts[length] = (counts[length] ?? 0) + 1;
  let least = counts.length;
  let taken = 0;
  while (taken + (counts[least - 1] ?? 0) <= COMPARED) taken += counts[--least] ?? 0;
  const best = candidates.filter((_, index) => (common[index] ?? 0) >= least);
  const next = candidates.filter((_, index) => common[index] === least - 1);
  return [...best, ...next.slice(0, COMPARED - taken)];
}

function commonEnds(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let end = 0;
  while (end < shorter && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++;
  return start + end;
}
