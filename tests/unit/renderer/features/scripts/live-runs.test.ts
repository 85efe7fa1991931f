import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunContext, RunError, RunReport } from '#domain/run/run';
import { LiveRuns, shownRun } from '../../../../../src-renderer/features/scripts/model/live.ts';
import { PAUSE_MS } from '../../../../../src-renderer/features/scripts/model/script-document.ts';
import type { Ended } from '../../../../../src-renderer/features/scripts/model/runs.ts';

const context: RunContext = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
const KEY = 'script-1';

function reportOf(result: string, error: RunError | null = null): RunReport {
  return {
    status: error ? 'error' : 'ok',
    result,
    error,
    console: [],
    reads: [],
    writes: [],
    apiCalls: [],
    timing: { startedAt: '2026-01-01T00:00:00.000Z', queuedMs: 0, scriptMs: 1, hostCallMs: 0, totalMs: 1 },
    dryRun: true,
    dropped: { console: 0, reads: 0, writes: 0 },
  };
}

interface SentRun {
  body: string;
  dryRun: boolean;
  live?: boolean;
  signal: AbortSignal;
  respond: (report: RunReport) => void;
  fail: (error: Error) => void;
}

/** Main, as seen by live runs. Every run waits until the test responds. */
function mainOf() {
  const sentRuns: SentRun[] = [];
  const client: ConstructorParameters<typeof LiveRuns>[0] = {
    runs: {
      execute: (run, options) =>
        new Promise((response, fail) => {
          const signal = options?.signal ?? new AbortController().signal;
          signal.addEventListener('abort', () => fail(new DOMException('aborted', 'AbortError')));
          sentRuns.push({ ...run, signal, respond: response, fail });
        }),
      cancel: async () => ({ cancelled: false }),
    },
  };
  const afterPause = (_key: string, start: () => void) => {
    const timer = setTimeout(start, PAUSE_MS);
    return () => clearTimeout(timer);
  };
  const live = new LiveRuns(client, afterPause);
  return { live, sentRuns };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

describe('live runs', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('start 400 ms after the last key, as dry runs of the current text', async () => {
    const { live, sentRuns } = mainOf();
    live.soon(KEY, { body: 'a', context });
    await vi.advanceTimersByTimeAsync(399);
    live.soon(KEY, { body: 'ab', context });
    await vi.advanceTimersByTimeAsync(399);
    expect(sentRuns).toEqual([]);
    expect(live.of(KEY)).toMatchObject({ busy: true, last: null });
    await vi.advanceTimersByTimeAsync(1);
    expect(sentRuns).toMatchObject([{ body: 'ab', dryRun: true, live: true }]);
    sentRuns[0]?.respond(reportOf('done'));
    await settled();
    expect(live.of(KEY)).toMatchObject({ busy: false, shown: true, last: { body: 'ab', live: true } });
  });

  test('cancel the previous one, whose end is ignored', async () => {
    const { live, sentRuns } = mainOf();
    live.soon(KEY, { body: 'for (;;) {}', context });
    await vi.advanceTimersByTimeAsync(400);
    live.soon(KEY, { body: 'return 1', context });
    expect(sentRuns[0]?.signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(400);
    expect(live.of(KEY)).toMatchObject({ busy: true, last: null, notRun: null });
    sentRuns[1]?.respond(reportOf('1'));
    await settled();
    expect(live.of(KEY).last?.body).toBe('return 1');
  });

  test('show why text does not compile, and keep the previous result', async () => {
    const { live, sentRuns } = mainOf();
    live.soon(KEY, { body: 'return 1', context });
    await vi.advanceTimersByTimeAsync(400);
    sentRuns[0]?.respond(reportOf('1'));
    await settled();
    live.soon(KEY, { body: 'return (', context });
    await vi.advanceTimersByTimeAsync(400);
    const error = { name: 'SyntaxError', message: 'a ( is not closed', line: 1, column: 9, stack: [] };
    sentRuns[1]?.respond(reportOf('', error));
    await settled();
    expect(live.of(KEY)).toMatchObject({
      busy: false,
      last: { body: 'return 1' },
      notRun: { why: 'a ( is not closed', line: 1, column: 9 },
    });
  });

  test('treat a SyntaxError thrown by the script as a result', async () => {
    const { live, sentRuns } = mainOf();
    live.soon(KEY, { body: 'JSON.parse("{")', context });
    await vi.advanceTimersByTimeAsync(400);
    const stack = [{ function: null, line: 1, column: 6 }];
    sentRuns[0]?.respond(reportOf('', { name: 'SyntaxError', message: 'no JSON', line: 1, column: 6, stack }));
    await settled();
    expect(live.of(KEY)).toMatchObject({ notRun: null, last: { outcome: { report: { status: 'error' } } } });
  });

  test('report a run that main rejects together with the previous result', async () => {
    const { live, sentRuns } = mainOf();
    live.soon(KEY, { body: 'return 1', context });
    await vi.advanceTimersByTimeAsync(400);
    sentRuns[0]?.fail(new Error('no script host'));
    await settled();
    expect(live.of(KEY)).toMatchObject({ busy: false, last: null });
    expect(live.of(KEY).notRun?.line).toBeNull();
  });

  test('do not run when cancelled or dropped', async () => {
    const { live, sentRuns } = mainOf();
    live.soon(KEY, { body: 'a', context });
    live.cancel(KEY);
    live.soon('script-2', { body: 'b', context });
    live.forget('script-2');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sentRuns).toEqual([]);
    expect(live.of(KEY).busy).toBe(false);
    expect(live.store.get().has('script-2')).toBe(false);
  });

  test('give way to a manual run in progress; then the selected one is shown', () => {
    const ended = (live: boolean): Ended => ({
      outcome: { kind: 'report', report: reportOf('') },
      body: '',
      context,
      seq: 1,
      live,
    });
    const [byHand, last] = [ended(false), ended(true)];
    const state = { busy: false, last, notRun: null, shown: true };
    const running = { startedAt: 0, dryRun: false, stopping: false };
    expect(shownRun(undefined, undefined)).toBeNull();
    expect(shownRun(undefined, { ...state, shown: false })).toBe(last);
    expect(shownRun({ running: null, last: byHand }, state)).toBe(last);
    expect(shownRun({ running: null, last: byHand }, { ...state, shown: false })).toBe(byHand);
    expect(shownRun({ running, last: byHand }, state)).toBe(byHand);
  });
});
