import { vi } from 'vitest';

/** What is waited for comes as soon as it can; how long that is on a busy machine is not what the tests are about. */
const PATIENCE_MS = 30_000;

const waitFor = vi.waitFor.bind(vi);
vi.waitFor = (callback, options) =>
  waitFor(callback, {
    timeout: PATIENCE_MS,
    interval: 20,
    ...(typeof options === 'number' ? { timeout: options } : options),
  });
