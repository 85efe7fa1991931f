import { fc } from '../../../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import type { TagDefinition } from '#domain/tag/tag';
import { TAG_TYPES } from '#domain/tag/tag';
import { scopeTable } from '../../../../../src-renderer/features/tags/details/scope-grid.tsx';
import { durationText, parseDuration } from '../../../../../src-renderer/features/tags/edit/duration.ts';
import {
  EMPTY_FORM,
  definitionOf,
  duplicateOf,
  formOf,
  problemsByField,
} from '../../../../../src-renderer/features/tags/edit/tag-form.ts';
import { History } from '../../../../../src-renderer/client/value-history.ts';
import { choose, chooseAll, only } from '../../../../../src-renderer/features/tags/table/selection.ts';
import { sparkPath } from '../../../../../src-renderer/features/tags/table/spark.tsx';
import { groupTree, isIn, visibleGroups } from '../../../../../src-renderer/features/tags/tree/path-tree.ts';
import { typedValue } from '../../../../../src-renderer/support/typed-value.ts';
import { cpuMsOf } from '../../../../support/cpu-time.ts';

const tag = (path: string, more: Partial<TagDefinition> = {}): TagDefinition => ({
  path,
  kind: 'storage',
  type: 'Double',
  description: '',
  unit: '',
  settings: {},
  ...more,
});

const msOf = (text: string) => {
  const read = parseDuration(text);
  return read.ok ? read.value : null;
};

describe('groups of tags', () => {
  test('50,000 paths make a tree within 1 s of CPU, and only open groups become rows', async () => {
    const paths = Array.from({ length: 50_000 }, (_, i) => `Plant.Line${i % 50}.Cell${i % 1_000}.Tag${i}.Value`);
    expect(await cpuMsOf(() => visibleGroups(groupTree(paths), new Set(['Plant'])))).toBeLessThan(1_000);
    const root = groupTree(paths);
    const rows = visibleGroups(root, new Set(['Plant']));
    expect(root.count).toBe(50_000);
    expect(rows).toHaveLength(51);
    expect(rows[1]?.node).toMatchObject({ path: 'Plant.Line0', count: 1_000 });
    expect(rows[11]?.node.name).toBe('Line10');
  });

  test('a tag with the same name as a group belongs to the parent group', () => {
    const root = groupTree(['A.B.C', 'A.B.C.D', 'A.B.C.D.E']);
    const rows = visibleGroups(root, new Set(['A', 'A.B']));
    expect(rows.map(({ node, level, expanded }) => [node.path, node.count, level, expanded])).toEqual([
      ['A', 3, 1, true],
      ['A.B', 2, 2, true],
      ['A.B.C', 1, 3, undefined],
    ]);
    expect([isIn('A.B.C', 'A.B'), isIn('A.Bx.C', 'A.B'), isIn('A.B.C', '')]).toEqual([true, false, true]);
  });
});

describe('the form of a tag', () => {
  const definitions: TagDefinition[] = [
    tag('P.Line.A.Value', { settings: { initial: 12.5 }, unit: '°C', description: 'with "quotes"' }),
    tag('P.Line.J.Value', { format: '#,##0.0' }),
    tag('P.Line.B.Value', { type: 'String', settings: { initial: '' } }),
    tag('P.Line.C.Value', { type: 'Json', settings: { initial: { a: [1, null] } } }),
    tag('P.Line.D.Value', {
      kind: 'machine',
      settings: {
        signal: { kind: 'square', low: 1, high: 2.5, periodMs: 90_000, duty: 0.25 },
        noise: 0.5,
        updateMs: 250,
      },
    }),
    tag('P.Line.E.Value', {
      kind: 'machine',
      type: 'Boolean',
      settings: { signal: { kind: 'csv', loop: false, rows: [{ at: 0, value: true }] }, noise: 0, updateMs: 1_000 },
    }),
    tag('P.Line.F.Value', {
      kind: 'db',
      settings: { readSql: 'SELECT 1', writeSql: "UPDATE a SET b = ':x'", updateMs: 5_000 },
    }),
    tag('P.Line.G.Value', { kind: 'calculation', settings: { expression: "tag('P.Line.A.Value') * 2" } }),
    tag('P.Line.H.Value', { kind: 'script', settings: { readScript: 'Group/Name', updateMs: 100 } }),
    tag('P.Line.I.Record', { kind: 'erp', type: 'Json', settings: { schema: { type: 'object' } } }),
  ];

  test.for(definitions)('reads back $kind $type unchanged', (definition) => {
    expect(definitionOf(formOf(definition))).toEqual({ ok: true, definition });
  });

  test('a duplicate has another path, and the texts of other kinds are kept', () => {
    const form = duplicateOf(definitions[4] ?? tag('none'));
    expect(form.path).toBe('P.Line.D copy.Value');
    const back = definitionOf({ ...form, kind: 'storage' });
    expect(back).toMatchObject({ ok: true, definition: { kind: 'storage', settings: {} } });
    expect(form.texts['signal.high']).toBe('2.5');
  });

  test('a format stays in the form while the type is no number', () => {
    const form = { ...formOf(tag('P.Line.A.Value', { format: '0.0' })), type: 'String' as const };
    expect(definitionOf(form)).toMatchObject({ ok: true, definition: tag('P.Line.A.Value', { type: 'String' }) });
    expect(definitionOf({ ...form, type: 'Int' })).toMatchObject({ definition: { format: '0.0' } });
    expect(definitionOf({ ...form, type: 'Int', format: '0.0.0' })).toMatchObject({
      problems: { format: expect.stringContaining('more than one decimal point') },
    });
  });

  test('every invalid field has a message that says what to enter', () => {
    const texts = { 'signal.kind': 'sine', 'signal.min': '1,500', 'signal.max': '', 'signal.periodMs': 'soon' };
    const read = definitionOf({ ...EMPTY_FORM, kind: 'machine', path: 'A..B', texts });
    expect(read).toEqual({
      ok: false,
      problems: {
        path: expect.stringContaining('empty segment'),
        'signal.min': '"1,500" is ambiguous: enter 1.500 or 1500',
        'signal.max': 'write max',
        'signal.periodMs': expect.stringContaining('500 ms'),
      },
    });
  });

  test('issues from main are shown at their field; others are shown too', () => {
    const form = { ...EMPTY_FORM, kind: 'machine' as const };
    const data = {
      issues: [
        { path: ['settings', 'signal', 'min'], message: 'min is above max' },
        { path: ['unit'], message: 'at most 64 characters' },
        { path: ['settings', 'odd'], message: 'unknown' },
      ],
    };
    expect(problemsByField(data, form)).toEqual({
      'signal.min': 'min is above max',
      unit: 'at most 64 characters',
      '': 'odd: unknown',
    });
    expect(problemsByField('nonsense', form)).toEqual({});
  });

  test('times use the best unit and read back exactly', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 86_400_000 }), (ms) => msOf(durationText(ms)) === ms));
    expect(['0.07 s', '2 min', '250', '1,5 s'].map(msOf)).toEqual([70, 120_000, 250, 1_500]);
    expect(['-1 s', '1 week'].map(msOf)).toEqual([null, null]);
  });

  test('numbers in foreign formats are rejected with what to enter, never misread', () => {
    const reason = (text: string) => {
      const typed = typedValue(text, 'Double');
      return typed.ok ? typed.value : typed.reason;
    };
    expect(reason('1.5')).toBe(1.5);
    expect(reason('1,5')).toBe(1.5);
    for (const text of ['1.234,5', '1,234.5', '1.234.567']) expect(reason(text)).toContain('separators between');
    for (const type of TAG_TYPES) expect(typedValue('', type)).toMatchObject({ ok: true });
  });
});

describe('the history and selection of the table', () => {
  test('history is limited in tags and points, and has gaps without a viewer', () => {
    const history = new History();
    for (let i = 0; i < 10_000; i++) history.add('A', { at: i, value: i });
    const points = history.since('A', 0);
    expect(points.length).toBeLessThanOrEqual(1_500);
    expect(points.at(-1)).toEqual({ at: 9_999, value: 9_999 });
    history.interrupt('A', 10_000);
    history.interrupt('A', 10_001);
    expect(history.since('A', 9_999)).toEqual([
      { at: 9_998, value: 9_998 },
      { at: 9_999, value: 9_999 },
      { at: 10_000, value: null },
    ]);
    for (let i = 0; i < 300; i++) history.add(`B${i}`, { at: 0, value: 1 });
    expect(history.since('A', 0)).toEqual([]);
  });

  test('a sparkline is drawn in steps, with gaps, to the end', () => {
    const now = 100_000;
    const at = (seconds: number) => now - 60_000 + seconds * 1_000;
    expect(sparkPath([], now)).toBe('');
    expect(sparkPath([{ at: at(0), value: 5 }], now)).toBe('M0 9H72');
    const points = [
      { at: at(0), value: 0 },
      { at: at(10), value: 10 },
      { at: at(20), value: null },
      { at: at(30), value: 10 },
    ];
    expect(sparkPath(points, now)).toBe('M0 17H12V1H24M36 1H72');
  });

  test('rows are selected alone, in ranges and in addition, by path', () => {
    const tags = ['A', 'B', 'C', 'D'].map((path) => tag(path));
    const range = choose(only('B'), tags, 3, { extend: true, toggle: false });
    expect([...range.chosen]).toEqual(['B', 'C', 'D']);
    expect([...choose(range, tags, 1, { extend: true, toggle: false }).chosen]).toEqual(['B']);
    expect([...choose(range, tags, 2, { extend: false, toggle: true }).chosen]).toEqual(['B', 'D']);
    expect(chooseAll(range, tags).chosen.size).toBe(4);
    expect(choose(range, tags, 9, { extend: false, toggle: false })).toBe(range);
  });

  test('values by scope are in a grid, defaults first, with the current scope', () => {
    const values = [
      { diagram: 'Overview', location: 'Line10', value: 1 },
      { diagram: '', location: 'Line2', value: null },
    ];
    const table = scopeTable(values, { diagram: 'Manager', location: '' });
    expect(table.diagrams).toEqual(['', 'Manager', 'Overview']);
    expect(table.locations).toEqual(['', 'Line2', 'Line10']);
    expect([table.at('Overview', 'Line10'), table.at('', 'Line2'), table.at('', '')]).toEqual([1, null, undefined]);
  });
});
