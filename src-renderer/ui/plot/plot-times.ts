const DAY_S = 86_400;
const two = (number: number) => String(number).padStart(2, '0');
const day = (at: Date) => `${two(at.getMonth() + 1)}-${two(at.getDate())}`;
const clock = (at: Date) => `${two(at.getHours())}:${two(at.getMinutes())}`;

/** Around a single time, s. */
const MARGIN_S = 60;

/** The shown range, in s: all times, or some minutes around a single one, for which uPlot would show a day or years. */
export function timeRange(
  times: ArrayLike<number>,
  least: number | null,
  most: number | null,
): [number | null, number | null] {
  if (least === null || most === null || (times.length !== 1 && least < most)) return [least, most];
  return [least - MARGIN_S, least + MARGIN_S];
}

/** The tick labels of a time axis: the time of day, and the date below it where a new day starts. */
export function timeTicks(ticks: readonly number[], step: number): string[] {
  return ticks.map((tick, index) => {
    const at = new Date(tick * 1_000);
    if (step >= DAY_S) return day(at);
    const seconds = `${clock(at)}:${two(at.getSeconds())}`;
    const time = step >= 60 ? clock(at) : step >= 1 ? seconds : `${seconds}.${Math.floor(at.getMilliseconds() / 100)}`;
    const before = ticks[index - 1];
    const begins = before !== undefined && new Date(before * 1_000).getDate() !== at.getDate();
    return begins ? `${time}\n${day(at)}` : time;
  });
}
