import { expect, test } from 'vitest';
import { InTurn } from '../../../src-main/platform/in-turn.ts';

test('work is done in order, a limited number at a time, even after failures', async () => {
  const turns = new InTurn(2);
  const log: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const work = (name: string) => {
    const gate = Promise.withResolvers<void>();
    gates.set(name, gate);
    return turns.run(async () => {
      log.push(name);
      await gate.promise;
      return name;
    });
  };
  const works = ['a', 'b', 'c', 'd'].map(work);
  const ends = Promise.allSettled(works);
  await Promise.resolve();
  expect(log).toEqual(['a', 'b']);
  gates.get('b')?.reject(new Error('no'));
  await expect(works[1]).rejects.toThrow('no');
  await expect.poll(() => log).toEqual(['a', 'b', 'c']);
  let settled = false;
  const settling = turns.settled().then(() => (settled = true));
  for (const name of ['a', 'c']) gates.get(name)?.resolve();
  await expect.poll(() => log).toEqual(['a', 'b', 'c', 'd']);
  expect(settled).toBe(false);
  gates.get('d')?.resolve();
  await settling;
  expect((await ends).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  // Nothing blocks the next work.
  expect(await turns.run(async () => 7)).toBe(7);
});
