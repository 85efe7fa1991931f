import type { TagDefinition } from '#domain/tag/tag';
import type { RowChoice } from '../../../ui/lists/row-events.ts';

/** The selected tags, by path: so that the selection survives changes of the list. */
export interface TagSelection {
  /** The tag in the details, and the anchor of keyboard navigation. */
  active: string | null;
  /** The start of a range. */
  anchor: string | null;
  chosen: ReadonlySet<string>;
}

export const NO_SELECTION: TagSelection = { active: null, anchor: null, chosen: new Set() };

export function only(path: string): TagSelection {
  return { active: path, anchor: path, chosen: new Set([path]) };
}

/** The selection after a click on a row: with Shift the range up to it, with Ctrl toggled. */
export function choose(
  selection: TagSelection,
  tags: readonly TagDefinition[],
  index: number,
  { extend, toggle }: RowChoice,
): TagSelection {
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

export function chooseAll(selection: TagSelection, tags: readonly TagDefinition[]): TagSelection {
  const first = selection.active ?? tags[0]?.path ?? null;
  return { active: first, anchor: first, chosen: new Set(tags.map(({ path }) => path)) };
}
