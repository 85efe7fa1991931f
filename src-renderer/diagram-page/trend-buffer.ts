import { isUsable } from '#domain/tag/quality';
import type { TagValue } from '#domain/tag/tag';

/** The values of a trend at equal steps: more than a part has pixels would not be visible. */
export const TREND_STEPS = 300;

/** A value of a tag at a time, ms since 1970; null where it is bad or unknown. */
export interface TrendPoint {
  at: number;
  value: number | null;
}

export interface TrendLines {
  /** Ascending, ms since 1970. */
  times: number[];
  /** By path. */
  values: ReadonlyMap<string, (number | null)[]>;
}

/** The recent values of some tags: the newest of each step, for as many steps as a trend shows. */
export class TrendBuffer {
  readonly stepMs: number;
  readonly #values = new Map<string, Map<number, number | null>>();

  constructor(spanMs: number) {
    this.stepMs = spanMs / TREND_STEPS;
  }

  add(path: string, { at, value }: TrendPoint): void {
    const steps = this.#stepsOf(path);
    steps.set(this.#stepAt(at), value);
    if (steps.size <= 2 * TREND_STEPS) return;
    const oldest = this.#stepAt(at) - TREND_STEPS;
    for (const step of steps.keys()) if (step < oldest) steps.delete(step);
  }

  /** Adds values of the past where none were observed. */
  fill(path: string, points: readonly TrendPoint[]): void {
    const steps = this.#stepsOf(path);
    for (const { at, value } of points) {
      const step = this.#stepAt(at);
      if ((steps.get(step) ?? null) === null) steps.set(step, value);
    }
  }

  /** Values are not observed after this moment, until the next one is added. */
  interrupt(at: number): void {
    for (const steps of this.#values.values()) steps.set(this.#stepAt(at) + 1, null);
  }

  forget(path: string): void {
    this.#values.delete(path);
  }

  /** The lines until a moment; each value lasts until the next. */
  lines(paths: readonly string[], now: number): TrendLines {
    const last = this.#stepAt(now);
    const first = last - TREND_STEPS;
    const times = Array.from({ length: TREND_STEPS + 1 }, (_, place) => Math.round((first + place) * this.stepMs));
    const values = new Map(
      paths.map((path) => {
        const steps = this.#stepsOf(path);
        let value = valueBefore(steps, first);
        return [
          path,
          times.map((_, place) => {
            const next = steps.get(first + place);
            if (next !== undefined) value = next;
            return value;
          }),
        ];
      }),
    );
    return { times, values };
  }

  #stepAt(ms: number): number {
    return Math.floor(ms / this.stepMs);
  }

  #stepsOf(path: string): Map<number, number | null> {
    const steps = this.#values.get(path) ?? new Map<number, number | null>();
    this.#values.set(path, steps);
    return steps;
  }
}

function valueBefore(steps: ReadonlyMap<number, number | null>, first: number): number | null {
  let newest = -Infinity;
  for (const step of steps.keys()) if (step < first && step > newest) newest = step;
  return steps.get(newest) ?? null;
}

/** The number that a trend shows for a value: 1 and 0 for Booleans; null while it is bad, or no number. */
export function trendNumber({ value, quality }: Pick<TagValue, 'value' | 'quality'>): number | null {
  if (!isUsable(quality)) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
