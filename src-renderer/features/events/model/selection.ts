/**
 * The selected events of a list: a range between two ids (inclusive; lists are ordered by id), minus some of them, plus
 * single others. So a million events can be selected without loading them.
 */
export interface EventSelection {
  range: { first: number; last: number; count: number } | null;
  except: ReadonlySet<number>;
  ids: ReadonlySet<number>;
}

const NO_IDS: ReadonlySet<number> = new Set();

export const NOTHING_SELECTED: EventSelection = { range: null, except: NO_IDS, ids: NO_IDS };

export const onlyThis = (id: number): EventSelection => ({ ...NOTHING_SELECTED, ids: new Set([id]) });

/** The events between two ids; `count` of them in the visible list. */
export function between(one: number, other: number, count: number): EventSelection {
  return { ...NOTHING_SELECTED, range: { first: Math.min(one, other), last: Math.max(one, other), count } };
}

export function isSelected({ range, except, ids }: EventSelection, id: number): boolean {
  return isWithin(range, id) ? !except.has(id) : ids.has(id);
}

/** Adds the event, or removes a selected one. */
export function toggled(selection: EventSelection, id: number): EventSelection {
  const which = isWithin(selection.range, id) ? 'except' : 'ids';
  const changed = new Set(selection[which]);
  if (!changed.delete(id)) changed.add(id);
  return { ...selection, [which]: changed };
}

export function sizeOf({ range, except, ids }: EventSelection): number {
  return (range ? range.count - except.size : 0) + ids.size;
}

function isWithin(range: EventSelection['range'], id: number): boolean {
  return range !== null && id >= range.first && id <= range.last;
}
