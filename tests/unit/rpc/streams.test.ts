import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import { changesOf, streamOf } from '../../../src-main/rpc/streams.ts';
import { Listeners } from '../../../src-main/platform/events.ts';

const sum = (waiting: number, next: number) => waiting + next;
const same = (thrown: unknown) => thrown;

function open(signal?: AbortSignal) {
  const source = new Listeners<number>();
  return { source, stream: changesOf<number>((listener) => source.add(listener), sum, signal) };
}

/** Yields one value and then never settles, even after an abort. */
async function* stubborn() {
  yield 1;
  await new Promise(() => {});
}

/** Counts endlessly, and records when it was returned. */
async function* counting(returned: () => void) {
  try {
    for (let value = 0; ; value++) yield value;
  } finally {
    returned();
  }
}

/** The memory in use after a full garbage collection. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}

describe('changesOf', () => {
  test('coalesces unread values into one, and starts over after a read', async () => {
    const { source, stream } = open();
    for (const value of [1, 2, 3]) source.emit(value);
    expect(await stream.next()).toEqual({ done: false, value: 6 });
    const next = stream.next();
    source.emit(4);
    expect(await next).toEqual({ done: false, value: 4 });
  });

  test.each(['return', 'abort', 'aborted before'] as const)('%s ends it and removes the listener', async (how) => {
    const abort = new AbortController();
    if (how === 'aborted before') abort.abort();
    const { source, stream } = open(abort.signal);
    const reading = stream.next();
    if (how === 'abort') abort.abort();
    if (how === 'return') await stream.return();
    expect(source.size).toBe(0);
    source.emit(1);
    expect(await reading).toMatchObject({ done: true });
    expect(await stream.next()).toMatchObject({ done: true });
  });
});

describe('streamOf', () => {
  test('ends at once on abort, even if the service ignores its signal', async () => {
    const abort = new AbortController();
    const stream = streamOf(() => stubborn(), abort.signal, same);
    expect(await stream.next()).toEqual({ done: false, value: 1 });
    const reading = stream.next();
    abort.abort();
    expect(await reading).toMatchObject({ done: true });
  });

  test('a return aborts the signal of the service, and returns its generator', async () => {
    const ended = vi.fn<() => void>();
    let inner: AbortSignal | undefined;
    const stream = streamOf(
      (signal) => {
        inner = signal;
        return counting(ended);
      },
      undefined,
      same,
    );
    await stream.next();
    await stream.return();
    expect(inner?.aborted).toBe(true);
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
  });

  test('reads nothing from the service before the first read', async () => {
    let taken = 0;
    const stream = streamOf(
      async function* values() {
        for (;;) yield (taken += 1);
      },
      undefined,
      same,
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(taken).toBe(0);
    await stream.next();
    expect(taken).toBe(1);
    await stream.return();
  });

  test('uses no memory for values that were read', async () => {
    const abort = new AbortController();
    const stream = streamOf(() => counting(() => {}), abort.signal, same);
    const read = async (count: number) => {
      for (let left = count; left > 0; left -= 1) await stream.next();
      return heapBytes();
    };
    const before = await read(5_000);
    expect((await read(100_000)) - before).toBeLessThan(8_000_000);
    abort.abort();
  });

  test('errors of the service pass through the mapping, and end the stream', async () => {
    const stream = streamOf(
      // oxlint-disable-next-line require-yield -- it fails before its first value
      async function* failing(): AsyncGenerator<number> {
        throw new Error('inner');
      },
      undefined,
      () => new Error('mapped'),
    );
    await expect(stream.next()).rejects.toThrow('mapped');
    expect(await stream.next()).toMatchObject({ done: true });
  });
});
