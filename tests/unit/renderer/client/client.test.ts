import { describe, expect, test } from 'vitest';
import { createClient } from '../../../../src-renderer/client/client.ts';
import { ConnectionLostError, problemOf } from '../../../../src-renderer/client/errors.ts';
import { backoffMs } from '../../../../src-renderer/transport/backoff.ts';
import { SessionHolder } from '../../../../src-renderer/transport/session-holder.ts';
import type { Link, Transport } from '../../../../src-renderer/transport/transport.ts';

/** A transport whose connections the test opens and closes. */
function fakeTransport(): Transport & { holder: SessionHolder; calls: string[]; open(response: Answer): void } {
  const holder = new SessionHolder();
  const calls: string[] = [];
  return {
    holder,
    calls,
    state: holder.state,
    current: () => holder.current(),
    connected: (signal) => holder.connected(signal),
    reconnect: () => undefined,
    open: (response) => {
      const link: Link = {
        call: (path) => {
          calls.push(path.join('.'));
          return response(path.join('.'));
        },
      };
      holder.begin(link);
    },
  };
}

type Answer = (name: string) => Promise<unknown>;
const never: Answer = () => new Promise(() => {});

describe('createClient', () => {
  test('a read waits for a connection, and is repeated on the next one after a loss', async () => {
    const transport = fakeTransport();
    const client = createClient(transport);
    const list = client.scripts.list();
    transport.open(() => {
      transport.holder.end();
      return Promise.reject(new Error('closed'));
    });
    await Promise.resolve();
    transport.open(() => Promise.resolve({ groups: ['G'], scripts: [] }));
    expect(await list).toEqual({ groups: ['G'], scripts: [] });
    expect(transport.calls).toEqual(['scripts.list', 'scripts.list']);
  });

  test('a save is never sent twice, and reports an unknown outcome', async () => {
    const transport = fakeTransport();
    const client = createClient(transport);
    transport.open(() => {
      transport.holder.end();
      return Promise.reject(new Error('closed'));
    });
    const saved = client.scripts.save({ group: 'G', name: 'N', description: '', body: '' });
    await expect(saved).rejects.toThrow(ConnectionLostError);
    transport.open(never);
    expect(transport.calls).toEqual(['scripts.save']);
  });

  test('a save without a connection fails at once', async () => {
    const transport = fakeTransport();
    transport.holder.state.set({ kind: 'lost', nextTryAt: null, attempt: 1 });
    const failed = await createClient(transport)
      .scripts.delete({ id: 1 })
      .catch((error: unknown) => problemOf(error));
    expect(failed).toMatchObject({ code: 'CONNECTION_LOST' });
  });

  test('an error response is passed on, and not repeated', async () => {
    const transport = fakeTransport();
    transport.open(() => Promise.reject(new Error('no such script')));
    await expect(createClient(transport).scripts.get({ id: 9 })).rejects.toThrow('no such script');
    expect(transport.calls).toEqual(['scripts.get']);
  });

  test('a stream continues after a loss, and ends when its signal aborts', async () => {
    const transport = fakeTransport();
    const end = new AbortController();
    const stream = await createClient(transport).tags.watch({ paths: [] }, { signal: end.signal });
    const responses = [1, 2];
    const response: Answer = async () =>
      (async function* () {
        yield Array.from({ length: responses.shift() ?? 0 });
        transport.holder.end();
        throw new Error('closed');
      })();
    transport.open(response);
    const seen: number[] = [];
    const reading = (async () => {
      for await (const values of stream) {
        seen.push(values.length);
        if (seen.length === 1) setTimeout(() => transport.open(response), 5);
        if (seen.length === 2) setTimeout(() => end.abort(), 5);
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toEqual([1, 2]);
  });

  test('notifications end with the connection: some may have been missed', async () => {
    const transport = fakeTransport();
    const changes = createClient(transport).tags.changes();
    transport.open(async () =>
      (async function* () {
        yield { total: 1 };
        transport.holder.end();
        throw new Error('closed');
      })(),
    );
    const seen: number[] = [];
    const reading = (async () => {
      for await (const { total } of await changes) seen.push(total);
    })();
    await expect(reading).rejects.toThrow(ConnectionLostError);
    expect(seen).toEqual([1]);
    expect(transport.calls).toEqual(['tags.changes']);
  });
});

test('the wait before a retry grows from 250 ms to 5 s, a little less by chance', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 99].map((attempt) => backoffMs(attempt, 0))).toEqual([
    250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000,
  ]);
  expect(backoffMs(6, 1)).toBe(4_000);
});
