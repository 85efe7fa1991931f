import type { TagDefinition } from '#domain/tag/tag';
import type { RowChoice } from '../../../ui/lists/virtual-grid.tsx';

/** Which tags are chosen, by path: so that the choice holds while the list changes. */
export interface Selection {
  /** The tag in the details, and where the keys move from. */
  active: string | null;
  /** Where a range begins. */
  anchor: string | null;
  chosen: ReadonlySet<string>;
}

export const NO_SELECTION: Selection = { active: null, anchor: null, chosen: new Set() };

export function only(path: string): Selection {
  return { active: path, anchor: path, chosen: new Set([path]) };
}

/** What is chosen after a row of the list was, with Shift up to it, with Ctrl in addition or not any more. */
export function choose(
  selection: Selection,
  tags: readonly TagDefinition[],
  index: number,
  { extend, toggle }: RowChoice,
): Selection {
  const path = tags[index]?.path;
  if (path === undefined) return selection;
  if (extend) {
    const from = tags.findIndex((tag) => tag.path === selection.anchor);
    if (from < 0) return only(path);
    const range = tags.slice(Math.min(from, index), Math.max(from, index) + 1);
    return { active: path, anchor: selection.anchor, chosen: new Set(range.map((tag) => tag.path)) };
  }
  if (!toggle) return only(path);
  const chosen = new Set(selection.chosen);
  if (!chosen.delete(path)) chosen.add(path);
  return { active: path, anchor: path, chosen };
}

export function chooseAll(selection: Selection, tags: readonly TagDefinition[]): Selection {
  const first = selection.active ?? tags[0]?.path ?? null;
  return { active: first, anchor: first, chosen: new Set(tags.map(({ path }) => path)) };
}
