import { expect, onTestFinished, test, vi } from 'vitest';
import type { FaultKind, FaultPlan } from '#domain/event/consumer';
import type { AggregationEvent } from '#domain/event/event';
import { ConsumerChecks } from '../../../../src-main/events/api/conformance/consumer-checks.ts';
import type { ConsumerLog } from '../../../../src-main/events/api/consumers/consumer-log.ts';
import { ConsumerService } from '../../../../src-main/events/api/consumers/consumer-service.ts';
import { FaultPlans } from '../../../../src-main/events/api/faults/fault-plans.ts';
import { systemClock } from '../../../../src-main/platform/clock.ts';
import { createLog } from '../../../../src-main/platform/log.ts';
import { raw, startApi } from './start-api.ts';

const NAME = 'erp (127.0.0.1)';
const ONCE: Omit<FaultPlan, 'faults'> = { share: 1, latencyMs: 0, seed: 1, requests: 1, seconds: 60 };

/** The API with one known consumer, for which the given faults are injected. */
async function start(faults: FaultKind[], plan: Partial<FaultPlan> = {}, events = 20) {
  const api = await startApi({ events });
  const headers = { 'User-Agent': 'erp' };
  const call = (path = '', init: { headers?: Record<string, string>; signal?: AbortSignal } = {}) =>
    api.call(`/api/events${path}`, { ...init, headers: { ...headers, ...init.headers } });
  await (await call()).text();
  api.service.consumers.inject({ consumer: NAME, ...ONCE, ...plan, faults });
  const newest = () => api.service.requests({}).at(-1);
  const plans = async () => (await api.service.consumers.list()).find(({ name }) => name === NAME)?.faults;
  return { ...api, call, newest, plans };
}

const idsOf = async (response: Response) => {
  const events: AggregationEvent[] = await response.json();
  return events.map((event) => event.AggregationEventId);
};
const ALL = Array.from({ length: 20 }, (_, index) => index + 1);

test('statuses are injected once, logged, and only for that consumer', async () => {
  const { call, service, newest, plans, call: _, ...api } = await start(['503'], { requests: 2 });
  expect(service.status().faults).toBe(1);
  const injected = await call();
  expect([injected.status, injected.headers.get('Retry-After')]).toEqual([503, '2']);
  expect(await injected.json()).toMatchObject({
    type: '/api/docs#problem-busy',
    detail: expect.stringMatching(/injected/i),
  });
  await vi.waitFor(() => expect(newest()).toMatchObject({ status: 503, injected: '503' }));
  expect(await plans()).toMatchObject({ injected: 1, requests: 2 });
  const other = await fetch(`${api.url()}/api/events`, { headers: { 'User-Agent': 'mes' } });
  expect(await idsOf(other)).toEqual(ALL);
  expect((await call('/3')).status).toBe(503);
  expect(await idsOf(await call())).toEqual(ALL);
  expect([await plans(), service.status().faults]).toEqual([null, 0]);
});

test.each([
  ['429', 429, 'too-many-requests'],
  ['500', 500, 'internal'],
  ['key', 401, 'unauthorized'],
] as const)('%s responds with %i as a problem', async (kind, status, name) => {
  const { call } = await start([kind]);
  const response = await call();
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ type: `/api/docs#problem-${name}`, status });
  expect((await call()).status).toBe(200);
});

test('duplicates and reordering change the list, and not its pages', async () => {
  const { call, service } = await start(['duplicates'], { requests: null });
  const page = await call('?limit=10');
  expect(page.headers.get('Link')).toContain('after=10');
  const doubled = await idsOf(page);
  expect(doubled.length).toBeGreaterThan(10);
  expect([...new Set(doubled)]).toEqual(ALL.slice(0, 10));
  service.consumers.inject({ consumer: NAME, ...ONCE, requests: null, faults: ['reordering'] });
  const shuffled = await idsOf(await call('', { headers: { 'Accept-Encoding': 'gzip' } }));
  expect(shuffled).not.toEqual(ALL);
  expect(shuffled.toSorted((a, b) => a - b)).toEqual(ALL);
});

test('a list is cut in the middle, also a stream', async () => {
  const { call, newest } = await start(['cut'], { requests: 2 });
  const cut = await call('', { headers: { 'Accept-Encoding': 'identity' } });
  expect(cut.status).toBe(200);
  await expect(cut.text()).rejects.toThrow('terminated');
  await vi.waitFor(() => expect(newest()).toMatchObject({ outcome: 'aborted', injected: 'cut' }));
  const stream = await call('', { headers: { Accept: 'text/event-stream' } });
  await expect(stream.text()).rejects.toThrow('terminated');
});

test('what was cut off does not count as sent', async () => {
  const { call, service } = await start(['cut'], {}, 0);
  await call()
    .then((response) => response.text())
    .catch(() => 'cut');
  const unacknowledged = async () => (await service.consumers.list())[0]?.unacknowledged;
  expect(await unacknowledged()).toMatchObject({ count: 0 });
});

test('a restart ends the connection between pages and forgets ETags', async () => {
  const { call } = await start(['restart'], { requests: 5 });
  const first = await call('?limit=5');
  expect(await idsOf(first)).toEqual(ALL.slice(0, 5));
  await expect(call('?limit=5&after=5')).rejects.toThrow('fetch failed');
  const etag = first.headers.get('ETag') ?? '';
  expect((await call('?limit=5', { headers: { 'If-None-Match': etag } })).status).toBe(200);
  expect((await call('?limit=5', { headers: { 'If-None-Match': etag } })).status).toBe(304);
});

test('slow bytes arrive in pieces, and completely', async () => {
  const { url, call } = await start(['slow'], { requests: 2 });
  const pieces: number[] = [];
  const text = await raw(
    url(),
    `GET /api/events HTTP/1.1\r\nHost: ${new URL(url()).host}\r\nUser-Agent: erp\r\nConnection: close\r\n\r\n`,
    { ms: 20_000, until: (response) => pieces.push(response.length) < 0 },
  );
  expect(new Set(pieces).size).toBeGreaterThan(5);
  expect(text).toContain('"AggregationEventId":20,');
  expect(text.trimEnd().endsWith('0')).toBe(true);
  expect(await (await call('/3')).json()).toMatchObject({ AggregationEventId: 3 });
});

test('latency and jitter delay a response that is otherwise as before', async () => {
  const { call, newest } = await start(['latency', 'jitter'], { latencyMs: 80, requests: 4 });
  for (let count = 0; count < 4; count += 1) expect(await idsOf(await call())).toEqual(ALL);
  await vi.waitFor(() => expect(newest()?.injected).toMatch(/latency|jitter/));
});

test('latency takes its time, jitter any time up to it', () => {
  const plans = new FaultPlans(systemClock);
  onTestFinished(() => void plans.stopAll());
  const target = { isList: false, isFurtherPage: false, isStream: false };
  const delays = (kind: FaultKind) => {
    plans.start('a', { ...ONCE, faults: [kind], latencyMs: 80, requests: null });
    return Array.from({ length: 20 }, () => plans.next('a', target)?.delayMs);
  };
  expect(new Set(delays('latency'))).toEqual(new Set([80]));
  const jitter = delays('jitter').map(Number);
  expect(new Set(jitter).size).toBeGreaterThan(10);
  expect(Math.max(...jitter)).toBeLessThanOrEqual(80);
  expect(delays('500')[0]).toBe(0);
});

test('a seed decides, a share leaves some out, and the time ends it', async () => {
  const plans = new FaultPlans(systemClock);
  onTestFinished(() => void plans.stopAll());
  const target = { isList: true, isFurtherPage: false, isStream: false };
  const drawn = (seed: number) => {
    plans.start('a', { ...ONCE, faults: ['429', '500', 'cut', 'restart'], share: 0.5, seed, requests: null });
    return Array.from({ length: 40 }, () => plans.next('a', target)?.kind ?? '-');
  };
  const first = drawn(7);
  expect(drawn(7)).toEqual(first);
  expect(drawn(8)).not.toEqual(first);
  expect(new Set(first)).toEqual(new Set(['-', '429', '500', 'cut']));
  plans.start('b', { ...ONCE, faults: ['500'], seconds: 0.01, requests: null });
  await vi.waitFor(() => expect(plans.of('b')).toBeNull());
  expect(plans.stopAll()).toBe(1);
});

test('faults of an unknown consumer are rejected; ending works for one and for all', async () => {
  const { service } = await start(['500'], { requests: null });
  const inject = (consumer: string) => service.consumers.inject({ consumer, ...ONCE, faults: ['500'] });
  expect(() => inject('nobody')).toThrow(/No consumer is named "nobody"/);
  expect(service.consumers.endFaults({ consumer: 'nobody' })).toEqual({ ended: 0 });
  expect(service.consumers.endFaults({})).toEqual({ ended: 1 });
});

test('a program names its consumer', async () => {
  const { service } = await start(['500'], { requests: null });
  const inject = (consumer: string) => service.consumers.inject({ consumer, ...ONCE, faults: ['503'] });
  expect(service.consumers.endFaults({ consumer: 'erp' })).toEqual({ ended: 1 });
  inject('erp');
  const plans = (await service.consumers.list()).map(({ name, faults }) => [name, faults?.faults]);
  expect(plans).toEqual([[NAME, ['503']]]);
  expect(service.consumers.endFaults({ consumer: 'erp' })).toEqual({ ended: 1 });
});

test('a program of several addresses is no name', () => {
  const log = { namesOf: () => ['erp (127.0.0.1)', 'erp (::1)'] };
  const plans = new FaultPlans(systemClock);
  const checks = new ConsumerChecks({ version: '1', clock: systemClock, log: createLog() });
  const service = new ConsumerService({ log: log as unknown as ConsumerLog, plans, checks });
  const inject = () => service.inject({ consumer: 'erp', ...ONCE, faults: ['500'] });
  expect(inject).toThrow('Use one of these names: "erp (127.0.0.1)", "erp (::1)".');
  expect(plans.stopAll()).toBe(0);
});

test('with faults for another consumer, a bare list has the same bytes', async () => {
  const { url, service } = await start(['500'], { requests: null });
  const request = `GET /api/events HTTP/1.1\r\nHost: ${new URL(url()).host}\r\nConnection: close\r\n\r\n`;
  const withoutDate = (text: string) => text.replace(/Date: .*\r\n/, '');
  const withFaults = await raw(url(), request);
  service.consumers.endFaults({});
  expect(withoutDate(withFaults)).toBe(withoutDate(await raw(url(), request)));
});
