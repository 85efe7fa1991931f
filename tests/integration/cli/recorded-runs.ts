import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import type { Capsule } from '#domain/run/capsule';
import type { ReplayReport } from '#domain/run/replay';
import type { RunReport } from '#domain/run/run';
import { commandLine } from '../../support/product/command-line.ts';
import { builtProduct } from '../../support/product/product.ts';
import { sharedFolder } from '../../support/temp-folder.ts';

export const NUMBER = 'Bottling.Line1.Order.Number.Value';

export const STATE = 'Bottling.Line1.Filler.State.Value';

interface Recorded {
  file: string;
  report: RunReport;
  capsule: Capsule;
}

export const readCapsule = (file: string): Capsule => JSON.parse(readFileSync(file, 'utf8'));

/** Entries without their times. */
const timeless = (entries: readonly { at: number }[] = []): unknown[] =>
  entries.map((entry) => ({ ...entry, at: undefined }));

/** What must be equal in a replay, byte for byte. */
export function essence({ console, reads, writes, rejected, nested, ...report }: RunReport): string {
  const { status, result, error, dryRun, dropped } = report;
  return JSON.stringify([
    { status, result, error, dryRun, dropped },
    ...[console, reads, writes, rejected, nested].map(timeless),
  ]);
}

export const EQUAL = { missing: null, assumed: [], intact: true, edited: false, isEqual: true, code: 'of the run' };

/** A workspace whose runs are recorded and replayed. Call it outside of tests. */
export function capsules() {
  beforeAll(builtProduct, 180_000);
  const folder = sharedFolder();
  const workspace = join(folder, 'plant');
  let files = 0;

  /** A file with this content. */
  function fileOf(content: string, end = 'js'): string {
    files += 1;
    const file = join(folder, `${files}.${end}`);
    writeFileSync(file, content);
    return file;
  }

  /** The capsule of a run in the sample. */
  async function record(body: string, ...options: string[]): Promise<Recorded> {
    return recordFile([fileOf(body)], ...options);
  }

  async function recordFile(source: string[], ...options: string[]): Promise<Recorded> {
    files += 1;
    const file = join(folder, `${files}.capsule.json`);
    const ran = await commandLine(['run', ...source, '-w', workspace, '--json', '--capsule', file, ...options]);
    if (ran.code !== 0 && ran.code !== 1) throw new Error(ran.err);
    return { file, report: JSON.parse(ran.out), capsule: readCapsule(file) };
  }

  async function replay(file: string, body?: string): Promise<ReplayReport & { code: number | null }> {
    const { code, out, err } = await commandLine([
      'replay',
      file,
      '--json',
      ...(body === undefined ? [] : ['--script', fileOf(body)]),
    ]);
    if (out === '') throw new Error(err);
    return { ...JSON.parse(out), code };
  }

  /** A replay of the same body, in the form of EQUAL. */
  async function repeated({ file, report }: Recorded): Promise<object> {
    const { missing, assumed, intact, edited, code, ...again } = await replay(file);
    const [before, after] = [essence(report), essence(again.report)];
    const isEqual = again.comparison.equal && before === after ? true : [before, after, again.comparison];
    const expected = report.status === 'ok' ? 0 : 1;
    return { missing, assumed, intact, edited, isEqual, code: code === expected ? 'of the run' : code };
  }

  return { folder, workspace, fileOf, record, recordFile, replay, repeated };
}
