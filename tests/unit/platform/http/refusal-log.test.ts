import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RefusalLog } from '../../../../src-main/platform/http/refusal-log.ts';
import { createLog } from '../../../../src-main/platform/log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function record() {
  const entries: { event: string; fields: Record<string, unknown> }[] = [];
  const refusals = new RefusalLog(createLog({ format: 'json', write: (line) => entries.push(JSON.parse(line)) }));
  const refuse = (reason: 'host' | 'token', client = '127.0.0.1:5000') =>
    refusals.add({ port: 4860, reason, client, sent: reason === 'host' ? 'evil.example' : '' });
  return { entries, refusals, refuse };
}

test('the first refusal of a kind is logged at once, a flood once per minute', () => {
  const { entries, refuse } = record();
  for (let n = 0; n < 1_000; n += 1) refuse('host', `127.0.0.1:${5_000 + n}`);
  refuse('token');
  expect(entries).toMatchObject([
    { event: 'access.refused', fields: { port: 4860, reason: 'host', sent: 'evil.example', client: '127.0.0.1:5000' } },
    { event: 'access.refused', fields: { reason: 'token' } },
  ]);
  vi.advanceTimersByTime(60_000);
  expect(entries.slice(2)).toMatchObject([{ fields: { reason: 'host', count: 999, client: '127.0.0.1:5999' } }]);
  for (let n = 0; n < 5; n += 1) refuse('host');
  expect(entries).toHaveLength(3);
  vi.advanceTimersByTime(60_000);
  expect(entries.slice(3)).toMatchObject([{ fields: { reason: 'host', count: 5 } }]);
});

test('after a quiet minute the next one is logged at once, and no timer is left', () => {
  const { entries, refuse } = record();
  refuse('token');
  vi.advanceTimersByTime(60_000);
  expect(vi.getTimerCount()).toBe(0);
  refuse('token');
  expect(entries).toHaveLength(2);
});

test('the counts are logged at the end', () => {
  const { entries, refusals, refuse } = record();
  refuse('token');
  refuse('token');
  refusals.close();
  expect(entries.at(-1)).toMatchObject({ fields: { count: 1 } });
  expect(vi.getTimerCount()).toBe(0);
});
