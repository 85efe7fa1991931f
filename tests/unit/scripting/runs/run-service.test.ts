import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Json } from '#domain/text/json';
import { MAX_TRACE_ENTRIES, MAX_TRACE_TEXT } from '#domain/run/run';
import type { NestedScript, ScriptEvaluator, TagCalls } from '#domain/run/script-evaluator';
import { DEFAULT_SCOPE, scopeOf } from '#domain/tag/scope';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { TagValue } from '#domain/tag/tag';
import { TagwrightError } from '../../../../src-main/platform/errors.ts';
import { type RunKeeping, RunService, type RunTags } from '../../../../src-main/scripting/runs/run-service.ts';
import { RunTree } from '../../../../src-main/scripting/runs/run-tree.ts';
import type {
  HostCalls,
  ScriptRun,
  ScriptOutcome,
  ScriptRunner,
} from '../../../../src-main/scripting/sandbox/script-run.ts';

const context = { tagName: 'Plant.Line.Tag.Value', tagScopeDiagram: null, tagScopeLocation: null };
const timing = { startedAt: '2026-01-01T00:00:00.000Z', queuedMs: 0, scriptMs: 1, hostCallMs: 0, totalMs: 1 };

/** A runner whose "script" is a function over the host calls. */
function runnerOf(script: (calls: HostCalls, job: ScriptRun) => Promise<Json> | Json): ScriptRunner {
  return {
    async run(job): Promise<ScriptOutcome> {
      const result = await script(job.calls, job);
      return { status: 'ok', result, error: null, console: [], consoleDropped: 3, timing };
    },
    status: () => ({ idle: 1, busy: 0, starting: 0, restarts: 0 }),
    onStatus: () => () => {},
    close: async () => {},
  };
}

function goodValue(path: string, value: Json): TagValue {
  return { path, value, quality: 'Good', type: 'Int' };
}

/** Tags in a Map; a dry run works on a copy. */
function tagsOf(stored: Map<string, Json>): RunTags {
  return {
    session({ dryRun }) {
      const seen = dryRun ? new Map(stored) : stored;
      return {
        get: (paths) => paths.map((path) => goodValue(path, seen.get(path) ?? null)),
        async set(items) {
          const before = items.map((item) => seen.get(item.tag) ?? null);
          for (const item of items) seen.set(item.tag, item.value);
          return { values: items.map((item) => goodValue(item.tag, item.value)), before };
        },
      };
    },
  };
}

function serviceOf(stored: Map<string, Json>, script: Parameters<typeof runnerOf>[0]): RunService {
  return new RunService({
    tree: new RunTree({
      runner: runnerOf(script),
      settings: { get: () => ({ ...DEFAULT_SETTINGS, 'limits.resultMb': 2, 'limits.scriptMs': 70 }) },
    }),
    tags: tagsOf(stored),
  });
}

test('the report traces reads and writes in order, with values, scopes and lines', async () => {
  const service = serviceOf(new Map([['A.b.c', 1]]), async (calls) => {
    const read = await calls.get(['A.b.c', 'A.b.d'], DEFAULT_SCOPE, 2);
    await calls.set([{ tag: 'A.b.c', value: 5 }], scopeOf('Overview', 'W1'), 4);
    return read.values;
  });

  const report = await service.execute({ body: 'x', context, dryRun: false });

  expect(report).toMatchObject({ status: 'ok', result: [1, null], dryRun: false, timing });
  expect(report.reads.map(({ seq, call, line, path, value }) => [seq, call, line, path, value])).toEqual([
    [1, 1, 2, 'A.b.c', 1],
    [2, 1, 2, 'A.b.d', null],
  ]);
  expect(report.writes).toEqual([
    {
      seq: 3,
      call: 2,
      at: expect.any(Number),
      line: 4,
      path: 'A.b.c',
      before: 1,
      value: 5,
      type: 'Int',
      diagram: 'Overview',
      location: 'W1',
    },
  ]);
  expect(report.dropped).toEqual({ console: 3, reads: 0, writes: 0 });
});

test('rejected calls have entries with their reasons, even if the script catches them', async () => {
  const failures = [
    { tag: 'A.b.d', reason: 'it is read-only', index: 1 },
    { tag: 'A.b.e', reason: 'the value is NaN', index: 2 },
  ];
  const refusing: RunTags = {
    session: () => ({
      get: () => {
        throw new Error('too many tags');
      },
      set: () => Promise.reject(new TagwrightError('WRITE_REFUSED', 'Nothing was written', { data: { failures } })),
    }),
  };
  const items = [
    { tag: 'A.b.c', value: 0 },
    { tag: 'A.b.d', value: 1 },
    { tag: 'A.b.e', value: null, unfit: { lost: 'the value is NaN' } },
  ];
  const service = new RunService({
    tree: new RunTree({
      runner: runnerOf(async (calls) => {
        const caught: unknown[] = [];
        await Promise.resolve(calls.set(items, scopeOf('Overview', ''), 2)).catch((error: unknown) =>
          caught.push(error),
        );
        try {
          await calls.get(['A.b.c', 'A.b.d'], DEFAULT_SCOPE, 3);
        } catch (error) {
          caught.push(error);
        }
        return caught.length;
      }),
      settings: { get: () => DEFAULT_SETTINGS },
    }),
    tags: refusing,
  });
  const report = await service.execute({ body: 'x', context, dryRun: false });
  const at = expect.any(Number);
  const set = { call: 1, at, line: 2, access: 'write', diagram: 'Overview', location: '' };
  const get = { seq: 3, call: 2, at, line: 3, access: 'read', path: 'A.b.c and 1 more', diagram: '', location: '' };
  expect(report).toMatchObject({ status: 'ok', result: 2, reads: [], writes: [] });
  expect(report.rejected).toEqual([
    { ...set, seq: 1, path: 'A.b.d', value: 1, reason: 'it is read-only' },
    // The script did not write null.
    { ...set, seq: 2, path: 'A.b.e', reason: 'the value is NaN' },
    { ...get, reason: 'too many tags' },
  ]);
});

test('a dry run saves nothing and sees its own writes', async () => {
  const stored = new Map<string, Json>([['A.b.c', 1]]);
  const service = serviceOf(stored, async (calls) => {
    await calls.set([{ tag: 'A.b.c', value: 5 }], DEFAULT_SCOPE, null);
    return (await calls.get(['A.b.c'], DEFAULT_SCOPE, null)).values;
  });

  const report = await service.execute({ body: 'x', context, dryRun: true });

  expect(report.result).toEqual([5]);
  expect(report.dryRun).toBe(true);
  expect(stored.get('A.b.c')).toBe(1);
});

test('a live run saves nothing, has short limits, and an expendable host', async () => {
  const stored = new Map<string, Json>([['A.b.c', 1]]);
  let seen: ScriptRun | undefined;
  const service = new RunService({
    tree: new RunTree({
      runner: runnerOf(async (calls, job) => {
        seen = job;
        await calls.set([{ tag: 'A.b.c', value: 5 }], DEFAULT_SCOPE, null);
        return null;
      }),
      settings: { get: () => ({ ...DEFAULT_SETTINGS, 'limits.liveMs': 300 }) },
    }),
    tags: tagsOf(stored),
  });

  const report = await service.execute({ body: 'x', context, dryRun: false, live: true });

  expect(report.dryRun).toBe(true);
  expect(stored.get('A.b.c')).toBe(1);
  expect(seen).toMatchObject({ expendable: true, limits: { scriptMs: 300, totalMs: 3_000 } });
});

test('the trace is limited, and counts dropped entries', async () => {
  const many = Array.from({ length: MAX_TRACE_ENTRIES + 7 }, (_, index) => `A.b.t${index}`);
  const service = serviceOf(new Map(), async (calls) => (await calls.get(many, DEFAULT_SCOPE, 1)).values.length);

  const report = await service.execute({ body: 'x', context, dryRun: false });

  expect(report.result).toBe(many.length);
  expect(report.reads).toHaveLength(MAX_TRACE_ENTRIES);
  expect(report.dropped.reads).toBe(7);
});

test('values too long for the trace are described there; scripts get them whole', async () => {
  const large = 'x'.repeat(MAX_TRACE_TEXT / 2 + 1_000);
  const list = Array.from({ length: 3_000_000 }, () => 1);
  const stored = new Map<string, Json>([
    ['A.b.text', large],
    ['A.b.list', list],
    ['A.b.few', [1, { two: 2 }]],
    ['A.b.number', 7],
  ]);
  const service = serviceOf(stored, async (calls) => {
    const paths = ['A.b.text', 'A.b.text', 'A.b.list', 'A.b.few', 'A.b.number'];
    const { values } = await calls.get(paths, DEFAULT_SCOPE, 1);
    await calls.set([{ tag: 'A.b.number', value: large }], DEFAULT_SCOPE, 2);
    return values.map((value) => (typeof value === 'object' ? 'all of it' : String(value).length));
  });

  const report = await service.execute({ body: 'x', context, dryRun: false });

  expect(report.result).toEqual([large.length, large.length, 'all of it', 'all of it', 1]);
  const rest = '(too long for the remaining space of the trace)';
  expect(report.reads.slice(1).map(({ value }) => value)).toEqual([
    `the text "${'x'.repeat(59)}…" ${rest}`,
    `an array of 3000000 ${rest}`,
    [1, { two: 2 }],
    7,
  ]);
  expect(report.reads[0]?.value).toHaveLength(large.length);
  expect(report.writes).toMatchObject([{ before: 7, value: expect.stringContaining(rest) }]);
});

test('limits come from the settings, and the signal reaches the runner', async () => {
  const controller = new AbortController();
  let seen: ScriptRun | undefined;
  const service = serviceOf(new Map(), (_calls, job) => {
    seen = job;
    return null;
  });

  await service.execute({ body: 'return 1', context: { ...context, tagValue: [1] }, dryRun: false }, controller.signal);

  expect(seen?.limits).toEqual({
    scriptMs: 70,
    totalMs: 120_000,
    memoryMb: 128,
    consoleEntries: 1_000,
    resultBytes: 2 * 1_048_576,
    bodyBytes: 1_048_576,
  });
  expect(seen?.context.tagValue).toEqual([1]);
  expect(seen?.signal).toBe(controller.signal);
});

test('times of the trace count from the start in a host, not from the request', async () => {
  const waited = 1_000;
  const service = serviceOf(new Map([['A.b.c', 1]]), async (calls, job) => {
    await delay(waited);
    job.onStart?.();
    await calls.get(['A.b.c'], DEFAULT_SCOPE, 1);
    return null;
  });
  const { reads } = await service.execute({ body: 'x', context, dryRun: false });
  expect(reads[0]?.at).toBeLessThan(waited - 50);
});

test('a script ends with the run around it, or outside of any run with its signal', async () => {
  const [own, ignored] = [new AbortController(), new AbortController()];
  const seen: (AbortSignal | undefined)[] = [];
  const around: AbortSignal[] = [];
  const runner = runnerOf(async (calls, job) => {
    seen.push(job.signal);
    await calls.get([], DEFAULT_SCOPE, 1);
    return null;
  });
  const script = (signal: AbortSignal, calls: NestedScript['calls']): NestedScript => ({
    chain: ['A.b.c'],
    sort: 'tag',
    body: 'x',
    context,
    signal,
    calls,
  });
  const nothing: TagCalls = { get: () => [], set: () => ({ values: [], before: [] }) };
  const calls = (inner: ScriptEvaluator): TagCalls => ({
    ...nothing,
    get: async () => {
      around.push(inner.signal);
      await inner.run(script(ignored.signal, () => nothing));
      return [];
    },
  });
  await new RunTree({ runner, settings: { get: () => DEFAULT_SETTINGS } }).outside.run(script(own.signal, calls));
  expect(seen).toEqual([own.signal, around[0]]);
  expect(seen[0]).toBe(own.signal);
  expect(seen[1]).toBe(around[0]);
});

test('runs notify the tags of their end; nested ones belong to the outermost run', async () => {
  const seen: ScriptEvaluator[] = [];
  const states: boolean[][] = [];
  const nested = (chain: string[], calls: (inner: ScriptEvaluator) => TagCalls): NestedScript => ({
    chain,
    sort: 'tag',
    body: 'nested',
    context,
    calls,
  });
  const tags: RunTags = {
    session({ scripts }) {
      const within = (of: ScriptEvaluator, level: number): TagCalls => ({
        get: async () => {
          seen.push(of);
          if (level < 2) await of.run(nested(['A.b.c'], (inner) => within(inner, level + 1)));
          states.push(seen.map(({ signal }) => signal.aborted));
          return [];
        },
        set: () => ({ values: [], before: [] }),
      });
      return within(scripts, 0);
    },
  };
  const runner = runnerOf(async (calls) => {
    await calls.get([], DEFAULT_SCOPE, 1);
    return null;
  });
  const tree = new RunTree({ runner, settings: { get: () => DEFAULT_SETTINGS } });
  await new RunService({ tree, tags }).execute({ body: 'x', context, dryRun: false });

  expect(states).toEqual([
    [false, false, false],
    [false, false, true],
    [false, true, true],
  ]);
  expect(seen.every(({ signal }) => signal.aborted)).toBe(true);
  expect(new Set(seen.map(({ root }) => root))).toEqual(new Set([seen[0]]));
  expect(tree.outside.root).toBeNull();
});

test('runs are recorded only while the journal is on', async () => {
  const stored = new Map<string, Json>([['A.b.c', 1]]);
  const settings = { get: () => DEFAULT_SETTINGS };
  const read = async (calls: HostCalls) => (await calls.get(['A.b.c'], DEFAULT_SCOPE, 1)).values;
  const tree = new RunTree({ runner: runnerOf(read), settings });
  const tags = tagsOf(stored);
  const plain = new RunService({ tree, tags });
  let isOn = false;
  let recorded = 0;
  const kept: RunKeeping = {
    enabled: () => isOn,
    run: (request, signal) => {
      recorded += 1;
      return plain.execute(request, signal);
    },
    ended: () => undefined,
  };
  const service = new RunService({ tree, tags, kept });
  const counts: number[] = [];
  for (const on of [false, true, false, true]) {
    isOn = on;
    const { result } = await service.execute({ body: 'x', context, dryRun: false });
    expect(result).toEqual([1]);
    counts.push(recorded);
  }
  expect(counts).toEqual([0, 1, 1, 2]);
});
