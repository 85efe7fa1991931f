/** What admission counts of a script: its runs that a host has. */
interface Script {
  inProgress: number;
}

/** Whether a run of a script may have one of so many free places. */
type MayBegin<S> = (script: S, depth: number, places: number) => boolean;

/**
 * Decides which runs may take a host, by their depth: how many runs wait for them, 0 for a run that no run waits for.
 *
 * A run holds its host while it waits for the runs that it caused, so handing out hosts without order ends in a
 * deadlock in which every host is held by a run that waits for another one. Here a run only waits for runs one level
 * deeper, and every level below the first has **one place of its own**, in addition to the places that the levels
 * share. This excludes deadlocks: take the deepest level on which a run waits for a host. Some run has the level's own
 * place. No run waits below that level, so the runs that it waits for are running, and so are the runs that these wait
 * for; the last of them wait for no run and end by themselves, or by their limits. Then the place is free, and the run
 * that has waited longest on that level gets it. The same holds for every level above, from the deepest upwards, so no
 * run waits forever.
 *
 * On the first level, the script with the fewest runs in progress is next, and of these the one that has waited longest:
 * a script with many runs does not delay the others. `mayBegin` can hold back runs of a script while others of it wait
 * for the network, which ends by itself.
 *
 * The number of hosts is bounded: `count` for runs of depth 0, one for each level below, and `count` shared ones: `2 ×
 * count + levels`, plus the spare.
 */
export class Admission<T, S extends Script = Script> {
  /** Concurrent runs of depth 0, which is also the number of places that the deeper levels share. */
  count: number;
  readonly #mayBegin: MayBegin<S>;
  /** Waiting runs by depth and script, longest wait first, each with its number in the order of requests. */
  readonly #waiting: Map<S, Map<T, number>>[] = [];
  /** Running runs by depth. */
  readonly #running: number[] = [];
  #size = 0;
  #last = 0;
  #first = 0;

  constructor(count: number, mayBegin: MayBegin<S> = () => true) {
    this.count = count;
    this.#mayBegin = mayBegin;
  }

  /** How many wait. */
  get size(): number {
    return this.#size;
  }

  wait(run: T, depth: number, script: S): void {
    this.#last += 1;
    this.#runsOf(script, depth).set(run, this.#last);
    this.#size += 1;
  }

  /** Returns a run that was taken but has not begun. */
  waitAgain(run: T, depth: number, script: S): void {
    this.end(depth, script);
    this.#first -= 1;
    const others = this.#runsOf(script, depth);
    this.#level(depth).set(script, new Map([[run, this.#first], ...others]));
    this.#size += 1;
  }

  /** Takes the next run to begin out of the waiting ones, deepest first; null if none may begin. */
  take(): T | null {
    for (let depth = this.#waiting.length - 1; depth >= 0; depth -= 1) {
      const places = this.#places(depth);
      const script = places > 0 ? this.#next(depth, places) : null;
      if (script === null) continue;
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

  /** Removes a run that will not begin any more; false if it is not waiting. */
  drop(run: T, script: S): boolean {
    return this.#waiting.some((level) => this.#remove(run, script, level));
  }

  /** Removes all runs that wait at this depth or deeper. */
  dropAll(from = 0): T[] {
    const dropped: T[] = [];
    for (const level of this.#waiting.slice(from)) {
      for (const runs of level.values()) dropped.push(...runs.keys());
      level.clear();
    }
    this.#size -= dropped.length;
    return dropped;
  }

  /** The script whose run is next on a level; null if none may begin. */
  #next(depth: number, places: number): S | null {
    let best: { script: S; load: number; since: number } | null = null;
    for (const [script, runs] of this.#level(depth)) {
      const load = depth === 0 ? script.inProgress : 0;
      const [since = 0] = runs.values();
      const isBetter = best === null || load < best.load || (load === best.load && since < best.since);
      if (isBetter && this.#mayBegin(script, depth, places)) best = { script, load, since };
    }
    return best?.script ?? null;
  }

  /** Runs that may have the last place of a level, and those that may not. */
  #counts(depth: number): { free: number; held: number } {
    const counts = { free: 0, held: 0 };
    for (const [script, { size }] of this.#level(depth))
      counts[this.#mayBegin(script, depth, 1) ? 'free' : 'held'] += size;
    return counts;
  }

  #remove(run: T, script: S, level: Map<S, Map<T, number>>): boolean {
    const runs = level.get(script);
    if (runs === undefined || !runs.delete(run)) return false;
    if (runs.size === 0) level.delete(script);
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
    let runs = level.get(script);
    if (runs === undefined) {
      runs = new Map();
      level.set(script, runs);
    }
    return runs;
  }

  #level(depth: number): Map<S, Map<T, number>> {
    while (this.#waiting.length <= depth) this.#waiting.push(new Map());
    return this.#waiting[depth] ?? new Map();
  }
}
