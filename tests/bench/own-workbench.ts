import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createLog } from '../../src-main/platform/log.ts';
import type { Workbench } from '../../src-main/workbench.ts';
import { openWorkbench } from '../../src-main/workbench.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Measures with an empty workspace of its own, which is deleted afterwards. */
export async function withWorkbench<T>(work: (workbench: Workbench) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'tagwright-bench-'));
  const log = createLog({ level: 'error' });
  const workbench = await openWorkbench({ directory, root: ROOT, createSample: false, log });
  try {
    return await work(workbench);
  } finally {
    await workbench.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
