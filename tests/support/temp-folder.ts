import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** A folder for this test only, removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tagwright-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder for all tests of the file, or of the group, that calls this outside of a test; removed after them. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tagwright-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
