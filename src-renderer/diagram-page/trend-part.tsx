import { useContext, useEffect, useRef, useState } from 'react';
import type { DiagramPart } from '#domain/tag/diagram';
import { TREND_SPANS } from '#domain/tag/diagram';
import { durationText } from '#domain/text/duration';
import { shownAs } from '../support/shown-value.ts';
import { deferred } from '../ui/deferred.tsx';
import { PLOT_COLORS } from '../ui/plot/plot-colors.ts';
import { isNotable, QualityMark } from '../ui/text/quality.tsx';
import { useDarkness } from '../ui/use-darkness.ts';
import { PageScale, usePage, useShownValue } from './page-context.ts';
import { useTrend } from './use-trend.ts';
import styles from './trend-part.module.css';

const Plot = deferred(
  async () => (await import('../ui/plot/plot.tsx')).Plot,
  ({ height = 0 }) => <div style={{ height }} />,
);
const PointPlot = deferred(
  async () => (await import('../ui/plot/point-plot.tsx')).PointPlot,
  ({ height = 0 }) => <div style={{ height }} />,
);

/** The values of some tags over the past minutes. */
export function TrendPart({ part }: { part: DiagramPart }) {
  const { definitions, actions } = usePage();
  const tags = (part.trend?.tags ?? []).filter((tag) => tag !== '');
  const saved = part.trend?.spanMs ?? TREND_SPANS[0];
  const [chosen, setChosen] = useState<number | null>(null);
  const spanMs = chosen ?? saved;
  const { times, values } = useTrend(tags, spanMs);
  const [frame, height] = useHeight();
  const scale = useContext(PageScale);
  const name = part.label === '' ? 'Trend' : part.label;
  const series = tags.map((tag) => ({
    name: shortName(tag),
    unit: definitions.get(tag)?.unit ?? '',
    format: definitions.get(tag)?.format,
    values: values.get(tag) ?? [],
  }));
  const plot = { label: name, times, series, height, shape: 'steps' as const, hasLegend: false, scale };
  return (
    <section className={styles.trend} aria-label={name}>
      <header className={styles.head}>
        <span className={styles.name} title={name}>
          {part.label}
        </span>
        <select
          className={styles.span}
          aria-label={`Time of ${name}`}
          value={spanMs}
          onChange={({ target }) => setChosen(Number(target.value))}
        >
          {[...new Set([...TREND_SPANS, saved])]
            .toSorted((a, b) => a - b)
            .map((ms) => (
              <option key={ms} value={ms}>
                {durationText(ms)}
              </option>
            ))}
        </select>
      </header>
      {tags.length === 0 ? (
        <span className={styles.unbound}>No tag chosen</span>
      ) : (
        <>
          <ul className={styles.legend}>
            {tags.map((tag, index) => (
              <LegendItem key={tag} tag={tag} index={index} />
            ))}
          </ul>
          <div ref={frame} className={styles.plot}>
            {height > 0 &&
              (actions ? (
                <PointPlot
                  {...plot}
                  entriesOf={({ at }) => tags.flatMap((tag) => actions.entriesOf(tag, at, tags.length === 1))}
                  attributesOf={({ series: line, at }) => actions.attributesOf(tags[line] ?? '', at)}
                />
              ) : (
                <Plot {...plot} />
              ))}
          </div>
        </>
      )}
    </section>
  );
}

function LegendItem({ tag, index }: { tag: string; index: number }) {
  const { definitions } = usePage();
  const value = useShownValue(tag);
  const colors = PLOT_COLORS[useDarkness() ? 'dark' : 'light'];
  const { unit = '', format } = definitions.get(tag) ?? {};
  const text = !value ? '…' : value.value === null ? '–' : shownAs(value.value, format);
  return (
    <li title={tag}>
      <span
        className={styles.mark}
        data-dashed={index >= colors.length}
        style={{ borderColor: colors[index % colors.length] }}
        aria-hidden
      />
      <span className={styles.tag}>{shortName(tag)}</span>
      <bdi className={styles.value}>{`${text} ${unit}`.trimEnd()}</bdi>
      {value && isNotable(value) && <QualityMark value={value} compact />}
    </li>
  );
}

/** The last two names of a path; `Value` is the name of most properties. */
function shortName(path: string): string {
  const names = path.split('.');
  if (names.length > 2 && names.at(-1) === 'Value') names.pop();
  return names.slice(-2).join('.');
}

/** The height of an element, in px; 0 until it is known. */
function useHeight() {
  const frame = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const watcher = new ResizeObserver(([entry]) => setHeight(Math.floor(entry?.contentRect.height ?? 0)));
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return [frame, height] as const;
}
