import { expect, test } from 'vitest';
import type { TagValue } from '#domain/tag/tag';
import { watchTags } from '../../../../src-main/plant/tags/values/watch.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

test('a value keeps changing every second when the clock is set back an hour', async () => {
  const clock = new FakeClock('2026-08-01T10:15:00.990Z');
  const second = () => Math.floor(clock.now() / 1_000);
  const source = {
    read: (paths: readonly string[]) =>
      paths.map((path): TagValue => ({ path, value: second(), quality: 'Good', type: 'Int' })),
    now: () => clock.now(),
    changesAt: () => (second() + 1) * 1_000,
    onTouched: () => () => {},
  };
  const ends = new AbortController();
  const values = watchTags(['Plant.Seconds'], source, ends.signal);
  const next = async () => (await values.next()).value?.[0]?.value;
  expect(await next()).toBe(second());
  clock.advance(10);
  expect(await next()).toBe(second());
  clock.advance(-3_600_000);
  expect(await next()).toBe(second());
  clock.advance(1_000);
  expect(await next()).toBe(second());
  ends.abort();
  expect((await values.next()).done).toBe(true);
});
