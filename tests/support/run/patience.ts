import { vi } from 'vitest';

/** Timeouts for waiting. Waits end as soon as possible; tests do not measure how long they take. */
const PATIENCE_MS = 60_000;

const waitFor = vi.waitFor.bind(vi);
vi.waitFor = (callback, options) =>
  waitFor(callback, {
    timeout: PATIENCE_MS,
    interval: 20,
    ...(typeof options === 'number' ? { timeout: options } : options),
  });
