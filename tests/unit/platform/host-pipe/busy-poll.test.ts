import { expect, test, vi } from 'vitest';
import { BusyPoll } from '../../../../src-main/platform/host-pipe/busy-poll.ts';
import { Crowding } from '../../../../src-main/platform/host-pipe/crowding.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Waits until the poll is over; it polls in turns with everything else. */
async function inVain(poll: BusyPoll): Promise<void> {
  while (poll.isPolling) await turn();
}

test('it polls until the next frame, again and again', async () => {
  const poll = new BusyPoll(() => true);
  for (let frames = 0; frames < 1_000; frames += 1) {
    poll.expect();
    expect(poll.isPolling).toBe(true);
    poll.arrived();
    if (frames % 10 === 0) await turn();
  }
  await turn();
  await turn();
  expect(poll.isPolling).toBe(false);
});

test('polls in vain end soon and become rare, and frames that come in time make up for them', async () => {
  const poll = new BusyPoll(() => true);
  const pollsOf = async (frames: number, isInTime: boolean): Promise<number> => {
    let polls = 0;
    for (let frame = 0; frame < frames; frame += 1) {
      poll.expect();
      if (poll.isPolling) polls += 1;
      if (isInTime) poll.arrived();
      await inVain(poll);
      poll.arrived();
    }
    return polls;
  };
  // After 1, 2, 3, … polls in vain, 2, 4, 8, … and at most 128 frames are not polled for.
  expect(await pollsOf(1_000, false)).toBe(13);
  await pollsOf(200, true);
  expect(await pollsOf(1_000, true)).toBe(1_000);
});

test('while polling is of no use, there is none', async () => {
  let isUseful = false;
  const poll = new BusyPoll(() => isUseful);
  poll.expect();
  expect(poll.isPolling).toBe(false);
  isUseful = true;
  poll.expect();
  expect(poll.isPolling).toBe(true);
  await inVain(poll);
});

test('a poll that began ends if its frame never comes', async () => {
  const poll = new BusyPoll(() => true);
  poll.expect();
  await vi.waitFor(() => expect(poll.isPolling).toBe(false), { interval: 1, timeout: 30_000 });
});

test('a machine is crowded while the thread waits for a processor for more than a tenth of the time', () => {
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

test('the time that this thread waited is read from the system, and is 0 where that is unknown', () => {
  const crowding = new Crowding(undefined, -1_000);
  expect(typeof crowding.isCrowded(performance.now())).toBe('boolean');
});
