/** A value with its history, for undo and redo. */
export interface Undoable<T> {
  now: T;
  past: readonly T[];
  future: readonly T[];
  /** The group of the last change: changes of one drag or of one field are undone together. */
  merge: string | null;
}

const MOST = 200;

export function historyOf<T>(now: T): Undoable<T> {
  return { now, past: [], future: [], merge: null };
}

/** A change; with the same `merge` as the previous change, both are undone together. */
export function changed<T>(history: Undoable<T>, next: T, merge: string | null = null): Undoable<T> {
  if (Object.is(next, history.now)) return history;
  if (merge !== null && merge === history.merge) return { ...history, now: next, future: [] };
  return { now: next, past: [...history.past, history.now].slice(-MOST), future: [], merge };
}

export function undone<T>(history: Undoable<T>): Undoable<T> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return { now: before, past: history.past.slice(0, -1), future: [history.now, ...history.future], merge: null };
}

export function redone<T>(history: Undoable<T>): Undoable<T> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { now: next, past: [...history.past, history.now], future, merge: null };
}
