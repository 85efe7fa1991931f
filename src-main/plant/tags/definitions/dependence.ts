import type { KindLookup } from '../kinds/index.ts';
import { TAG_KINDS } from '#domain/tag/tag';

/** The paths, and those of all tags whose values depend on theirs, directly or not. */
export function withDependents(paths: readonly string[], kinds: KindLookup): readonly string[] {
  const followers = TAG_KINDS.map(kinds).filter((kind) => 'dependents' in kind);
  // Usually there are none: then nothing is copied, even for 100,000 paths.
  if (!paths.some((path) => followers.some((kind) => hasAny(kind.dependents?.(path) ?? [])))) return paths;
  const all = new Set(paths);
  for (const path of all) {
    for (const kind of followers) for (const dependent of kind.dependents?.(path) ?? []) all.add(dependent);
  }
  return [...all];
}

function hasAny(paths: Iterable<string>): boolean {
  for (const _ of paths) return true;
  return false;
}
