import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { TagwrightError } from '../../../../src-main/platform/errors.ts';
import { FROM_HOST } from '../../../../src-main/scripting/sandbox/protocol/messages.ts';
import type { HostsStatus } from '../../../../src-main/scripting/sandbox/script-run.ts';
import { columns, runScript } from '../../../support/scripting/script-runs.ts';
import { fakeHosts, FakeHost, poolOf, poolWith } from '../../../support/scripting/fake-host.ts';

const returnsBody = (host: FakeHost, { body }: { body: string }) => host.returns(body);
const never = () => undefined;

describe('the pool', () => {
  test('starts one host first, and the others later or when runs need them', async () => {
    const { start, hosts } = fakeHosts(never);
    const pool = poolWith({ startHost: start, count: 3, aloneMs: 200 });
    pool.start();
    expect(hosts).toHaveLength(1);
    const runs = [1, 2].map(() => runScript(pool, 'return 1').catch(() => 'ended'));
    expect(hosts).toHaveLength(2);
    await expect.poll(() => hosts.length).toBe(4);
    await pool.close();
    await Promise.all(runs);
  });

  test('starts no host before a request', async () => {
    const { start, hosts } = fakeHosts(returnsBody);
    const pool = poolOf(start, 2, true);
    await wait(10);
    expect(hosts).toHaveLength(0);
    pool.start();
    await expect.poll(() => pool.status()).toEqual({ idle: 3, busy: 0, starting: 0, restarts: 0 });
  });

  test('runs as many at a time as it may, and the others in order', async () => {
    const begun: string[] = [];
    const { start, hosts } = fakeHosts((host, { body }) => {
      begun.push(body);
      setTimeout(() => host.returns(body), 20);
    });
    const pool = poolOf(start, 2, true);
    const outcomes = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((body) => runScript(pool, body)));
    expect(outcomes.map(({ result }) => result)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(hosts).toHaveLength(3);
    expect(outcomes[4]?.timing.queuedMs).toBeGreaterThan(20);
  });

  test('gives a nested run its own host, so that the outer one can wait for it', async () => {
    const { start, hosts } = fakeHosts((host, { body }) => {
      host.onAnswer = (response) => host.returns(JSON.parse(response));
      if (body === 'outer') host.say(FROM_HOST.call, '["get",1,["a"],"",""]');
      else host.returns(body);
    });
    const pool = poolOf(start);
    const nest = async () => columns([(await runScript(pool, 'inner', { depth: 1 })).result]);
    const outcome = await runScript(pool, 'outer', { calls: { get: nest, set: () => columns([]) } });
    expect(outcome).toMatchObject({ status: 'ok', result: { value: { values: ['inner'] } } });
    expect(hosts).toHaveLength(2);
    await wait(60);
    expect(pool.status()).toMatchObject({ idle: 1, restarts: 0 });
  });

  test('cancels a waiting run without sending it to a host', async () => {
    const { start, hosts } = fakeHosts(never);
    const pool = poolOf(start);
    void runScript(pool, 'first');
    const cancel = new AbortController();
    const second = runScript(pool, 'second', { signal: cancel.signal });
    await wait(10);
    cancel.abort();
    await expect(second).resolves.toMatchObject({ status: 'cancelled', error: { name: 'CancelledError' } });
    expect(hosts.flatMap((host) => host.runs.map((run) => run.body))).toEqual(['first']);
  });

  test('cancels a run in progress at once, and replaces its host', async () => {
    const { start, hosts } = fakeHosts(never);
    const pool = poolOf(start, 1, true);
    const cancel = new AbortController();
    const run = runScript(pool, 'endless', { signal: cancel.signal });
    await wait(10);
    cancel.abort();
    await expect(run).resolves.toMatchObject({ status: 'cancelled' });
    await expect.poll(() => pool.status()).toEqual({ idle: 2, busy: 0, starting: 0, restarts: 1 });
    expect(hosts).toHaveLength(3);
  });

  test('does not count the host of an expendable run that is cancelled', async () => {
    const { start, hosts } = fakeHosts(never);
    const pool = poolOf(start, 1, true);
    const cancel = new AbortController();
    const run = runScript(pool, 'endless', { signal: cancel.signal, expendable: true });
    await wait(10);
    cancel.abort();
    await expect(run).resolves.toMatchObject({ status: 'cancelled' });
    await expect.poll(() => pool.status()).toEqual({ idle: 2, busy: 0, starting: 0, restarts: 0 });
    expect(hosts).toHaveLength(3);
  });

  test('reruns a run whose host died before reading it', async () => {
    let deaths = 0;
    const { start } = fakeHosts((host, { body }) => {
      deaths += 1;
      if (deaths === 1) host.dies({ unread: true });
      else host.returns(body);
    });
    await expect(runScript(poolOf(start), 'a')).resolves.toMatchObject({ status: 'ok', result: 'a' });
  });

  test('does not rerun a run that a host had started', async () => {
    const { start } = fakeHosts((host) => {
      host.say(FROM_HOST.console, '0begun');
      host.dies({ unread: true, how: 'SIGSEGV' });
    });
    const outcome = await runScript(poolOf(start), 'a');
    expect(outcome).toMatchObject({ status: 'crashed', console: [{ text: 'begun' }] });
    expect(outcome.error?.message).toContain('SIGSEGV');
  });

  test('reports memory if the engine ran out of it', async () => {
    const { start } = fakeHosts((host) =>
      host.dies({
        how: 'SIGABRT',
        stderr: 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
      }),
    );
    const outcome = await runScript(poolOf(start), 'a');
    expect(outcome).toMatchObject({ status: 'memory', error: { name: 'MemoryError' } });
    expect(outcome.error?.message).toContain('limits.memoryMb');
  });

  test('rejects with UNAVAILABLE when no host starts, and retries at the next run', async () => {
    let broken = true;
    const { start } = fakeHosts(returnsBody);
    const pool = poolOf((events, memoryMb) => {
      if (!broken) return start(events, memoryMb);
      throw new Error('spawn ENOENT');
    });
    const failure = await runScript(pool, 'a').catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(TagwrightError);
    expect(failure).toMatchObject({ code: 'UNAVAILABLE' });
    expect(String(failure)).toContain('ENOENT');
    broken = false;
    await expect(runScript(pool, 'b')).resolves.toMatchObject({ result: 'b' });
  });

  test('rejects with UNAVAILABLE when hosts end before they are ready', async () => {
    const pool = poolOf((events) => {
      setImmediate(() => events.exit({ how: 'exit code 1', stderr: 'isolated-vm does not load', unread: true }));
      return { pid: null, unsent: 0, write: never, kill: never };
    });
    const failure = await runScript(pool, 'a').catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: 'UNAVAILABLE' });
    expect(String(failure)).toContain('isolated-vm does not load');
  });

  test('ends hosts that never become ready, says why, and retries with backoff', async () => {
    let hangs = true;
    const silent: FakeHost[] = [];
    const { start, hosts } = fakeHosts(returnsBody);
    const logged: string[] = [];
    const pool = poolWith({
      startHost: (events, memoryMb) => {
        if (!hangs) return start(events, memoryMb);
        const host = new FakeHost(events, never);
        silent.push(host);
        return host;
      },
      count: 1,
      spare: true,
      startMs: 100,
      log: (line) => logged.push(line),
    });
    const reason = 'no script host can be started: it was not ready after 100 ms and was ended';
    await expect(runScript(pool, 'a')).rejects.toMatchObject({ code: 'UNAVAILABLE', message: reason });
    expect(silent.map(({ killed }) => killed)).toEqual([true, true]);
    expect(pool.status()).toEqual({ idle: 0, busy: 0, starting: 0, restarts: 0, problem: reason });
    // The cause may be fixed, so the next run retries at once.
    await expect(runScript(pool, 'b')).rejects.toMatchObject({ message: reason });
    expect(silent).toHaveLength(3);
    // From now on retries are timed, and runs do not wait for them.
    const later = await runScript(pool, 'c').catch((thrown: unknown) => String(thrown));
    expect(later).toMatch(/was ended; Tagwright retries in [12] s$/);
    expect(silent).toHaveLength(3);
    expect(logged).toEqual(Array(3).fill('a script host did not start: it was not ready after 100 ms and was ended'));
    hangs = false;
    await expect.poll(() => pool.status().idle).toBe(2);
    expect(pool.status()).toEqual({ idle: 2, busy: 0, starting: 0, restarts: 0 });
    expect(hosts).toHaveLength(2);
    await expect(runScript(pool, 'd')).resolves.toMatchObject({ result: 'd' });
  });

  test('ends a host that does not become ready while others do', async () => {
    const silent: FakeHost[] = [];
    const { start } = fakeHosts(returnsBody);
    const pool = poolWith({
      startHost: (events, memoryMb) => {
        if (silent.length > 0) return start(events, memoryMb);
        silent.push(new FakeHost(events, never));
        return silent[0] as FakeHost;
      },
      count: 2,
      spare: false,
      startMs: 100,
    });
    await expect(runScript(pool, 'a')).resolves.toMatchObject({ result: 'a' });
    await expect.poll(() => pool.status()).toEqual({ idle: 2, busy: 0, starting: 0, restarts: 0 });
    expect(silent[0]?.killed).toBe(true);
  });

  test('ends everything on close, and accepts nothing afterwards', async () => {
    const { start, hosts } = fakeHosts(never);
    const pool = poolOf(start, 1, true);
    const going = runScript(pool, 'a');
    const waiting = runScript(pool, 'b').catch((thrown: unknown) => thrown);
    await wait(10);
    await pool.close();
    expect(await going).toMatchObject({ status: 'cancelled' });
    expect(await waiting).toMatchObject({ code: 'UNAVAILABLE' });
    expect(hosts.every((host) => host.killed)).toBe(true);
    await expect(runScript(pool, 'c')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await pool.close();
  });

  test('notifies of its status after changes', async () => {
    const { start } = fakeHosts(returnsBody);
    const pool = poolOf(start);
    const notified: HostsStatus[] = [];
    const stop = pool.onStatus((status) => notified.push(status));
    await runScript(pool, 'a');
    await expect.poll(() => notified.at(-1)).toEqual({ idle: 1, busy: 0, starting: 0, restarts: 0 });
    stop();
  });

  test('rejects a body over the limit and a cancelled run without a host', async () => {
    const { start, hosts } = fakeHosts(returnsBody);
    const pool = poolOf(start);
    const tooLong = await runScript(pool, 'x'.repeat(11), { limits: { bodyBytes: 10 } });
    expect(tooLong).toMatchObject({
      status: 'error',
      error: { message: 'the script has 11 bytes, but 10 are allowed' },
    });
    expect(await runScript(pool, 'x', { signal: AbortSignal.abort() })).toMatchObject({ status: 'cancelled' });
    expect(hosts).toHaveLength(0);
  });
});

describe('a healthy host', () => {
  test('is replaced after a number of runs, and no run waits or is lost', async () => {
    const { start, hosts } = fakeHosts(returnsBody);
    const pool = poolWith({ startHost: start, count: 1, renewAfter: { runs: 3, ms: 60_000 } });
    const bodies = Array.from({ length: 20 }, (_, index) => `${index}`);
    const outcomes = await Promise.all(bodies.map((body) => runScript(pool, body)));
    expect(outcomes.map(({ result }) => result)).toEqual(bodies);
    expect(Math.max(...hosts.map(({ runs }) => runs.length))).toBe(3);
    expect(pool.status().restarts).toBe(0);
  });

  test('is replaced after a text that leaves much behind in its memory', async () => {
    const { start, hosts } = fakeHosts(returnsBody);
    const pool = poolOf(start);
    const limits = { scriptMs: 60_000, totalMs: 60_000, bodyBytes: 32 * 1_048_576, resultBytes: 32 * 1_048_576 };
    for (const [length, replaced] of [
      [16 * 1_048_576 - 100, 0],
      [16 * 1_048_576, 1],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one by one
      const { result } = await runScript(pool, 'x'.repeat(length), { limits });
      expect(result).toHaveLength(length);
      expect(hosts.filter(({ killed }) => killed)).toHaveLength(replaced);
    }
    expect(pool.status().restarts).toBe(0);
  });

  test('is replaced some time after its first run, even if it is idle', async () => {
    const { start, hosts } = fakeHosts(returnsBody);
    const pool = poolWith({ startHost: start, count: 1, renewAfter: { runs: 1_000, ms: 20 } });
    pool.start();
    await runScript(pool, 'a');
    const used = hosts.filter(({ runs }) => runs.length > 0);
    await expect.poll(() => used.every(({ killed }) => killed)).toBe(true);
    expect(hosts.filter(({ killed }) => killed)).toEqual(used);
    await expect(runScript(pool, 'b')).resolves.toMatchObject({ result: 'b' });
  });

  test('is replaced one by one with other idle ones, so that one stays warm', async () => {
    const starting: FakeHost[] = [];
    const { start, hosts } = fakeHosts(returnsBody);
    let slow = false;
    const pool = poolWith({
      startHost: (events, memoryMb) => {
        if (!slow) return start(events, memoryMb);
        const host = new FakeHost(events, returnsBody);
        starting.push(host);
        return host;
      },
      count: 2,
      // The three runs below end earlier.
      renewAfter: { runs: 1_000, ms: 500 },
    });
    pool.start();
    await expect.poll(() => pool.status().idle).toBe(3);
    for (let run = 0; run < 3; run += 1) await runScript(pool, 'a');
    slow = true;
    const alive = () => hosts.filter(({ killed }) => !killed).length;
    for (let renewed = 0; renewed < 3; renewed += 1) {
      await expect.poll(() => starting.length).toBe(renewed + 1);
      // None is ended before another one is ready, and one is started at a time.
      await wait(1_200);
      expect(starting).toHaveLength(renewed + 1);
      expect(alive()).toBe(3 - renewed);
      starting[renewed]?.say(FROM_HOST.ready);
      expect(alive()).toBe(2 - renewed);
      expect(pool.status()).toMatchObject({ idle: 3, restarts: 0 });
    }
  });
});
