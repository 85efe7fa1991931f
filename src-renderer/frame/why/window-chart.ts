import type { WhySample, WhyWindow } from '#domain/run/why';

/** Series of a plot. */
const MOST_SERIES = 6;

type ChartedWindow = Pick<WhyWindow, 'start' | 'end' | 'samples' | 'badSamples' | 'list'>;

const numberOf = (value: WhySample['value']): number | null =>
  typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : null;

/** Samples with numbers over the time of the window, by tag, and crosses for excluded ones; null if there are no numbers. */
export function chartOf({ start, end, samples, badSamples, list }: ChartedWindow) {
  const tags = [...new Set(list.filter(({ value }) => numberOf(value) !== null).map(({ tag }) => tag))];
  if (tags.length === 0) return null;
  // After the clock was corrected, a later sample can have an earlier time.
  const sorted = list.map((sample) => ({ ...sample, ms: Date.parse(sample.at) })).toSorted((a, b) => a.ms - b.ms);
  // A value is valid until the next sample; the last one until the end, unless samples between are not listed.
  const isWhole = list.length >= samples + badSamples;
  const [first, last] = [sorted[0]?.ms ?? 0, sorted.at(-1)?.ms ?? 0];
  const before = Date.parse(start) < first ? [Date.parse(start)] : [];
  const after = Date.parse(end) > last ? [Date.parse(end)] : [];
  const times = [...before, ...sorted.map(({ ms }) => ms), ...after];
  const series = tags.slice(0, MOST_SERIES).map((tag) => {
    let value: number | null = null;
    const points: number[] = [];
    const values = sorted.map((sample, index) => {
      if (sample.tag !== tag) return value;
      value = numberOf(sample.value);
      if (value !== null) points.push(before.length + index);
      return value;
    });
    const held = isWhole ? (values.at(-1) ?? null) : null;
    return { name: tag, values: [...before.map(() => null), ...values, ...after.map(() => held)], points };
  });
  return { times, series, crosses: sorted.filter(({ value }) => value === null).map(({ ms }) => ms) };
}
