/**
 * Which events of a list are selected: those between two ids (both included, lists are in the order of ids), without
 * some of them, and single others. So a million can be selected that were never fetched.
 */
export interface Selection {
  range: { first: number; last: number; count: number } | null;
  except: ReadonlySet<number>;
  ids: ReadonlySet<number>;
}

const NO_IDS: ReadonlySet<number> = new Set();

export const NOTHING_SELECTED: Selection = { range: null, except: NO_IDS, ids: NO_IDS };

export const onlyThis = (id: number): Selection => ({ ...NOTHING_SELECTED, ids: new Set([id]) });

/** The events between two, `count` in the list as it is seen. */
export function between(one: number, other: number, count: number): Selection {
  return { ...NOTHING_SELECTED, range: { first: Math.min(one, other), last: Math.max(one, other), count } };
}

export function isSelected({ range, except, ids }: Selection, id: number): boolean {
  return isWithin(range, id) ? !except.has(id) : ids.has(id);
}

/** With the event, or without it where it was selected. */
export function toggled(selection: Selection, id: number): Selection {
  const which = isWithin(selection.range, id) ? 'except' : 'ids';
  const changed = new Set(selection[which]);
  if (!changed.delete(id)) changed.add(id);
  return { ...selection, [which]: changed };
}

export function sizeOf({ range, except, ids }: Selection): number {
  return (range ? range.count - except.size : 0) + ids.size;
}

function isWithin(range: Selection['range'], id: number): boolean {
  return range !== null && id >= range.first && id <= range.last;
}
