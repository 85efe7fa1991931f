import { describe, expect, test } from 'vitest';
import { compareCapsules, type ExecutedPath } from '#domain/run/replays/capsule-comparison';
import type { Capsule, RecordedCall } from '#domain/run/capsule';
import { capsuleOf, getOf, reportOf, value } from '../../../scripting/capsules/capsule-of.ts';

const NOT_KNOWN: ExecutedPath = { problem: 'not tried.' };

const compare = (before: Capsule, after: Capsule, paths: [ExecutedPath, ExecutedPath] = [NOT_KNOWN, NOT_KNOWN]) =>
  compareCapsules(before, after, paths);

function setOf(number: number, tag = 'A.B.Set', error?: string): RecordedCall {
  const place = { call: 9, line: 9, clock: 0, diagram: '', location: 'W1' };
  return {
    kind: 'set',
    ...place,
    items: [{ tag, value: number }],
    ...(error !== undefined && { error: { message: error } }),
  };
}

function apiOf(status: string, url = 'https://a.test'): RecordedCall {
  const response = { success: true, statusCode: status, errorMessage: null, responseObject: '{"n":1}' };
  return { kind: 'api', call: 5, line: 5, clock: 0, operation: 'Fetch', args: [url, 'get'], response };
}

/** A path through these lines of a body, which has a statement in each line. */
function pathOf(lines: readonly number[], executed = lines.length): ExecutedPath {
  const parts = Array.from({ length: 9 }, (_, at) => ({
    line: at + 1,
    column: 1,
    endLine: at + 1,
    endColumn: 2,
    count: 1,
  }));
  const steps = { parts: lines.map((line) => line - 1), variables: [], changes: [], calls: [] };
  return { run: { parts, executed, steps } };
}

const read = (number: number, path = 'A.B.C') => getOf(value(path, number));

describe('two recorded runs', () => {
  test('are equal, whatever the time', () => {
    const calls = [read(1), setOf(2), apiOf('200')];
    const later = capsuleOf(calls, {
      report: reportOf({
        timing: { startedAt: '2027-01-01T00:00:00.000Z', queuedMs: 0, scriptMs: 9, hostCallMs: 0, totalMs: 9 },
      }),
    });
    const compared = compare(capsuleOf(calls), later, [pathOf([1, 2]), pathOf([1, 2])]);
    expect(compared).toMatchObject({
      equal: true,
      sameBody: true,
      input: null,
      path: null,
      pathNote: null,
      output: null,
    });
    expect(compared.exchanges.map(({ differs }) => differs)).toEqual([false, false, false]);
  });

  test('part at the first reading, the first write and the result', () => {
    const before = capsuleOf([read(1, 'A.B.Same'), read(1), setOf(2)], { report: reportOf({ result: { n: 1 } }) });
    const after = capsuleOf([read(1, 'A.B.Same'), read(7), setOf(8)], { report: reportOf({ result: { n: 2 } }) });
    const { input, output, exchanges, equal } = compare(before, after);
    expect(equal).toBe(false);
    expect(input).toMatchObject({
      what: 'read',
      before: { text: 'read A.B.C = 1 Good' },
      after: { text: 'read A.B.C = 7 Good' },
    });
    expect(output).toMatchObject({
      what: 'write',
      before: { text: 'write A.B.Set [default / W1] = 2', line: 9 },
      after: { text: 'write A.B.Set [default / W1] = 8', line: 9 },
    });
    expect(exchanges.map(({ differs }) => differs)).toEqual([false, true, true]);
    expect(
      compare(capsuleOf([], { report: before.report }), capsuleOf([], { report: after.report })).output,
    ).toMatchObject({
      what: 'result',
      before: { text: 'result.n: 1' },
    });
  });

  test('show where long values part that begin alike', () => {
    const long = (end: string) => `${'x'.repeat(1_000)}${end}`;
    const of = (end: string) => capsuleOf([getOf(value('A.B.C', long(end)))]);
    const { input, exchanges } = compare(of('1'), of('2'));
    const shown = ['1', '2'].map((end) => `read A.B.C = "${'x'.repeat(85)}…${'x'.repeat(20)}${end}" Good`);
    expect([input?.before?.text, input?.after?.text]).toEqual(shown);
    expect([exchanges[0]?.before?.text, exchanges[0]?.after?.text]).toEqual(shown);
    const context = { tagName: 'A.B.C', tagScopeDiagram: null, tagScopeLocation: null };
    const writing = (end: string) => capsuleOf([], { context: { ...context, tagValue: long(end) } });
    const { input: contexts } = compare(writing('1'), writing('2'));
    expect(contexts?.before?.text).toMatch(/^tagValue: "x+…x+1"$/);
    expect(contexts?.after?.text).toMatch(/^tagValue: "x+…x+2"$/);
  });

  test('part at the context before anything else', () => {
    const context = { tagName: 'A.B.C', tagScopeDiagram: null, tagScopeLocation: 'W2' };
    const { input } = compare(capsuleOf([read(1)]), capsuleOf([read(2)], { context }));
    expect(input?.what).toBe('context');
    const environment = { ...capsuleOf([]).environment, timeZone: 'Asia/Tokyo' };
    expect(compare(capsuleOf([read(1)]), capsuleOf([read(2)], { environment })).input).toEqual({
      what: 'context',
      before: { text: 'timeZone: "UTC"', line: null },
      after: { text: 'timeZone: "Asia/Tokyo"', line: null },
    });
  });

  test('part at a call that only one of them made, a response, and a rejected write', () => {
    expect(compare(capsuleOf([read(1)]), capsuleOf([read(1), read(3, 'A.B.More')])).input).toEqual({
      what: 'read',
      before: null,
      after: { text: 'read A.B.More = 3 Good', line: expect.anything() },
    });
    const { input, exchanges } = compare(capsuleOf([apiOf('200')]), capsuleOf([apiOf('503')]));
    expect(input).toMatchObject({ what: 'API call', before: { text: 'Fetch https://a.test get -> 200 {"n":1}' } });
    expect(exchanges).toHaveLength(1);
    expect(compare(capsuleOf([apiOf('200')]), capsuleOf([apiOf('200', 'https://b.test')])).input).toMatchObject({
      before: { line: 5 },
      after: { text: 'Fetch https://b.test get -> 200 {"n":1}' },
    });
    const rejected = compare(capsuleOf([setOf(1)]), capsuleOf([setOf(1, 'A.B.Set', 'no')]));
    expect(rejected.input).toMatchObject({
      what: 'rejected write',
      after: { text: 'write A.B.Set [default / W1] = 1, rejected: no' },
    });
    expect(rejected.output).toBeNull();
  });

  test('part at the first step that is not the same', () => {
    const script = { name: null, version: null, body: ['a', 'b', 'c', 'd'] };
    const capsule = capsuleOf([], { script });
    expect(compare(capsule, capsule, [pathOf([1, 2, 4]), pathOf([1, 3, 4])])).toMatchObject({
      equal: false,
      path: { what: 'executed line', before: { text: 'step 2: b', line: 2 }, after: { text: 'step 2: c', line: 3 } },
    });
    expect(compare(capsule, capsule, [pathOf([1, 2]), pathOf([1, 2, 4])]).path).toMatchObject({
      before: null,
      after: { text: 'step 3: d' },
    });
    // Lines move in another text.
    const moved = capsuleOf([], { script: { ...script, body: ['// new', 'a', 'b', 'c'] } });
    expect(compare(capsule, moved, [pathOf([1, 2]), pathOf([2, 3])])).toMatchObject({ sameBody: false, path: null });
    // Steps that are not kept are not compared.
    const cut = compare(capsule, capsule, [pathOf([1, 2], 20), pathOf([1, 2, 3], 3)]);
    expect(cut).toMatchObject({
      path: null,
      pathNote: 'The paths are equal in the first 2 steps; later ones are not compared.',
    });
    expect(compare(capsule, capsule, [NOT_KNOWN, pathOf([1])]).pathNote).toContain('not known: not tried.');
  });

  test('list the differences first if there are too many exchanges', () => {
    const many = Array.from({ length: 2_100 }, (_, at) => read(at, `A.B.T${at}`));
    const { exchanges, more } = compare(capsuleOf([...many, read(1)]), capsuleOf([...many, read(2)]));
    expect({ listed: exchanges.length, more }).toEqual({ listed: 2_000, more: 101 });
    expect(exchanges.at(-1)).toMatchObject({ differs: true });
  });
});
