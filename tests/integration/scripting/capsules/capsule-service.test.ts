import { describe, expect, test } from 'vitest';
import { MAX_OPENED_BYTES } from '#domain/run/capsule';
import { partOfStep, STEP_LIMITS, steppedRun, valuesAtStep } from '#domain/run/replays/run-steps';
import type { JournalRun } from '#domain/run/journal';
import { maskArguments } from '../../../../src-main/outbound/recorded-call.ts';
import { capsuleText } from '../../../../src-main/scripting/capsules/capsule-file.ts';
import { CapsuleService } from '../../../../src-main/scripting/capsules/capsule-service.ts';
import { TEST_SCRIPT_HOST } from '../../../support/product/build-script-host.ts';
import { capsuleOf, getOf, reportOf, value } from '../../../unit/scripting/capsules/capsule-of.ts';

const BODY = "const [tag] = TagValueManager.Get(['A.B.C']).Value;\nreturn tag.Quality;";
const { hash: _, ...CONTENT } = capsuleOf([{ ...getOf(value('A.B.C', 1)), call: 1 }], {
  script: { name: 'Line/Script', version: 2, body: BODY.split('\n') },
  report: reportOf({
    result: 'Good',
    reads: [
      {
        seq: 1,
        call: 1,
        at: 0,
        line: 1,
        path: 'A.B.C',
        value: 1,
        quality: 'Good',
        type: 'Int',
        diagram: '',
        location: '',
      },
    ],
  }),
});
const TEXT = capsuleText(CONTENT);

const runOf = (id: number, change: Partial<JournalRun> = {}): JournalRun => ({
  id,
  at: id,
  script: { name: 'Line/Script', version: 2 },
  tag: '',
  diagram: '',
  location: '',
  access: 'run',
  cause: { by: 'person', user: null, from: 'window' },
  end: { status: 'ok', error: null, errorLine: null, ms: 3, dryRun: true },
  pinned: false,
  isFull: true,
  ...change,
});

function serviceOf(runs: readonly JournalRun[] = []): CapsuleService {
  return new CapsuleService({
    recorder: { record: () => Promise.reject(new Error('nothing is recorded')) },
    journal: {
      content: (id) =>
        Promise.resolve(
          id === 7
            ? { read: { content: CONTENT, bytes: TEXT.length }, problem: null }
            : { read: null, problem: 'it is not stored in full' },
        ),
    },
    runs: { flush: () => Promise.resolve() },
    reader: { runs: (below, limit) => runs.filter(({ id }) => id < below).slice(0, limit) },
    maskArguments,
    version: '0.1.0',
    hosts: { hostFile: TEST_SCRIPT_HOST, nodeBinary: process.execPath },
    rules: () => ({ jitless: false, requireOsSandbox: false }),
  });
}

describe('capsules of windows', () => {
  test('runs are those of the script and of unsaved texts that are stored in full', async () => {
    const service = serviceOf([
      runOf(9),
      runOf(8, { isFull: false }),
      runOf(7, { access: 'read' }),
      runOf(6, { script: null, cause: { by: 'read' } }),
      runOf(5, { script: { name: 'Line/Other', version: 1 } }),
      runOf(4, { end: null }),
      runOf(3, { pinned: true }),
    ]);
    const { runs } = await service.runs({ script: 'Line/Script' });
    expect(runs.map(({ id, from, pinned }) => [id, from, pinned])).toEqual([
      [9, 'window', false],
      [6, null, false],
      [3, 'window', true],
    ]);
    expect((await service.runs({ script: 'Line/Script', limit: 1 })).runs).toHaveLength(1);
    expect((await service.runs({ script: null })).runs.map(({ id }) => id)).toEqual([6]);
  });

  test('a run is opened, replayed, edited, and becomes a test', async () => {
    const service = serviceOf();
    const { key, body, intact } = await service.open({ run: 7 });
    expect({ body, intact }).toEqual({ body: BODY, intact: true });
    expect(await service.replay({ key, body: null })).toMatchObject({
      edited: false,
      report: { status: 'ok', result: 'Good' },
      comparison: { equal: true },
      values: null,
    });
    expect(await service.replay({ key, body: BODY.replace('.Quality', '.Value'), values: true })).toMatchObject({
      edited: true,
      report: { result: 1 },
      comparison: { equal: false, result: [{ before: '"Good"', after: '1' }] },
      values: {
        values: [
          { line: 1, name: 'tag' },
          { line: 2, name: 'return', last: '1' },
        ],
        stopped: false,
      },
    });
    expect(await service.replay({ key, body: 'return (', values: true })).toMatchObject({
      report: { status: 'error', error: { name: 'SyntaxError' } },
      values: null,
    });
    const { test: made } = service.test({ key, name: 'as recorded' });
    expect(made).toMatchObject({ name: 'as recorded', tags: [{ tag: 'A.B.C' }], expect: { result: 'Good' } });
  });

  test('a replay keeps its steps, with their values and calls, up to a limit', async () => {
    const service = serviceOf();
    const { key } = await service.open({ run: 7 });
    const stepsOf = async (edited: string | null) => {
      const { values } = await service.replay({ key, body: edited, values: 'steps' });
      const run = values && steppedRun(values);
      if (!run) throw new Error('no steps');
      return run;
    };
    const run = await stepsOf(null);
    expect(run.steps).toMatchObject({ parts: [0, 1], calls: [[0, 1]] });
    expect(run.steps.variables).toMatchObject([
      { line: 1, name: 'tag' },
      { line: 2, name: 'return' },
    ]);
    expect(run.steps.changes).toEqual([
      [0, 0, expect.stringContaining('Path: "A.B.C"')],
      [1, 1, '"Good"'],
    ]);
    expect((await service.replay({ key, body: null, values: true })).values).not.toHaveProperty('steps');

    const looping = await stepsOf(
      'let n = 0;\nfor (let i = 0; i < 3; i++) n += i;\nreturn f(n);\nfunction f(x) { return x; }',
    );
    const lines = [...looping.steps.parts.keys()].map((step) => partOfStep(looping, step)?.line);
    expect(lines).toEqual([1, 2, 2, 2, 2, 3, 4]);
    const at = (step: number) => valuesAtStep(looping, step).map(({ line, name, last }) => `${line} ${name} = ${last}`);
    expect(at(5)).not.toContain('4 x = 3');
    expect(at(0)).toEqual(['1 n = 0']);
    expect(at(3)).toEqual(['1 n = 0', '2 i = 2', '2 n = 1']);
    expect(at(6)).toEqual(['1 n = 0', '2 i = 3', '2 n = 3', '4 x = 3', '4 return = 3', '3 return = 3']);

    const long = await stepsOf('let n = 0;\nfor (let i = 0; i < 20_000; i++) {\n  n += i;\n}\nreturn n;');
    expect({ kept: long.steps.parts.length, executed: long.executed }).toEqual({
      kept: STEP_LIMITS.steps,
      executed: 20_003,
    });
    const all = 'n = 1, '.repeat(9).concat('n = 2');
    const many = await stepsOf(`let n;\nfor (let i = 0; i < 9_000; i++) ${all};\nreturn n;`);
    expect(many.steps.changes).toHaveLength(STEP_LIMITS.changes);
    expect(many.steps.parts.length).toBeLessThan(4_000);
    const texts = await stepsOf(
      "const t = 'x'.repeat(99);\nlet s;\nfor (let i = 0; i < 12_000; i++) s = t;\nreturn s;",
    );
    expect(texts.steps.parts.length).toBeGreaterThan(8_000);
  });

  test('an endless replay is cancelled', async () => {
    const service = serviceOf();
    const { key } = await service.open({ text: TEXT });
    const end = new AbortController();
    setTimeout(() => end.abort(), 300);
    const { report } = await service.replay({ key, body: 'for (;;);' }, end.signal);
    expect(report.status).toBe('cancelled');
  });

  test('bad texts, runs and keys are rejected with the reason', async () => {
    const service = serviceOf();
    const bad = { code: 'BAD_REQUEST' };
    await expect(service.open({ text: TEXT.slice(0, 99) })).rejects.toMatchObject(bad);
    await expect(service.open({ text: TEXT.replace('"context"', '"__proto__"') })).rejects.toMatchObject(bad);
    await expect(service.open({ text: ' '.repeat(MAX_OPENED_BYTES + 1) })).rejects.toThrow('at most 8,388,608');
    await expect(service.open({ run: 8 })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(service.replay({ key: 'none', body: null })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const changed = await service.open({ text: TEXT.replace('A.B.C', 'A.B.D') });
    expect(changed.intact).toBe(false);
  });

  test('the newest 20 stay open', async () => {
    const service = serviceOf();
    const first = await service.open({ text: TEXT });
    for (let count = 0; count < 19; count += 1) {
      // oxlint-disable-next-line no-await-in-loop -- in order
      await service.open({ text: TEXT });
    }
    expect(service.test({ key: first.key, name: 'a' }).test.name).toBe('a');
    await service.open({ text: TEXT });
    expect(() => service.test({ key: first.key, name: 'a' })).toThrow('no longer open');
  });
});
