import { expect, test } from 'vitest';
import { BusyPoll } from '../../../../src-main/platform/host-pipe/busy-poll.ts';
import { Crowding } from '../../../../src-main/platform/host-pipe/crowding.ts';
import { Processors } from '../../../../src-main/platform/host-pipe/processors.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A host whose calls follow each other after this time, ms, depending on whether main polls. */
function hostWith(ms: { asleep: number; polled: number }) {
  let now = 1_000;
  let isCrowded = false;
  const processors = new Processors(2, { isCrowded: () => isCrowded });
  const poll = new BusyPoll(processors, () => now);
  return {
    poll,
    processors,
    ms,
    crowd: (crowded: boolean) => (isCrowded = crowded),
    pass: (passed: number) => (now += passed),
    /** Makes calls; returns for how many of them main polled. */
    async calls(count: number): Promise<number> {
      let polled = 0;
      for (let call = 0; call < count; call += 1) {
        poll.responded();
        // A poll may end a turn later.
        const polls = poll.isPolling;
        if (polls) polled += 1;
        now += polls ? ms.polled : ms.asleep;
        poll.arrived();
        await turn();
      }
      return polled;
    },
  };
}

test('it polls if calls follow sooner that way, and measures both ways again', async () => {
  const host = hostWith({ asleep: 0.07, polled: 0.04 });
  host.poll.arrived();
  // 32 calls of each way, then 2,048 in the faster one.
  expect(await host.calls(64)).toBe(32);
  expect(await host.calls(2_000)).toBe(2_000);
  host.ms.polled = 0.08;
  await host.calls(200);
  expect(await host.calls(1_900)).toBe(0);
  host.ms.polled = 0.04;
  await host.calls(200);
  expect(await host.calls(1_900)).toBe(1_900);
});

test('it sleeps if polling gains nothing, or if a script computes for longer', async () => {
  for (const ms of [
    { asleep: 0.07, polled: 0.065 },
    { asleep: 2, polled: 2 },
  ]) {
    const host = hostWith(ms);
    host.poll.arrived();
    await host.calls(64);
    expect(await host.calls(1_000)).toBe(0);
  }
});

test('it sleeps while other work needs the processors', async () => {
  const host = hostWith({ asleep: 0.07, polled: 0.04 });
  host.poll.arrived();
  await host.calls(64);
  host.crowd(true);
  expect(await host.calls(100)).toBe(0);
  host.crowd(false);
  expect(await host.calls(100)).toBe(100);
});

test('it sleeps while each processor has a host that computes', async () => {
  const host = hostWith({ asleep: 0.07, polled: 0.04 });
  host.poll.arrived();
  await host.calls(64);
  const other = new BusyPoll(host.processors, () => 1_000);
  other.began();
  expect(await host.calls(100)).toBe(0);
  // A line of its console: it computes on.
  other.arrived();
  expect(await host.calls(10)).toBe(0);
  other.waits();
  expect(await host.calls(10)).toBe(10);
  other.responded();
  other.responded();
  expect(await host.calls(10)).toBe(0);
  other.ended();
  other.ended();
  expect(await host.calls(10)).toBe(10);
});

test('it polls for the end of a run, and for what a call waits for', async () => {
  const host = hostWith({ asleep: 0.07, polled: 0.04 });
  for (let run = 0; run < 64; run += 1) {
    host.poll.began();
    host.pass(host.poll.isPolling ? 0.04 : 0.07);
    host.poll.arrived();
    await turn();
  }
  host.poll.began();
  expect(host.poll.isPolling).toBe(true);
  host.poll.arrived();
  await turn();
  expect(host.poll.isPolling).toBe(false);
  host.poll.waits();
  await turn();
  expect(host.poll.isPolling).toBe(true);
  host.poll.ended();
  await turn();
  expect(host.poll.isPolling).toBe(false);
});

test('a poll ends if no call comes', async () => {
  const host = hostWith({ asleep: 0.07, polled: 0.04 });
  host.poll.arrived();
  await host.calls(64);
  host.poll.responded();
  await turn();
  expect(host.poll.isPolling).toBe(true);
  host.pass(1);
  await turn();
  expect(host.poll.isPolling).toBe(false);
});

test('one processor is never free for a poll', () => {
  expect(new Processors(1, { isCrowded: () => false }).hasFree(0)).toBe(false);
});

test('a machine is crowded while the thread waits long for a processor', () => {
  let waited = 0;
  const crowding = new Crowding(() => waited, 0);
  waited = 1;
  expect(crowding.isCrowded(20)).toBe(false);
  waited = 5;
  expect(crowding.isCrowded(40)).toBe(true);
  // Until it is measured again.
  waited = 6;
  expect(crowding.isCrowded(59)).toBe(true);
  expect(crowding.isCrowded(61)).toBe(false);
});

test('how long this thread waited is read from the system, where it says so', () => {
  const crowding = new Crowding(undefined, -1_000);
  expect(typeof crowding.isCrowded(performance.now())).toBe('boolean');
});
