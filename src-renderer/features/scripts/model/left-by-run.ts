import type { WriteEntry } from '#domain/run/run';
import { inheritanceOf } from '#domain/tag/scope';
import type { Scope } from '#domain/tag/scope';
import type { TagKind, TagValue } from '#domain/tag/tag';

/** A tag that a run wrote, as far as it must be known to say what a Diagram shows of it after the run. */
export interface WrittenTag {
  path: string;
  kind: TagKind;
  /** The scopes for which a storage tag holds values of its own. */
  stored: readonly Scope[];
}

/**
 * What a Diagram at a location would show of a tag that a run wrote, had the writes been kept; `writes` are those of the
 * tag, in order. `hidden`: the Diagram does not see what was written, since a nearer scope has a value. `unknown`: what
 * the tag shows is for its script or query to say.
 */
export function leftByRun(
  { path, kind, stored }: WrittenTag,
  writes: readonly WriteEntry[],
  scope: Scope,
): TagValue | 'hidden' | 'unknown' {
  const shown = ({ value, type }: WriteEntry): TagValue => ({ path, value, type, quality: 'Good' });
  if (kind === 'storage') {
    for (const at of inheritanceOf(scope)) {
      const last = writes.findLast((write) => isAt(write, at));
      if (last) return shown(last);
      if (stored.some((one) => isAt(one, at))) return 'hidden';
    }
    return 'hidden';
  }
  const last = kind === 'machine' || kind === 'erp' ? writes.at(-1) : undefined;
  return last ? shown(last) : 'unknown';
}

function isAt(a: Scope, b: Scope): boolean {
  return a.diagram === b.diagram && a.location === b.location;
}
