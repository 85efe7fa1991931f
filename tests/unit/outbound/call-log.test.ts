import { describe, expect, test } from 'vitest';
import type { LoggedCall } from '#domain/mock/api-call';
import { CallLog } from '../../../src-main/outbound/call-log.ts';

const MB = 1_048_576;

function call(url: string, bodyLength = 0): Omit<LoggedCall, 'seq'> {
  const empty = { headers: [], body: null, bytes: 0 };
  return {
    at: '2026-01-01T00:00:00.000Z',
    tag: '',
    dryRun: false,
    operation: 'Fetch',
    method: 'GET',
    url,
    statusCode: '200',
    ms: 1,
    source: 'live',
    mock: null,
    error: null,
    request: empty,
    response: { ...empty, body: 'x'.repeat(bodyLength), bytes: bodyLength },
  };
}

const lengthOf = (calls: LoggedCall[]) => calls.reduce((sum, { response }) => sum + (response?.body?.length ?? 0), 0);

describe('the log of calls', () => {
  test('shows the newest thousand', () => {
    const log = new CallLog();
    for (let count = 1; count <= 5_000; count += 1) log.add(call(`http://far.example/${count}`));
    const calls = log.list();
    expect(calls).toHaveLength(1_000);
    expect([calls[0]?.seq, calls.at(-1)?.seq]).toEqual([4_001, 5_000]);
    expect(log.list(4_990).map(({ url }) => url)).toHaveLength(10);
    expect(log.list(0, 2).map(({ seq }) => seq)).toEqual([4_999, 5_000]);
  });

  test('limits its text, but always has the newest call', () => {
    const log = new CallLog();
    for (let count = 1; count <= 60; count += 1) log.add(call('http://far.example/', MB));
    const calls = log.list();
    expect(lengthOf(calls)).toBeLessThanOrEqual(16 * MB);
    expect(calls.length).toBeGreaterThanOrEqual(4);
    expect(calls.at(-1)?.seq).toBe(60);
    log.add(call('http://far.example/last', 40 * MB));
    expect(log.list().map(({ url }) => url)).toEqual(['http://far.example/last']);
  });

  test('counts dropped calls, and continues its numbers', () => {
    const log = new CallLog();
    log.add(call('http://far.example/1'));
    log.add(call('http://far.example/2'));
    expect(log.clear()).toBe(2);
    expect(log.list()).toEqual([]);
    expect(log.add(call('http://far.example/3'))).toBe(3);
  });

  test('sends followers the stored calls, then new ones', async () => {
    const log = new CallLog();
    const stop = new AbortController();
    log.add(call('http://far.example/1'));
    const batches = log.watch(stop.signal)[Symbol.asyncIterator]();
    expect((await batches.next()).value).toMatchObject([{ seq: 1 }]);
    const next = batches.next();
    log.add(call('http://far.example/2'));
    log.add(call('http://far.example/3'));
    expect((await next).value).toMatchObject([{ seq: 2 }, { seq: 3 }]);
    stop.abort();
    expect((await batches.next()).done).toBe(true);
  });
});
