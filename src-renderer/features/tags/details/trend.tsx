import type { TagDefinition } from '#domain/tag/tag';
import { useWorkbench } from '../../../frame/workbench.ts';
import { subjectAttributes, whyEntry } from '../../../frame/why/why-button.tsx';
import { deferred } from '../../../ui/deferred.tsx';
import { useStore } from '../../../support/store.ts';
import { KEPT_MS } from '../../../client/value-history.ts';
import type { LiveValues, ViewScope } from '../../../client/live-values.ts';
import { tagSubject } from '../why-subject.ts';
import styles from '../tags.module.css';

const PointPlot = deferred(
  async () => (await import('../../../ui/plot/point-plot.tsx')).PointPlot,
  ({ height = 0 }) => <div style={{ height }} />,
);

/** Minimum length of the displayed interval. */
const LEAST_MS = 1_000;

/** The values of a tag since it was opened, at most the last ten minutes. */
export function Trend({ values, tag, scope }: { values: LiveValues; tag: TagDefinition; scope: ViewScope }) {
  const { path, format } = tag;
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
          entriesOf={({ at }) => [whyEntry(tagSubject(tag, scope, at), explain)]}
          attributesOf={({ at }) => subjectAttributes(tagSubject(tag, scope, at))}
        />
      </div>
    </section>
  );
}
