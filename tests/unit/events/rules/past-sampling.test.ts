import { expect, test } from 'vitest';
import type { RuleText } from '#domain/rule/rule';
import { pastSpan, samplePast } from '../../../../src-main/events/rules/preview/past-sampling.ts';
import { Replay } from '../../../../src-main/events/rules/preview/replay.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 23, 12);
const TAG = 'Plant.A.Value';
const counting = (stepMs: number) => ({
  at: (ms: number) => ({
    path: TAG,
    value: Math.floor(ms / stepMs),
    quality: 'Good' as const,
    type: 'Double' as const,
  }),
  changesAt: (ms: number) => (Math.floor(ms / stepMs) + 1) * stepMs,
});
const pasts = (stepMs: number) => new Map([[TAG, counting(stepMs)]]);
const rule = (more: Partial<RuleText> = {}) => ({
  tags: [TAG],
  sampling: { kind: 'onChange' } as const,
  window: { kind: 'count', samples: 10 } as const,
  outputs: [{ name: 'n', reducer: 'count' as const, tag: TAG }],
  ...more,
});

test('a preview covers an hour, and three windows if they are longer', () => {
  expect(pastSpan(rule(), pasts(1_000), NOW)).toEqual({ from: NOW - HOUR, to: NOW, isCut: false });
  const long = rule({ window: { kind: 'tumbling', everyMs: HOUR } });
  const span = pastSpan(long, pasts(60_000), NOW);
  expect(span.to - span.from).toBeGreaterThanOrEqual(3 * HOUR);
  expect(span.isCut).toBe(false);
});

test('it is shorter where an hour has too many samples, and begins with a window', () => {
  const fast = rule({ sampling: { kind: 'interval', everyMs: 20 }, window: { kind: 'tumbling', everyMs: 5_000 } });
  const { from, to, isCut } = pastSpan(fast, pasts(1_000), NOW);
  expect(isCut).toBe(true);
  expect((to - from) / 20).toBeLessThanOrEqual(50_000);
  expect((to - from) / 20).toBeGreaterThan(40_000);
  expect(from % 5_000).toBe(0);
});

test('it ends early when it takes too long', async () => {
  const replay = new Replay(rule(), NOW - HOUR, 100);
  let ms = 0;
  const until = await samplePast(
    replay,
    pasts(20),
    { from: NOW - HOUR, to: NOW, isCut: false },
    {
      elapsed: () => (ms += 20_000),
    },
  );
  expect(until).toBeLessThan(NOW);
  expect(replay.samples).toBeGreaterThan(0);
  expect(replay.total).toBe(Math.floor(replay.samples / 10));
});
