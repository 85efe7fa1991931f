import type { RunReport } from '#domain/run/run';
import type { Services } from '../../src-main/rpc/services.ts';

const SUMMARY = {
  session: 's',
  name: 'Line 1/Half',
  scriptId: 3,
  tag: 'Plant.Line.Tag.Value',
  state: 'paused',
  since: '2026-01-02T03:04:05.678Z',
  breakInAll: false,
} as const;

const REPORT: RunReport = {
  status: 'ok',
  result: 45,
  error: null,
  console: [],
  reads: [],
  writes: [],
  apiCalls: [],
  timing: { startedAt: SUMMARY.since, queuedMs: 0, scriptMs: 1, hostCallMs: 0, totalMs: 1 },
  dryRun: true,
  dropped: { console: 0, reads: 0, writes: 0 },
};

/** One session that has paused. */
export const fakeDebug: Services['debug'] = {
  async *open({ session = 's' }, signal) {
    yield { type: 'session', session };
    if (signal.aborted) return;
    yield { type: 'event', event: 'initialized' };
    yield { type: 'event', event: 'stopped', body: { reason: 'step', threadId: 1, allThreadsStopped: true } };
  },
  send: ({ command }) =>
    command === 'threads'
      ? { success: true, body: { threads: [{ id: 1, name: 'Line 1/Half' }] } }
      : { success: false, message: 'The run is not paused.' },
  values: ({ dryRun }) => ({
    report: { ...REPORT, dryRun },
    values: [{ line: 1, name: 'sum', first: '0', last: '45', count: 10 }],
    parts: [{ line: 1, column: 1, endLine: 1, endColumn: 9, count: 10 }],
    executed: 10,
    stopped: false,
  }),
  sessions: () => [SUMMARY],
  breakInAll: () => undefined,
  breaksInAll: () => ({ on: true, scripts: [{ scriptId: 3, breakpoints: [{ line: 2, hits: 2 }] }] }),
  onChange: () => () => undefined,
};
