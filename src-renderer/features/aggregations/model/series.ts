import type { Json } from '#domain/text/json';
import type { RulePreview } from '#domain/rule/rule-preview';
import type { TagFormats } from '../../../client/tag-formats.ts';
import type { PlotSeries } from '../../../ui/plot/plot.tsx';
import type { RowColumn } from './row-feed.ts';

/** Maximum number of points in a plot: more than there are pixels. */
const MOST_POINTS = 2_000;

export interface Chart {
  times: number[];
  series: PlotSeries[];
}

/** The numeric outputs of windows, at the end of each; null where an output has no number. `formats` are by output. */
export function windowChart(
  { windows, units }: Pick<RulePreview, 'windows' | 'units'>,
  outputs: readonly string[],
  formats: TagFormats,
): Chart | null {
  const shown = windows.slice(-MOST_POINTS).toSorted((a, b) => a.end - b.end);
  return chartOf(
    shown.map(({ end }) => end),
    outputs.map((name, place) => ({
      name,
      unit: units[place] ?? '',
      format: formats.get(name),
      values: shown.map((window) => numberOrNull(window.outputs[place])),
    })),
  );
}

/** The numbers in the output columns over the time of firing; `rows` are newest first, `formats` by output. */
export function rowChart(
  columns: readonly RowColumn[],
  rows: readonly (readonly Json[])[],
  formats: TagFormats,
): Chart | null {
  const firedAt = columns.findIndex(({ name }) => name === 'fired_at');
  const shown = rows
    .slice(0, MOST_POINTS)
    .map((row) => ({ at: timeOf(row[firedAt]), row }))
    .toSorted((a, b) => a.at - b.at);
  const series = columns.flatMap(({ output, type, unit = '' }, place) =>
    output === null || type === 'TEXT'
      ? []
      : [{ name: output, unit, format: formats.get(output), values: shown.map(({ row }) => numberOrNull(row[place])) }],
  );
  return chartOf(
    shown.map(({ at }) => at),
    series,
  );
}

function chartOf(times: number[], all: PlotSeries[]): Chart | null {
  const series = all.filter(({ values }) => values.some((value) => value !== null));
  return times.length === 0 || series.length === 0 ? null : { times, series };
}

const timeOf = (value: Json | undefined): number => (typeof value === 'string' ? Date.parse(value) : 0);

const numberOrNull = (value: Json | undefined): number | null => {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' ? value : null;
};
