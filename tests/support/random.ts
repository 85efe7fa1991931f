// oxlint-disable-next-line eslint/no-restricted-imports -- the one place
import * as fc from 'fast-check';
import { onTestFailed } from 'vitest';

/** The seed of this test run. `TAGWRIGHT_SEED=… npx vitest run …` repeats the same numbers. */
export const SEED = Number(process.env['TAGWRIGHT_SEED'] ?? Date.now() % 2 ** 31);

fc.configureGlobal({ seed: SEED });

export { fc };

/** Numbers in [0, 1) derived from the seed of the run, which a failing test prints. */
export function seededRandom(): () => number {
  onTestFailed(() => console.error(`TAGWRIGHT_SEED=${SEED} repeats the random numbers of this test`));
  return randomFrom(SEED);
}

/** The generator "mulberry32". */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
