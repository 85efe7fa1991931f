import type { WriteEntry } from '#domain/run/run';
import { inheritanceOf } from '#domain/tag/scope';
import type { Scope } from '#domain/tag/scope';
import type { TagKind, TagValue } from '#domain/tag/tag';

/** A tag that a run wrote, with the facts that decide what a Diagram shows of it after the run. */
export interface WrittenTag {
  path: string;
  kind: TagKind;
  /** The scopes in which a storage tag has its own values. */
  stored: readonly Scope[];
}

/**
 * What a Diagram at a location would show of a tag that a run wrote, if the writes had been saved; `writes` are those
 * of the tag, in order. `hidden`: the Diagram does not see the write, because a nearer scope has a value. `unknown`: it
 * depends on a script or a query.
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
