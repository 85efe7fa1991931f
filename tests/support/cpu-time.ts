/**
 * The processor time of some work in the test's thread, in ms. Unlike elapsed time, it does not depend on how busy the
 * machine is.
 */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** The processor time in ms of the computation below, on the machine where the limits of the tests were set. */
const USUAL_MS = 100;

/**
 * How many times slower than usual this machine currently is, for example because other processes use its caches; at
 * least 1.
 */
export async function slownessOfMachine(): Promise<number> {
  let sum = 0;
  const compute = () => {
    for (let step = 0; step < 20_000_000; step += 1) sum = (Math.imul(sum, 31) + step) | 0;
  };
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round += 1) best = Math.min(best, await cpuMsOf(compute));
  return Math.max(1, best / USUAL_MS);
}
