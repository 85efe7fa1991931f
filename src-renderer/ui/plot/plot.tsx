import { useEffect, useRef } from 'react';
import Uplot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useDarkness } from '../use-darkness.ts';
import { moment } from '../../support/moment.ts';
import { PLOT_COLOURS } from './plot-colours.ts';
import { timeRange, timeTicks } from './plot-times.ts';
import { inFormat, shownAs, shownLive } from '../../support/shown-value.ts';
import styles from './plot.module.css';

export interface PlotSeries {
  name: string;
  /** Series of one unit share an axis. '' without a unit. */
  unit?: string;
  /** The number format of its values. An axis uses it if all of its series have it, and if it keeps its ticks apart. */
  format?: string | undefined;
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
  /** false where names and values are shown elsewhere. */
  hasLegend?: boolean;
}

const DASHES = [undefined, [6, 3], [2, 3]] as const;

/** The space for the values of the vertical axis, in px; a digit takes 7 of its font. */
const widthOf = (values: readonly string[] | null): number =>
  Math.max(56, 22 + 7 * Math.max(0, ...(values ?? []).map(({ length }) => length)));

/** Series of numbers over time. The text alternative is the range of every series. */
export function Plot({ label, times, series, height = 180, shape = 'lines', hasLegend = true }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<Uplot | null>(null);
  const dark = useDarkness();
  // One text, so that the plot is recreated only if the names, units or formats change.
  const names = JSON.stringify(series.map(({ name, unit = '', format }) => ({ name, unit, format })));

  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const style = getComputedStyle(element);
    const text = style.getPropertyValue('--colorNeutralForeground2');
    const line = style.getPropertyValue('--colorNeutralStroke2');
    const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    const colours = PLOT_COLOURS[dark ? 'dark' : 'light'];
    const labels: { name: string; unit: string; format?: string }[] = JSON.parse(names);
    const units = [...new Set(labels.map(({ unit }) => unit))];
    const stepped = Uplot.paths.stepped?.({ align: 1 });
    const drawn = new Uplot(
      {
        width: element.clientWidth,
        height,
        // Half of the last time is right of its line.
        padding: [null, 32, null, null],
        cursor: { drag: { x: true, y: false } },
        legend: { show: hasLegend, live: true },
        scales: { x: { time: true, range: (_plot, least, most) => timeRange(least, most) } },
        axes: [
          { ...axis, space: 74, size: 42, values: (_plot, ticks, _axis, _space, step) => timeTicks(ticks, step) },
          // The first axis is on the left, with the grid; all others are on the right.
          ...units.map((unit, index) => ({
            ...axis,
            scale: scaleOf(unit),
            ...ticksOf(labels.filter((one) => one.unit === unit).map(({ format }) => format)),
            space: 24,
            side: index === 0 ? 3 : 1,
            ...(index > 0 && { grid: { show: false } }),
            ...(unit !== '' && { label: unit, labelSize: 16, labelGap: 0, labelFont: '12px sans-serif' }),
            size: (_plot: Uplot, values: readonly string[] | null) => widthOf(values),
          })),
        ],
        series: [
          { label: 'Time', value: (_plot, at) => (at === null ? '' : moment(new Date(at * 1_000))) },
          ...labels.map(({ name, unit, format }, index) => ({
            label: name,
            scale: scaleOf(unit),
            value: (_plot: Uplot, value: number | null) =>
              value === null ? '' : `${shownAs(value, format)} ${unit}`.trimEnd(),
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
  }, [names, height, shape, hasLegend, dark]);

  useEffect(() => {
    plot.current?.setData([times.map((ms) => ms / 1_000), ...series.map(({ values }) => [...values])]);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a recreated plot needs its data too
  }, [times, series, names, height, shape, hasLegend, dark]);

  return (
    <div
      ref={host}
      className={styles.plot}
      data-single={series.length === 1}
      role="img"
      aria-label={`${label}: ${series.map(rangeOf).join('; ')}`}
    />
  );
}

/** uPlot's own names, "x" among them, are no units. */
const scaleOf = (unit: string): string => `unit ${unit}`;

/** The texts of an axis in the common format of its series; its own texts where the format would make some equal. */
function ticksOf(formats: readonly (string | undefined)[]): Pick<Uplot.Axis, 'values'> {
  const [format] = formats;
  if (format === undefined || formats.some((other) => other !== format)) return {};
  return {
    values: (_plot, ticks) => {
      const texts = ticks.map((tick) => inFormat(tick, format));
      const shown = new Set(texts);
      return shown.size === ticks.length && !shown.has(null) ? texts : ticks.map((tick) => shownLive(tick));
    },
  };
}

function rangeOf({ name, unit = '', values }: PlotSeries): string {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low > high ? `${name} has no values` : `${name} from ${low} to ${high} ${unit}`.trimEnd();
}
