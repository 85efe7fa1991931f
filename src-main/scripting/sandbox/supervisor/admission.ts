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
 * The number of hosts is bounded: `count` for runs of depth 0, one for each level below, and `count` shared ones: `2 ×
 * count + levels`, plus the spare.
 */
export class Admission<T> {
  /** Concurrent runs of depth 0, which is also the number of places that the deeper levels share. */
  count: number;
  /** Waiting runs by depth, longest wait first. */
  readonly #waiting: Set<T>[] = [];
  /** Running runs by depth. */
  readonly #running: number[] = [];

  constructor(count: number) {
    this.count = count;
  }

  /** How many wait. */
  get size(): number {
    return this.#waiting.reduce((sum, { size }) => sum + size, 0);
  }

  wait(run: T, depth: number): void {
    this.#level(depth).add(run);
  }

  /** Returns a run that was taken but has not begun. */
  waitAgain(run: T, depth: number): void {
    this.leave(depth);
    this.#waiting[depth] = new Set([run, ...this.#level(depth)]);
  }

  /** Takes the next run to begin out of the waiting ones, deepest first; null if none may begin. */
  take(): T | null {
    for (let depth = this.#waiting.length - 1; depth >= 0; depth -= 1) {
      const waiting = this.#level(depth);
      if (waiting.size === 0 || this.#places(depth) <= 0) continue;
      for (const first of waiting) {
        waiting.delete(first);
        this.#running[depth] = this.#at(depth) + 1;
        return first;
      }
    }
    return null;
  }

  /** A run of this depth has ended. */
  leave(depth: number): void {
    this.#running[depth] = this.#at(depth) - 1;
  }

  /** A run that had given up its place continues, even if its place was taken in the meantime: it has its host. */
  enter(depth: number): void {
    this.#running[depth] = this.#at(depth) + 1;
  }

  /** How many of the waiting runs could begin now if they had a host. */
  ready(): number {
    let ready = 0;
    let shared = this.#sharedPlaces();
    for (const [depth, { size }] of this.#waiting.entries()) {
      if (depth === 0) {
        ready += Math.min(size, Math.max(0, this.count - this.#at(0)));
        continue;
      }
      const own = Math.min(size, this.#at(depth) === 0 ? 1 : 0);
      const more = Math.min(size - own, shared);
      ready += own + more;
      shared -= more;
    }
    return ready;
  }

  /** Removes a run that will not begin any more; false if it is not waiting. */
  drop(run: T): boolean {
    return this.#waiting.some((waiting) => waiting.delete(run));
  }

  /** Removes all runs that wait at this depth or deeper. */
  dropAll(from = 0): T[] {
    const dropped: T[] = [];
    for (const waiting of this.#waiting.slice(from)) {
      for (const run of waiting) dropped.push(run);
      waiting.clear();
    }
    return dropped;
  }

  #places(depth: number): number {
    if (depth === 0) return this.count - this.#at(0);
    return this.#at(depth) === 0 ? 1 : this.#sharedPlaces();
  }

  #sharedPlaces(): number {
    let shared = this.count;
    for (let depth = 1; depth < this.#running.length; depth += 1) shared -= Math.max(0, this.#at(depth) - 1);
    return Math.max(0, shared);
  }

  #at(depth: number): number {
    return this.#running[depth] ?? 0;
  }

  #level(depth: number): Set<T> {
    while (this.#waiting.length <= depth) this.#waiting.push(new Set());
    return this.#waiting[depth] ?? new Set();
  }
}
