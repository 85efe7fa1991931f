import { describe, expect, test } from 'vitest';
import { ConnectionLostError, type Problem } from '../../../../src-renderer/client/errors.ts';
import { stayCurrent } from '../../../../src-renderer/client/stay-current.ts';

/** A stream of notifications that the test sends and ends. */
class FakeChanges {
  opened = 0;
  #next = Promise.withResolvers<number>();

  readonly open = async (): Promise<AsyncIterable<number>> => {
    this.opened += 1;
    this.#next = Promise.withResolvers();
    const next = () => this.#next.promise;
    return (async function* () {
      for (;;) yield await next();
    })();
  };

  async send(change: number): Promise<void> {
    const sent = this.#next;
    this.#next = Promise.withResolvers();
    sent.resolve(change);
    await settled();
  }

  async lose(): Promise<void> {
    this.#next.reject(new ConnectionLostError('lost'));
    await settled();
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

function follow(over: Partial<Parameters<typeof stayCurrent<number>>[0]> = {}) {
  const changes = new FakeChanges();
  const end = new AbortController();
  const reads: number[] = [];
  const problems: Problem[] = [];
  const first = stayCurrent<number>(
    {
      changes: [changes.open],
      read: async () => void reads.push(changes.opened),
      failed: (problem) => problems.push(problem),
      ...over,
    },
    end.signal,
  );
  return { changes, end, reads, problems, first };
}

describe('stayCurrent', () => {
  test('reads when main listens, and again after a change', async () => {
    const { changes, end, reads, first } = follow();
    expect(reads).toEqual([]);
    await first;
    expect(reads).toEqual([1]);
    await changes.send(1);
    expect(reads).toEqual([1, 1]);
    end.abort();
  });

  test('reads again on the next connection, since changes may have been missed', async () => {
    const { changes, end, reads, problems, first } = follow();
    await first;
    await changes.lose();
    expect(reads).toEqual([1, 2]);
    expect(problems).toEqual([]);
    end.abort();
    await changes.send(1);
    expect(reads).toEqual([1, 2]);
  });

  test('changes during a read cause one more read, and reads never overlap', async () => {
    let running = 0;
    let reads = 0;
    const gates: (() => void)[] = [];
    const { changes, end } = follow({
      read: async () => {
        running += 1;
        reads += 1;
        expect(running).toBe(1);
        await new Promise<void>((resolve) => gates.push(resolve));
        running -= 1;
      },
    });
    await settled();
    for (const change of [1, 2, 3]) await changes.send(change);
    gates.shift()?.();
    await settled();
    expect(reads).toBe(2);
    gates.shift()?.();
    await settled();
    expect(reads).toBe(2);
    end.abort();
  });

  test('a failed read is reported, and retried on the next change', async () => {
    const responses = [new Error('busy'), null];
    const { changes, end, problems, first } = follow({
      read: async () => {
        const response = responses.shift();
        if (response) throw response;
      },
    });
    await first;
    expect(problems.map(({ message }) => message)).toEqual(['busy']);
    await changes.send(1);
    expect(responses).toEqual([]);
    end.abort();
  });

  test('a change that contains its data causes no read', async () => {
    const shown: number[] = [];
    const apply = (change: number) => change < 10 && shown.push(change) > 0;
    const { changes, end, reads, first } = follow({ apply });
    await first;
    await changes.send(7);
    expect([shown, reads]).toEqual([[7], [1]]);
    await changes.send(12);
    expect([shown, reads]).toEqual([[7], [1, 1]]);
    end.abort();
  });

  test('several streams are all open before the first read', async () => {
    const other = Promise.withResolvers<AsyncIterable<number>>();
    const changes = new FakeChanges();
    const reads: number[] = [];
    const end = new AbortController();
    void stayCurrent(
      { changes: [changes.open, () => other.promise], read: async () => void reads.push(1) },
      end.signal,
    );
    await settled();
    expect(reads).toEqual([]);
    other.resolve((async function* (): AsyncGenerator<number> {})());
    await settled();
    expect(reads).toEqual([1]);
    end.abort();
  });
});
