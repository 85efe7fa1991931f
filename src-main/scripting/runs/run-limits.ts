import type { RunLimits } from '#domain/run/run';
import { SCRIPT_LIMITS } from '#domain/run/script';
import type { Settings } from '#domain/workspace/settings';

const BYTES_PER_MB = 1_048_576;
/** A live run may wait for tags and mocks this many times as long as it may compute. */
const LIVE_WAITING = 10;

/** The limits at the start of a run. @param live whether the text is still being typed */
export function limitsOf(settings: Settings, live: boolean): RunLimits {
  const liveMs = live ? settings['limits.liveMs'] : Infinity;
  return {
    scriptMs: Math.min(settings['limits.scriptMs'], liveMs),
    totalMs: Math.min(settings['limits.totalMs'], liveMs * LIVE_WAITING),
    memoryMb: settings['limits.memoryMb'],
    consoleEntries: settings['limits.consoleEntries'],
    resultBytes: settings['limits.resultMb'] * BYTES_PER_MB,
    bodyBytes: SCRIPT_LIMITS.bodyBytes,
  };
}
