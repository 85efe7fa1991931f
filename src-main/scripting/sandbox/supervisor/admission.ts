/**
 * Which runs may take a host, by their depth: how many runs wait for them, 0 for a run that nobody waits for.
 *
 * A run holds its host while it waits for the runs that it caused, so hosts that are handed out without order end in a
 * deadlock: each is held by a run that waits for another one. Here a run only ever waits for runs one level deeper, and
 * every level below the first has **one place of its own**, beside the places that the levels share. So there is no
 * deadlock: take the deepest level on which a run waits for a host. Its own place is taken by some run. No run waits
 * below that level, so whatever that one waits for is running, and so is what these wait for; the last of them wait for
 * nobody and end by themselves, or by their limits. Then the place is free, and the run that waited longest on that
 * level has it. The same holds for every level above, from the deepest upwards, so no run waits for ever either.
 *
 * The number of hosts is bounded by `count` for runs of depth 0, one for each level below, and `count` shared ones:
 * `2 × count + levels`, and the spare.
 */
export class Admission<T> {
  /** Runs at a time of depth 0, and how many places the deeper levels share. */
  count: number;
  /** Those that wait, by depth, the one that waits longest first. */
  readonly #waiting: Set<T>[] = [];
  /** Runs under way, by depth. */
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

  /** Puts back one that was taken and has not begun. */
  waitAgain(run: T, depth: number): void {
    this.leave(depth);
    this.#waiting[depth] = new Set([run, ...this.#level(depth)]);
  }

  /** Takes the run that is to begin next out of the waiting ones, the deepest first; null when none may begin. */
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

  /** A run of this depth is over. */
  leave(depth: number): void {
    this.#running[depth] = this.#at(depth) - 1;
  }

  /** A run that stood aside (it had left) goes on, also where its place was taken meanwhile: it has its host. */
  enter(depth: number): void {
    this.#running[depth] = this.#at(depth) + 1;
  }

  /** How many of those that wait could begin now, had they a host. */
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

  /** Takes one out that is not to begin any more; false when it does not wait. */
  drop(run: T): boolean {
    return this.#waiting.some((waiting) => waiting.delete(run));
  }

  /** Takes all out that wait at this depth or deeper. */
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
