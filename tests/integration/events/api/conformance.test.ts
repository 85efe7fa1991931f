import { describe, expect, test } from 'vitest';
import { EventsClient } from '../../../../resources/clients/typescript/events-client.ts';
import { SITUATIONS } from '../../../../src-main/events/api/conformance/situations.ts';
import { carelessConsumer, checkedConsumer, type ConsumerAddress } from '../../../support/hub/checked-consumer.ts';
import { IS_LONG } from '../../../support/run/scale.ts';

const NAMES = SITUATIONS.map(({ name }) => name);

/** Parts of a run that take place at the same time, because a run mostly waits. */
const PARTS = IS_LONG ? [NAMES] : [0, 1, 2, 3].map((part) => NAMES.filter((_, place) => place % 4 === part));

const shipped =
  (options: { pageSize?: number; acknowledge?: 'disable' | 'delete' } = {}) =>
  ({ url, apiKey, signal }: ConsumerAddress) =>
    new EventsClient({ url, apiKey, name: 'shipped/1.0' }).consume(() => undefined, { ...options, signal });

const failed = ({ situations }: Awaited<ReturnType<typeof checkedConsumer>>) =>
  situations.filter(({ state }) => state === 'failed');

test('there are 20 situations with different names', () => {
  expect(new Set(NAMES).size).toBe(20);
  expect(SITUATIONS.reduce((sum, { events, later }) => sum + events + (later?.events ?? 0), 0)).toBe(1_000);
});

describe.concurrent('a conformance run', () => {
  test.each(PARTS.map((only, part) => ({ part, only })))(
    'passes the TypeScript client, part $part',
    async ({ only, part }) => {
      const consume = shipped(part % 2 === 0 ? { acknowledge: 'delete', pageSize: 30 } : {});
      const report = await checkedConsumer(consume, { only, client: 'shipped', seconds: 20 });
      expect(failed(report)).toEqual([]);
      expect(report).toMatchObject({ state: 'passed', lost: 0, twice: 0, hammered: 0, others: [] });
      // It does not use a stream here.
      const unmet = report.situations.filter(({ state }) => state !== 'passed').map(({ name }) => name);
      expect(unmet).toEqual(only.filter((name) => name === 'reset'));
      // What was to happen has happened.
      const expected = SITUATIONS.filter(
        ({ name, steps, lostResponses }) => only.includes(name) && (steps ?? lostResponses),
      );
      for (const { name } of expected) {
        expect(report.situations.find((one) => one.name === name)?.faults, name).toBeGreaterThan(0);
      }
    },
  );

  test('meets the situations of streams with a client that streams', async () => {
    const consume = async ({ url, apiKey, signal }: ConsumerAddress) => {
      const client = new EventsClient({ url, apiKey, name: 'streaming/1.0' });
      const open = new Set<number>();
      for await (const { kind, event } of client.stream({ signal })) {
        if (kind === 'reset') open.clear();
        if (kind !== 'created') continue;
        open.add(event.AggregationEventId);
        await client.disable(event.AggregationEventId).catch(() => undefined);
      }
    };
    const report = await checkedConsumer(consume, { only: ['list', 'cut', 'reset', 'idle'], seconds: 10 });
    expect(report.situations.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'list passed',
      'cut passed',
      'reset passed',
      'idle passed',
    ]);
  });

  test('finds events that are lost after a list was cut off', async () => {
    const careless = (address: ConsumerAddress) =>
      carelessConsumer(address, { pauseMs: 400, pollMs: 600, trustsCutLists: true });
    const report = await checkedConsumer(careless, { only: ['list', 'cut', 'deleted'] });
    expect(report).toMatchObject({ state: 'failed', consumers: ['careless/1.0 (127.0.0.1)'], twice: 0, hammered: 0 });
    const [cut, ...others] = failed(report);
    expect(others).toEqual([]);
    expect(cut).toMatchObject({ name: 'cut', findings: [{ kind: 'lost' }] });
    expect(cut?.findings[0]?.message).toMatch(/^Never acknowledged: \d+ events: \d/);
    expect(report.lost).toBe((cut?.events ?? 0) - (cut?.acknowledged ?? 0));
  });

  test('finds events that are acknowledged twice', async () => {
    const careless = (address: ConsumerAddress) =>
      carelessConsumer(address, { pauseMs: 400, pollMs: 600, acknowledgesAgain: true });
    const report = await checkedConsumer(careless, { only: ['list', 'lost-response', 'duplicates'] });
    expect(failed(report)).toMatchObject([{ name: 'duplicates', findings: [{ kind: 'twice' }] }]);
    expect(report).toMatchObject({ lost: 0, hammered: 0 });
    expect(report.twice).toBeGreaterThan(0);
  });

  test('finds requests before Retry-After, and retries without a pause', async () => {
    const careless = (address: ConsumerAddress) =>
      carelessConsumer(address, { pauseMs: 5, pollMs: 600, repeatsPuts: true });
    const report = await checkedConsumer(careless, { only: ['429', '500', '503', 'key', 'outage'] });
    const found = failed(report).map(
      ({ name, findings }) => `${name} ${[...new Set(findings.map(({ kind }) => kind))].join()}`,
    );
    expect(found).toEqual(['429 hammered', '500 hammered', '503 hammered', 'key hammered', 'outage hammered']);
    expect(report.situations[0]?.findings[0]?.message).toContain('before the time of Retry-After (1 s) had passed');
    expect(report.lost).toBe(0);
  });

  test('finds polls that are too fast', async () => {
    const careless = (address: ConsumerAddress) => carelessConsumer(address, { pauseMs: 400, pollMs: 50 });
    const report = await checkedConsumer(careless, { only: ['list', 'idle'] });
    expect(failed(report)).toMatchObject([{ name: 'idle', findings: [{ kind: 'hammered' }] }]);
    expect(report.situations[1]?.findings[0]?.message).toMatch(/^\d+ polls in 5 s without news; at most 10/);
  });

  test('reports a client that never connects, and who did instead', async () => {
    const other = async ({ url, apiKey, signal }: ConsumerAddress) => {
      const headers = { 'X-API-Key': apiKey, 'User-Agent': 'somebody/2' };
      await fetch(`${url}/api/events`, { headers, signal }).then((response) => response.text());
    };
    const report = await checkedConsumer(other, { client: 'my-erp', waitSeconds: 1 });
    expect(report).toMatchObject({
      state: 'failed',
      client: 'my-erp',
      consumers: [],
      others: ['somebody/2 (127.0.0.1)'],
    });
    const [first, ...others] = report.situations;
    expect(first).toMatchObject({ state: 'failed', findings: [{ kind: 'absent' }] });
    expect(first?.findings[0]?.message).toContain(
      'No request of "my-erp" arrived within 1 s. Requests came from: somebody/2',
    );
    expect(others.map(({ state }) => state)).toEqual(Array.from({ length: 19 }, () => 'skipped'));
  });

  test('reports a client that stops, and one with a wrong key', async () => {
    const stopping = async ({ url, apiKey, signal }: ConsumerAddress) => {
      const headers = { 'X-API-Key': apiKey };
      await fetch(`${url}/api/events`, { headers, signal }).then((response) => response.text());
    };
    const [stopped, wrong] = await Promise.all([
      checkedConsumer(stopping, { seconds: 1 }),
      checkedConsumer((address) => shipped()({ ...address, apiKey: 'wrong' }), { only: ['list'], seconds: 1 }),
    ]);
    expect(stopped.situations.slice(0, 4).map(({ state, findings }) => [state, findings[0]?.kind])).toEqual([
      ['failed', 'lost'],
      ['failed', 'absent'],
      ['failed', 'absent'],
      ['skipped', undefined],
    ]);
    expect(wrong.situations[0]).toMatchObject({ state: 'failed', acknowledged: 0 });
    expect(wrong.situations[0]?.notes[0]).toMatch(/requests? without the API key of the run/);
  });

  test('is cancelled with a report of what was done', async () => {
    const cancel = new AbortController();
    const onReport = (name: string) => name === 'paging' && cancel.abort();
    const report = await checkedConsumer(shipped(), { signal: cancel.signal, onReport });
    expect(report.state).toBe('cancelled');
    expect(report.situations.map(({ state }) => state)).toEqual([
      'passed',
      'passed',
      ...Array.from({ length: 18 }, () => 'skipped'),
    ]);
  });
});
