import { expect, test } from 'vitest';
import type { ApiExchange } from '#domain/mock/api-call';
import type { Json } from '#domain/text/json';
import { MAX_API_CALLS } from '#domain/run/run';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { RunService } from '../../../../src-main/scripting/runs/run-service.ts';
import type { ApiCaller } from '../../../../src-main/scripting/runs/run-tree.ts';
import { RunTree } from '../../../../src-main/scripting/runs/run-tree.ts';
import type { HostCalls, ScriptOutcome } from '../../../../src-main/scripting/sandbox/script-run.ts';

const context = { tagName: 'Plant.Line.Tag.Value', tagScopeDiagram: null, tagScopeLocation: null };
const timing = { startedAt: '2026-01-01T00:00:00.000Z', queuedMs: 0, scriptMs: 1, hostCallMs: 0, totalMs: 1 };
const reply = { success: true, statusCode: '200', errorMessage: null, responseObject: 'x' };

function exchangeOf(body: string | null): ApiExchange {
  const request = { headers: [], body: null, bytes: 0 };
  const response = { headers: [], body, bytes: body?.length ?? 0 };
  const requested = { operation: 'Fetch', method: 'GET', url: 'http://x/', statusCode: '200' } as const;
  return { ...requested, ms: 1, source: 'live', mock: null, error: null, request, response };
}

/** A service whose "script" is a function over the host calls. */
function serviceOf(api: ApiCaller, script: (calls: HostCalls) => Promise<Json>): RunService {
  const runner = {
    async run({ calls }: { calls: HostCalls }): Promise<ScriptOutcome> {
      const result = await script(calls);
      return { status: 'ok', result, error: null, console: [], consoleDropped: 0, timing };
    },
    status: () => ({ idle: 1, busy: 0, starting: 0, restarts: 0 }),
    onStatus: () => () => {},
    close: async () => {},
  };
  const tree = new RunTree({ runner, api, settings: { get: () => DEFAULT_SETTINGS } });
  const tags = { session: () => ({ get: () => [], set: () => ({ values: [], before: [] }) }) };
  return new RunService({ tree, tags });
}

test('the report has every API call, in order with reads and writes', async () => {
  const seen: unknown[] = [];
  const api: ApiCaller = {
    async call({ operation, args, dryRun, tag }) {
      seen.push([operation, args, dryRun, tag]);
      return { result: reply, exchange: exchangeOf('body') };
    },
  };
  const service = serviceOf(api, async (calls) => {
    await calls.get([], { diagram: '', location: '' }, 1);
    return (await calls.api?.('Fetch', ['http://x/', 'get'], 2))?.responseObject ?? null;
  });

  const report = await service.execute({ body: '', context, dryRun: true });

  expect(report.result).toBe('x');
  expect(seen).toEqual([['Fetch', ['http://x/', 'get'], true, 'Plant.Line.Tag.Value']]);
  expect(report.apiCalls).toEqual([{ ...exchangeOf('body'), seq: 1, call: 2, line: 2, at: expect.any(Number) }]);
});

test('the calls of a report and their bodies are limited', async () => {
  const api: ApiCaller = { call: async () => ({ result: reply, exchange: exchangeOf('x'.repeat(16_000)) }) };
  const service = serviceOf(api, async (calls) => {
    for (let left = MAX_API_CALLS + 5; left > 0; left -= 1) await calls.api?.('Fetch', [], null);
    return null;
  });

  const { apiCalls, dropped } = await service.execute({ body: '', context, dryRun: false });

  expect(apiCalls).toHaveLength(MAX_API_CALLS);
  expect(dropped.apiCalls).toBe(5);
  expect(apiCalls[0]?.response?.body).toHaveLength(16_000);
  expect(apiCalls.at(-1)?.response).toEqual({ headers: [], body: null, bytes: 16_000 });
});

test('the end of a run ends its calls, which are still in the report', async () => {
  const api: ApiCaller = {
    async call({ signal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return { result: reply, exchange: { ...exchangeOf(null), error: 'Cancelled' } };
    },
  };
  const service = serviceOf(api, async (calls) => {
    void calls.api?.('Fetch', [], 3);
    return null;
  });

  const { apiCalls } = await service.execute({ body: '', context, dryRun: false });

  expect(apiCalls.map(({ error, line }) => [error, line])).toEqual([['Cancelled', 3]]);
});

test('the calls of each dry run are fresh ones', async () => {
  const made: string[] = [];
  const named = (name: string): ApiCaller => ({
    async call() {
      made.push(name);
      return { result: reply, exchange: exchangeOf(null) };
    },
  });
  let runs = 0;
  const api: ApiCaller = {
    ...named('workspace'),
    fresh: () => {
      runs += 1;
      return named(`dry run ${runs}`);
    },
  };
  const service = serviceOf(api, async (calls) => {
    await calls.api?.('Fetch', [], null);
    await calls.api?.('Fetch', [], null);
    return null;
  });
  for (const dryRun of [true, false, true]) {
    // oxlint-disable-next-line no-await-in-loop -- in order
    await service.execute({ body: '', context, dryRun });
  }
  expect(made).toEqual(['dry run 1', 'dry run 1', 'workspace', 'workspace', 'dry run 2', 'dry run 2']);
});
