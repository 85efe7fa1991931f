import { useEffect, useEffectEvent, useRef } from 'react';
import Uplot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useDarkness } from '../use-darkness.ts';
import { moment } from '../../support/moment.ts';
import { PLOT_COLORS } from './plot-colors.ts';
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
  /** Where a point is drawn, by indexes in `times`. Without it, there is only the line. */
  points?: readonly number[];
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
  /** Scale of the page around it: a zoomed picture would be blurred, so that all of it is drawn larger. */
  scale?: number;
  /** Marks this time, as the pointer does. */
  cursorAt?: number | null;
  /** Times with a cross at the lower edge, in ms since 1970: values that are not drawn. */
  crosses?: readonly number[];
  /** Called with the point under the pointer by its index in `times`; null outside of the plot. */
  onCursor?: (index: number | null) => void;
}

const NO_CROSSES: readonly number[] = [];
/** The space of a point, px. */
const POINT_SPACE = 4;
/** Half the width of a cross, and its distance from the lower edge, px. */
const CROSS = 3.5;
const CROSS_AT = 8;

const DASHES = [undefined, [6, 3], [2, 3]] as const;

/** The fonts of uPlot, whose sizes are whole px. */
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif';

/** The space for the values of the vertical axis, in px; a digit takes 7 of its font. */
const widthOf = (values: readonly string[] | null): number =>
  Math.max(56, 22 + 7 * Math.max(0, ...(values ?? []).map(({ length }) => length)));

/** Series of numbers over time. The text alternative is the range of every series. */
export function Plot(props: Props) {
  const { label, times, series, height = 180, shape = 'lines', hasLegend = true, scale = 1, cursorAt = null } = props;
  const { crosses = NO_CROSSES } = props;
  /** Drawn besides the lines. */
  const marks = useRef({ series, crosses });
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<Uplot | null>(null);
  const dark = useDarkness();
  const { onCursor } = props;
  const pointed = useEffectEvent((index: number | null) => onCursor?.(index));
  // One text, so that the plot is recreated only if the names, units or formats change.
  const names = JSON.stringify(series.map(({ name, unit = '', format }) => ({ name, unit, format })));

  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const style = getComputedStyle(element);
    const text = style.getPropertyValue('--colorNeutralForeground2');
    const line = style.getPropertyValue('--colorNeutralStroke2');
    const px = (length: number) => Math.round(length * scale);
    const axis = {
      stroke: text,
      font: `${px(12)}px ${FONT}`,
      gap: px(5),
      grid: { stroke: line, width: scale },
      ticks: { stroke: line, width: scale, size: px(10) },
    };
    const colors = PLOT_COLORS[dark ? 'dark' : 'light'];
    const labels: { name: string; unit: string; format?: string }[] = JSON.parse(names);
    const units = [...new Set(labels.map(({ unit }) => unit))];
    const stepped = Uplot.paths.stepped?.({ align: 1 });
    const drawn = new Uplot(
      {
        width: px(element.clientWidth),
        height: px(height),
        // Half of the last time is right of its line.
        padding: [null, px(32), null, null],
        cursor: { drag: { x: true, y: false } },
        hooks: {
          setCursor: [({ cursor: { idx = null } }) => pointed(idx)],
          draw: [(plotted) => drawCrosses(plotted, marks.current.crosses, style.getPropertyValue(CROSS_COLOR))],
        },
        legend: { show: hasLegend, live: true },
        scales: { x: { time: true, range: ({ data: [shown] }, least, most) => timeRange(shown, least, most) } },
        axes: [
          {
            ...axis,
            space: px(74),
            size: px(42),
            values: (_plot, ticks, _axis, _space, step) => timeTicks(ticks, step),
          },
          // The first axis is on the left, with the grid; all others are on the right.
          ...units.map((unit, index) => ({
            ...axis,
            scale: scaleOf(unit),
            ...ticksOf(labels.filter((one) => one.unit === unit).map(({ format }) => format)),
            space: px(24),
            side: index === 0 ? 3 : 1,
            ...(index > 0 && { grid: { show: false } }),
            ...(unit !== '' && { label: unit, labelSize: px(16), labelGap: 0, labelFont: `${px(12)}px sans-serif` }),
            size: (_plot: Uplot, values: readonly string[] | null) => px(widthOf(values)),
          })),
        ],
        series: [
          { label: 'Time', value: (_plot, at) => (at === null ? '' : moment(new Date(at * 1_000))) },
          ...labels.map(({ name, unit, format }, index) => ({
            label: name,
            scale: scaleOf(unit),
            value: (_plot: Uplot, value: number | null) =>
              value === null ? '' : `${shownAs(value, format)} ${unit}`.trimEnd(),
            stroke: colors[index % colors.length] ?? text,
            width: 1.5 * scale,
            points: {
              show: ({ data: [shown] }: Uplot, place: number) =>
                shown.length === 1 || marks.current.series[place - 1]?.points !== undefined,
              filter: ({ bbox, data: [shown] }: Uplot, place: number) => {
                // A single value has no line.
                const at = marks.current.series[place - 1]?.points ?? (shown.length === 1 ? [0] : []);
                // Closer ones would cover the line.
                return at.length * POINT_SPACE * Uplot.pxRatio > bbox.width ? [] : [...at];
              },
              size: px(5),
              fill: colors[index % colors.length] ?? text,
            },
            spanGaps: false,
            dash: (DASHES[Math.floor(index / colors.length) % DASHES.length] ?? []).map(px),
            ...(shape === 'steps' && stepped ? { paths: stepped } : {}),
          })),
        ],
      },
      [[]],
      element,
    );
    drawn.root.style.zoom = String(1 / scale);
    plot.current = drawn;
    const resized = new ResizeObserver(() => drawn.setSize({ width: px(element.clientWidth), height: px(height) }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.current = null;
      drawn.destroy();
    };
  }, [names, height, shape, hasLegend, scale, dark]);

  useEffect(() => {
    marks.current = { series, crosses };
    plot.current?.setData([times.map((ms) => ms / 1_000), ...series.map(({ values }) => [...values])]);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a recreated plot needs its data too
  }, [times, series, crosses, names, height, shape, hasLegend, scale, dark]);

  useEffect(() => {
    const { current } = plot;
    if (!current || cursorAt === null) return;
    current.setCursor({ left: current.valToPos(cursorAt / 1_000, 'x'), top: 0 });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- new data move the time to another place
  }, [cursorAt, times, names, height, shape, hasLegend, scale, dark]);

  return (
    <div
      ref={host}
      className={styles.plot}
      // Before it is drawn, so that nothing below it moves.
      style={{ minHeight: height }}
      data-single={series.length === 1}
      role="img"
      aria-label={`${label}: ${series.map(rangeOf).join('; ')}`}
    />
  );
}

const CROSS_COLOR = '--colorPaletteRedForeground1';

function drawCrosses(plot: Uplot, crosses: readonly number[], color: string): void {
  if (crosses.length === 0) return;
  const { ctx, bbox } = plot;
  const ratio = Uplot.pxRatio;
  const half = CROSS * ratio;
  const y = bbox.top + bbox.height - CROSS_AT * ratio;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = 1.5 * ratio;
  ctx.beginPath();
  for (const at of crosses) {
    const x = plot.valToPos(at / 1_000, 'x', true);
    ctx.moveTo(x - half, y - half);
    ctx.lineTo(x + half, y + half);
    ctx.moveTo(x - half, y + half);
    ctx.lineTo(x + half, y - half);
  }
  ctx.stroke();
  ctx.restore();
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

function rangeOf({ name, unit = '', format, values }: PlotSeries): string {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return `${name} has no values`;
  return `${name} from ${inFormat(low, format) ?? low} to ${inFormat(high, format) ?? high} ${unit}`.trimEnd();
}
