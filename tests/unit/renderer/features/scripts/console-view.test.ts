import { describe, expect, test } from 'vitest';
import type { ConsoleEntry, ConsoleLevel } from '#domain/run/run';
import {
  consoleRows,
  consoleText,
  countLevels,
  valueLines,
  WHOLE_CONSOLE,
} from '../../../../../src-renderer/features/scripts/preview/panes/console-view.ts';

const entry = (text: string, level: ConsoleLevel = 'log', more: Partial<ConsoleEntry> = {}): ConsoleEntry => ({
  level,
  text,
  at: 1,
  ...more,
});

describe('the rows of the console', () => {
  const entries = [
    entry('a', 'log', { line: 1 }),
    entry('a', 'log', { line: 1 }),
    entry('a', 'log', { line: 2 }),
    entry('Speed is LOW', 'warn'),
    entry('{}', 'log', { values: [{ title: 'Object', members: [], more: 0 }] }),
    entry('{}', 'log', { values: [{ title: 'Object', members: [], more: 0 }] }),
  ];

  test('are one for equal texts of a line in a row, but not for objects', () => {
    expect(consoleRows(entries, WHOLE_CONSOLE).map(({ index, count }) => [index, count])).toEqual([
      [0, 2],
      [2, 1],
      [3, 1],
      [4, 1],
      [5, 1],
    ]);
    expect(countLevels(entries)).toEqual([
      ['log', 5],
      ['warn', 1],
    ]);
    expect(consoleText(consoleRows(entries.slice(0, 4), WHOLE_CONSOLE))).toBe(
      'log (line 1): a\nlog (line 1): a\nlog (line 2): a\nwarn: Speed is LOW',
    );
  });

  test('are filtered by level and by text in any case', () => {
    const texts = (filter: Partial<typeof WHOLE_CONSOLE>) =>
      consoleRows(entries, { ...WHOLE_CONSOLE, ...filter }).map((row) => row.entry.text);
    expect(texts({ search: ' is low' })).toEqual(['Speed is LOW']);
    expect(texts({ hidden: new Set(['log']) })).toEqual(['Speed is LOW']);
    expect(texts({ hidden: new Set(['warn']), search: 'low' })).toEqual([]);
  });
});

describe('the lines of an object', () => {
  const value = {
    title: 'Object',
    members: [
      ['list', { title: 'Array (3)', members: [['0', '1']] as [string, string][], more: 2 }] as [string, never],
      ['name', "'x'"] as [string, string],
    ],
    more: 0,
  };

  test('are a summary while it is folded, then its members', () => {
    expect(valueLines(value, new Set())).toEqual([
      { path: '0', level: 1, name: null, text: "Object {list: Array (3), name: 'x'}", open: false },
    ]);
    expect(valueLines(value, new Set(['0', '0.0'])).map(({ level, name, text }) => [level, name, text])).toEqual([
      [1, null, 'Object'],
      [2, 'list', 'Array (3)'],
      [3, '0', '1'],
      [3, null, '… 2 more not recorded'],
      [2, 'name', "'x'"],
    ]);
  });
});
