import type { Quality } from '#domain/tag/quality';
import type { RunStatus } from '#domain/run/run';

/** The quality of a tag from the status of its script or expression. */
export const QUALITY_OF_RUN: Readonly<Record<Exclude<RunStatus, 'ok'>, Quality>> = {
  error: 'BadInternalError',
  timeout: 'BadTimeout',
  memory: 'BadOutOfMemory',
  crashed: 'BadInternalError',
  cancelled: 'BadInternalError',
};
