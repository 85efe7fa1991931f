import { type ComponentProps, type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import { shownAs } from '../../support/shown-value.ts';
import { moment } from '../../support/moment.ts';
import { type MenuEntry, RowMenu } from '../lists/row-menu.tsx';
import { Plot } from './plot.tsx';
import styles from './plot.module.css';

/** A point of a series, by its time in ms since 1970. */
export interface PlotPoint {
  series: number;
  at: number;
}

interface Props extends Omit<ComponentProps<typeof Plot>, 'cursorAt' | 'onCursor'> {
  /** The menu of a point. */
  entriesOf: (point: PlotPoint) => MenuEntry[];
  /** What the element says about the chosen point, such as `data-why`. */
  attributesOf: (point: PlotPoint) => Readonly<Record<`data-${string}`, string>>;
}

/**
 * A plot whose points can be chosen: by pointer, or with the arrows to the left and to the right in a series, up and down
 * between series. The right mouse button, Shift+F10 and the menu key open the menu of the point.
 */
export function PointPlot({ entriesOf, attributesOf, ...plot }: Props) {
  const { label, times, series } = plot;
  /** Null: the newest point. */
  const [at, setAt] = useState<number | null>(null);
  const [line, setLine] = useState(0);
  const [menu, setMenu] = useState<{ x: number; y: number; point: PlotPoint } | null>(null);
  const pointed = useRef<number | null>(null);
  const last = times.length - 1;
  const found = at === null ? last : times.findLastIndex((time) => time <= at);
  const index = Math.max(0, found);
  const chosen = Math.min(line, series.length - 1);
  const point: PlotPoint = { series: chosen, at: times[index] ?? 0 };
  const { name = '', unit = '', format, values = [] } = series[chosen] ?? {};
  const value = values[index];

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const steps: Record<string, number> = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last };
    const next = steps[event.key];
    if (next !== undefined) setAt(next >= last ? null : (times[Math.max(0, next)] ?? null));
    else if (event.key === 'ArrowUp') setLine(Math.max(0, chosen - 1));
    else if (event.key === 'ArrowDown') setLine(Math.min(series.length - 1, chosen + 1));
    else return;
    event.preventDefault();
  };
  /** The point under the pointer, which the click has chosen. */
  const choosePointed = (): PlotPoint => {
    const time = pointed.current === null ? undefined : times[pointed.current];
    if (time === undefined) return point;
    setAt(time);
    return { series: chosen, at: time };
  };
  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    event.preventDefault();
    event.stopPropagation();
    const box = event.currentTarget.getBoundingClientRect();
    // A key has no position.
    const byKey = event.button !== 2;
    setMenu({
      x: byKey ? box.left + 24 : event.clientX,
      y: byKey ? box.top + 24 : event.clientY,
      point: byKey ? point : choosePointed(),
    });
  };
  const shown = typeof value === 'number' ? `${shownAs(value, format)} ${unit}`.trimEnd() : 'no value';
  return (
    <>
      <div
        className={styles.points}
        role="slider"
        tabIndex={0}
        aria-label={`Points of ${label}`}
        aria-valuemin={times[0] ?? 0}
        aria-valuemax={times[last] ?? 0}
        aria-valuenow={point.at}
        aria-valuetext={`${name} at ${moment(new Date(point.at))}: ${shown}`}
        {...attributesOf(point)}
        onKeyDown={onKeyDown}
        onClick={choosePointed}
        onContextMenu={onContextMenu}
      >
        <Plot {...plot} cursorAt={at} onCursor={(under) => (pointed.current = under)} />
      </div>
      {menu && <RowMenu at={menu} entries={entriesOf(menu.point)} onClose={() => setMenu(null)} />}
    </>
  );
}
