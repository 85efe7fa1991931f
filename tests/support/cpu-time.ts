/**
 * What work costs the processor, in ms: other than the time that passes, it is the same however busy the machine is. Of
 * the thread of the test alone.
 */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** ms of the processor that the computation below takes where the limits of the tests come from. */
const USUAL_MS = 100;

/** How many times slower than usual this machine computes just now, also because others use its caches; at least 1. */
export async function slownessOfMachine(): Promise<number> {
  let sum = 0;
  const compute = () => {
    for (let step = 0; step < 20_000_000; step += 1) sum = (Math.imul(sum, 31) + step) | 0;
  };
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round += 1) best = Math.min(best, await cpuMsOf(compute));
  return Math.max(1, best / USUAL_MS);
}
