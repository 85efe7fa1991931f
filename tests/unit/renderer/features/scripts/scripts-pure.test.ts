import { describe, expect, test } from 'vitest';
import { contextOf, EMPTY_CONTEXT, readValue } from '#domain/run/saved-context';
import type { NestedRun, RunReport } from '#domain/run/run';
import { traceItems } from '#domain/run/trace';
import { stringAt } from '../../../../../src-renderer/features/scripts/editor/language/tag-literals.ts';
import { explorerRows } from '../../../../../src-renderer/features/scripts/explorer/rows.ts';
import { newDoc } from '../../../../../src-renderer/features/scripts/model/script-document.ts';
import type { ScriptsState } from '../../../../../src-renderer/features/scripts/model/scripts-state.ts';
import { tableOf } from '../../../../../src-renderer/features/scripts/preview/panes/table.ts';
import { ownersOf, traceOf } from '../../../../../src-renderer/features/scripts/model/trace.ts';

describe('stringAt', () => {
  const line = `const a = Get(["one.two", 'thr`;
  const tokens = [
    { offset: 0, type: 'keyword.js' },
    { offset: 15, type: 'string.js' },
    { offset: 24, type: 'delimiter.js' },
    { offset: 26, type: 'string.invalid.js' },
  ];

  test('finds the content between the quotes, even if a string is not closed yet', () => {
    expect(stringAt(line, tokens, 17)).toEqual({ text: 'one.two', startColumn: 17, endColumn: 24 });
    expect(stringAt(line, tokens, 24)).toEqual({ text: 'one.two', startColumn: 17, endColumn: 24 });
    expect(stringAt(line, tokens, 31)).toEqual({ text: 'thr', startColumn: 28, endColumn: 31 });
  });

  test('finds nothing before, between and after strings', () => {
    for (const column of [1, 16, 25, 26, 27]) expect(stringAt(line, tokens, column)).toBeNull();
  });

  test('joins the pieces of a string with escapes', () => {
    const pieces = [
      { offset: 0, type: 'string.js' },
      { offset: 2, type: 'string.escape.js' },
      { offset: 4, type: 'string.js' },
    ];
    expect(stringAt(String.raw`"a\nb"`, pieces, 5)).toEqual({ text: String.raw`a\nb`, startColumn: 2, endColumn: 6 });
  });
});

const valueOf = (valueMode: 'json' | 'text' | 'number', valueText: string) => readValue({ valueMode, valueText });

describe('the context of a run', () => {
  test('empty scopes are null, and a value is absent unless it is a write', () => {
    expect(contextOf({ ...EMPTY_CONTEXT, tagName: ' A.B.C ', diagram: '', location: ' W1 ' })).toEqual({
      tagName: 'A.B.C',
      tagScopeDiagram: null,
      tagScopeLocation: 'W1',
    });
  });

  test('reads JSON, text and numbers', () => {
    expect(valueOf('json', '{"a":[1]}')).toEqual({ kind: 'value', value: { a: [1] } });
    expect(valueOf('json', 'null')).toEqual({ kind: 'value', value: null });
    expect(valueOf('text', ' as is ')).toEqual({ kind: 'value', value: ' as is ' });
    expect(valueOf('number', ' 12,5 ')).toEqual({ kind: 'value', value: 12.5 });
  });

  test('reports the problem and its position', () => {
    expect(readValue({ valueMode: 'json', valueText: '{\n  "a": 1,\n}' })).toEqual({
      kind: 'problem',
      message: expect.stringMatching(/^Invalid JSON: .*line 3, column 1$/),
    });
    expect(readValue({ valueMode: 'number', valueText: 'fast' })).toMatchObject({ kind: 'problem' });
    expect(contextOf({ ...EMPTY_CONTEXT, valueMode: 'json', valueText: '' })).toBeNull();
  });
});

const PLACE = { call: 1, at: 0, line: 1, path: 'A.B.C', diagram: '', location: '' };
const readAt = (seq: number) => ({ ...PLACE, seq, value: 1, quality: 'Good' as const, type: 'Int' as const });
const reportOf = (parts: Partial<RunReport>): RunReport => ({
  status: 'ok',
  result: null,
  error: null,
  console: [],
  reads: [],
  writes: [],
  apiCalls: [],
  timing: { startedAt: '2026-01-01T00:00:00Z', queuedMs: 0, scriptMs: 0, hostCallMs: 0, totalMs: 0 },
  dryRun: false,
  dropped: { console: 0, reads: 0, writes: 0 },
  ...parts,
});

describe('the display of a run', () => {
  test('the trace is in the order of the calls, and scopes have names', () => {
    const report = reportOf({
      reads: [readAt(1), readAt(4)],
      writes: [{ ...PLACE, seq: 3, before: 0, value: 1, type: 'Int' }],
      apiCalls: [
        {
          seq: 2,
          call: 2,
          at: 0,
          line: null,
          operation: 'Fetch',
          method: 'GET',
          url: 'http://x',
          ms: 1,
          statusCode: '200',
          source: 'mock',
          mock: 'x',
          error: null,
          response: null,
          request: { headers: [], body: null, bytes: 0 },
        },
      ],
    });
    const shown = traceOf(report).map((item) => `${item.what} ${item.what === 'run' ? item.run.tag : item.seq}`);
    expect(shown).toEqual(['read 1', 'call 2', 'write 3', 'read 4']);
  });

  test('only an array of records is a table, with every column', () => {
    expect(tableOf([{ a: 1 }, { b: 2 }])).toEqual({ columns: ['a', 'b'], rows: [{ a: 1 }, { b: 2 }] });
    for (const result of [[], [1], [{ a: 1 }, null], [{}], { a: 1 }, 'text', null]) expect(tableOf(result)).toBeNull();
  });
});

const summary = (id: number, group: string, name: string) => ({
  id,
  group,
  name,
  description: '',
  version: 1,
  savedAt: '',
});

describe('explorerRows', () => {
  const state: ScriptsState = {
    phase: 'ready',
    problem: null,
    workspace: '/w',
    outdated: null,
    groups: ['Empty', 'Line 10', 'Line 2'],
    scripts: [summary(1, 'Line 10', 'b'), summary(2, 'Line 10', 'a'), summary(3, 'Line 2', 'c')],
    drafts: new Map([
      [
        'script-3',
        {
          key: 'script-3',
          scriptId: 3,
          baseVersion: 1,
          group: '',
          name: '',
          description: '',
          body: 'x',
          changedAt: '',
        },
      ],
    ]),
    others: [
      { ...summary(2, 'Line 10', 'a'), key: 'script-2@w', scriptId: 2, baseVersion: 1, changedAt: '', isOpen: true },
    ],
    docs: new Map([
      ['new-1', { ...newDoc('new-1', 'Line 2'), text: { group: '', name: '', description: '', body: 'x' } }],
    ]),
    tabs: ['new-1'],
    active: 'new-1',
  };
  const shown = (collapsed: string[], filter = '') =>
    explorerRows(state, new Set(collapsed), filter).map((row) =>
      'name' in row ? `${row.what} ${row.name}${'mark' in row && row.mark !== 'none' ? ` ${row.mark}` : ''}` : row.what,
    );

  test('unsaved work is first, then groups in natural order with their scripts', () => {
    expect(shown([])).toEqual([
      'unsaved-group',
      'unsaved Untitled dirty',
      'group Empty',
      'group Line 2',
      'script c draft',
      'group Line 10',
      'script a draft',
      'script b',
    ]);
  });

  test('a collapsed group hides its scripts; a filter shows only matches, expanded', () => {
    expect(shown(['group:Line 10', 'unsaved'])).toEqual([
      'unsaved-group',
      'group Empty',
      'group Line 2',
      'script c draft',
      'group Line 10',
    ]);
    expect(shown(['group:Line 10'], 'line 10 b')).toEqual(['group Line 10', 'script b']);
  });
});

test('entries of nested runs belong to their scripts', () => {
  const read = (seq: number) => ({
    seq,
    call: seq,
    at: 0,
    line: seq,
    path: 'A.b.c',
    value: 1,
    quality: 'Good' as const,
    type: 'Int' as const,
    diagram: '',
    location: '',
  });
  const timing = { startedAt: '', queuedMs: 0, scriptMs: 0, hostCallMs: 0, totalMs: 0 };
  const dropped = { console: 0, reads: 0, writes: 0 };
  const nestedIn = (parent: number, tag: string, nested: NestedRun[]): NestedRun => ({
    parent,
    call: parent,
    line: 1,
    at: 0,
    tag,
    through: [],
    access: 'read',
    status: 'ok',
    error: null,
    console: [],
    timing,
    dropped,
    reads: [read(1)],
    writes: [],
    apiCalls: [],
    nested,
  });
  const acts = {
    reads: [read(1), read(2)],
    writes: [],
    apiCalls: [],
    nested: [nestedIn(1, 'Outer.x.y', [nestedIn(1, 'Inner.x.y', [])])],
  };
  const trace = traceItems(acts);
  expect(trace.map(({ what, depth }) => `${what} ${depth}`)).toEqual([
    'read 0',
    'run 0',
    'read 1',
    'run 1',
    'read 2',
    'read 0',
  ]);
  expect(ownersOf(trace).map((owner) => owner?.tag ?? null)).toEqual([
    null,
    null,
    'Outer.x.y',
    'Outer.x.y',
    'Inner.x.y',
    null,
  ]);
});
