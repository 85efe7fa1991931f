// oxlint-disable-next-line eslint/no-restricted-imports -- the one place
import * as fc from 'fast-check';
import { onTestFailed } from 'vitest';
import { randomFrom, seedOfRun } from './random-numbers.ts';

/** The seed of this test run. `TAGWRIGHT_SEED=… npx vitest run …` repeats the same numbers. */
export const SEED = seedOfRun();

fc.configureGlobal({ seed: SEED });

export { fc, randomFrom };

/** Numbers in [0, 1) derived from the seed of the run, which a failing test prints. */
export function seededRandom(): () => number {
  onTestFailed(() => console.error(`TAGWRIGHT_SEED=${SEED} repeats the random numbers of this test`));
  return randomFrom(SEED);
}
