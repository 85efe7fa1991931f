import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { TagwrightError } from '../../../../src-main/platform/errors.ts';
import { encodeFrame } from '../../../../src-main/platform/host-pipe/frames.ts';
import { FROM_HOST } from '../../../../src-main/scripting/sandbox/protocol/messages.ts';
import type { HostsStatus } from '../../../../src-main/scripting/sandbox/script-run.ts';
import type { StartHost } from '../../../../src-main/scripting/sandbox/supervisor/host-process.ts';
import { ScriptHostPool } from '../../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { fakeHosts, FakeHost } from '../../../support/fake-host.ts';
import { columns, runScript } from '../../../support/script-runs.ts';

const pools: ScriptHostPool[] = [];
const NO_FILES = { hostFile: '', nodeBinary: '', aloneMs: 0 };

function poolOf(startHost: StartHost, count = 1, spare = false, lingerMs = 0, log?: (line: string) => void) {
  const pool = new ScriptHostPool({
    ...NO_FILES,
    startHost,
    count,
    spare,
    lingerMs,
    ...(log && { log }),
  });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

const returnsBody = (host: FakeHost, { body }: { body: string }) => host.returns(body);
const never = () => undefined;
const sendGet = (host: FakeHost) => host.say(FROM_HOST.call, '["get",7,["a","b"],"D",""]');

describe('the pool', () => {
  test('starts one host first, and the others later or when runs need them', async () => {
    const { start, hosts } = fakeHosts(never);
    const pool = new ScriptHostPool({ ...NO_FILES, startHost: start, count: 3, aloneMs: 200 });
    pools.push(pool);
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
    const pool = new ScriptHostPool({
      ...NO_FILES,
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
    pools.push(pool);
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
    await expect.poll(() => pool.status().idle, { timeout: 20_000 }).toBe(2);
    expect(pool.status()).toEqual({ idle: 2, busy: 0, starting: 0, restarts: 0 });
    expect(hosts).toHaveLength(2);
    await expect(runScript(pool, 'd')).resolves.toMatchObject({ result: 'd' });
  });

  test('ends a host that does not become ready while others do', async () => {
    const silent: FakeHost[] = [];
    const { start } = fakeHosts(returnsBody);
    const pool = new ScriptHostPool({
      ...NO_FILES,
      startHost: (events, memoryMb) => {
        if (silent.length > 0) return start(events, memoryMb);
        silent.push(new FakeHost(events, never));
        return silent[0] as FakeHost;
      },
      count: 2,
      spare: false,
      startMs: 100,
    });
    pools.push(pool);
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

describe('a host that creates the realm of its next run', () => {
  /** The first host never becomes ready for its next run. */
  const stuckFirst = () => {
    const made = fakeHosts((host, { body }) => {
      if (made.hosts[0] !== host) host.returns(body);
      else if (host.runs.length === 1) host.ends(body);
    });
    return made;
  };

  test('is not idle until it reports it, and its result arrives before', async () => {
    const { start, hosts } = fakeHosts((host, { body }) => host.ends(body));
    const pool = poolOf(start);
    expect(await runScript(pool, 'a')).toMatchObject({ status: 'ok', result: 'a' });
    expect(pool.status()).toMatchObject({ idle: 0, busy: 0, starting: 1 });
    hosts[0]?.say(FROM_HOST.ready);
    expect(pool.status()).toMatchObject({ idle: 1, busy: 0, restarts: 0 });
  });

  test('is ended when that times out; a run that it received moves to another one', async () => {
    const messages: string[] = [];
    const { start, hosts } = stuckFirst();
    const pool = new ScriptHostPool({
      ...NO_FILES,
      startHost: start,
      count: 1,
      spare: false,
      log: (message) => messages.push(message),
    });
    pools.push(pool);
    expect(await runScript(pool, 'a')).toMatchObject({ status: 'ok', result: 'a' });
    // The script time of this run is over before that host is ended, but it does not count because the run has not
    // started.
    expect(await runScript(pool, 'b', { limits: { scriptMs: 500 } })).toMatchObject({ status: 'ok', result: 'b' });
    expect(hosts.map((host) => host.killed)).toEqual([true, false]);
    expect(pool.status()).toMatchObject({ restarts: 1 });
    expect(messages).toEqual([expect.stringContaining('took more than 2000 ms to create its next realm')]);
  });

  test('is ended for any other message; a run that it received moves to another one', async () => {
    const { start, hosts } = stuckFirst();
    const pool = poolOf(start);
    await runScript(pool, 'a');
    const next = runScript(pool, 'b');
    hosts[0]?.ends('another result');
    expect(await next).toMatchObject({ status: 'ok', result: 'b' });
    expect(hosts[0]?.killed).toBe(true);
  });

  test('that dies has not started the run that it received', async () => {
    const { start, hosts } = stuckFirst();
    const pool = poolOf(start);
    await runScript(pool, 'a');
    const next = runScript(pool, 'b');
    hosts[0]?.dies({ how: 'SIGSEGV', unread: false });
    expect(await next).toMatchObject({ status: 'ok', result: 'b' });
    expect(pool.status()).toMatchObject({ restarts: 1 });
  });
});

describe('a healthy host', () => {
  test('is replaced after a number of runs, and no run waits or is lost', async () => {
    const { start, hosts } = fakeHosts(returnsBody);
    const pool = new ScriptHostPool({ ...NO_FILES, startHost: start, count: 1, renewAfter: { runs: 3, ms: 60_000 } });
    pools.push(pool);
    const bodies = Array.from({ length: 20 }, (_, index) => `${index}`);
    const outcomes = await Promise.all(bodies.map((body) => runScript(pool, body)));
    expect(outcomes.map(({ result }) => result)).toEqual(bodies);
    expect(Math.max(...hosts.map(({ runs }) => runs.length))).toBe(3);
    expect(pool.status().restarts).toBe(0);
  });

  test('is replaced some time after its first run, even if it is idle', async () => {
    const { start, hosts } = fakeHosts(returnsBody);
    const pool = new ScriptHostPool({ ...NO_FILES, startHost: start, count: 1, renewAfter: { runs: 1_000, ms: 20 } });
    pools.push(pool);
    pool.start();
    await runScript(pool, 'a');
    const used = hosts.filter(({ runs }) => runs.length > 0);
    await expect.poll(() => used.every(({ killed }) => killed), { timeout: 20_000 }).toBe(true);
    expect(hosts.filter(({ killed }) => killed)).toEqual(used);
    await expect(runScript(pool, 'b')).resolves.toMatchObject({ result: 'b' });
  });

  test('is replaced one by one with other idle ones, so that one stays warm', async () => {
    const starting: FakeHost[] = [];
    const { start, hosts } = fakeHosts(returnsBody);
    let slow = false;
    const pool = new ScriptHostPool({
      ...NO_FILES,
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
    pools.push(pool);
    pool.start();
    await expect.poll(() => pool.status().idle).toBe(3);
    for (let run = 0; run < 3; run += 1) await runScript(pool, 'a');
    slow = true;
    const alive = () => hosts.filter(({ killed }) => !killed).length;
    for (let renewed = 0; renewed < 3; renewed += 1) {
      await expect.poll(() => starting.length, { timeout: 20_000 }).toBe(renewed + 1);
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

describe('host calls', () => {
  test('reach the job with scope and line, and get a response', async () => {
    const seen: unknown[] = [];
    const { start, hosts } = fakeHosts(sendGet);
    const run = runScript(poolOf(start), 'a', {
      calls: { get: (...call) => (seen.push(call), columns([1, 2])), set: () => columns([]) },
    });
    await expect
      .poll(() => hosts[0]?.answers.map((text) => JSON.parse(text) as unknown))
      .toEqual([{ value: columns([1, 2]) }]);
    expect(seen).toEqual([[['a', 'b'], { diagram: 'D', location: '' }, 7]]);
    hosts[0]?.returns(1);
    expect((await run).status).toBe('ok');
  });

  test('do not count as script time', async () => {
    const { start, hosts } = fakeHosts(sendGet);
    const run = runScript(poolOf(start), 'a', {
      limits: { scriptMs: 500, totalMs: 20_000 },
      calls: { get: () => wait(1_000, columns([1, 2])), set: () => columns([]) },
    });
    await expect.poll(() => hosts[0]?.answers.length, { interval: 5 }).toBe(1);
    hosts[0]?.returns(1);
    const { status, timing } = await run;
    expect(status).toBe('ok');
    expect(timing.hostCallMs).toBeGreaterThan(990);
    expect(timing.scriptMs).toBeLessThan(500);
  });

  test('that exceed the total time of the run end it', async () => {
    const { start } = fakeHosts(sendGet);
    const outcome = await runScript(poolOf(start), 'a', {
      limits: { scriptMs: 50, totalMs: 200 },
      calls: { get: () => new Promise(never), set: () => columns([]) },
    });
    expect(outcome).toMatchObject({ status: 'timeout' });
    expect(outcome.error?.message).toContain('limits.totalMs');
  });

  test('that throw give the script the message and the failures, never a stack', async () => {
    const failures = [{ tag: 'a', reason: 'not a number' }];
    const thrown = new TagwrightError('WRITE_REFUSED', 'refused', { data: { failures } });
    const { start, hosts } = fakeHosts(sendGet);
    const run = runScript(poolOf(start), 'a', { calls: { get: () => Promise.reject(thrown), set: () => columns([]) } });
    await expect
      .poll(() => JSON.parse(hosts[0]?.answers[0] ?? 'null') as unknown)
      .toEqual({ error: { message: 'refused', failures } });
    hosts[0]?.returns(1);
    await run;
  });

  test('that complete after the run has ended send no response', async () => {
    const { start, hosts } = fakeHosts(sendGet);
    const cancel = new AbortController();
    const run = runScript(poolOf(start), 'a', {
      signal: cancel.signal,
      calls: { get: () => wait(50, columns([1, 2])), set: () => columns([]) },
    });
    await wait(20);
    cancel.abort();
    await run;
    await wait(60);
    expect(hosts[0]?.answers).toEqual([]);
  });
});

describe('a hostile host', () => {
  const attacks: [string, (host: FakeHost) => void][] = [
    ['a frame of unknown type', (host) => host.say(99, 'x')],
    ['ready again', (host) => host.say(FROM_HOST.ready)],
    ['ready with a payload', (host) => host.say(FROM_HOST.ready, 'x')],
    ['a header of 4 GB', (host) => host.sayBytes(Buffer.from([255, 255, 255, 255, FROM_HOST.done]))],
    ['a call over the limit', (host) => host.sayBytes(Buffer.from([0, 0, 0, 5, FROM_HOST.call]))],
    ['a result over the limit', (host) => host.sayBytes(Buffer.from([0, 0, 0, 1, FROM_HOST.done]))],
    ['bytes without sense', (host) => host.sayBytes(Buffer.alloc(4096, 0xfe))],
    ['a call of an unknown method', (host) => host.say(FROM_HOST.call, '["eval",1,"x"]')],
    ['a call of a member of Object', (host) => host.say(FROM_HOST.call, '["constructor",1]')],
    ['paths that are none', (host) => host.say(FROM_HOST.call, '["get",1,[1],"",""]')],
    ['a scope that is none', (host) => host.say(FROM_HOST.call, '["get",1,["a"],{},""]')],
    ['items that are none', (host) => host.say(FROM_HOST.call, '["set",1,[{"tag":"a"}],"",""]')],
    ['a console level that is none', (host) => host.say(FROM_HOST.console, 'xtext')],
    ['an endless console text', (host) => host.say(FROM_HOST.console, `0${'x'.repeat(1e6)}`)],
    ['an end without sense', (host) => host.say(FROM_HOST.done, '{"status":"maybe"}')],
    [
      'two calls at once',
      (host) => {
        host.say(FROM_HOST.call, '["set",1,[],"",""]');
        host.say(FROM_HOST.call, '["set",1,[],"",""]');
      },
    ],
    [
      'its end while it waits for an answer',
      (host) => {
        host.say(FROM_HOST.call, '["set",1,[],"",""]');
        host.returns(1);
      },
    ],
    [
      'calls in one go, without waiting for answers',
      (host) => {
        const call = encodeFrame(FROM_HOST.call, '["get",1,["a"],"",""]');
        host.sayBytes(Buffer.concat([call, call.subarray(0, 1)]));
      },
    ],
    [
      'a call before it has read what it was sent',
      (host) => {
        host.unsent = 1;
        host.say(FROM_HOST.call, '["get",1,["a"],"",""]');
      },
    ],
    ['12,000,000 objects', (host) => host.say(FROM_HOST.call, `["set",1,[${'{},'.repeat(12_000_000)}{}],"",""]`)],
    [
      'a result of many objects',
      (host) => host.returns(Array.from({ length: 170_000 }, (__, name) => ({ [name]: 1 }))),
    ],
    [
      'a note of left out entries again and again',
      (host) => {
        for (let note = 0; note < 100; note += 1) host.say(FROM_HOST.consoleDropped, `${note}`);
      },
    ],
    [
      'more console entries than it may',
      (host) => {
        for (let entry = 0; entry <= 2_000; entry += 1) host.say(FROM_HOST.console, '0x');
      },
    ],
  ];

  test.each(attacks)('that sends %s is killed, and the next run is not affected', async (_, attack) => {
    const { start, hosts } = fakeHosts((host, { body }) => (body === 'attack' ? attack(host) : host.returns(body)));
    const pool = poolOf(start, 1, true);
    const outcome = await runScript(pool, 'attack', {
      calls: { get: () => columns([]), set: () => wait(200, columns([])) },
    });
    expect(outcome.status).toBe('crashed');
    expect(outcome.error?.message).toContain('the script host sent');
    expect(hosts.filter((host) => host.runs[0]?.body === 'attack').every((host) => host.killed)).toBe(true);
    await expect(runScript(pool, 'next')).resolves.toMatchObject({ status: 'ok', result: 'next' });
    expect(pool.status()).toMatchObject({ restarts: 1, protocolViolations: 1 });
  });

  test('is logged with its process, its frame and its script', async () => {
    const { start } = fakeHosts((host, { body }) => (body === 'attack' ? host.say(99) : host.returns(body)));
    const logged: string[] = [];
    const pool = poolOf(start, 1, false, 0, (line) => logged.push(line));
    await runScript(pool, 'attack', { context: { tagName: 'Plant.Line.Odd.Value' } });
    expect(logged).toEqual([
      'script host without a pid sent a frame of unknown type 99 and was ended; it ran the script of Plant.Line.Odd.Value',
    ]);
  });

  test('that sends messages between runs is killed', async () => {
    const { start, hosts } = fakeHosts(returnsBody);
    const pool = poolOf(start, 1, true);
    await runScript(pool, 'a');
    hosts.find((host) => host.runs.length > 0)?.returns('late');
    await expect(runScript(pool, 'b')).resolves.toMatchObject({ result: 'b' });
    expect(hosts.filter((host) => host.killed)).toHaveLength(1);
  });
});
