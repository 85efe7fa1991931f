import { expect, test } from 'vitest';
import {
  MOST_RETRY_AFTER,
  nextAttempt,
  RETRY_DELAYS,
  retryAfterOf,
} from '../../../../src-main/events/webhooks/retry-schedule.ts';

const NOW = Date.parse('2026-01-31T06:00:00Z');
const failed = (attempts: number, status: number | null = 500, retryAfter: string | null = null) => ({
  attempts,
  now: NOW,
  status,
  retryAfter,
});

test('ten attempts follow the schedule of the specification', () => {
  const times = [0];
  for (const [n] of RETRY_DELAYS.entries()) {
    const next = nextAttempt(failed(n + 1), 0);
    times.push((times.at(-1) ?? 0) + ((next ?? 0) - NOW));
  }
  const clock = (ms: number) =>
    [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60]
      .map((part) => String(Math.floor(part)).padStart(2, '0'))
      .join(':');
  expect(times.map(clock)).toEqual([
    '00:00:00',
    '00:00:05',
    '00:05:05',
    '00:35:05',
    '02:35:05',
    '07:35:05',
    '17:35:05',
    '31:35:05',
    '51:35:05',
    '75:35:05',
  ]);
  expect(nextAttempt(failed(10), 0)).toBeNull();
});

test('retries are spread over a tenth of their delay', () => {
  expect(nextAttempt(failed(2), 0)).toBe(NOW + 300_000);
  expect(nextAttempt(failed(2), 1)).toBe(NOW + 330_000);
});

test('Retry-After of 429 and 503 delays a retry, and never makes it earlier', () => {
  expect(nextAttempt(failed(1, 429, '60'), 0)).toBe(NOW + 60_000);
  expect(nextAttempt(failed(1, 503, 'Sat, 31 Jan 2026 06:02:00 GMT'), 0)).toBe(NOW + 120_000);
  expect(nextAttempt(failed(2, 429, '1'), 0)).toBe(NOW + 300_000);
  expect(nextAttempt(failed(1, 500, '60'), 0)).toBe(NOW + 5_000);
  expect(nextAttempt(failed(10, 429, '60'), 0)).toBeNull();
});

test('Retry-After is bounded, and ignored if it is invalid or past', () => {
  const after = (retryAfter: string) => retryAfterOf({ status: 429, retryAfter, now: NOW });
  expect(after('99999999999999999999999')).toBe(MOST_RETRY_AFTER);
  expect(after('Fri, 31 Dec 9999 23:59:59 GMT')).toBe(MOST_RETRY_AFTER);
  expect(after('Fri, 30 Jan 2026 06:00:00 GMT')).toBe(0);
  for (const text of ['', 'soon', '-5', '1e9']) expect(after(text)).toBeLessThanOrEqual(MOST_RETRY_AFTER);
  expect(after('soon')).toBe(0);
  expect(after('')).toBe(0);
});
