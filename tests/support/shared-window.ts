import { afterAll, afterEach } from 'vitest';
import type { WorkbenchPage } from './browser-workbench.ts';

/**
 * One window for the tests of a file, since loading a page costs more than most tests do. `open` opens it and brings it
 * to where they begin; called where hooks are, after the one that closes the workbench. The function that is returned
 * gives the window: tests bring it into the state they need, and leave no dialog open. Each test is checked for problems of
 * the page, and the one after a failed test gets a fresh window.
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
