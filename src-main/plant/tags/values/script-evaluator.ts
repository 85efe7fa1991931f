import type { ScriptEvaluator } from '#domain/run/script-evaluator';
import { TagwrightError } from '../../../platform/errors.ts';

/** For tags without script hosts. */
export const NO_SCRIPTS: ScriptEvaluator = {
  signal: new AbortController().signal,
  root: null,
  run: async () => ({
    status: 'error',
    result: null,
    error: { name: 'Error', message: 'scripts cannot be run here', line: null, column: null, stack: [] },
  }),
};

/** A run that was stopped while its Set was being prepared no longer writes anything. */
export function refuseAfterEnd(scripts: ScriptEvaluator): void {
  if (scripts.signal.aborted) throw new TagwrightError('CANCELLED', 'The run has ended; nothing was written.');
}
