import { expect, test } from 'vitest';
import type { Json } from '#domain/text/json';
import type { TagValue } from '#domain/tag/tag';
import type { TagSource } from '../../../../src-main/events/rules/sampling/sampler.ts';
import { Sampler } from '../../../../src-main/events/rules/sampling/sampler.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

/** Tags in memory. Reads of paths that start with `Slow` resolve when `respond` is called. */
function world() {
  const clock = new FakeClock('2026-08-01T10:15:00.000Z');
  const values = new Map<string, Json>();
  const due = new Map<string, number>();
  const listeners = new Set<(paths: readonly string[]) => void>();
  const waiting: (() => void)[] = [];
  let reads = 0;
  let wakes = 0;
  const valueOf = (path: string): TagValue => ({
    path,
    value: values.get(path) ?? null,
    quality: values.has(path) ? 'Good' : 'Bad',
    type: 'Double',
  });
  const tags: TagSource = {
    live: {
      get({ paths }) {
        reads += 1;
        if (!paths.some((path) => path.startsWith('Slow'))) return paths.map(valueOf);
        return new Promise((resolve) => waiting.push(() => resolve(paths.map(valueOf))));
      },
      isImmediate: (path) => !path.startsWith('Slow'),
      changesAt: (path) => due.get(path) ?? Infinity,
    },
    definitions: { onChange: () => () => {} },
    onValues(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const sampler = new Sampler(tags, clock, () => (wakes += 1));
  sampler.start();
  const taken: string[] = [];
  const start = clock.now();
  const deliver = (who: string) => (at: number, some: readonly TagValue[]) =>
    void taken.push(...some.map(({ path, value }) => `${who} ${at - start} ${path}=${JSON.stringify(value)}`));
  return {
    clock,
    due,
    sampler,
    deliver,
    start,
    write: (path: string, value: Json): void => {
      values.set(path, value);
      for (const listener of listeners) listener([path]);
    },
    takes: () => taken.splice(0),
    respond: async () => {
      for (const one of waiting.splice(0)) one();
      await new Promise(setImmediate);
    },
    counts: () => ({ reads, wakes }),
  };
}

test('each rule gets all values at once, and then each change once', () => {
  const { sampler, deliver, write, takes, clock } = world();
  write('A', 1);
  const stop = sampler.onChange(['A', 'B'], deliver('one'));
  sampler.read();
  expect(takes()).toEqual(['one 0 A=1', 'one 0 B=null']);
  sampler.onChange(['A'], deliver('two'));
  sampler.read();
  expect(takes()).toEqual(['two 0 A=1']);
  clock.advance(5);
  write('A', 1);
  sampler.read();
  expect(takes()).toEqual([]);
  write('A', 2);
  write('B', 3);
  sampler.read();
  expect(takes()).toEqual(['one 5 A=2', 'one 5 B=3', 'two 5 A=2']);
  stop();
  write('A', 4);
  sampler.read();
  expect(takes()).toEqual(['two 5 A=4']);
});

test('a value that changes by itself has the time it was due, unless long ago', () => {
  const { sampler, deliver, write, takes, clock, due, start } = world();
  write('A', 1);
  due.set('A', start + 100);
  sampler.onChange(['A'], deliver('one'));
  sampler.read();
  takes();
  expect(sampler.nextAt).toBe(start + 100);
  clock.advance(107);
  due.set('A', start + 200);
  write('B', 0);
  sampler.read();
  expect(takes()).toEqual([]);
  clock.advance(100);
  write('A', 2);
  clock.advance(0);
  sampler.read();
  // The announced or the due time, whichever is earlier.
  expect(takes()).toEqual(['one 200 A=2']);
});

test('intervals stay at multiples of their length, even after a delay', () => {
  const { sampler, deliver, write, takes, clock, start } = world();
  write('A', 1);
  sampler.every(250, ['A', 'B'], deliver('every'));
  sampler.read();
  expect(takes()).toEqual(['every 0 A=1', 'every 0 B=null']);
  expect(sampler.nextAt).toBe(start + 250);
  clock.advance(255);
  sampler.read();
  sampler.read();
  expect(takes()).toEqual(['every 250 A=1', 'every 250 B=null']);
  clock.advance(5_000);
  sampler.read();
  expect(takes()).toEqual(['every 5255 A=1', 'every 5255 B=null']);
  expect(sampler.nextAt).toBe(start + 5_500);
});

test('slow tags delay no others, and are read one at a time', async () => {
  const { sampler, deliver, write, takes, respond, counts } = world();
  write('A', 1);
  write('Slow', 1);
  sampler.onChange(['A', 'Slow'], deliver('one'));
  sampler.read();
  expect(takes()).toEqual(['one 0 A=1']);
  write('Slow', 2);
  write('A', 2);
  const { reads } = counts();
  sampler.read();
  expect(takes()).toEqual(['one 0 A=2']);
  expect(counts().reads).toBe(reads + 1);
  await respond();
  expect(takes()).toEqual(['one 0 Slow=2']);
  await respond();
  expect(takes()).toEqual([]);
});
