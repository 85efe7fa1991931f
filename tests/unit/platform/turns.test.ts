import { setImmediate } from 'node:timers';
import { expect, test } from 'vitest';
import { inTurns, type Steps, Turns } from '../../../src-main/platform/turns.ts';

/** Longer than the slice of a long computation. */
function work(): void {
  const until = performance.now() + 9;
  while (performance.now() < until);
}

test('in each turn of the event loop, one of several long computations continues', async () => {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const turns: number[] = [];
  function* steps(): Steps<void> {
    for (let step = 0; step < 4; step += 1) {
      work();
      turns.push(turn);
      yield;
    }
  }
  await Promise.all([inTurns(steps()), inTurns(steps()), inTurns(steps())]);
  isOver = true;
  // Each begins at once.
  expect(turns.slice(0, 3)).toEqual([0, 0, 0]);
  const later = turns.slice(3);
  expect(later).toHaveLength(9);
  expect(new Set(later).size).toBe(9);
});

test('a computation that begins while others wait is not forgotten, nor one that ends', async () => {
  const ended: string[] = [];
  async function compute(name: string, slices: number): Promise<void> {
    const turns = new Turns();
    for (let slice = 0; slice < slices; slice += 1) {
      work();
      const pause = turns.due();
      if (pause) await pause;
    }
    ended.push(name);
  }
  const first = compute('first', 3).then(() => compute('after it', 1));
  await Promise.all([first, compute('short', 1), compute('second', 5)]);
  await compute('alone', 2);
  expect(ended.toSorted()).toEqual(['after it', 'alone', 'first', 'second', 'short']);
});
