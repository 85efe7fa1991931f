import { describe, expect, test } from 'vitest';
import type { WrittenTags } from '#domain/run/script-evaluator';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import { RunRecorder } from '../../../../src-main/scripting/capsules/run-recorder.ts';

const PATH = 'Line.Tank.Level';
const ITEM = { tag: PATH, value: 5 };
const WRITTEN = { path: PATH, value: 5, quality: 'Good', type: 'Double' } as const;

/** A recorder, whose Sets are answered by `answer`. */
function recording(answer: () => Promise<WrittenTags>) {
  const recorder = new RunRecorder('00'.repeat(32), { kindOf: () => 'storage', timesOf: () => [] });
  const tags = recorder.tags({ get: () => expect.unreachable(), set: answer });
  return { recorder, set: async () => tags.set([ITEM], DEFAULT_SCOPE, 3) };
}

/** The calls, and in how many steps they are described. */
function described(recorder: RunRecorder) {
  const steps = recorder.calls();
  let count = 1;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count += 1;
  return { calls: step.value, steps: count };
}

const BEGUN = { kind: 'set', call: 1, line: 3, clock: 0, diagram: '', location: '', items: [ITEM] };

describe('the Sets of a recorded run', () => {
  test('have what they wrote, and what was there before', async () => {
    const { recorder, set } = recording(() => Promise.resolve({ values: [WRITTEN], before: [4] }));
    await set();
    recorder.finish(true);
    expect(described(recorder).calls).toEqual([{ ...BEGUN, written: [{ ...WRITTEN, before: 4 }] }]);
  });

  test('have the error of a failed one', async () => {
    const { recorder, set } = recording(() => Promise.reject(new Error('rejected')));
    await expect(set()).rejects.toThrow('rejected');
    recorder.finish(true);
    expect(described(recorder).calls).toEqual([{ ...BEGUN, error: { message: 'rejected' } }]);
  });

  test.for(['written', 'failed'])('one that is %s after the end of the run is without an answer', async (how) => {
    const { promise, resolve, reject } = Promise.withResolvers<WrittenTags>();
    const { recorder, set } = recording(() => promise);
    const answered = set();
    recorder.finish(false);
    if (how === 'written') resolve({ values: [WRITTEN], before: [4] });
    else reject(new Error('rejected'));
    await Promise.allSettled([answered]);
    expect(described(recorder).calls).toEqual([BEGUN]);
  });

  test('are described in steps of a few hundred values', async () => {
    const { recorder, set } = recording(() =>
      Promise.resolve({ values: Array.from({ length: 100 }, () => WRITTEN), before: [] }),
    );
    for (let count = 0; count < 20; count += 1) await set();
    recorder.finish(true);
    const { calls, steps } = described(recorder);
    expect(calls).toHaveLength(20);
    expect(steps).toBe(11);
  });
});
