import { expect, test, vi } from 'vitest';
import type { Diagnosis, DiagnosisStep } from '#domain/workspace/diagnosis';
import type { Check } from '../../../../src-main/workspace/diagnostics/check.ts';
import { ok } from '../../../../src-main/workspace/diagnostics/check.ts';
import { DiagnosticsService } from '../../../../src-main/workspace/diagnostics/diagnostics-service.ts';
import { ROOT } from '../../../support/product/product.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

/** A service with two checks. The second ends on request, or when no client waits for it. */
function service() {
  const started: { full: boolean; end: () => void; signal: AbortSignal }[] = [];
  const checks: Check[] = [
    { id: 'a', group: 'A', title: 'a', run: () => ok('fine') },
    {
      id: 'b',
      group: 'A',
      title: 'b',
      run: ({ full, signal }) =>
        new Promise((resolve, reject) => {
          started.push({ full, signal, end: () => resolve(ok('ended')) });
          signal.addEventListener('abort', () => reject(new Error('no reader')));
        }),
    },
  ];
  const made = new DiagnosticsService({
    workspace: temporaryFolder(),
    root: ROOT,
    version: '1.2.3',
    instance: null,
    checks,
  });
  return { service: made, started };
}

async function read(steps: AsyncIterable<DiagnosisStep>): Promise<DiagnosisStep[]> {
  const all: DiagnosisStep[] = [];
  for await (const step of steps) all.push(step);
  return all;
}

const never = () => new AbortController().signal;
const diagnosisOf = (steps: readonly DiagnosisStep[]): Diagnosis | null => steps.at(-1)?.diagnosis ?? null;

test('concurrent diagnoses run once, and every client gets all results', async () => {
  const { service: made, started } = service();
  const early = Array.from({ length: 50 }, () => read(made.run({}, never())));
  await vi.waitFor(() => expect(started).toHaveLength(1));
  const late = [read(made.run({}, never())), read(made.run({ full: false }, never()))];
  const support = made.support();
  await new Promise(setImmediate);
  expect(started).toHaveLength(1);
  started[0]?.end();
  const [first, ...others] = await Promise.all([...early, ...late]);
  const diagnosis = first && diagnosisOf(first);
  expect(diagnosis?.checks.map(({ id, detail }) => [id, detail])).toEqual([
    ['a', 'fine'],
    ['b', 'ended'],
  ]);
  for (const steps of others) {
    expect(diagnosisOf(steps)).toBe(diagnosis);
    expect(steps.flatMap(({ checks }) => checks)).toEqual(diagnosis?.checks);
    expect(steps.at(-1)?.doing).toBe('Done');
  }
  expect((await support).text).toContain('tagwright-support/1');
  // A completed one is not reused for later clients.
  const next = read(made.run({}, never()));
  await vi.waitFor(() => expect(started).toHaveLength(2));
  started[1]?.end();
  expect(diagnosisOf(await next)).not.toBe(diagnosis);
});

test('a full diagnosis is separate, and others do not wait for it', async () => {
  const { service: made, started } = service();
  const both = [read(made.run({ full: true }, never())), read(made.run({}, never()))];
  await vi.waitFor(() => expect(new Set(started.map(({ full }) => full))).toEqual(new Set([true, false])));
  for (const { end } of started) end();
  expect((await Promise.all(both)).map((steps) => diagnosisOf(steps)?.full)).toEqual([true, false]);
});

test('a diagnosis continues while a client waits for it, and ends when none does', async () => {
  const { service: made, started } = service();
  const [one, other] = [new AbortController(), new AbortController()];
  const first = read(made.run({}, one.signal));
  const second = read(made.run({}, other.signal));
  await vi.waitFor(() => expect(started).toHaveLength(1));
  one.abort();
  expect(diagnosisOf(await first)).toBeNull();
  expect(started[0]?.signal.aborted).toBe(false);
  other.abort();
  expect(diagnosisOf(await second)).toBeNull();
  expect(started[0]?.signal.aborted).toBe(true);
  // The next client does not join a diagnosis that is ending.
  const next = read(made.run({}, never()));
  await vi.waitFor(() => expect(started).toHaveLength(2));
  started[1]?.end();
  expect(diagnosisOf(await next)?.checks).toHaveLength(2);
});

test('a diagnosis without a waiting client does not start', async () => {
  const { service: made } = service();
  expect(await read(made.run({}, AbortSignal.abort()))).toEqual([]);
});
