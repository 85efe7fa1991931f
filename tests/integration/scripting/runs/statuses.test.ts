import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runReport } from '#contract/schemas';
import type { RunReport, RunStatus } from '#domain/run/run';
import { createLog } from '../../../../src-main/platform/log.ts';
import type { Workbench } from '../../../../src-main/workbench.ts';
import { openWorkbench } from '../../../../src-main/workbench.ts';
import { builtProduct } from '../../../support/product/product.ts';
import { untilOneLoops } from '../../../support/product/processes.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const TAG = 'Plant.Line.Store.Value';
/** Every run reads, writes and prints before it ends in a specific way. */
const BEFORE = `console.log('begun');
TagValueManager.Get(['${TAG}']);
TagValueManager.Set([{ tag: '${TAG}', value: 2 }]);
`;

let workbench: Workbench;
let directory: string;

/** Longer than any of the other ends takes on a busy machine. */
const UNLIMITED = { 'limits.scriptMs': 600_000, 'limits.totalMs': 600_000 };

beforeAll(async () => {
  await builtProduct();
  directory = mkdtempSync(join(tmpdir(), 'tagwright-'));
  const log = createLog({ level: 'error' });
  workbench = await openWorkbench({
    directory,
    root: ROOT,
    createSample: false,
    eventsPort: 0,
    log,
  });
  const { settings, tags } = workbench.services;
  await settings.update({ ...UNLIMITED, 'limits.memoryMb': 32 });
  await tags.definitions.save({
    path: TAG,
    kind: 'storage',
    type: 'Int',
    unit: '',
    description: '',
    settings: { initial: 1 },
  });
}, 600_000);
afterAll(async () => {
  await workbench.close();
  rmSync(directory, { recursive: true, force: true });
});

function run(body: string, signal?: AbortSignal): Promise<RunReport> {
  const context = { tagName: TAG, tagScopeDiagram: null, tagScopeLocation: null };
  return workbench.services.runs.execute({ body: BEFORE + body, context, dryRun: false }, signal);
}

async function timedOut(): Promise<RunReport> {
  const { settings } = workbench.services;
  await settings.update({ 'limits.scriptMs': 1_000 });
  const report = await run('while (true);');
  await settings.update(UNLIMITED);
  return report;
}

async function crashed(): Promise<RunReport> {
  const running = run('while (true);');
  process.kill(await untilOneLoops(process.pid), 'SIGSEGV');
  return running;
}

async function cancelled(): Promise<RunReport> {
  const stop = new AbortController();
  const running = run('while (true);', stop.signal);
  await untilOneLoops(process.pid);
  stop.abort();
  return running;
}

const ENDS: [RunStatus, () => Promise<RunReport>, Partial<RunReport> | object][] = [
  ['ok', () => run('return 7'), { result: 7, error: null }],
  ['error', () => run('throw new Error("too hot")'), { result: null, error: { message: 'too hot', line: 4 } }],
  ['timeout', timedOut, { error: { name: 'TimeoutError' } }],
  ['memory', () => run('const a = []; while (true) a.push({ a: [1.5] })'), { error: { name: 'MemoryError' } }],
  ['crashed', crashed, { error: { name: 'CrashError', message: expect.stringContaining('SIGSEGV') } }],
  ['cancelled', cancelled, { error: { name: 'CancelledError' } }],
];

test.each(ENDS)(
  'a run that ends as %s has a complete report, and the next run is not affected',
  async (status, end, more) => {
    const report = await end();
    expect(report).toMatchObject({
      status,
      ...more,
      console: [{ text: 'begun' }],
      reads: [{ path: TAG, line: 2 }],
      writes: [{ path: TAG, line: 3, value: 2 }],
      dropped: { console: 0, reads: 0, writes: 0 },
      timing: { startedAt: expect.any(String), totalMs: expect.any(Number) },
    });
    expect(runReport.parse(report)).toEqual(report);
    expect(await run('return 1')).toMatchObject({ status: 'ok', result: 1 });
  },
);
