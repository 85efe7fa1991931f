import type { TagCatalog } from './catalog.ts';
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

/**
 * When a read of the path may next return another value without a notification, because of the tag itself or one of its
 * dependencies; ms since 1970, Infinity for never.
 */
export function changesAt(path: string, now: number, catalog: TagCatalog): number {
  let first = Infinity;
  const seen = new Set([path]);
  for (const one of seen) {
    const tag = catalog.get(one);
    if (!tag) continue;
    first = Math.min(first, tag.kind.changesAt(tag, now));
    for (const input of tag.kind.inputs?.(tag) ?? []) seen.add(input);
  }
  return first;
}
