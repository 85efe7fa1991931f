/** One thing to measure: runs once, the harness repeats it. */
export type Work = () => unknown;

export interface Comparison {
  /** Median over the rounds of (rate of `ours` / rate of `peer`). */
  ratio: number;
  /** Medians, in runs per second. */
  ours: number;
  peer: number;
}

const ROUNDS = 7;
const ROUND_MS = 400;

/**
 * Compares two rates side by side: the two take turns, so that a machine that slows down slows both, and the ratio is
 * taken round by round.
 */
export async function compareRates(
  ours: Work,
  peer: Work,
  { rounds = ROUNDS, ms = ROUND_MS } = {},
): Promise<Comparison> {
  await rateOf(ours, ms / 2);
  await rateOf(peer, ms / 2);
  const measured: { ours: number; peer: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push({ ours: await rateOf(ours, ms), peer: await rateOf(peer, ms) });
  }
  return {
    ratio: median(measured.map((round) => round.ours / round.peer)),
    ours: median(measured.map((round) => round.ours)),
    peer: median(measured.map((round) => round.peer)),
  };
}

/** Runs per second of a work that is awaited before the next one starts. */
export async function rateOf(work: Work, ms: number): Promise<number> {
  const start = performance.now();
  let runs = 0;
  let elapsed = 0;
  do {
    await work();
    runs += 1;
    elapsed = performance.now() - start;
  } while (elapsed < ms);
  return (runs * 1_000) / elapsed;
}

/** ms of each of `times` runs. */
export async function timesOf(work: Work, times: number): Promise<number[]> {
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
