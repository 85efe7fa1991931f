import type { ScriptTest } from '#domain/run/script-test';
import type { Services } from '../../src-main/rpc/services.ts';

const TEST: ScriptTest = {
  id: 1,
  scriptId: 1,
  savedAt: '2026-01-02T03:04:05.678Z',
  name: 'Übergabe',
  context: { tagName: 'A.B.C', tagScopeDiagram: null, tagScopeLocation: 'L1', tagValue: [null] },
  tags: [{ tag: 'A.B.C', value: 1.5, quality: 'Good', diagram: '', location: '' }],
  mocks: [],
  expect: { status: 'ok', error: null, result: null, writes: [], events: null },
};

/** One test in memory. */
export function fakeScriptTests(): Pick<Services, 'scriptTests'> {
  return {
    scriptTests: {
      list: () => [TEST],
      save: ({ id = 2, ...text }) => ({ ...text, id, savedAt: TEST.savedAt }),
      delete: () => ({}),
      run: () => ({ passed: false, failures: [{ check: 'result', message: 'ü' }], report: null, events: [] }),
      onChange: (listener) => {
        queueMicrotask(() => listener({ scriptId: 1 }));
        return () => {};
      },
    },
  };
}
