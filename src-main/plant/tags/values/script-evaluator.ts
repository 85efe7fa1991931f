import type { ScriptEvaluator } from '#domain/run/script-evaluator';
import { TagwrightError } from '../../../platform/errors.ts';

/** For tags without script hosts. */
export const NO_SCRIPTS: ScriptEvaluator = {
  signal: new AbortController().signal,
  root: null,
  origin: null,
  run: async () => ({
    status: 'error',
    result: null,
    error: { name: 'Error', message: 'scripts cannot be run here', line: null, column: null, stack: [] },
  }),
};

/** A run or client that ended while its Set was being prepared no longer writes anything. */
export function refuseAfterEnd(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new TagwrightError('CANCELLED', 'The run or client that requested the Set has ended; nothing was written.');
}
