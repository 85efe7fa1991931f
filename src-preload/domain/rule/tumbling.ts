import type { OffsetAt } from '../text/local-time.ts';
import { hostOffset } from '../text/local-time.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Monday, 5 January 1970: windows of weeks begin on Mondays. */
const MONDAY_MS = 4 * DAY_MS;

/** An interval in ms since 1970 in UTC; its end is exclusive. */
export interface Stretch {
  start: number;
  end: number;
}

/**
 * Why windows of this length can't be aligned to the clock, or null if they can: whole days, or lengths that divide a
 * day evenly.
 */
export function problemOfTumbling(everyMs: number): string | null {
  if (everyMs % DAY_MS === 0 || DAY_MS % everyMs === 0) return null;
  const shorter = longestDividing(everyMs);
  return `windows of ${everyMs} ms cannot be aligned to the clock: use whole days, or a length that divides a day evenly, such as ${shorter} ms`;
}

function longestDividing(everyMs: number): number {
  const bound = Math.max(1, Math.min(everyMs, DAY_MS));
  for (let parts = Math.ceil(DAY_MS / bound); parts < DAY_MS; parts += 1) {
    if (DAY_MS % parts === 0) return DAY_MS / parts;
  }
  return 1;
}

/**
 * The window, aligned to the local clock, at a given time. Windows of a day start at local midnight and have 23 or 25
 * hours when daylight saving time changes; windows of several hours start at their clock hour and are shorter or longer
 * on such a day; those of an hour and less are never longer.
 */
export function tumblingWindow(at: number, everyMs: number, offsetAt: OffsetAt = hostOffset): Stretch {
  const anchor = everyMs % DAY_MS === 0 ? MONDAY_MS : 0;
  const numberAt = (moment: number, offset: number) => Math.floor((moment + offset - anchor) / everyMs);
  const offset = offsetAt(at);
  const number = numberAt(at, offset);
  let start = number * everyMs + anchor - offset;
  let end = start + everyMs;
  if (offsetAt(start) !== offset) {
    // The clock has changed since: the window started then, unless its number was the same before the change.
    const change = changeBetween(start, at, offsetAt);
    const before = offsetAt(change - 1);
    start = everyMs > HOUR_MS && numberAt(change - 1, before) === number ? number * everyMs + anchor - before : change;
  }
  if (offsetAt(end) !== offset) {
    const change = changeBetween(at, end, offsetAt);
    const after = offsetAt(change);
    // The clock goes back into a window of hours: the window continues until its end on the changed clock.
    const goesOn = everyMs > HOUR_MS && numberAt(change, after) === number;
    end = goesOn ? (number + 1) * everyMs + anchor - after : change;
  }
  return everyMs > HOUR_MS ? { start: reachBack(start), end } : { start, end };

  /** If the clock went back right at the start, an earlier hour may have had the same number. */
  function reachBack(found: number): number {
    const before = offsetAt(found - 1);
    if (before === offsetAt(found) || numberAt(found - 1, before) !== number) return found;
    return number * everyMs + anchor - before;
  }
}

/** The time between two at which the offset changes to that of the second. */
function changeBetween(from: number, to: number, offsetAt: OffsetAt): number {
  const offset = offsetAt(to);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === offset) high = middle;
    else low = middle;
  }
  return high;
}
