import { ORPCError } from '@orpc/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadContract } from '#contract';
import type { ErrorCode } from '#contract/errors';
import { ERROR_CODES } from '#contract/errors';
import { TagwrightError } from '../../src-main/platform/errors.ts';
import type { InstanceClient } from '../../src-main/host/instance-client.ts';
import type { FakeServices } from './fake-services.ts';
import { API, requestOf, fakeServices } from './fake-services.ts';
import type { OpenTransport } from './transports.ts';
import type { DiagnosisStep } from '#domain/workspace/diagnosis';
import { TRANSPORTS } from './transports.ts';
import { CALLS, context, path, text } from './calls.ts';

const codes = Object.keys(ERROR_CODES).filter((code): code is ErrorCode => code in ERROR_CODES);
const STREAMS = [
  'app.status',
  'scripts.changes',
  'drafts.follow',
  'tags.changes',
  'tags.watch',
  'tags.importing',
  'failures.try',
  'debug.open',
  'debug.changes',
  'search.find',
  'erp.changes',
  'diagrams.changes',
  'mocks.changes',
  'calls.watch',
  'secrets.changes',
  'scriptTests.changes',
  'settings.changes',
  'rules.state',
  'rules.changes',
  'events.changes',
  'events.bulk',
  'events.undo',
  'consumers.watch',
  'consumers.check',
  'eventsApi.watchRequests',
  'webhooks.changes',
  'diagnostics.run',
];

const contract = await loadContract();
const namesOf = (router: object): string[] =>
  Object.entries(router).flatMap(([area, procedures]) => Object.keys(procedures).map((name) => `${area}.${name}`));

async function failureOf(promise: Promise<unknown>): Promise<ORPCError<string, unknown>> {
  const thrown = await promise.then(
    () => 'nothing',
    (error: unknown) => error,
  );
  if (thrown instanceof ORPCError) return thrown;
  throw new Error(`${String(thrown)} was thrown`, { cause: thrown });
}

/** The next value of a stream that has not ended. */
async function nextOf<T>(stream: AsyncIterator<T, unknown, void>): Promise<T> {
  const result = await stream.next();
  if (result.done) throw new Error('the stream has ended');
  return result.value;
}

test('the suite calls every procedure of the contract', () => {
  expect([...Object.keys(CALLS), ...STREAMS].toSorted()).toEqual(namesOf(contract).toSorted());
});

describe.each(TRANSPORTS)('%s', (_name, open) => {
  let services: FakeServices;
  let transport: OpenTransport;
  let client: InstanceClient;
  let faults: unknown[];

  beforeEach(async () => {
    services = fakeServices();
    faults = [];
    transport = await open(services, (_where, fault) => faults.push(fault));
    client = transport.client;
  });
  afterEach(() => transport.close());

  /** The listeners and streams that are left in the services: none after all streams have ended. */
  const leftovers = () => [services.watches, services.script.size, services.tag.size, services.status.size];

  describe('procedures', () => {
    test.each(Object.keys(CALLS))('%s returns what its schema says', async (procedure) => {
      const response = await CALLS[procedure]?.(client);
      const [area = '', method = ''] = procedure.split('.');
      const schema = Reflect.get(Reflect.get(contract, area), method)['~orpc'].outputSchema['~standard'];
      const { issues, value } = await schema.validate(response);
      expect(issues).toBeUndefined();
      expect(value).toEqual(response);
    });

    test('saved data is read back', async () => {
      const { id, version } = await client.scripts.save({ ...text, body: 'return "ü\u0000\ud83d\ude00"' });
      expect(await client.scripts.get({ id })).toMatchObject({
        ...text,
        body: 'return "ü\u0000\ud83d\ude00"',
        version,
      });
      expect(await client.scripts.get({ group: 'Line', name: 'Fill' })).toMatchObject({ id });
      expect(await client.tags.set({ items: [{ tag: path, value: [{ a: '1' }, null] }] })).toEqual([
        { path, value: [{ a: '1' }, null], quality: 'Good', type: 'Double' },
      ]);
    });
  });

  describe('errors', () => {
    test.each(codes)('%s arrives with its message and data', async (code) => {
      services.failNext = new TagwrightError(code, `What to do about ${code}.`, { data: { items: [1, 'two'] } });
      const error = await failureOf(client.tags.list({}));
      expect(error).toMatchObject({ code, message: `What to do about ${code}.`, data: { items: [1, 'two'] } });
      expect(faults).toEqual([]);
    });

    test('an input error names the path', async () => {
      const wrong = {
        items: [
          { tag: path, value: 1 },
          { tag: 5, value: 1 },
        ],
      };
      // @ts-expect-error the compiler sees it too
      const error = await failureOf(client.tags.set(wrong));
      expect(error.code).toBe('BAD_REQUEST');
      expect(error.message).toMatch(/tags\.set.*items\[1\]\.tag.*must be text in quotes, not the number 5/);
      expect(error.data).toEqual({
        issues: [{ path: ['items', 1, 'tag'], message: 'must be text in quotes, not the number 5' }],
      });
    });

    test('a save over an outdated mock is rejected with the current one', async () => {
      const [stored] = (await client.mocks.list()).mocks;
      if (!stored) throw new Error('there is no mock');
      const { id, hits: _hits, lastHitAt: _at, ...base } = stored;
      const saved = await client.mocks.save({ ...base, name: 'Mine', id, base });
      const error = await failureOf(client.mocks.save({ ...base, name: 'Theirs', id, base }));
      expect(error).toMatchObject({ code: 'CONFLICT', data: { current: saved } });
      expect((await client.mocks.list()).mocks).toEqual([saved]);
    });

    test('a fault gives the client no details; the log has it without its stack', async () => {
      const fault = new Error('SQL of /home/me/secret.db failed');
      services.failNext = fault;
      const error = await failureOf(client.tags.list({}));
      expect(error).toMatchObject({ code: 'INTERNAL', data: {} });
      expect(error.message).toContain('tags.list');
      expect(JSON.stringify(error)).not.toMatch(/secret|at .*\.ts/);
      expect(faults).toEqual([fault]);
    });

    test('an error inside a stream is mapped too', async () => {
      const stream = await client.tags.watch({ paths: [path] });
      expect((await stream.next()).done).toBe(false);
      services.failNext = new TagwrightError('UNAVAILABLE', 'The service is stopping.');
      const read = async () => {
        for await (const batch of stream) expect(batch).toHaveLength(1);
      };
      expect(await failureOf(read())).toMatchObject({ code: 'UNAVAILABLE', message: 'The service is stopping.' });
      await vi.waitFor(() => expect(services.watches).toBe(0));
    });
  });

  describe('cancel', () => {
    test('aborting runs.execute cancels the run', async () => {
      const abort = new AbortController();
      const run = client.runs.execute({ body: 'wait', context, dryRun: false }, { signal: abort.signal });
      const settled = run.then(
        (report) => report.status,
        () => 'rejected',
      );
      await vi.waitFor(() => expect(services.running).toBe(1));
      abort.abort();
      await vi.waitFor(() => expect(services.cancelled).toBe(1));
      expect(services.running).toBe(0);
      expect(['cancelled', 'rejected']).toContain(await settled);
    });

    test('a run cancelled by its key still returns its report', async () => {
      const run = client.runs.execute({ body: 'wait', context, dryRun: false, key: 'a' });
      await vi.waitFor(() => expect(services.running).toBe(1));
      const second = await failureOf(client.runs.execute({ body: 'wait', context, dryRun: false, key: 'a' }));
      expect(second.code).toBe('CONFLICT');
      expect(await client.runs.cancel({ key: 'b' })).toEqual({ cancelled: false });
      expect(await client.runs.cancel({ key: 'a' })).toEqual({ cancelled: true });
      expect(await run).toMatchObject({ status: 'cancelled' });
      expect(await client.runs.cancel({ key: 'a' })).toEqual({ cancelled: false });
    });
  });

  describe('streams', () => {
    test('a stream sends a value at once, then updates, and ends when the signal aborts', async () => {
      const abort = new AbortController();
      const stream = await client.tags.watch({ paths: [path] }, { signal: abort.signal });
      expect(await nextOf(stream)).toEqual([{ path, value: 0, quality: 'Good', type: 'Double' }]);
      await client.tags.set({ items: [{ tag: path, value: 7 }] });
      await vi.waitFor(async () => expect((await nextOf(stream))[0]?.value).toBe(7));
      abort.abort();
      await stream.next().catch(() => {});
      await vi.waitFor(() => expect(leftovers()).toEqual([0, 0, 0, 0]));
    });

    test('the instance status is sent at once and on every change', async () => {
      const stream = await client.app.status();
      expect(await nextOf(stream)).toMatchObject({ hosts: { idle: 2 } });
      await vi.waitFor(() => expect(services.status.size).toBe(1));
      services.status.emit({
        hosts: { idle: 1, busy: 1, starting: 0, restarts: 0 },
        lastSavedAt: null,
        eventsApi: API,
      });
      expect(await nextOf(stream)).toMatchObject({ hosts: { busy: 1 } });
      await stream.return();
      await vi.waitFor(() => expect(leftovers()).toEqual([0, 0, 0, 0]));
    });

    test('requests to the events API are listed and streamed', async () => {
      expect(await client.eventsApi.status()).toEqual(API);
      expect(await client.eventsApi.requests({ after: 4 })).toEqual([requestOf(5)]);
      const stream = await client.eventsApi.watchRequests();
      expect([await nextOf(stream), await nextOf(stream)]).toEqual([[requestOf(1)], [requestOf(2)]]);
      await stream.return();
      await vi.waitFor(() => expect(leftovers()).toEqual([0, 0, 0, 0]));
    });

    test('failures are tried with progress, and end with the matrix', async () => {
      const steps: string[] = [];
      for await (const { kind } of await client.failures.try({ body: 'return 1', context })) steps.push(kind);
      expect(steps).toEqual(['progress', 'matrix']);
    });

    test('a check of a consumer reports its steps, and its report as texts', async () => {
      const numbers = { port: 0, ruleId: 1, seed: 1, seconds: 20, waitSeconds: 60 };
      const steps: object[] = [];
      for await (const step of await client.consumers.check({ key: 'one', client: null, isOpen: true, ...numbers }))
        steps.push(step);
      expect(steps).toMatchObject([
        { kind: 'ready', apiKey: null, situations: [{ name: 'list' }] },
        { kind: 'begun', name: 'list' },
        { kind: 'situation', situation: { findings: [{ kind: 'lost', count: 2 }] } },
        { kind: 'done', report: { state: 'failed', lost: 2 }, junit: '<testsuites/>', page: '<!doctype html>' },
      ]);
    });

    test('a diagnosis is sent step by step, and ends with its stream', async () => {
      const steps: DiagnosisStep[] = [];
      for await (const step of await client.diagnostics.run({})) steps.push(step);
      expect(steps.flatMap(({ checks }) => checks)).toEqual(steps.at(-1)?.diagnosis?.checks);
      const abort = new AbortController();
      const full = await client.diagnostics.run({ full: true }, { signal: abort.signal });
      expect([await nextOf(full), await nextOf(full)].map(({ doing }) => doing)).toEqual([
        'Events API',
        'workspace.db',
      ]);
      abort.abort();
      await expect(full.next().catch(() => ({ done: true }))).resolves.toMatchObject({ done: true });
    });

    test('changes are sent from the time of the call, even before the first read', async () => {
      const stream = await client.scripts.changes();
      await vi.waitFor(() => expect(services.script.size).toBe(1));
      const { id } = await client.scripts.save(text);
      expect(await nextOf(stream)).toEqual({ scriptId: id });
      await stream.return();
      await vi.waitFor(() => expect(leftovers()).toEqual([0, 0, 0, 0]));
    });

    test('ten thousand changes at once arrive as a few values', async () => {
      const stream = await client.tags.changes();
      await vi.waitFor(() => expect(services.tag.size).toBe(1));
      for (let total = 1; total <= 10_000; total++) services.tag.emit({ total });
      const seen: number[] = [];
      for await (const { total } of stream) {
        seen.push(total);
        if (total === 10_000) break;
      }
      expect(seen.length).toBeLessThan(5);
      await vi.waitFor(() => expect(leftovers()).toEqual([0, 0, 0, 0]));
    });

    test('changes of different scripts are sent as "the library changed"', async () => {
      const stream = await client.scripts.changes();
      await vi.waitFor(() => expect(services.script.size).toBe(1));
      for (const scriptId of [1, 2, 2, 3]) services.script.emit({ scriptId });
      const seen = [];
      seen.push(await nextOf(stream));
      if (seen[0]?.scriptId === 1) seen.push(await nextOf(stream));
      expect(seen.at(-1)).toEqual({ scriptId: null });
      await stream.return();
    });

    test('an unread stream is closed by its signal', async () => {
      const abort = new AbortController();
      await client.tags.changes(undefined, { signal: abort.signal });
      await client.tags.watch({ paths: [path] }, { signal: abort.signal });
      await vi.waitFor(() => expect(services.tag.size).toBe(1));
      abort.abort();
      await vi.waitFor(() => expect(leftovers()).toEqual([0, 0, 0, 0]));
    });
  });

  describe('large payloads', () => {
    test('a body of 1 MB', async () => {
      const body = `return "${'ü'.repeat(524_000)}"`;
      const { id } = await client.scripts.save({ ...text, body });
      expect((await client.scripts.get({ id })).body).toBe(body);
    });

    test('50,000 tags', async () => {
      const paths = Array.from({ length: 50_000 }, (_, at) => `Plant.Area.Machine${at}.Value`);
      for (const one of paths) services.values.set(one, { path: one, value: 1.5, quality: 'Good', type: 'Double' });
      const values = await client.tags.get({ paths });
      expect(values).toHaveLength(50_000);
      expect(values.at(-1)).toEqual({ path: paths.at(-1), value: 1.5, quality: 'Good', type: 'Double' });
      const stream = await client.tags.watch({ paths });
      expect(await nextOf(stream)).toHaveLength(50_000);
      await stream.return();
      await vi.waitFor(() => expect(services.watches).toBe(0));
    });

    test('many concurrent calls all get a response', async () => {
      const responses = await Promise.all(
        Array.from({ length: 2_000 }, (_, at) => client.runs.execute({ body: `${at}`, context, dryRun: false })),
      );
      expect(responses.map(({ result }) => result)).toEqual(responses.map((_, at) => `${at}`));
    });
  });
});
