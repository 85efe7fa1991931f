const FIRST_MS = 250;
const LONGEST_MS = 5_000;

/**
 * The delay before attempt number `attempt` (from 1): doubling from a quarter of a second to five, plus up to a fifth
 * of jitter so that many windows do not retry at the same time.
 *
 * @param random a number from 0 to 1
 */
export function backoffMs(attempt: number, random: number): number {
  const base = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, attempt - 1));
  return Math.round(base * (1 - 0.2 * random));
}
