import { picked } from './random-numbers.ts';
import { randomFrom, SEED } from './random.ts';

/**
 * Tests that search for rare failures (crashes, power failures, fuzzing, attacks, floods) have two lengths: a short one
 * in `npm test` and the full one in `npm run test:long` and in CI.
 */
export const IS_LONG = process.env['TAGWRIGHT_TESTS'] === 'long';

/** The number of repetitions. */
export const scaled = (short: number, long: number): number => (IS_LONG ? long : short);

/** Whether the short form has a case, by the seed of the run and the name of the case; the long form has all of them. */
export function isSampled(name: string, share: number): boolean {
  if (IS_LONG) return true;
  let hash = SEED;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return randomFrom(hash)() < share;
}

/** In the short form a random selection of the cases, by the seed of the run; else all of them. Keeps their order. */
export function sampled<Case>(all: readonly Case[], count: number): Case[] {
  if (IS_LONG || all.length <= count) return [...all];
  return picked(all, count, randomFrom(SEED));
}
