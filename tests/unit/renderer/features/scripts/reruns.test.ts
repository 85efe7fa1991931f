import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ReadEntry } from '#domain/run/run';
import type { TagValue } from '#domain/tag/tag';
import {
  MOST_RERUN_TAGS,
  RERUN_EVERY_MS,
  Reruns,
  tagsRead,
} from '../../../../../src-renderer/features/scripts/model/reruns.ts';

const read = (path: string, diagram = ''): ReadEntry => ({
  seq: 1,
  call: 1,
  at: 0,
  line: 1,
  path,
  value: 1,
  quality: 'Good',
  type: 'Double',
  diagram,
  location: '',
});

test('the tags of a run are listed once by scope, and at most so many', () => {
  expect(tagsRead({ reads: [read('B'), read('A'), read('B'), read('A', 'D')] })).toEqual([
    { diagram: '', location: '', paths: ['A', 'B'] },
    { diagram: 'D', location: '', paths: ['A'] },
  ]);
  const many = Array.from({ length: MOST_RERUN_TAGS + 5 }, (_, index) => read(`T${index}`));
  expect(tagsRead({ reads: many })[0]?.paths).toHaveLength(MOST_RERUN_TAGS);
});

/** A plant with one tag, and a script whose runs the test ends. */
function setUp() {
  const state = { ends: [] as (() => void)[], started: 0, send: (_value: number) => {} };
  const client: ConstructorParameters<typeof Reruns>[0] = {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of the client as is used
    tags: {
      watch: async () => {
        const { readable, writable } = new TransformStream<TagValue[], TagValue[]>();
        const writer = writable.getWriter();
        state.send = (value) => void writer.write([{ path: 'A', value, quality: 'Good', type: 'Double' }]);
        state.send(0);
        return readable;
      },
    } as unknown as ConstructorParameters<typeof Reruns>[0]['tags'],
  };
  const start = async () => {
    state.started += 1;
    await new Promise<void>((resolve) => void state.ends.push(resolve));
    return true;
  };
  const end = new AbortController();
  new Reruns(client).follow([{ diagram: '', location: '', paths: ['A'] }], start, end.signal);
  return { state, end };
}

describe('reruns', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const settled = () => vi.advanceTimersByTimeAsync(1);

  test('start on a change, not for the first value or an equal one', async () => {
    const { state } = setUp();
    await settled();
    state.send(0);
    await settled();
    expect(state.started).toBe(0);
    state.send(1);
    await settled();
    expect(state.started).toBe(1);
  });

  test('one at a time and one per second; changes in between are one more run', async () => {
    const { state } = setUp();
    await settled();
    state.send(1);
    await settled();
    for (const value of [2, 3, 4]) state.send(value);
    await vi.advanceTimersByTimeAsync(10 * RERUN_EVERY_MS);
    expect(state.started).toBe(1);
    state.ends.shift()?.();
    await settled();
    expect(state.started).toBe(2);
    state.ends.shift()?.();
    await settled();
    state.send(5);
    await vi.advanceTimersByTimeAsync(RERUN_EVERY_MS - 10);
    expect(state.started).toBe(2);
    await vi.advanceTimersByTimeAsync(20);
    expect(state.started).toBe(3);
  });

  test('end with their signal: nothing starts afterwards', async () => {
    const { state, end } = setUp();
    await settled();
    state.send(1);
    await settled();
    state.send(2);
    await settled();
    end.abort();
    state.ends.shift()?.();
    await vi.advanceTimersByTimeAsync(10 * RERUN_EVERY_MS);
    expect(state.started).toBe(1);
  });
});
