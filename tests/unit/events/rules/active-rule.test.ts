import { expect, onTestFinished, test } from 'vitest';
import { ActiveRule, SampleSegments, samplesOf } from '../../../../src-main/events/rules/active-rule.ts';
import { SampleStore } from '../../../../src-main/events/rules/engine.ts';
import type { Rule } from '#domain/rule/rule';
import { openStore } from '../../../support/services/open-store.ts';

/** A rule with one window per sample. */
function open() {
  const store = openStore();
  onTestFinished(() => store.close());
  const { rules, windows } = store;
  const definition = '{}';
  const row = { name: 'A', nameKey: 'a', enabled: 1, triggersEvents: 1, definition, savedAt: '2026-01-02T03:04:05Z' };
  const id = rules.insert(row);
  const rule: Rule = {
    id,
    name: 'A',
    description: '',
    enabled: true,
    triggersEvents: true,
    tags: ['A.B.C'],
    sampling: { kind: 'onChange' },
    window: { kind: 'count', samples: 1 },
    outputs: [{ name: 'sum', reducer: 'sum', tag: 'A.B.C', column: 'sum', columnType: 'REAL' }],
    condition: '',
    resultTable: 'agg_1_a',
    savedAt: row.savedAt,
  };
  return { store, windows, rule, run: new ActiveRule(rule, windows, 0) };
}

test('windows that could not be stored wait again in their order', () => {
  const { run } = open();
  for (const value of [1, 2, 3]) run.take({ kind: 'sample', at: value, tag: 0, value });
  const [first, second] = run.waiting.splice(0, 2);
  for (const closing of [second, first]) if (closing) run.requeue(closing);
  expect(run.waiting.map(({ window }) => window.outputs)).toEqual([[1], [2], [3]]);
});

test('a window that is stored after a later one does not reset the progress', () => {
  const { run, rule, windows } = open();
  for (const value of [1, 2]) run.take({ kind: 'sample', at: value, tag: 0, value });
  const [first, second] = run.waiting.splice(0);
  for (const closing of [second, first]) {
    if (!closing) throw new Error('two windows were to close');
    run.settle(closing);
    run.kept(closing);
  }
  // After a restart, neither of them is open or waiting.
  const again = new ActiveRule(rule, windows, 3);
  expect(again.waiting).toEqual([]);
  expect(again.progress).toMatchObject({ at: 2, held: [2], window: { start: 2, samples: 0 } });
});

test('a changed rule stores nothing of its former windows', () => {
  const { run, rule, windows } = open();
  run.write();
  for (const value of [1, 2]) run.take({ kind: 'sample', at: value, tag: 0, value });
  const [closing] = run.waiting;
  windows.forget(rule.id);
  run.end();
  if (closing) run.settle(closing);
  run.write();
  expect(windows.open(rule.id)).toBeNull();
  expect(windows.count(rule.id)).toBe(0);
});

test('samples before and after the clock was set back are stored as separate batches', () => {
  const { windows, rule } = open();
  const segments = new SampleSegments(windows, rule.id, 0);
  // A correction of a second separates nothing.
  for (const at of [10_000, 12_000, 4_000, 3_000, 8_000]) segments.add({ kind: 'sample', at, tag: 0, value: at });
  segments.write();
  const batches = windows.after(rule.id, 0).map(({ samples, fromMs }) => samplesOf(samples, fromMs));
  expect(batches.map((inputs) => inputs.map(({ at }) => at))).toEqual([
    [10_000, 12_000],
    [4_000, 3_000, 8_000],
  ]);
  expect([segments.lastBatch, segments.hasUnwritten]).toEqual([2, false]);
});

test('samples that a stored window holds come before newer ones', async () => {
  const { store, windows, rule } = open();
  const segments = new SampleSegments(windows, rule.id, 0);
  const samples = new SampleStore(store.commits);
  segments.add({ kind: 'sample', at: 1, tag: 0, value: 1 });
  const closed = segments.seal();
  segments.add({ kind: 'sample', at: 2, tag: 0, value: 2 });
  const ended = store.commits.run(() => segments.hold(closed)).then(() => segments.kept());
  await Promise.all([ended, samples.store([segments])]);
  await samples.store([segments]);
  const newest = [...windows.newest(rule.id)].map((batch) => samplesOf(batch.samples, batch.fromMs));
  expect(newest.map((inputs) => inputs.map(({ at }) => at))).toEqual([[2], [1]]);
});
