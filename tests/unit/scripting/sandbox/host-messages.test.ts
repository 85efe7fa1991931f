import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { TagwrightError } from '../../../../src-main/platform/errors.ts';
import { encodeFrame } from '../../../../src-main/platform/host-pipe/frames.ts';
import { FROM_HOST } from '../../../../src-main/scripting/sandbox/protocol/messages.ts';
import { columns, runScript } from '../../../support/scripting/script-runs.ts';
import { fakeHosts, FakeHost, poolOf } from '../../../support/scripting/fake-host.ts';

const returnsBody = (host: FakeHost, { body }: { body: string }) => host.returns(body);
const never = () => undefined;
const sendGet = (host: FakeHost) => host.say(FROM_HOST.call, '["get",7,["a","b"],"D",""]');

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
      'calls at once, without waiting for answers',
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
      'a note of dropped entries again and again',
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
    const pool = poolOf(start, 1, false, (line) => logged.push(line));
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
