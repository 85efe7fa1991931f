import { useWorkbench } from '../../../frame/workbench.ts';
import { subjectAttributes, whyEntry } from '../../../frame/why/why-button.tsx';
import { deferred } from '../../../ui/deferred.tsx';
import { useStore } from '../../../support/store.ts';
import { KEPT_MS } from '../../../client/value-history.ts';
import type { LiveValues } from '../../../client/live-values.ts';
import styles from '../tags.module.css';

const PointPlot = deferred(
  async () => (await import('../../../ui/plot/point-plot.tsx')).PointPlot,
  ({ height = 0 }) => <div style={{ height }} />,
);

const subjectAt = (path: string, at: number) => ({ thing: `tag:${path}`, at: new Date(at).toISOString() });

/** Minimum length of the displayed interval. */
const LEAST_MS = 1_000;

/** The values of a tag since it was opened, at most the last ten minutes. */
export function Trend({ values, path, format }: { values: LiveValues; path: string; format: string | undefined }) {
  const { explain } = useWorkbench();
  const now = useStore(values.tick);
  const points = values.history.since(path, now - KEPT_MS);
  if (points.length === 0) return null;
  // The value is valid until now; initially for a moment, because an interval without length has no scale.
  const last = points.at(-1)?.value ?? null;
  const end = Math.max(now, points.at(-1)?.at ?? 0, (points[0]?.at ?? 0) + LEAST_MS);
  const times = [...points.map(({ at }) => at), end];
  const numbers = [...points.map(({ value }) => value), last];
  return (
    <section aria-label="Trend">
      <h3>Trend since opened</h3>
      <div className={styles.plot}>
        <PointPlot
          label={`Trend of ${path}`}
          times={times}
          series={[{ name: 'Value', format, values: numbers }]}
          height={150}
          shape="steps"
          entriesOf={({ at }) => [whyEntry(subjectAt(path, at), explain)]}
          attributesOf={({ at }) => subjectAttributes(subjectAt(path, at))}
        />
      </div>
    </section>
  );
}
