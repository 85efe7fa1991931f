import type { CheckResult, Diagnosis } from '#domain/workspace/diagnosis';
import type { Services } from '../../src-main/rpc/services.ts';

const TAKEN: CheckResult = {
  id: 'port.events',
  group: 'Ports',
  title: 'Events API',
  state: 'problem',
  detail: 'port 4860 is used by python3 server.py (pid 4711)',
  fix: 'Stop that program.',
};
const WHOLE: CheckResult = {
  id: 'database.workspace',
  group: 'Databases',
  title: 'workspace.db',
  state: 'ok',
  detail: 'whole, 2 MB',
  fix: null,
};

/**
 * A diagnosis with two checks: one finds a problem, the other, in the full diagnosis only, runs until it is cancelled.
 */
export function fakeDiagnostics(): Pick<Services, 'diagnostics'> {
  const diagnosis = (full: boolean): Diagnosis => ({
    format: 1,
    madeAt: '2026-01-02T03:04:05.678Z',
    version: '0.1.0',
    workspace: '/w',
    full,
    state: 'problem',
    checks: [TAKEN, WHOLE],
  });
  return {
    diagnostics: {
      async *run({ full = false }, signal) {
        yield { doing: 'Events API', checks: [], diagnosis: null };
        yield { doing: 'workspace.db', checks: [TAKEN], diagnosis: null };
        if (full) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        if (signal.aborted) return;
        yield { doing: 'Done', checks: [WHOLE], diagnosis: diagnosis(full) };
      },
      support: () => ({ name: 'tagwright-support-20260102T030405Z.json', text: '{}\n' }),
    },
  };
}
