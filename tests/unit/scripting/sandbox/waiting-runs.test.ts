import { afterEach, describe, expect, test } from 'vitest';
import type { ApiResponse } from '#domain/mock/api-call';
import { FROM_HOST } from '../../../../src-main/scripting/sandbox/protocol/messages.ts';
import type { HostCalls } from '../../../../src-main/scripting/sandbox/script-run.ts';
import { LONG_CALL_MS } from '../../../../src-main/scripting/sandbox/supervisor/run-session.ts';
import {
  ScriptHostPool,
  type ScriptHostPoolOptions,
} from '../../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { pooledRun } from '../../../../src-main/scripting/sandbox/supervisor/pooled-run.ts';
import { WaitingRoom } from '../../../../src-main/scripting/sandbox/supervisor/waiting-room.ts';
import { fakeHosts, poolWith } from '../../../support/scripting/fake-host.ts';
import { columns, jobOf, PLAIN_CALLS, runScript } from '../../../support/scripting/script-runs.ts';

const OK: ApiResponse = { success: true, statusCode: '200', errorMessage: null, responseObject: '' };
const pools: ScriptHostPool[] = [];

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

/**
 * Scripts whose body begins with "wait" call a slow system, with "read" a slow tag, with "compute" nothing; others end
 * at once.
 */
function poolOf(options: Partial<ScriptHostPoolOptions>) {
  const { start, hosts } = fakeHosts((host, { body }) => {
    host.onAnswer = () => host.returns(body);
    if (body.startsWith('wait')) host.say(FROM_HOST.call, '["api",1,"Fetch",["http://x/","get"]]');
    else if (body.startsWith('read')) host.say(FROM_HOST.call, '["get",1,["a"],"",""]');
    else if (!body.startsWith('compute')) host.returns(body);
  });
  const pool = new ScriptHostPool({ hostFile: '', nodeBinary: '', startHost: start, lingerMs: 0, ...options });
  pools.push(pool);
  const answers: (() => void)[] = [];
  const calls: HostCalls = {
    ...PLAIN_CALLS,
    api: () => new Promise((resolve) => answers.push(() => resolve(OK))),
    get: () => new Promise((resolve) => answers.push(() => resolve(columns([1])))),
  };
  const run = (body: string, depth = 0) => runScript(pool, body, { calls, depth }).then(({ result }) => result);
  const answer = (count = answers.length) => {
    for (const one of answers.splice(0, count)) one();
  };
  return { pool, hosts, calls, run, answer, answers };
}

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

describe('runs that wait for a slow system', () => {
  test('do not delay another one, with the defaults', async () => {
    const { pool, run, answer, answers } = poolOf({ waitingMb: 8_192 });
    const waiting = times(50, () => run('wait'));
    expect(await run('return 1 + 1')).toBe('return 1 + 1');
    await expect.poll(() => answers.length).toBe(50);
    expect(pool.status()).toMatchObject({ waiting: 50, busy: 50 });
    expect(pool.status().queued).toBeUndefined();
    answer();
    expect(await Promise.all(waiting)).toEqual(times(50, () => 'wait'));
  });

  test.each([1, 2, 4])('leave a host to the others while hosts are started for them, with %i places', async (count) => {
    let begun = 0;
    const { start, hosts } = fakeHosts((host, { body }) => {
      if (!body.includes('ApiValueManager')) return host.returns(body);
      begun += 1;
      host.say(FROM_HOST.call, '["api",1,"Fetch",["http://x/","get"]]');
    });
    let slow = false;
    // Once runs wait, further hosts never become ready.
    const startHost: typeof start = (events, memoryMb, jitless) =>
      start(slow ? { data: () => undefined, exit: (how) => events.exit(how) } : events, memoryMb, jitless);
    const pool = poolWith({ startHost, count });
    pool.start();
    await expect.poll(() => pool.status().idle).toBe(count + 1);
    slow = true;
    const calls: HostCalls = { ...PLAIN_CALLS, api: () => new Promise(() => undefined) };
    const waiting = times(50, (index) =>
      runScript(pool, `ApiValueManager.Fetch(${index})`, { calls }).catch(() => null),
    );
    await expect.poll(() => pool.status()).toMatchObject({ waiting: count, starting: count });
    for (const body of ['a', 'b', 'c']) expect((await runScript(pool, body, { calls })).result).toBe(body);
    expect(begun).toBe(count);
    // No more hosts start at the same time than runs have places.
    expect(hosts).toHaveLength(2 * count + 1);
    await pool.close();
    await Promise.all(waiting);
  });

  test('get the reserved host if no other one can be started', async () => {
    const { start } = fakeHosts((host) => host.say(FROM_HOST.call, '["api",1,"Fetch",["http://x/","get"]]'));
    let broken = false;
    const startHost: typeof start = (events, memoryMb, jitless) => {
      if (broken) throw new Error('no processes left');
      return start(events, memoryMb, jitless);
    };
    const pool = poolWith({ startHost, count: 1 });
    pool.start();
    await expect.poll(() => pool.status().idle).toBe(2);
    broken = true;
    const calls: HostCalls = { ...PLAIN_CALLS, api: () => new Promise(() => undefined) };
    const waiting = times(2, (index) =>
      runScript(pool, `ApiValueManager.Fetch(${index})`, { calls }).catch(() => null),
    );
    await expect.poll(() => pool.status().waiting).toBe(2);
    await pool.close();
    await Promise.all(waiting);
  });

  test.each([1, 2, 4])('do not delay another one when there is no room for more, with %i hosts', async (count) => {
    const { pool, run, answer, answers } = poolOf({ count, waiting: 4 });
    const waiting = times(40, () => run('wait'));
    await expect.poll(() => answers.length).toBe(4 + count - 1);
    for (const body of ['a', 'b', 'c']) expect(await run(body)).toBe(body);
    // They are held back although a place is free, and the status shows it.
    const held = 40 - answers.length;
    expect(pool.status()).toMatchObject({ waiting: answers.length, waitingMost: 4, queued: held, held });
    // Those that have ended are followed by others.
    answer(2);
    await expect.poll(() => answers.length).toBe(4 + count - 1);
    const ended = Promise.all(waiting);
    let all = false;
    void ended.then(() => (all = true));
    await expect
      .poll(() => {
        answer();
        return all;
      })
      .toBe(true);
    expect(pool.status()).toMatchObject({ busy: 0 });
  });

  test.each([1, 2])('do not delay one that calls no API if all are different, with %i hosts', async (count) => {
    const { pool, run, answer, answers } = poolOf({ count, waiting: 3 });
    const waiting = times(20, (index) => run(`wait ${index}; ApiValueManager`));
    await expect.poll(() => pool.status().held).toBeGreaterThan(0);
    for (const body of ['a', 'b', 'c']) expect(await run(body)).toBe(body);
    let all = false;
    const ended = Promise.all(waiting).then(() => (all = true));
    await expect
      .poll(() => {
        answer();
        return all;
      })
      .toBe(true);
    await ended;
    expect(answers).toEqual([]);
  });

  test.each([1, 2])('do not delay others if their scripts waited before, with %i hosts', async (count) => {
    const { pool, run, answer, answers } = poolOf({ count, waiting: 3 });
    const bodies = times(12, (index) => `read ${index}`);
    const ended = async (runs: Promise<unknown>[]) => {
      let all = false;
      const done = Promise.all(runs).then(() => (all = true));
      const round = async () => {
        const asked = answers.length;
        // Until main counts all of them as waiting.
        await new Promise((resolve) => setTimeout(resolve, LONG_CALL_MS + 10));
        answer(asked);
        return all;
      };
      await expect.poll(round).toBe(true);
      await done;
    };
    await ended(bodies.map((body) => run(body)));
    const waiting = bodies.map((body) => run(body));
    await expect.poll(() => pool.status().held).toBeGreaterThan(0);
    for (const body of ['a', 'b', 'c']) expect(await run(body)).toBe(body);
    expect(answers.length).toBeLessThan(bodies.length);
    await ended(waiting);
  });

  test('leave room to other scripts that wait', async () => {
    const { pool, run, answers } = poolOf({ count: 2, waiting: 50 });
    const ended = times(100, () => run('wait for one').catch(() => 'ended'));
    await expect.poll(() => pool.status().held).toBeGreaterThan(0);
    await expect.poll(() => answers.length).toBeGreaterThan(35);
    const first = answers.length;
    expect(first).toBeLessThan(45);
    ended.push(...times(20, () => run('wait for another').catch(() => 'ended')));
    await expect.poll(() => answers.length).toBeGreaterThan(first + 4);
    expect(await run('return 1')).toBe('return 1');
    await pool.close();
    await Promise.all(ended);
  });

  test('take no more memory than they may', async () => {
    const { pool, run, answers } = poolOf({ count: 1, waiting: 200, waitingMb: 500 });
    const waiting = times(50, () => run('wait').catch(() => 'ended'));
    await expect.poll(() => (pool.status().held ?? 0) + answers.length).toBe(50);
    expect(answers.length).toBeGreaterThan(4);
    expect(answers.length).toBeLessThan(11);
    const before = answers.length;
    pool.resize(1, 200, 1_000);
    await expect.poll(() => answers.length).toBeGreaterThan(before + 3);
    await pool.close();
    await Promise.all(waiting);
  });

  test('in a nested run do not keep the place of the run that waits for it', async () => {
    const { pool, run, answer, answers } = poolOf({ count: 1 });
    const outer = times(10, () => run('read'));
    await expect.poll(() => answers.length).toBe(10);
    expect(await run('return 1')).toBe('return 1');
    // They wait for a tag, not for the network.
    expect(pool.status()).toMatchObject({ busy: 10 });
    expect(pool.status().waiting).toBeUndefined();
    answer();
    expect(await Promise.all(outer)).toEqual(times(10, () => 'read'));
  });

  test('keep their place while the runs they wait for compute', async () => {
    const { pool, hosts, calls, run, answer, answers } = poolOf({ count: 1 });
    const outer = jobOf('read', { calls });
    const ended = [pool.run(outer)];
    await expect.poll(() => answers.length).toBe(1);
    ended.push(pool.run(jobOf('compute', { calls, depth: 1, parent: outer })));
    const next = run('return 1');
    await new Promise((wake) => setTimeout(wake, 3 * LONG_CALL_MS));
    expect(pool.status()).toMatchObject({ busy: 2, queued: 1 });
    // From here on, all of the tree waits for a slow system.
    const computing = hosts.find(({ runs }) => runs.some(({ body }) => body === 'compute'));
    computing?.say(FROM_HOST.call, '["api",1,"Fetch",["http://x/","get"]]');
    expect(await next).toBe('return 1');
    answer();
    expect((await Promise.all(ended)).map(({ result }) => result)).toEqual(['read', 'compute']);
    expect(pool.status()).toMatchObject({ busy: 0 });
  });

  test('do not delay other nested runs', async () => {
    const { pool, run, answers } = poolOf({ count: 1, waiting: 3 });
    const ended = times(20, () => run('wait', 1).catch(() => 'ended'));
    await expect.poll(() => answers.length).toBeGreaterThan(2);
    expect(await run('return 1', 1)).toBe('return 1');
    expect(await run('return 2', 2)).toBe('return 2');
    await pool.close();
    await Promise.all(ended);
  });
});

test('a script with many runs does not delay the next one of another script', async () => {
  const begun: string[] = [];
  const { start } = fakeHosts((host, { body }) => {
    begun.push(body);
    setImmediate(() => host.returns(body));
  });
  const pool = new ScriptHostPool({ hostFile: '', nodeBinary: '', startHost: start, count: 2, lingerMs: 0 });
  pools.push(pool);
  const many = times(50, () => runScript(pool, 'many'));
  const other = times(2, () => runScript(pool, 'other'));
  await Promise.all([...many, ...other]);
  // The first two had begun.
  expect(begun.slice(0, 4).filter((body) => body === 'other').length).toBeGreaterThan(0);
  expect(begun.slice(0, 7).filter((body) => body === 'other')).toHaveLength(2);
});

test('a script is expected to wait as its last run did, or if it calls APIs', () => {
  const room = new WaitingRoom({ most: 10, mb: 0 });
  const expected = (body: string, waits: boolean | null): boolean => {
    const load = room.loadOf(body);
    const expects = load.mayWait;
    const settle = { resolve: () => undefined, reject: () => undefined };
    const pooled = pooledRun(jobOf(body), load, null, settle, () => undefined);
    if (waits === true) room.begin(pooled, 'call');
    if (waits === true) expect(load.mayWait).toBe(true);
    room.end(pooled);
    // null: it has not even begun.
    room.released(pooled, waits !== null);
    return expects;
  };
  expect([true, null, false, false, true].map((waits) => expected('a', waits))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
  expect(expected('b', false)).toBe(false);
  expect([false, false].map((waits) => expected('ApiValueManager', waits))).toEqual([true, true]);
});
