import { useEffect, useMemo, useState } from 'react';
import { isNumeric, problemOfFormat } from '#domain/tag/number-format';
import type { SignalCurve } from '#domain/tag/signal-curve';
import type { Json } from '#domain/text/json';
import { useWorkbench } from '../../../frame/workbench.ts';
import { shownAs } from '../../../support/shown-value.ts';
import { deferred } from '../../../ui/deferred.tsx';
import { durationText } from './duration.ts';
import { type TagForm, definitionOf } from './tag-form.ts';
import styles from './edit.module.css';

const Plot = deferred(
  async () => (await import('../../../ui/plot/plot.tsx')).Plot,
  ({ height = 0 }) => <div style={{ height }} />,
);

/** Delay after the last key, ms. */
const TYPING_MS = 200;
const HEIGHT = 130;
/** Texts of a recording that are listed. */
const MOST_TEXTS = 12;
/** Used until a path is typed. */
const ANY_PATH = 'Root.Name.Value';

/** The curve that the signal of the form will produce, as main computes it; the last one while a field is invalid. */
export function SignalPreview({ form }: { form: TagForm }) {
  const { client } = useWorkbench();
  const [curve, setCurve] = useState<SignalCurve | null>(null);
  const [stale, setStale] = useState(false);
  // Omits fields that don't affect the curve, so typing in them triggers no read.
  const wanted = useMemo(() => {
    const path = form.path.trim();
    const read = definitionOf({ ...form, path: ANY_PATH, unit: '', format: '', description: '' });
    return read.ok ? JSON.stringify({ ...read.definition, path }) : null;
  }, [form]);
  useEffect(() => {
    if (wanted === null) return undefined;
    const end = new AbortController();
    const read = async () => {
      try {
        const next = await client.tags.preview(JSON.parse(wanted), { signal: end.signal });
        if (end.signal.aborted) return;
        setCurve(next);
        setStale(false);
      } catch {
        // The fields themselves show problems; without a connection, the frame does.
        if (!end.signal.aborted) setStale(true);
      }
    };
    const timer = setTimeout(() => void read(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, wanted]);

  const typed = form.format.trim();
  const format = isNumeric(form.type) && problemOfFormat(typed) === null ? typed : undefined;
  const times = useMemo(() => curve?.points.map(({ at }) => at) ?? [], [curve]);
  const series = useMemo(
    () => [
      {
        name: form.unit.trim() || 'Value',
        format,
        values: curve?.points.map(({ value }) => drawn(value)) ?? [],
      },
    ],
    [curve, form.unit, format],
  );
  const isCurrent = curve !== null && wanted !== null && !stale;
  return (
    <section className={`${styles.preview} ${styles.wide}`} aria-label="Preview of the signal" data-current={isCurrent}>
      <h3>Preview</h3>
      {curve === null ? (
        <p className={styles.hint} style={{ minHeight: HEIGHT }}>
          The curve appears here as soon as the fields are valid.
        </p>
      ) : (
        <>
          <p className={styles.facts}>{isCurrent ? factsOf(curve, format) : 'Based on the last valid input.'}</p>
          {series[0]?.values.some((value) => value !== null) ? (
            <Plot label="Curve of the signal" times={times} series={series} height={HEIGHT} shape="steps" />
          ) : (
            <p className={styles.hint}>{textsOf(curve.points)}</p>
          )}
        </>
      )}
    </section>
  );
}

const drawn = (value: Json): number | null =>
  typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : null;

/** `Min 396 · Max 424 · Period 1 min · New value every 1 s` */
function factsOf({ min, max, periodMs, updateMs }: SignalCurve, format: string | undefined): string {
  return [
    ...(min === null || max === null ? [] : [`Min ${shownAs(min, format)}`, `Max ${shownAs(max, format)}`]),
    periodMs === null ? 'No period' : `Period ${durationText(periodMs)}`,
    `New value every ${durationText(updateMs)}`,
  ].join(' · ');
}

/** The texts of a recording in their order. */
function textsOf(points: SignalCurve['points']): string {
  const texts = points
    .map(({ value }) => (typeof value === 'string' ? value : 'no data'))
    .filter((text, index, all) => text !== all[index - 1]);
  const more = texts.length > MOST_TEXTS ? ' → …' : '';
  return texts.slice(0, MOST_TEXTS).join(' → ') + more;
}
