import type { RunReport } from '#domain/run/run';
import type { NamedContext, SavedContext } from '#domain/run/saved-context';
import type { Services } from '../../src-main/rpc/services.ts';

const NOWHERE = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
const EXPECTED = { status: 'ok' as const, error: null, writes: null, events: null };

export function reportOf(result: RunReport['result'], status: RunReport['status'] = 'ok'): RunReport {
  return {
    status,
    result,
    error: null,
    console: [],
    reads: [],
    writes: [],
    apiCalls: [],
    timing: { startedAt: '2026-01-02T03:04:05.678Z', queuedMs: 0, scriptMs: 1, hostCallMs: 0, totalMs: 1 },
    dryRun: false,
    dropped: { console: 0, reads: 0, writes: 0 },
  };
}

export function fakeFailures(): Services['failures'] {
  return {
    async *try() {
      yield { kind: 'progress', done: 1, of: 2, leftMs: 0 };
      const matrix = { script: null, sites: [], notTried: 0, cells: [], warnings: [] };
      yield { kind: 'matrix', key: 'a', matrix };
    },
    cell: ({ title: name }) => ({
      report: reportOf(1),
      test: { name, context: NOWHERE, tags: [], mocks: [], expect: EXPECTED },
      lost: [],
    }),
  };
}

export function fakeLens(): Services['lens'] {
  const scope = { diagram: 'Übersicht', location: '' };
  const value = { ...scope, path: 'A.B.C', value: '1', line: 1 };
  return {
    scopes: () => ({ diagrams: ['', 'Übersicht'], locations: [''] }),
    show: () => ({
      diagrams: ['Übersicht'],
      locations: [''],
      cells: [
        {
          ...scope,
          status: 'ok',
          result: '1',
          error: null,
          reads: [
            { ...value, quality: 'Good', origin: { from: 'stored', ...scope }, shadows: [{ ...scope, value: '2' }] },
            { ...value, quality: 'Good', origin: { from: 'run' }, shadows: [] },
          ],
          writes: [value],
          more: 1,
        },
      ],
      warnings: [{ text: 'ü', lines: [1, null] }],
      dropped: 0,
    }),
  };
}

export function fakeCapsules(): Services['capsules'] {
  const script = { name: 'Linie 1/Übersicht', version: 3 };
  const at = '2026-01-02T03:04:05.678Z';
  const end = { status: 'error' as const, error: 'no', errorLine: 2, ms: 1, dryRun: false };
  return {
    record: ({ body }) => ({ report: reportOf(body), capsule: '{}\n', problem: null }),
    runs: () => ({ runs: [{ id: 7, at, script, from: 'window', ...end, pinned: true }] }),
    open: () => ({
      key: 'a',
      script,
      body: 'return 1',
      context: NOWHERE,
      product: '1.0.0',
      intact: true,
      masked: { places: ['calls[0].args[1]'], more: 0 },
      report: reportOf(1),
    }),
    compare: () => ({
      equal: false,
      runs: [
        { script: script.name, version: 3, startedAt: at, status: 'ok' },
        { script: null, version: null, startedAt: at, status: 'error' },
      ],
      sameBody: true,
      input: { what: 'read', before: { text: 'Ü', line: 1 }, after: null },
      path: null,
      pathNote: 'no',
      output: null,
      exchanges: [{ before: null, after: { text: 'ü', line: null }, differs: true }],
      more: 1,
    }),
    replay: ({ body }) => ({
      script: script.name,
      recordedAt: at,
      product: '1.0.0',
      intact: true,
      edited: true,
      report: reportOf(body),
      missing: {
        line: 1,
        access: 'read',
        call: 'Get "Ü"',
        reason: 'no',
        nearest: [{ call: 1, line: 1, text: 'read' }],
      },
      assumed: [{ tag: 'A.B.C', value: 1, diagram: '', location: '', line: null }],
      comparison: {
        equal: false,
        end: [{ place: 'status', before: 'ok', after: null }],
        result: [],
        writes: [{ mark: '-', text: 'write', line: 1 }],
        calls: [],
        console: [],
      },
      warnings: ['ü'],
      values: {
        values: [{ line: 1, name: 'a', first: '1', last: '2', count: 2 }],
        parts: [],
        executed: 1,
        stopped: false,
      },
    }),
    test: ({ name }) => ({
      test: { name, context: NOWHERE, tags: [], mocks: [], expect: EXPECTED },
      lost: ['the time'],
    }),
  };
}

const USED: SavedContext = { tagName: 'A.B.C', diagram: 'Übersicht', location: '', valueMode: 'json', valueText: '[1' };

const NAMED: NamedContext = { ...USED, name: 'Übersicht', tagName: 'A.B.D' };
const KEPT = { current: null, chosen: NAMED.name, named: [NAMED], used: [USED] };

/** Two contexts in memory. */
export function fakeRunContexts(): Pick<Services, 'runContexts'> {
  return {
    runContexts: {
      locations: () => ['W10', 'W2'],
      get: () => KEPT,
      keep: ({ context, used }) => ({ ...KEPT, current: context, used: used ? [context, USED] : [USED] }),
      replace: ({ used, named = [] }) => ({ ...KEPT, named, used }),
      save: ({ context }) => ({ ...KEPT, chosen: context.name, named: [NAMED, context] }),
      delete: () => ({ ...KEPT, chosen: null, named: [] }),
    },
  };
}
