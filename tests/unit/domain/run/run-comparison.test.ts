import { describe, expect, test } from 'vitest';
import { type ComparedLine, compareRuns } from '#domain/run/run-comparison';
import type { ConsoleEntry } from '#domain/run/run';
import { reportOf } from '../../scripting/capsules/capsule-of.ts';
import { fc } from '../../../support/run/random.ts';

const entry = (text: string, at = 0): ConsoleEntry => ({ level: 'log', text, at });
const said = (...texts: string[]) => reportOf({ console: texts.map((text) => entry(text)) });
const shown = (lines: ComparedLine[]) => lines.map(({ mark, text }) => mark + text.replace('log: ', ''));

describe('two runs', () => {
  test('are equal, whatever their times are', () => {
    const before = reportOf({ console: [entry('a', 1)] });
    const after = reportOf({ console: [entry('a', 9)], timing: { ...before.timing, totalMs: 99 } });
    expect(compareRuns(before, after)).toEqual({
      equal: true,
      end: [],
      result: [],
      writes: [],
      calls: [],
      console: [],
    });
  });

  test('differ in their ends and results, with the place', () => {
    const error = { name: 'Error', message: 'no', line: 3, column: 5, stack: [] };
    const { end, result, equal } = compareRuns(
      reportOf({ result: { a: [1, 2], 'b c': 1 } }),
      reportOf({ status: 'error', error, result: { a: [1], 'b c': 2, d: null } }),
    );
    expect(equal).toBe(false);
    expect(end).toEqual([
      { place: 'status', before: 'ok', after: 'error' },
      { place: 'error', before: null, after: 'Error: no (line 3:5)' },
    ]);
    expect(result).toEqual([
      { place: 'result.a[1]', before: '2', after: null },
      { place: 'result["b c"]', before: '1', after: '2' },
      { place: 'result.d', before: null, after: 'null' },
    ]);
  });

  test('differ in the order of members: results are compared byte for byte', () => {
    const { result } = compareRuns(reportOf({ result: { a: 1, b: 2 } }), reportOf({ result: { b: 2, a: 1 } }));
    expect(result).toEqual([{ place: 'result', before: '{"a":1,"b":2}', after: '{"b":2,"a":1}' }]);
  });

  test('list what only one of them has, with equal lines around it', () => {
    const { console } = compareRuns(said('1', '2', '3', '4', '5', '6', '7'), said('1', '2', '3', 'x', '5', '6', '7'));
    expect(shown(console)).toEqual(['=2', '=3', '-4', '+x', '=5', '=6']);
  });

  test('long texts that differ at their end differ', () => {
    const long = 'x'.repeat(1_000);
    const [start, end] = ['x'.repeat(94), 'x'.repeat(20)];
    expect(shown(compareRuns(said(`${long}a`), said(`${long}b`)).console)).toEqual([
      `-${start}…${end}a`,
      `+${start}…${end}b`,
    ]);
    const { result } = compareRuns(reportOf({ result: `${long}a` }), reportOf({ result: `${long}b` }));
    expect(result).toEqual([{ place: 'result', before: `"xxxx${start}…${end}a"`, after: `"xxxx${start}…${end}b"` }]);
  });

  test('the lines of both make up each run', () => {
    const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
    fc.assert(
      fc.property(list, list, (before, after) => {
        const { console, equal } = compareRuns(said(...before), said(...after));
        expect(equal).toBe(JSON.stringify(before) === JSON.stringify(after));
        const [removed, added] = ['-', '+'].map((mark) => console.filter((line) => line.mark === mark).length);
        expect((added ?? 0) - (removed ?? 0)).toBe(after.length - before.length);
        expect(removed).toBeLessThanOrEqual(before.length);
      }),
    );
  });

  test('with very long lists are compared without a table of all pairs', () => {
    const texts = (from: number) => Array.from({ length: 5_000 }, (_, at) => `${from + at}`);
    const { console } = compareRuns(said(...texts(0)), said(...texts(10_000)));
    expect(console).toHaveLength(1_000);
  });
});
