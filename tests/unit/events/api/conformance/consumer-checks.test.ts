import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { ConformanceStep } from '#domain/event/conformance';
import { ConsumerChecks } from '../../../../../src-main/events/api/conformance/consumer-checks.ts';
import { systemClock } from '../../../../../src-main/platform/clock.ts';
import { createLog } from '../../../../../src-main/platform/log.ts';
import { listenOn } from '../../../../../src-main/platform/http/loopback.ts';

const CHOSEN = { key: 'one', client: null, port: 0, isOpen: false, ruleId: 7, seed: 1, seconds: 20, waitSeconds: 30 };

function start(chosen: Partial<typeof CHOSEN> = {}) {
  const checks = new ConsumerChecks({ version: '9.8.7', clock: systemClock, log: createLog() });
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  return { checks, leave, steps: checks.check({ ...CHOSEN, ...chosen }, leave.signal) };
}

async function next<K extends ConformanceStep['kind']>(steps: AsyncGenerator<ConformanceStep>, kind: K) {
  const { value } = await steps.next();
  if (value?.kind !== kind) throw new Error(`${value?.kind} instead of ${kind}`);
  return value as Extract<ConformanceStep, { kind: K }>;
}

/** Reads the list and disables every event, until the API is gone. */
async function consume(url: string, apiKey: string): Promise<void> {
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json', 'User-Agent': 'my-erp/1.0' };
  for (;;) {
    const events: { AggregationEventId: number }[] = await (await fetch(`${url}/api/events`, { headers })).json();
    for (const { AggregationEventId: id } of events) {
      const body = '{"Active":false}';
      await (await fetch(`${url}/api/events/${id}`, { method: 'PUT', headers, body })).text();
    }
  }
}

test('a check shows each situation; ended early, it reports those so far', async () => {
  const { checks, steps } = start();
  const { url, apiKey, situations } = await next(steps, 'ready');
  expect(situations).toHaveLength(20);
  const begun = next(steps, 'begun');
  consume(url, apiKey ?? '').catch(() => undefined);
  expect(await begun).toEqual({ kind: 'begun', name: 'list' });
  const { situation } = await next(steps, 'situation');
  expect(situation).toMatchObject({ name: 'list', state: 'passed', events: 100, acknowledged: 100 });
  expect(await next(steps, 'begun')).toEqual({ kind: 'begun', name: 'paging' });
  checks.end('other');
  checks.end('one');
  const { report, junit, page } = await next(steps, 'done');
  expect(report).toMatchObject({
    state: 'cancelled',
    consumers: ['my-erp/1.0 (127.0.0.1)'],
    lost: 0,
    version: '9.8.7',
  });
  expect(report.situations.map(({ state }) => state)).toEqual(['passed', ...Array(19).fill('skipped')]);
  expect(junit).toContain('<testsuites tests="20" failures="0" errors="0" skipped="19">');
  expect(page).toMatch(/^<!doctype html>/);
  expect((await steps.next()).done).toBe(true);
  await expect(fetch(`${url}/api/events`)).rejects.toThrow('fetch failed');
});

test('a caller that leaves frees the port, and gets no report', async () => {
  const { leave, steps } = start({ isOpen: true });
  const { url, apiKey } = await next(steps, 'ready');
  expect(apiKey).toBeNull();
  expect((await fetch(`${url}/api/events`)).status).toBe(200);
  leave.abort();
  const kinds: string[] = [];
  for await (const { kind } of steps) kinds.push(kind);
  expect(kinds).not.toContain('done');
  await expect(fetch(`${url}/api/events`)).rejects.toThrow('fetch failed');
});

test('a port that is taken fails the check', async () => {
  const other = createServer();
  onTestFinished(() => void other.close());
  const port = await listenOn(other, 0, '127.0.0.1');
  await expect(start({ port }).steps.next()).rejects.toMatchObject({ code: 'PORT_TAKEN' });
});
