import { expect, test } from 'vitest';
import type { RunReport } from '#domain/run/run';
import type { ShownValues } from '#domain/run/shown-values';
import { noteText, notesByLine, wholeNotesByLine } from '#domain/run/shown-values';
import type { Client } from '../../../../../src-renderer/client/client.ts';
import { noteLines } from '../../../../../src-renderer/features/scripts/model/line-values.ts';
import { Runs } from '../../../../../src-renderer/features/scripts/model/runs.ts';

const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
const ACTS = { reads: [], writes: [], apiCalls: [] };
const REPORT: RunReport = {
  ...ACTS,
  status: 'ok',
  result: 1,
  error: null,
  console: [],
  timing: { startedAt: '2026-01-02T03:04:05.678Z', queuedMs: 0, scriptMs: 1, hostCallMs: 0, totalMs: 1 },
  dryRun: true,
  dropped: { console: 0, reads: 0, writes: 0 },
};
const SHOWN: ShownValues = {
  report: REPORT,
  values: [{ line: 1, name: 'a', first: '1', last: '1', count: 1 }],
  parts: [{ line: 1, column: 1, endLine: 1, endColumn: 9, count: 1 }],
  executed: 1,
  stopped: false,
};

test('values belong to the last run, until they are hidden', async () => {
  const asked: boolean[] = [];
  let answer = SHOWN;
  const client: Pick<Client, 'runs' | 'debug'> = {
    runs: { execute: () => Promise.resolve(REPORT), cancel: () => Promise.resolve({ cancelled: false }) },
    debug: {
      values: ({ dryRun }: { dryRun: boolean }) => {
        asked.push(dryRun);
        return Promise.resolve(answer);
      },
    },
  } as never;
  const runs = new Runs(client);
  await runs.runWithValues('7', 'return 1', context);
  const { report, ...values } = SHOWN;
  expect(asked).toEqual([true]);
  expect(runs.of('7').last).toMatchObject({ outcome: { kind: 'report', report }, body: 'return 1', values });
  runs.hideValues('7');
  expect(runs.of('7').last).toMatchObject({ outcome: { kind: 'report', report } });
  expect(runs.of('7').last?.values).toBeUndefined();
  await runs.runWithValues('7', 'return 1', context);
  expect(runs.of('7').last?.values).toEqual(values);
  await runs.run('7', 'return 1', context, false);
  expect(runs.of('7').last?.values).toBeUndefined();
  answer = { ...SHOWN, values: [], parts: [], executed: 0 };
  await runs.runWithValues('7', 'return (', context);
  expect(runs.of('7').last?.outcome.kind).toBe('report');
  expect(runs.of('7').last?.values).toBeUndefined();
});

test('a line shows its variables, and other lines what they read', () => {
  const read = { seq: 1, call: 1, at: 0, path: 'A.B.C', value: 5, quality: 'Good', type: 'Double' } as const;
  const scope = { diagram: '', location: '' };
  const reads = [1, 2].map((line) => ({ ...read, ...scope, line }));
  expect(noteLines(SHOWN.values, { ...ACTS, reads })).toEqual([
    { line: 1, text: 'a = 1' },
    { line: 2, text: '5' },
  ]);
});

test('texts of values stay short, in one line and in their direction', () => {
  const long = 'x'.repeat(500);
  const one = { line: 1, name: long, first: long, last: `${long}2`, count: 12_345 };
  expect(noteText(one).length).toBeLessThan(130);
  expect(noteText(one)).toContain(' … ');
  expect(noteText({ ...one, name: 'a', first: 'b\n\u202ec', last: 'b\n\u202ec', count: 1 })).toBe('a = b c');
  const many = Array.from({ length: 50 }, (_, at) => ({ ...one, name: `n${at}`, first: '1', last: '1', count: 1 }));
  const text = notesByLine(many).get(1) ?? '';
  expect(text).toMatch(/^n0 = 1, n1 = 1, .* and \d+ more$/);
  expect(text.length).toBeLessThan(110);
});

test('a line that shows a part has all values, with all that is known of them', () => {
  const long = `"${'x'.repeat(200)}"`;
  const note = { line: 1, first: '1', last: '1', count: 1 };
  const values = [
    { ...note, name: 'a' },
    { ...note, line: 2, name: 'text', first: long, last: long },
    { ...note, line: 2, name: 'n', first: '1', last: '1000', count: 1_000 },
  ];
  expect([...wholeNotesByLine(values)]).toEqual([[2, `text = ${long}\nn = 1 … 1000 ×1,000`]]);
  expect(noteLines(values, ACTS)).toEqual([
    { line: 1, text: 'a = 1' },
    { line: 2, text: expect.stringMatching(/^text = "x+…/), whole: `text = ${long}\nn = 1 … 1000 ×1,000` },
  ]);
});
