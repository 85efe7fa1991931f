import type { Quality } from '#domain/tag/quality';
import type { RunStatus } from '#domain/run/run';

/** The quality of a tag whose script, or expression, ended in this way. */
export const QUALITY_OF_RUN: Readonly<Record<Exclude<RunStatus, 'ok'>, Quality>> = {
  error: 'BadInternalError',
  timeout: 'BadTimeout',
  memory: 'BadOutOfMemory',
  crashed: 'BadInternalError',
  cancelled: 'BadInternalError',
};
