/** What admission counts of a script: its runs that a host has. */
interface AdmittedScript {
  inProgress: number;
  /** Whether its runs probably wait for something else than the processor. */
  readonly mayWait: boolean;
}

/** Whether a run of a script may have one of `places` free places. */
type MayBegin<S> = (script: S, depth: number, places: number) => boolean;

/** The waiting runs of one depth. */
class Level<T, S> {
  /** By script, longest wait first, each with its number in the order of requests. */
  readonly scripts = new Map<S, Map<T, number>>();
  /** All of them, longest wait first, with their scripts. */
  runs = new Map<T, S>();
}

/**
 * Decides which runs may take a host, by their depth: how many runs wait for them, 0 for a run that no run waits for.
 *
 * A run holds its host while it waits for the runs that it caused, so handing out hosts without order ends in a
 * deadlock in which every host is held by a run that waits for another one. Here a run only waits for runs one level
 * deeper, and every level below the first has **one place of its own**, in addition to the places that the levels
 * share. This excludes deadlocks: take the deepest level on which a run waits for a host. Some run has the level's own
 * place. No run waits below that level, so the runs that it waits for are running, and also the runs that these wait
 * for; the last of them wait for no run and end by themselves, or by their limits. Then the place is free, and the run
 * that has waited longest on that level gets it. The same holds for every level above, from the deepest upwards, so no
 * run waits forever.
 *
 * On the first level, the script with the fewest runs in progress is next, and of these the one that has waited longest:
 * a script with many runs does not delay the others. After a run that probably waits, one that probably does not is
 * next, so that it never waits for the hosts of many others. `mayBegin` can hold back runs of a script while others of it
 * wait for the network, which ends by itself.
 *
 * The number of hosts is bounded: `count` for runs of depth 0, one for each level below, and `count` shared ones: `2 ×
 * count + levels`, plus the spare.
 */
export class Admission<T, S extends AdmittedScript = AdmittedScript> {
  /** Concurrent runs of depth 0, which is also the number of places that the deeper levels share. */
  count: number;
  readonly #mayBegin: MayBegin<S>;
  readonly #mayHold: (depth: number) => boolean;
  readonly #waiting: Level<T, S>[] = [];
  /** Running runs by depth. */
  readonly #running: number[] = [];
  #size = 0;
  #last = 0;
  #first = 0;
  /** Whether the last run of depth 0 that was taken probably waits. */
  #tookWaiting = false;

  /**
   * @param mayHold whether `mayBegin` may be false for any run of a depth: if not, scripts are not asked one by one; a
   *   Get can have 100,000 of them
   */
  constructor(count: number, mayBegin: MayBegin<S> = () => true, mayHold: (depth: number) => boolean = () => true) {
    this.count = count;
    this.#mayBegin = mayBegin;
    this.#mayHold = mayHold;
  }

  /** How many wait. */
  get size(): number {
    return this.#size;
  }

  wait(run: T, depth: number, script: S): void {
    this.#last += 1;
    this.#runsOf(script, depth).set(run, this.#last);
    this.#level(depth).runs.set(run, script);
    this.#size += 1;
  }

  /** Returns a run that was taken but has not begun. */
  waitAgain(run: T, depth: number, script: S): void {
    this.end(depth, script);
    this.#first -= 1;
    const others = this.#runsOf(script, depth);
    const level = this.#level(depth);
    level.scripts.set(script, new Map([[run, this.#first], ...others]));
    level.runs = new Map([[run, script], ...level.runs]);
    this.#size += 1;
  }

  /**
   * Takes the next run to begin out of the waiting ones, deepest first; null if none may begin.
   * @param isReserved the host is not for runs of depth 0 that probably wait
   */
  take(isReserved = false): T | null {
    for (let depth = this.#waiting.length - 1; depth >= 0; depth -= 1) {
      const places = this.#places(depth);
      const script = places > 0 ? this.#next(depth, places, isReserved) : null;
      if (script === null) continue;
      if (depth === 0) this.#tookWaiting = script.mayWait;
      for (const first of this.#runsOf(script, depth).keys()) {
        this.#remove(first, script, this.#level(depth));
        this.#running[depth] = this.#at(depth) + 1;
        script.inProgress += 1;
        return first;
      }
    }
    return null;
  }

  /** A run of this depth has ended. */
  end(depth: number, script: S): void {
    script.inProgress -= 1;
    this.leave(depth);
  }

  /** A run of this depth gives up its place. */
  leave(depth: number): void {
    this.#running[depth] = this.#at(depth) - 1;
  }

  /** A run that had given up its place continues, even if its place was taken in the meantime: it has its host. */
  enter(depth: number): void {
    this.#running[depth] = this.#at(depth) + 1;
  }

  /** How many of the waiting runs could begin now if they had a host. */
  ready(): number {
    if (this.#size === 0) return 0;
    let ready = 0;
    let shared = this.#sharedPlaces();
    for (const depth of this.#waiting.keys()) {
      const own = depth === 0 ? Math.max(0, this.count - this.#at(0)) : this.#at(depth) === 0 ? 1 : 0;
      const places = depth === 0 ? own : own + shared;
      const { free, held } = this.#counts(depth);
      const beginning = Math.min(places, free + Math.min(held, Math.max(0, places - 1)));
      ready += beginning;
      if (depth > 0) shared -= Math.max(0, beginning - own);
    }
    return ready;
  }

  /** How many are held back: they would not begin even if a place was free. */
  held(): number {
    return this.#size === 0 ? 0 : this.#waiting.reduce((sum, _, depth) => sum + this.#counts(depth).held, 0);
  }

  /** Removes a run that will no longer begin; false if it is not waiting. */
  drop(run: T, script: S): boolean {
    return this.#waiting.some((level) => this.#remove(run, script, level));
  }

  /** Removes all runs that wait at this depth or deeper. */
  dropAll(from = 0): T[] {
    const dropped: T[] = [];
    for (const level of this.#waiting.slice(from)) {
      for (const runs of level.scripts.values()) dropped.push(...runs.keys());
      level.scripts.clear();
      level.runs.clear();
    }
    this.#size -= dropped.length;
    return dropped;
  }

  /** The script whose run is next on a level; null if none may begin. */
  #next(depth: number, places: number, isReserved: boolean): S | null {
    const level = this.#level(depth);
    if (depth > 0 && !this.#mayHold(depth)) {
      const [oldest = null] = level.runs.values();
      return oldest;
    }
    let best: { script: S; later: boolean; load: number; since: number } | null = null;
    for (const [script, runs] of level.scripts) {
      const mayWait = depth === 0 && script.mayWait;
      if (mayWait && isReserved) continue;
      const later = mayWait && this.#tookWaiting;
      const load = depth === 0 ? script.inProgress : 0;
      const [since = 0] = runs.values();
      const isBetter =
        best === null ||
        (later === best.later ? load < best.load || (load === best.load && since < best.since) : best.later);
      if (isBetter && this.#mayBegin(script, depth, places)) best = { script, later, load, since };
    }
    return best?.script ?? null;
  }

  /** Runs that may have the last place of a level, and runs that may not. */
  #counts(depth: number): { free: number; held: number } {
    const { scripts, runs } = this.#level(depth);
    if (!this.#mayHold(depth)) return { free: runs.size, held: 0 };
    const counts = { free: 0, held: 0 };
    for (const [script, { size }] of scripts) counts[this.#mayBegin(script, depth, 1) ? 'free' : 'held'] += size;
    return counts;
  }

  #remove(run: T, script: S, level: Level<T, S>): boolean {
    const runs = level.scripts.get(script);
    if (runs === undefined || !runs.delete(run)) return false;
    level.runs.delete(run);
    if (runs.size === 0) level.scripts.delete(script);
    this.#size -= 1;
    return true;
  }

  #places(depth: number): number {
    if (depth === 0) return this.count - this.#at(0);
    return (this.#at(depth) === 0 ? 1 : 0) + this.#sharedPlaces();
  }

  #sharedPlaces(): number {
    let shared = this.count;
    for (let depth = 1; depth < this.#running.length; depth += 1) shared -= Math.max(0, this.#at(depth) - 1);
    return Math.max(0, shared);
  }

  #at(depth: number): number {
    return this.#running[depth] ?? 0;
  }

  #runsOf(script: S, depth: number): Map<T, number> {
    const level = this.#level(depth);
    let runs = level.scripts.get(script);
    if (runs === undefined) {
      runs = new Map();
      level.scripts.set(script, runs);
    }
    return runs;
  }

  #level(depth: number): Level<T, S> {
    while (this.#waiting.length <= depth) this.#waiting.push(new Level());
    return this.#waiting[depth] ?? new Level();
  }
}
