/** One side of a comparison: works for about `ms` and returns its rate per second. */
export type Side = (ms: number) => Promise<number>;

export interface Comparison {
  /** Median over the rounds of (rate of `ours` / rate of `peer`). */
  ratio: number;
  /** Medians, in runs per second. */
  ours: number;
  peer: number;
}

/**
 * Compares two rates. The two sides take turns, so a machine that slows down slows both, and the ratio is calculated
 * per round.
 */
export async function compare(ours: Side, peer: Side, { rounds = 7, ms = 500 } = {}): Promise<Comparison> {
  await ours(ms / 2);
  await peer(ms / 2);
  const measured: { ours: number; peer: number }[] = [];
  for (let round = 0; round < rounds; round += 1) measured.push({ ours: await ours(ms), peer: await peer(ms) });
  return {
    ratio: median(measured.map((round) => round.ours / round.peer)),
    ours: median(measured.map((round) => round.ours)),
    peer: median(measured.map((round) => round.peer)),
  };
}

/** A side that repeats `work`, with `lanes` of it at a time. */
export function repeating(work: () => unknown, lanes = 1): Side {
  return async (ms) => {
    const start = performance.now();
    const rates = await Promise.all(Array.from({ length: lanes }, () => rateOf(work, ms)));
    const elapsed = performance.now() - start;
    return (rates.reduce((runs, rate) => runs + rate.runs, 0) * 1_000) / elapsed;
  };
}

async function rateOf(work: () => unknown, ms: number): Promise<{ runs: number }> {
  const start = performance.now();
  let runs = 0;
  do {
    await work();
    runs += 1;
  } while (performance.now() - start < ms);
  return { runs };
}

/** The duration of each of `times` runs, in ms. */
export async function timesOf(work: () => unknown, times: number): Promise<number[]> {
  const measured: number[] = [];
  for (let run = 0; run < times; run += 1) {
    const start = performance.now();
    await work();
    measured.push(performance.now() - start);
  }
  return measured;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  if (low === undefined || high === undefined) throw new Error('the median of nothing');
  return (low + high) / 2;
}
