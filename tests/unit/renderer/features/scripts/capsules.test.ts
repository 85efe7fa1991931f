import { describe, expect, test } from 'vitest';
import type { KeptRun, OpenedCapsule, ReplayWithValues } from '#domain/run/replay';
import { compareRuns } from '#domain/run/run-comparison';
import type { Client } from '../../../../../src-renderer/client/client.ts';
import { shownStep } from '../../../../../src-renderer/features/scripts/capsules/shown-step.ts';
import { Capsules } from '../../../../../src-renderer/features/scripts/model/capsules.ts';
import {
  capsuleFileName,
  maskedText,
  replaySummary,
  runNote,
  scriptText,
} from '../../../../../src-renderer/features/scripts/model/replay-text.ts';
import { reportOf } from '../../../scripting/capsules/capsule-of.ts';

const RUN: KeptRun = {
  id: 7,
  at: '2026-01-02T03:04:05.678Z',
  script: { name: 'Line 1/OEE', version: 3 },
  from: 'window',
  status: 'ok',
  error: null,
  errorLine: null,
  ms: 1,
  dryRun: false,
  pinned: false,
};
const CAPSULE: OpenedCapsule = {
  key: 'a',
  script: { name: 'Line 1/OEE', version: 3 },
  body: 'return 1',
  context: { tagName: '', tagScopeDiagram: null, tagScopeLocation: null },
  product: '1.0.0',
  intact: true,
  masked: { places: [], more: 0 },
  report: reportOf({ result: 1 }),
};
const replayOf = (result: number): ReplayWithValues => ({
  script: null,
  recordedAt: RUN.at,
  product: '1.0.0',
  intact: true,
  edited: true,
  report: reportOf({ result }),
  missing: null,
  assumed: [],
  comparison: compareRuns(reportOf({ result: 1 }), reportOf({ result })),
  warnings: [],
  values: null,
});

interface Asked {
  input: unknown;
  signal: AbortSignal | undefined;
  answer: PromiseWithResolvers<unknown>;
}

/** Requests that the test answers. */
function modelWith(): { capsules: Capsules; asked: Asked[] } {
  const asked: Asked[] = [];
  const ask = (input: unknown, { signal }: { signal?: AbortSignal } = {}) => {
    const answer = Promise.withResolvers<unknown>();
    signal?.addEventListener('abort', () => answer.reject(new DOMException('no longer needed', 'AbortError')));
    asked.push({ input, signal, answer });
    return answer.promise;
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the model uses only these
  const client = { capsules: { open: ask, replay: ask } } as unknown as Pick<Client, 'capsules'>;
  return { capsules: new Capsules(client), asked };
}

describe('the open capsule of a script', () => {
  test('is a run of the journal, and is replayed with a text', async () => {
    const { capsules, asked } = modelWith();
    const opening = capsules.open('doc', RUN);
    expect(capsules.of('doc').busy).toBe('open');
    asked[0]?.answer.resolve(CAPSULE);
    expect(await opening).toBe(true);
    expect(capsules.of('doc')).toMatchObject({ busy: null, opened: { capsule: CAPSULE, source: { run: RUN } } });

    const replaying = capsules.replay('doc', 'return 2');
    expect(asked[1]?.input).toEqual({ key: 'a', body: 'return 2' });
    expect(await capsules.replay('doc', null)).toBeNull();
    asked[1]?.answer.resolve(replayOf(2));
    expect(await replaying).toMatchObject({ body: 'return 2' });
    expect(capsules.of('doc').last?.body).toBe('return 2');
    expect(capsules.of('other').opened).toBeNull();
  });

  test('a cancelled replay is no problem, and the last one stays', async () => {
    const { capsules, asked } = modelWith();
    capsules.show('doc', CAPSULE, { file: 'a.json' });
    const first = capsules.replay('doc', null);
    asked[0]?.answer.resolve(replayOf(1));
    await first;
    const second = capsules.replay('doc', 'for (;;);', true);
    expect(asked[1]?.input).toEqual({ key: 'a', body: 'for (;;);', values: true });
    capsules.cancel('doc');
    expect(asked[1]?.signal?.aborted).toBe(true);
    expect(await second).toBeNull();
    expect(capsules.of('doc')).toMatchObject({ busy: null, problem: null, last: { body: 'return 1' } });
  });

  test('is stepped through, and shows the values of a step in the text that it ran', async () => {
    const { capsules, asked } = modelWith();
    capsules.show('doc', CAPSULE, { file: 'a.json' });
    const starting = capsules.stepThrough('doc', 'return 1');
    expect(asked[0]?.input).toEqual({ key: 'a', body: 'return 1', values: 'steps' });
    const part = { line: 1, column: 1, endLine: 1, endColumn: 9, count: 3 };
    const steps = { parts: [0, 0, 0], variables: [{ line: 1, name: 'n' }], changes: [[1, 0, '5']], calls: [] };
    const failed = reportOf({ error: { name: 'Error', message: 'no', line: 1, column: 1, stack: [] } });
    const values = { values: [], parts: [part], executed: 3, stopped: false, steps };
    asked[0]?.answer.resolve({ ...replayOf(1), report: failed, values });
    await starting;
    const shown = () => shownStep(capsules.of('doc'), 'return 1');
    expect(shown()).toMatchObject({ line: 1, ended: { values: { values: [] }, outcome: { report: { error: null } } } });
    capsules.goToStep('doc', 1);
    expect(shown()?.ended.values?.values).toMatchObject([{ name: 'n', last: '5' }]);
    capsules.goToStep('doc', 99);
    expect(capsules.of('doc').stepping?.at).toBe(2);
    // The error is where the run ends.
    expect(shown()).toMatchObject({ ended: { outcome: { report: { error: { message: 'no' } } } } });
    expect(shownStep(capsules.of('doc'), 'return 2')).toBeNull();
    capsules.stopStepping('doc');
    expect(shown()).toBeNull();
    expect(capsules.of('doc').last).not.toBeNull();
  });

  test('a failed request says why, and a closed capsule is forgotten with its replay', async () => {
    const { capsules, asked } = modelWith();
    capsules.show('doc', CAPSULE, { file: 'a.json' });
    const failing = capsules.replay('doc', null);
    asked[0]?.answer.reject(new Error('gone'));
    await failing;
    expect(capsules.of('doc').problem?.message).toBe('gone');
    const late = capsules.replay('doc', null);
    capsules.close('doc');
    expect(await late).toBeNull();
    expect(capsules.store.get().size).toBe(0);
  });
});

describe('texts of replays', () => {
  test('name what differs', () => {
    expect(replaySummary(replayOf(1))).toBe('Identical: this text does the same');
    expect(replaySummary({ ...replayOf(1), edited: false })).toBe('Identical: result, writes, calls and console');
    expect(replaySummary(replayOf(2))).toBe('Different: result');
    const comparison = compareRuns(
      reportOf({ result: 1 }),
      reportOf({ status: 'timeout', result: 2, console: [{ level: 'log', text: 'a', at: 0 }] }),
    );
    expect(replaySummary({ comparison, edited: true })).toBe('Different: end, result and console');
  });

  test('name the masked places', () => {
    expect(maskedText({ places: [], more: 0 })).toBeNull();
    expect(maskedText({ places: ['calls[0].args[1]'], more: 0 })).toBe(
      'Secrets are masked in 1 place: calls[0].args[1]',
    );
    const places = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(maskedText({ places, more: 1_000 })).toBe(
      'Secrets are masked in 1,006 places: a, b, c, d, e, and 1,001 more',
    );
  });

  test('name scripts, runs and files', () => {
    expect(scriptText(null)).toBe('Text that was not saved');
    expect(scriptText({ name: 'A/B', version: 2 })).toBe('A/B, version 2');
    expect(runNote(RUN)).toBe('Version 3');
    expect(runNote({ ...RUN, script: null, dryRun: true, from: 'command line', error: 'no' })).toBe(
      'Text that was not saved · dry run · command line · no',
    );
    expect(capsuleFileName('Line 1/../Größe', CAPSULE)).toMatch(/^Line-1-Größe-\d{4}-\d\d-\d\d-\d{6}\.capsule\.json$/);
    expect(capsuleFileName('//', CAPSULE)).toMatch(/^run-\d{4}/);
  });
});
