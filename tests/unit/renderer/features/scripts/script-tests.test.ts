import { expect, test } from 'vitest';
import type { RunReport } from '#domain/run/run';
import type { ScriptTest, TestOutcome } from '#domain/run/script-test';
import type { RanTest, TestsState } from '../../../../../src-renderer/features/scripts/model/script-tests.ts';
import {
  coverageOf,
  nameOfRun,
  newTest,
  ScriptTests,
  stateOfTests,
} from '../../../../../src-renderer/features/scripts/model/script-tests.ts';
import type { Client } from '../../../../../src-renderer/client/client.ts';

const CONTEXT = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
const testOf = (id: number, scriptId = 1, savedAt = 'then'): ScriptTest => ({
  ...newTest(`test ${id}`, CONTEXT),
  id,
  scriptId,
  savedAt,
});
const outcomeOf = (passed: boolean, executed = '10'): TestOutcome => ({
  passed,
  failures: [],
  report: null,
  events: [],
  coverage: { lines: [1, 2], executed },
});
const ranOf = (passed: boolean, change: Partial<RanTest> = {}): RanTest => ({
  outcome: outcomeOf(passed),
  body: 'a',
  version: 3,
  savedAt: 'then',
  ms: 1,
  ...change,
});
const stateOf = (ran: [number, RanTest][]): TestsState => ({
  tests: new Map([[1, [testOf(1), testOf(2)]]]),
  ran: new Map(ran),
  running: null,
  series: null,
  problem: null,
});

test('a script is passed, failed, or not run since a change of its text or tests', () => {
  const open = { body: 'a', version: 3 };
  const closed = { body: null, version: 3 };
  const both = stateOf([
    [1, ranOf(true)],
    [2, ranOf(true)],
  ]);
  expect(stateOfTests(both, 1, open)).toBe('passed');
  expect(stateOfTests(both, 1, closed)).toBe('passed');
  expect(stateOfTests(both, 2, open)).toBeNull();
  expect(stateOfTests(both, 1, { body: 'b', version: null })).toBe('not run');
  expect(stateOfTests(both, 1, { body: null, version: 4 })).toBe('not run');
  expect(stateOfTests(stateOf([[1, ranOf(true)]]), 1, open)).toBe('not run');
  expect(stateOfTests(stateOf([[1, ranOf(false)]]), 1, open)).toBe('failed');
  expect(stateOfTests(stateOf([[1, ranOf(false, { savedAt: 'before' })]]), 1, open)).toBe('not run');
});

test('the coverage of a text is that of all tests that ran it', () => {
  const state = stateOf([
    [1, ranOf(true)],
    [2, ranOf(false, { outcome: outcomeOf(false, '01') })],
  ]);
  expect(coverageOf(state, 1, 'a')).toEqual({ lines: [1, 2], executed: '11' });
  expect(coverageOf(state, 1, 'b')).toBeNull();
  expect(coverageOf(state, null, 'a')).toBeNull();
});

/** A workspace with one test each of two scripts; the test of the second one never ends. */
function setUp() {
  const sent: { id: number; body?: string | undefined; coverage?: boolean | undefined }[] = [];
  const client = {
    scripts: { get: async ({ id }: { id: number }) => ({ id, body: `saved ${id}`, version: 7 }) },
    scriptTests: {
      list: async () => [testOf(1, 1), testOf(2, 2)],
      save: async () => testOf(1, 1),
      run: async (input: (typeof sent)[number], { signal }: { signal: AbortSignal }) => {
        sent.push(input);
        if (input.id === 1) return outcomeOf(false);
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
      },
    },
  };
  const tests = new ScriptTests(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of the client as is used
    client as unknown as Pick<Client, 'scripts' | 'scriptTests'>,
    (scriptId) => (scriptId === 1 ? { body: 'typed', version: null } : { body: null, version: 7 }),
  );
  return { tests, sent };
}

test('all tests run with the typed text of open scripts, until they are stopped', async () => {
  const { tests, sent } = setUp();
  await tests.save(1, newTest('x', CONTEXT));
  const running = tests.runAll();
  await expect.poll(() => sent.length).toBe(2);
  expect(sent).toEqual([
    { id: 1, body: 'typed', coverage: true },
    { id: 2, body: 'saved 2', coverage: true },
  ]);
  expect(tests.store.get()).toMatchObject({
    running: 2,
    series: { done: 1, total: 2, failed: 1, all: true, ended: 'no' },
  });
  await tests.run(tests.of(1));
  expect(sent).toHaveLength(2);
  tests.cancel();
  await running;
  expect(tests.store.get()).toMatchObject({ running: null, problem: null, series: { done: 1, ended: 'cancelled' } });
  expect(tests.store.get().ran.get(1)).toMatchObject({ body: 'typed', version: null, savedAt: 'then' });
});

test('a debugged test keeps its outcome, unless it was stopped', async () => {
  const { tests } = setUp();
  await tests.save(1, newTest('x', CONTEXT));
  await tests.run(tests.of(1));
  const { coverage: _none, ...debugged } = outcomeOf(true);
  await tests.debugged({ testId: 1, savedAt: 'then' }, 'typed', debugged);
  const ran = () => tests.store.get().ran.get(1);
  // The coverage of the plain run stays: debugged runs count no statements.
  expect(ran()).toMatchObject({ outcome: outcomeOf(true), body: 'typed', version: null, savedAt: 'then' });
  const report = { status: 'cancelled' } as RunReport;
  await tests.debugged({ testId: 1, savedAt: 'then' }, 'typed', { ...outcomeOf(false), report });
  expect(ran()).toMatchObject({ outcome: { passed: true } });
  await tests.debugged({ testId: 1, savedAt: 'then' }, 'other', { ...debugged, passed: false });
  expect(ran()).toMatchObject({ outcome: { passed: false }, body: 'other', version: null });
  expect(ran()?.outcome).not.toHaveProperty('coverage');
  // A script without a tab has the text of its version.
  await tests.debugged({ testId: 2, savedAt: 'then' }, 'saved 2', debugged);
  expect(tests.store.get().ran.get(2)).toMatchObject({ outcome: { passed: true }, version: 7 });
  await tests.debugged({ testId: 99, savedAt: 'then' }, 'typed', debugged);
  expect(tests.store.get().ran.has(99)).toBe(false);
});

test('the test of a run is named after its short result, or else after its time', () => {
  const ran = (run: Pick<RunReport, 'status' | 'result'>) =>
    nameOfRun({ ...run, timing: { startedAt: '2026-08-01T06:00:00Z' } } as RunReport);
  expect([1.5, 'Running', null, false].map((result) => ran({ status: 'ok', result }))).toEqual([
    'the result is 1.5',
    'the result is Running',
    'the result is null',
    'the result is false',
  ]);
  for (const result of [{ a: 1 }, '', 'x'.repeat(41)]) {
    expect(ran({ status: 'ok', result })).toMatch(/^Run of 2026-08-01 \d\d:/);
  }
  expect(ran({ status: 'error', result: null })).toMatch(/^Run of /);
});
