import { mkdirSync, rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';

/**
 * Creates the folder for temporary files of this run, and removes it when the process of the run ends. What lives as
 * long as a worker, such as the profile of its browser, can't be removed by the worker: Vitest ends it with a signal.
 */
export default function createRunFolder({ config }: TestProject): void {
  const folder = config.env['TMPDIR'];
  if (folder === undefined || mkdirSync(folder, { recursive: true }) === undefined) return;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
}
