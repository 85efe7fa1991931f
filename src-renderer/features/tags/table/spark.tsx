import { useStore } from '../../../support/store.ts';
import type { LiveValues } from '../../../client/live-values.ts';
import styles from './table.module.css';
import type { Point } from '../../../client/value-history.ts';

const SPARK = { width: 72, height: 18, ms: 60_000 } as const;

/**
 * The path of an SVG for the last minute up to `now`, in steps, one point per pixel; empty without numbers. A constant
 * value is a line through the middle.
 */
export function sparkPath(points: readonly Point[], now: number): string {
  const numbers = points.flatMap(({ value }) => (value === null ? [] : [value]));
  if (numbers.length === 0) return '';
  const low = Math.min(...numbers);
  const high = Math.max(...numbers);
  const { width, height, ms } = SPARK;
  const x = (at: number) => Math.max(0, Math.round(((at - (now - ms)) / ms) * width));
  const y = (value: number) =>
    high === low ? height / 2 : Math.round((1 + (1 - (value - low) / (high - low)) * (height - 2)) * 10) / 10;
  let path = '';
  let drawn: { x: number; y: number } | null = null;
  for (const [index, { at, value }] of points.entries()) {
    const here = x(at);
    const next = points[index + 1];
    // The last of several in one pixel.
    if (next && x(next.at) === here && next.value !== null && value !== null) continue;
    if (value === null) {
      if (drawn) path += `H${here}`;
      drawn = null;
      continue;
    }
    path += drawn ? `H${here}V${y(value)}` : `M${here} ${y(value)}`;
    drawn = { x: here, y: y(value) };
  }
  return drawn ? `${path}H${width}` : path;
}

/** The last minute of a tag as a small plot, redrawn once a second. */
export function Spark({ values, path }: { values: LiveValues; path: string }) {
  const now = useStore(values.tick);
  const line = sparkPath(values.history.since(path, now - SPARK.ms), now);
  if (line === '') return null;
  return (
    <svg className={styles.spark} width={SPARK.width} height={SPARK.height} aria-hidden="true">
      <path d={line} />
    </svg>
  );
}
