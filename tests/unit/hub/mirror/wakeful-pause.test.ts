import { expect, test } from 'vitest';
import { WakefulPause } from '../../../../src-main/hub/mirror/wakeful-pause.ts';

const HOUR_MS = 3_600_000;

test('a pause ends when something happens, also before it begins', async () => {
  const pause = new WakefulPause();
  const waiting = pause.next(HOUR_MS, 0);
  pause.wake();
  await waiting;
  pause.wake();
  await expect(pause.next(HOUR_MS, 0)).resolves.toBeUndefined();
});

test('a pause after a failure does not end with a change', async () => {
  const pause = new WakefulPause();
  let isOver = false;
  const waiting = pause.forced(HOUR_MS).then(() => (isOver = true));
  pause.wake();
  await Promise.resolve();
  expect(isOver).toBe(false);
  pause.wake(true);
  await waiting;
  expect(isOver).toBe(true);
});
