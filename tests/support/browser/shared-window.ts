import { afterAll, afterEach } from 'vitest';
import type { WorkbenchPage } from './browser-workbench.ts';

/**
 * One window for all tests of a file, because loading a page costs more than most tests. `open` opens it and prepares
 * the state in which tests start. Call it among the hooks of the file, after the hook that closes the workbench. The
 * returned function returns the window. Tests bring it into the state they need, and leave no dialog open. After each
 * test, the page is checked for problems; a test after a failed one gets a fresh window.
 */
export function sharedWindow(open: () => Promise<WorkbenchPage>): () => Promise<WorkbenchPage> {
  let shared: Promise<WorkbenchPage> | null = null;
  const close = async () => {
    const closing = shared;
    shared = null;
    await (await closing)?.close();
  };
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await close();
    else (await shared)?.check();
  });
  afterAll(close);
  return () => (shared ??= open());
}
