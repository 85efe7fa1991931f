import { useStore } from '../../../support/store.ts';
import type { LiveValues } from '../../../client/live-values.ts';
import { SPARK, sparkPath } from './sparkline.ts';
import styles from './table.module.css';

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
