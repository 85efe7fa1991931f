import { describe, expect, test } from 'vitest';
import { type ClockStep, MAX_CLOCK_STEPS } from '#domain/run/clock-readings';
import { RecordedClock, ReplayedClock } from '../../../../src-main/scripting/sandbox/child/run-clock.ts';
import { checkClock, checkPlace } from '../../../../src-main/scripting/sandbox/supervisor/check-message.ts';
import { RecordedFrames } from '../../../../src-main/scripting/sandbox/supervisor/recorded-frames.ts';
import { FROM_HOST, MAX_CLOCK_FRAME } from '../../../../src-main/scripting/sandbox/protocol/messages.ts';
import { ProtocolError } from '../../../../src-main/platform/host-pipe/checks.ts';
import { fc } from '../../../support/run/random.ts';

/** A clock that shows these times. */
function clockOf(times: number[]): { clock: RecordedClock; steps: ClockStep[]; frames: string[] } {
  const frames: string[] = [];
  const steps: ClockStep[] = [];
  let at = 0;
  const send = (text: string) => {
    frames.push(text);
    steps.push(...checkClock(text));
  };
  return { clock: new RecordedClock({ write: send, hold: send }, () => times[at++] ?? Number.NaN), steps, frames };
}

describe('the clock of a recorded run', () => {
  test('is repeated, also if it jumps, wherever calls divide it', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer(), fc.boolean())), (shown) => {
        const { clock, steps } = clockOf(shown.map(([time]) => time));
        const seen = shown.map(([, call]) => {
          const time = clock.read();
          if (call) clock.flush();
          return time;
        });
        clock.flush();
        const replayed = new ReplayedClock({ start: 0, steps });
        expect(shown.map(() => replayed.read())).toEqual(seen);
      }),
    );
  });

  test('stands still after the last reading, or goes on by 1 ms for each further one', () => {
    const read = (clock: ReplayedClock) => Array.from({ length: 5 }, () => clock.read());
    const readings = {
      start: 1_000,
      steps: [
        [2, 0],
        [1, 7],
      ] satisfies ClockStep[],
    };
    expect(read(new ReplayedClock(readings))).toEqual([1_000, 1_000, 1_007, 1_007, 1_007]);
    expect(read(new ReplayedClock({ ...readings, ticks: true }))).toEqual([1_000, 1_000, 1_007, 1_008, 1_009]);
    expect(read(new ReplayedClock({ start: 5, steps: [] }))).toEqual([5, 5, 5, 5, 5]);
    expect(read(new ReplayedClock({ start: 5, steps: [], ticks: true }))).toEqual([6, 7, 8, 9, 10]);
  });

  test('counts equal readings', () => {
    const { clock, frames } = clockOf([5, 5, 5, 6]);
    for (let count = 0; count < 4; count += 1) clock.read();
    clock.flush();
    clock.flush();
    expect(frames).toEqual(['3,5;1,6']);
  });

  test('sends at once readings older than 25 ms, so that a kill loses little', () => {
    const written: string[] = [];
    const held: string[] = [];
    let now = 1_000;
    const clock = new RecordedClock(
      { write: (text) => void written.push(text), hold: (text) => void held.push(text) },
      () => now,
    );
    const readAt = (ms: number) => {
      now = 1_000 + ms;
      clock.read();
    };
    [0, 0, 24].forEach(readAt);
    expect(written).toEqual([]);
    [25, 49, 50].forEach(readAt);
    expect(written).toEqual(['2,1000;1,1024', '1,1025;1,1049']);
    // Clocks go back, too.
    [10, 11].forEach(readAt);
    expect(written.at(-1)).toBe('1,1050');
    clock.flush();
    expect(held).toEqual(['1,1010;1,1011']);
  });

  test('sends frames within their limit, and stands still after its last step', () => {
    let now = 1.7e12;
    const frames: string[] = [];
    const send = (text: string) => void frames.push(text);
    const clock = new RecordedClock({ write: send, hold: send }, () => now++);
    for (let count = 0; count < MAX_CLOCK_STEPS + 100; count += 1) clock.read();
    clock.flush();
    expect(Math.max(...frames.map(({ length }) => length))).toBeLessThan(MAX_CLOCK_FRAME);
    const steps = frames.flatMap(checkClock);
    expect(steps).toHaveLength(MAX_CLOCK_STEPS);
    expect(steps.at(-1)?.[0]).toBe(101);
  });
});

describe('the frames of a recorded run', () => {
  const recorded = (readings = false) => ({
    start: { seed: '', ...(readings && { readings: { start: 0, steps: [] } }) },
    place: () => undefined,
    clock: () => undefined,
    nextReading: () => null,
  });
  const note = (of: Parameters<typeof recorded>[0] | null, ...frames: [number, string][]) => {
    const own = new RecordedFrames(of === null ? undefined : recorded(of));
    return () => frames.forEach(([type, text]) => own.note(type, text));
  };

  test('are accepted in their form only', () => {
    expect(note(false, [FROM_HOST.clock, '1,-5;2,7'], [FROM_HOST.place, 'de-DE|Europe/Berlin'])).not.toThrow();
    for (const text of ['', '0,1', '1', '1,2;', '1,1e3', '1,2,3', 'x'])
      expect(() => checkClock(text)).toThrow(ProtocolError);
    for (const text of ['', 'de', 'de|', '|UTC', 'de|a b', '../x|UTC'])
      expect(() => checkPlace(text)).toThrow(ProtocolError);
  });

  test('end a host that sends them in another run, twice, or too often', () => {
    expect(note(null, [FROM_HOST.clock, '1,1'])).toThrow(ProtocolError);
    expect(note(true, [FROM_HOST.clock, '1,1'])).toThrow(ProtocolError);
    expect(note(false, [FROM_HOST.place, 'de|UTC'], [FROM_HOST.place, 'de|UTC'])).toThrow(ProtocolError);
    const many = Array.from({ length: MAX_CLOCK_STEPS + 1 }, (_, ms) => `1,${ms}`).join(';');
    expect(note(false, [FROM_HOST.clock, many])).toThrow(ProtocolError);
    const divided = Array.from({ length: MAX_CLOCK_STEPS + 1 }, () => '1,5').join(';');
    expect(note(false, [FROM_HOST.clock, divided])).not.toThrow();
  });
});
