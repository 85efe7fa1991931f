/** A value of a tag at a time (ms since 1970); null where it was bad or not observed. */
export interface Point {
  at: number;
  value: number | null;
}

const MOST_PATHS = 300;
const MOST_POINTS = 1_200;
export const KEPT_MS = 10 * 60_000;

const NOTHING: readonly Point[] = [];

/**
 * The observed numbers of tags: of the 300 most recently seen tags, the last ten minutes or 1,200 points. The memory
 * does not grow with time or with the number of tags.
 */
export class History {
  /** The most recently seen tag is last. */
  readonly #points = new Map<string, Point[]>();

  add(path: string, point: Point): void {
    const points = this.#points.get(path) ?? [];
    this.#points.delete(path);
    this.#points.set(path, points);
    points.push(point);
    // Removes many at once: shifting the first element of a long array costs its length each time.
    if (points.length > MOST_POINTS * 1.25) points.splice(0, points.length - MOST_POINTS);
    if (this.#points.size <= MOST_PATHS) return;
    const [oldest] = this.#points.keys();
    if (oldest !== undefined) this.#points.delete(oldest);
  }

  /** Observation ends: later values do not continue the earlier ones. */
  interrupt(path: string, at: number): void {
    const last = this.#points.get(path)?.at(-1);
    if (last && last.value !== null) this.add(path, { at, value: null });
  }

  /** The points since a time, and the previous one, whose value was still valid then. */
  since(path: string, from: number): readonly Point[] {
    const points = this.#points.get(path);
    if (!points) return NOTHING;
    const first = points.findIndex(({ at }) => at >= from);
    return first < 0 ? points.slice(-1) : points.slice(Math.max(0, first - 1));
  }

  clear(): void {
    this.#points.clear();
  }
}
