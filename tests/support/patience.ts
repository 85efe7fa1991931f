import { vi } from 'vitest';

/** Waits end as soon as possible; how long they take on a busy machine is not tested. */
const PATIENCE_MS = 30_000;

const waitFor = vi.waitFor.bind(vi);
vi.waitFor = (callback, options) =>
  waitFor(callback, {
    timeout: PATIENCE_MS,
    interval: 20,
    ...(typeof options === 'number' ? { timeout: options } : options),
  });
