import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { FROM_HOST, TO_HOST } from '../../../../src-main/scripting/sandbox/protocol/messages.ts';
import { runScript } from '../../../support/scripting/script-runs.ts';
import { fakeHosts, FakeHost, poolOf, poolWith } from '../../../support/scripting/fake-host.ts';

const returnsBody = (host: FakeHost, { body }: { body: string }) => host.returns(body);

/** A clock that the returned function moves forward. Unlike waiting, that cannot make main late, which would be excused. */
function skippedClock(): (ms: number) => void {
  let skipped = 0;
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + skipped);
  onTestFinished(() => clock.mockRestore());
  return (ms) => {
    skipped += ms;
  };
}

describe('a host that creates the realm of its next run', () => {
  /** The first host never becomes ready for its next run. */
  const stuckFirst = () => {
    const made = fakeHosts((host, { body }) => {
      if (made.hosts[0] !== host) host.returns(body);
      else if (host.runs.length === 1) host.ends(body);
    });
    return made;
  };

  const stuckAndLogged = () => {
    const messages: string[] = [];
    const { start, hosts } = stuckFirst();
    const log = (message: string) => messages.push(message);
    const pool = poolWith({ startHost: start, count: 1, spare: false, log });
    return { pool, hosts, messages };
  };

  test('is not idle until it reports it, and its result arrives before', async () => {
    const { start, hosts } = fakeHosts((host, { body }) => host.ends(body));
    const pool = poolOf(start);
    expect(await runScript(pool, 'a')).toMatchObject({ status: 'ok', result: 'a' });
    expect(pool.status()).toMatchObject({ idle: 0, busy: 0, starting: 1 });
    hosts[0]?.prepares();
    await expect.poll(() => pool.status()).toMatchObject({ idle: 1, busy: 0, restarts: 0 });
  });

  test('is not asked for a report if its next run follows the result', async () => {
    const { start, hosts } = fakeHosts(returnsBody);
    const pool = poolOf(start);
    const bodies = Array.from({ length: 10 }, (_, index) => `${index}`);
    const outcomes = await Promise.all(bodies.map((body) => runScript(pool, body)));
    expect(outcomes.map(({ result }) => result)).toEqual(bodies);
    expect(hosts[0]?.checks).toBe(0);
    await expect.poll(() => [pool.status().idle, hosts[0]?.checks]).toEqual([1, 1]);
  });

  test('is ended when it does not report; the next run gets another one', async () => {
    const { pool, hosts, messages } = stuckAndLogged();
    expect(await runScript(pool, 'a')).toMatchObject({ status: 'ok', result: 'a' });
    await expect.poll(() => hosts[0]?.killed).toBe(true);
    expect(messages).toEqual([expect.stringContaining('took more than 2000 ms to create its next realm')]);
    expect(await runScript(pool, 'b')).toMatchObject({ status: 'ok', result: 'b' });
  });

  test('is ended if it does not read its run in time; another one gets the run', async () => {
    const { pool, hosts, messages } = stuckAndLogged();
    expect(await runScript(pool, 'a')).toMatchObject({ status: 'ok', result: 'a' });
    for (const host of hosts) host.reads = false;
    expect(await runScript(pool, 'b', { limits: { scriptMs: 500 } })).toMatchObject({ status: 'ok', result: 'b' });
    expect(hosts.map((host) => host.killed)).toEqual([true, false]);
    expect(pool.status()).toMatchObject({ restarts: 1 });
    expect(messages).toEqual([expect.stringContaining('ended before it read its run')]);
  });

  test('that has read the run is ended with it when its time is over', async () => {
    const { start, hosts } = stuckFirst();
    const pool = poolOf(start);
    await runScript(pool, 'a');
    expect(await runScript(pool, 'b', { limits: { scriptMs: 100 } })).toMatchObject({ status: 'timeout' });
    expect(hosts[0]?.killed).toBe(true);
  });

  test('is ended for a message that no run sends; its run moves to another one', async () => {
    const { start, hosts } = stuckFirst();
    const pool = poolOf(start);
    await runScript(pool, 'a');
    const next = runScript(pool, 'b');
    hosts[0]?.say(TO_HOST.check);
    expect(await next).toMatchObject({ status: 'ok', result: 'b' });
    expect(hosts[0]?.killed).toBe(true);
  });

  test('reports it if that took long: only then the time of its next run begins', async () => {
    const { start, hosts } = stuckFirst();
    const pool = poolOf(start);
    await runScript(pool, 'a');
    const skip = skippedClock();
    const next = runScript(pool, 'b', { limits: { scriptMs: 1_000 } });
    skip(1_500);
    hosts[0]?.prepares({ late: true });
    hosts[0]?.say(FROM_HOST.console, '0begun');
    await wait(60);
    hosts[0]?.ends('b');
    const { status, timing } = await next;
    expect(status).toBe('ok');
    expect(timing.totalMs).toBeLessThan(1_000);
    expect(pool.status()).toMatchObject({ restarts: 0 });
  });

  test('is ended if it reports that too late; another one gets the run', async () => {
    const { start, hosts } = stuckFirst();
    const pool = poolOf(start);
    await runScript(pool, 'a');
    const skip = skippedClock();
    const next = runScript(pool, 'b', { limits: { scriptMs: 5_000 } });
    skip(3_500);
    hosts[0]?.prepares({ late: true });
    hosts[0]?.ends('b of the first host');
    expect(await next).toMatchObject({ status: 'ok', result: 'b' });
    expect(hosts.map(({ killed }) => killed)).toEqual([true, false]);
  });

  test('reports nothing else before it has read a large run', async () => {
    const { start, hosts } = stuckFirst();
    const pool = poolOf(start);
    await runScript(pool, 'a');
    const next = runScript(pool, 'b');
    const [host] = hosts;
    if (host !== undefined) host.unsent = 1;
    host?.prepares({ late: true });
    expect(host?.killed).toBe(false);
    host?.ends('b');
    expect(host?.killed).toBe(true);
    expect((await next).status).toBe('crashed');
  });

  test('has its full time to report, even if main asks late', async () => {
    const { start, hosts } = stuckFirst();
    const pool = poolOf(start);
    const skip = skippedClock();
    await runScript(pool, 'a').then(() => skip(10_000));
    await wait(200);
    hosts[0]?.prepares();
    expect(pool.status()).toMatchObject({ idle: 1, restarts: 0 });
  });

  test.each(['cancelled', 'closed'])('ends a run that is %s before its end is known', async (how) => {
    const { start, hosts } = stuckFirst();
    const pool = poolOf(start);
    await runScript(pool, 'a');
    const [host] = hosts;
    const killed = new Promise<void>((resolve) => {
      if (host !== undefined) host.kill = () => resolve();
    });
    const cancel = new AbortController();
    const next = runScript(pool, 'b', { limits: { scriptMs: 50 }, signal: cancel.signal });
    await killed;
    let closed: Promise<void> | null = null;
    if (how === 'closed') closed = pool.close();
    else cancel.abort();
    expect(await next).toMatchObject({ status: 'cancelled' });
    host?.dies({ unread: true });
    await closed;
    expect(hosts.flatMap(({ runs }) => runs)).toHaveLength(2);
  });

  test.each([true, null])('that dies without reading the run has not started it (%s)', async (unread) => {
    const { start, hosts } = stuckFirst();
    const pool = poolOf(start);
    await runScript(pool, 'a');
    const next = runScript(pool, 'b');
    hosts[0]?.dies({ how: 'SIGSEGV', unread });
    expect(await next).toMatchObject({ status: 'ok', result: 'b' });
    expect(pool.status()).toMatchObject({ restarts: 1 });
  });

  test('that dies with a run that it has read was ended by the run', async () => {
    const { start, hosts } = stuckFirst();
    const pool = poolOf(start);
    await runScript(pool, 'a');
    const next = runScript(pool, 'b');
    hosts[0]?.dies({ how: 'SIGSEGV', unread: false });
    expect(await next).toMatchObject({ status: 'crashed' });
  });

  test('reports before it begins a run that another one has lost', async () => {
    const made: ReturnType<typeof fakeHosts> = fakeHosts((host, { body }) => {
      const lost = made.hosts.find(({ runs }) => runs.some((run) => run.body === 'c'));
      if (body === 'b') setTimeout(() => host.returns(body), 50);
      else if (body === 'c' && host === lost && lost.runs.length === 2) host.dies({ unread: null });
      else host.returns(body);
    });
    const pool = poolOf(made.start, 2);
    const bodies = ['a', 'b', 'c'];
    const outcomes = await Promise.all(bodies.map((body) => runScript(pool, body)));
    expect(outcomes.map(({ result }) => result)).toEqual(bodies);
    const begun = made.hosts.filter(({ runs }) => runs.some(({ body }) => body === 'c'));
    expect(begun.map(({ checks }) => checks)).toEqual([0, 1]);
  });
});
