import { expect, test } from 'vitest';
import { ActiveRuns } from '../../../src-main/rpc/active-runs.ts';

const untilAborted = (signal: AbortSignal) =>
  new Promise<string>((resolve) => {
    signal.addEventListener('abort', () => resolve('cancelled'), { once: true });
  });

test('a key cancels only its run, and is available again when that has ended', async () => {
  const runs = new ActiveRuns();
  const one = runs.run('one', undefined, untilAborted);
  const two = runs.run('two', undefined, untilAborted);
  expect(runs.cancel('three')).toBe(false);
  expect(runs.cancel('one')).toBe(true);
  expect(await one).toBe('cancelled');
  expect(runs.cancel('one')).toBe(false);
  expect(await runs.run('one', undefined, () => 'again')).toBe('again');
  expect(runs.cancel('two')).toBe(true);
  expect(await two).toBe('cancelled');
});

test('the key of a current run is rejected; a run that fails releases it', async () => {
  const runs = new ActiveRuns();
  const one = runs.run('one', undefined, untilAborted);
  await expect(runs.run('one', undefined, untilAborted)).rejects.toMatchObject({ code: 'CONFLICT' });
  runs.cancel('one');
  await one;
  await expect(runs.run('one', undefined, () => Promise.reject(new Error('no host')))).rejects.toThrow('no host');
  expect(await runs.run('one', undefined, () => 'again')).toBe('again');
});

test('a caller that disconnects also cancels, with and without a key', async () => {
  const runs = new ActiveRuns();
  const caller = new AbortController();
  const both = [runs.run('one', caller.signal, untilAborted), runs.run(undefined, caller.signal, untilAborted)];
  caller.abort();
  expect(await Promise.all(both)).toEqual(['cancelled', 'cancelled']);
});
