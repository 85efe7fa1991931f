import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { encodeFrame } from '../../../../src-main/platform/host-pipe/frames.ts';
import { failedResponse } from '../../../../src-main/outbound/api-response.ts';
import { TextInParts } from '../../../../src-main/platform/long-texts/text-in-parts.ts';
import { FROM_HOST } from '../../../../src-main/scripting/sandbox/protocol/messages.ts';
import { type FakeHost, fakeHosts, poolOf } from '../../../support/scripting/fake-host.ts';
import { columns, type JobChanges, runScript } from '../../../support/scripting/script-runs.ts';

const MB = 1024 * 1024;
const LONG = 'a "long" text\n'.repeat(200_000);
const END = JSON.stringify({ status: 'ok', dropped: 0, result: [1, LONG, { a: LONG }] });
const CALL = JSON.stringify(['set', 3, [{ tag: 'a', value: LONG }], 'D', '']);
const limits = { resultBytes: 64 * MB, totalMs: 60_000, scriptMs: 30_000 };

/** A pool whose hosts do this in a run, and return the body of every other one. */
const poolThat = (acts: (host: FakeHost) => void, spare = false) => {
  const { start, hosts } = fakeHosts((host, { body }) => (body === 'long' ? acts(host) : host.returns(body)));
  return { pool: poolOf(start, 1, spare), hosts };
};

/** The outcome of a run whose host does this, and of the next run. */
async function outcomesOf(acts: (host: FakeHost) => void, changes: JobChanges = {}, spare = true) {
  const { pool, hosts } = poolThat(acts, spare);
  const outcome = await runScript(pool, 'long', { limits, ...changes });
  const next = await runScript(pool, 'next');
  expect(next).toMatchObject({ status: 'ok', result: 'next' });
  return { outcome, hosts, status: pool.status() };
}

describe('a long result', () => {
  test('is that of the run', async () => {
    const { outcome, hosts } = await outcomesOf(
      (host) => {
        host.say(FROM_HOST.done, END);
        host.prepares();
      },
      {},
      false,
    );
    expect(outcome).toMatchObject({ status: 'ok', error: null });
    expect(outcome.result).toEqual([1, LONG, { a: LONG }]);
    expect(hosts[0]?.runs).toHaveLength(2);
  });

  test('is followed by the report of the next realm, in the same data', async () => {
    const { outcome, hosts } = await outcomesOf(
      (host) => {
        host.sayBytes(Buffer.concat([encodeFrame(FROM_HOST.done, END), encodeFrame(FROM_HOST.ready, '')]));
      },
      {},
      false,
    );
    expect(outcome.status).toBe('ok');
    expect(hosts[0]?.runs.map(({ body }) => body)).toEqual(['long', 'next']);
  });

  test('is followed by that report while it is read', async () => {
    const { outcome, hosts } = await outcomesOf(
      (host) => {
        host.say(FROM_HOST.done, END);
        host.prepares({ late: true });
      },
      {},
      false,
    );
    expect(outcome.status).toBe('ok');
    expect(hosts[0]?.runs.map(({ body }) => body)).toEqual(['long', 'next']);
  });

  test('counts even if the host dies while it is read', async () => {
    const { outcome } = await outcomesOf((host) => {
      host.say(FROM_HOST.done, END);
      host.dies();
    });
    expect(outcome.status).toBe('ok');
    expect(outcome.result).toEqual([1, LONG, { a: LONG }]);
  });

  test('does not hold up the end of a run that is cancelled', async () => {
    const stop = new AbortController();
    const { outcome, hosts } = await outcomesOf(
      (host) => {
        host.say(FROM_HOST.done, END);
        stop.abort();
      },
      { signal: stop.signal },
    );
    expect(outcome).toMatchObject({ status: 'cancelled', result: null });
    expect(hosts[0]?.killed).toBe(true);
  });

  test('does not hold up the end of a run whose host has died', async () => {
    const stop = new AbortController();
    const { outcome, hosts } = await outcomesOf(
      (host) => {
        host.say(FROM_HOST.done, END);
        host.dies();
        stop.abort();
      },
      { signal: stop.signal },
    );
    expect(outcome.status).toBe('cancelled');
    expect(hosts.length).toBeGreaterThan(1);
  });

  test('is not read to its end if the pool is closed', async () => {
    const { pool } = poolThat((host) => {
      host.say(FROM_HOST.done, END);
      void pool.close();
    });
    expect(await runScript(pool, 'long', { limits })).toMatchObject({ status: 'cancelled' });
    await pool.close();
  });
});

describe('a long call', () => {
  test('reaches the run with its line, and gets a response', async () => {
    const seen: unknown[] = [];
    const { outcome, hosts } = await outcomesOf(
      (host) => {
        host.onAnswer = () => host.returns(1);
        host.say(FROM_HOST.console, '0before');
        host.say(FROM_HOST.call, CALL);
      },
      { calls: { get: () => columns([]), set: (...call) => (seen.push(call), columns([7])) } },
    );
    expect(outcome).toMatchObject({ status: 'ok', result: 1, console: [{ text: 'before' }] });
    expect(seen).toEqual([[[{ tag: 'a', value: LONG }], { diagram: 'D', location: '' }, 3]]);
    expect(hosts[0]?.answers).toEqual([JSON.stringify({ value: columns([7]) })]);
  });

  test('of an API has its payload in parts, and other long arguments as texts', async () => {
    const seen: unknown[] = [];
    const { outcome } = await outcomesOf(
      (host) => {
        host.onAnswer = () => host.returns(1);
        host.say(FROM_HOST.call, JSON.stringify(['api', 3, 'Fetch', ['http://plant.test/', 'post', LONG, LONG, null]]));
      },
      {
        calls: {
          get: () => columns([]),
          set: () => columns([]),
          api: (...call) => (seen.push(call), failedResponse('Timeout', 'late')),
        },
      },
    );
    expect(outcome).toMatchObject({ status: 'ok', result: 1 });
    expect(seen).toHaveLength(1);
    const [[operation, [url, method, payload, headers, type], line]] = seen as [[string, unknown[], number]];
    expect([operation, url, method, headers === LONG, type, line]).toEqual([
      'Fetch',
      'http://plant.test/',
      'post',
      true,
      null,
      3,
    ]);
    expect(payload).toBeInstanceOf(TextInParts);
    expect(JSON.stringify(payload) === JSON.stringify(LONG)).toBe(true);
  });

  test('is not made if the run is cancelled while it is read', async () => {
    const stop = new AbortController();
    let calls = 0;
    const { outcome } = await outcomesOf(
      (host) => {
        host.say(FROM_HOST.call, CALL);
        stop.abort();
      },
      { signal: stop.signal, calls: { get: () => columns([]), set: () => ((calls += 1), columns([])) } },
    );
    await wait(200);
    expect(outcome.status).toBe('cancelled');
    expect(calls).toBe(0);
  });

  test('ends with the total time of its run, also while it is read', async () => {
    const text = JSON.stringify(['set', 3, [{ tag: 'a', value: '"'.repeat(20 * MB) }], 'D', '']);
    const { outcome } = await outcomesOf((host) => host.say(FROM_HOST.call, text), {
      limits: { ...limits, totalMs: 1 },
    });
    expect(outcome.status).toBe('timeout');
    expect(outcome.error?.message).toContain('limits.totalMs');
  });

  test('is no script time', async () => {
    const { outcome } = await outcomesOf((host) => {
      host.onAnswer = () => host.returns(1);
      host.say(FROM_HOST.call, CALL);
    });
    // Without the time of reading it, the call takes a hundredth of the run.
    expect(outcome.timing.hostCallMs).toBeGreaterThan(outcome.timing.totalMs / 5);
  });
});

describe('a hostile host is ended', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${JSON.stringify(LONG)}${']'.repeat(levels)}`;
  const end = (result: string) => `{"status":"ok","dropped":0,"result":${result}}`;

  test.each<[string, (host: FakeHost) => void, string]>([
    [
      'another frame after a long call',
      (host) => {
        host.say(FROM_HOST.call, CALL);
        host.say(FROM_HOST.console, '0x');
      },
      'more data after a call',
    ],
    [
      'data after a long call',
      (host) => {
        const call = encodeFrame(FROM_HOST.call, CALL);
        host.sayBytes(Buffer.concat([call, call.subarray(0, 1)]));
      },
      'another frame after a call, before its response',
    ],
    [
      'a second end after a long one',
      (host) => {
        host.say(FROM_HOST.done, END);
        host.ends(1);
      },
      'more data after an invalid end of a run',
    ],
    ['a long call that is cut', (host) => host.say(FROM_HOST.call, CALL.slice(0, -3)), 'a call that is not JSON'],
    [
      'a long end that is cut',
      (host) => host.say(FROM_HOST.done, END.slice(0, -1)),
      'an invalid end of a run that is not JSON',
    ],
    [
      'a long call of an unknown method',
      (host) => host.say(FROM_HOST.call, JSON.stringify(['no', 1, LONG])),
      'a call of an unknown method',
    ],
    [
      'a long end without sense',
      (host) => host.say(FROM_HOST.done, JSON.stringify({ status: LONG })),
      'an unknown end of a run',
    ],
    ['a deep result', (host) => host.say(FROM_HOST.done, end(deep(211))), 'a value that is nested too deeply'],
    ['blanks', (host) => host.say(FROM_HOST.done, end(`[${' '.repeat(300_000)}]`)), 'a message with white space'],
    [
      'many parts',
      (host) => host.say(FROM_HOST.done, end(`[${'{},'.repeat(1_200_000)}1]`)),
      'a message with more parts',
    ],
  ])('for %s', async (_, acts, reason) => {
    const { outcome, hosts, status } = await outcomesOf(acts);
    expect(outcome.status).toBe('crashed');
    expect(outcome.error?.message).toContain(reason);
    expect(hosts[0]?.killed).toBe(true);
    expect(status).toMatchObject({ restarts: 1, protocolViolations: 1 });
  });

  test('but not for the deepest result that is allowed', async () => {
    const { outcome } = await outcomesOf((host) => {
      host.say(FROM_HOST.done, end(deep(210)));
      host.prepares();
    });
    expect(outcome.status).toBe('ok');
  });
});
