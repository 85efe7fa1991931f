import { useEffect, useRef } from 'react';
import Uplot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useDarkness } from '../use-darkness.ts';
import { moment } from '../../support/moment.ts';
import { timeTicks } from './plot-times.ts';
import { shownLive } from '../../support/shown-value.ts';
import styles from './plot.module.css';

export interface PlotSeries {
  name: string;
  /** In the order of `times`; null is a gap. */
  values: readonly (number | null)[];
}

interface Props {
  label: string;
  /** Ascending, in ms since 1970. */
  times: readonly number[];
  series: readonly PlotSeries[];
  /** In px. */
  height?: number;
  /** Steps keep a value until the next one, like tags; lines are straight. */
  shape?: 'steps' | 'lines';
}

/** Colours that are distinguishable on light and dark, also for most colour-blind people; further series use dashes. */
const COLOURS = {
  light: ['#0f6cbd', '#b4540a', '#0b7a55', '#8a3ffc', '#b3135f', '#5c5c00'],
  dark: ['#62abf5', '#f2a365', '#4cc38a', '#be95ff', '#ff7eb6', '#d2d200'],
} as const;
const DASHES = [undefined, [6, 3], [2, 3]] as const;

/** Series of numbers over time. The text alternative is the range of every series. */
export function Plot({ label, times, series, height = 180, shape = 'lines' }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<Uplot | null>(null);
  const dark = useDarkness();
  // One text, so that the plot is recreated only if the names change.
  const names = JSON.stringify(series.map(({ name }) => name));

  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const style = getComputedStyle(element);
    const text = style.getPropertyValue('--colorNeutralForeground2');
    const line = style.getPropertyValue('--colorNeutralStroke2');
    const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    const colours = COLOURS[dark ? 'dark' : 'light'];
    const labels: string[] = JSON.parse(names);
    const stepped = Uplot.paths.stepped?.({ align: 1 });
    const drawn = new Uplot(
      {
        width: element.clientWidth,
        height,
        // Half of the last time is right of its line.
        padding: [null, 32, null, null],
        cursor: { drag: { x: true, y: false } },
        legend: { show: true, live: true },
        scales: { x: { time: true } },
        axes: [
          { ...axis, space: 74, size: 42, values: (_plot, ticks, _axis, _space, step) => timeTicks(ticks, step) },
          { ...axis, size: 56 },
        ],
        series: [
          { label: 'Time', value: (_plot, at) => (at === null ? '' : moment(new Date(at * 1_000))) },
          ...labels.map((name, index) => ({
            label: name,
            value: (_plot: Uplot, value: number | null) => (value === null ? '' : shownLive(value)),
            stroke: colours[index % colours.length] ?? text,
            width: 1.5,
            points: { show: false },
            spanGaps: false,
            dash: [...(DASHES[Math.floor(index / colours.length) % DASHES.length] ?? [])],
            ...(shape === 'steps' && stepped ? { paths: stepped } : {}),
          })),
        ],
      },
      [[]],
      element,
    );
    plot.current = drawn;
    const resized = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.current = null;
      drawn.destroy();
    };
  }, [names, height, shape, dark]);

  useEffect(() => {
    plot.current?.setData([times.map((ms) => ms / 1_000), ...series.map(({ values }) => [...values])]);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a recreated plot needs its data too
  }, [times, series, names, height, shape, dark]);

  return (
    <div ref={host} className={styles.plot} role="img" aria-label={`${label}: ${series.map(rangeOf).join('; ')}`} />
  );
}

function rangeOf({ name, values }: PlotSeries): string {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low > high ? `${name} has no values` : `${name} from ${low} to ${high}`;
}
