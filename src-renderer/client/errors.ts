import { ORPCError } from '@orpc/client';
import { ERROR_CODES } from '#contract/errors';
import type { ErrorCode } from '#contract/errors';

/** The connection ended before a response arrived: it is unknown whether main executed the call. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

/** An error as views show it. */
export interface Problem {
  code: ErrorCode | 'CONNECTION_LOST';
  message: string;
  data: unknown;
}

/** The code, the message with the next step, and the data of anything that a call can throw. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ConnectionLostError) return { code: 'CONNECTION_LOST', message: error.message, data: null };
  if (error instanceof ORPCError) {
    return { code: isErrorCode(error.code) ? error.code : 'INTERNAL', message: error.message, data: error.data };
  }
  return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error), data: null };
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}

/** Whether the caller itself cancelled the call. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Why a write of one tag was rejected: the reason of its item in WRITE_REFUSED, else the message of the error. */
export function refusalOf(error: unknown): string {
  const { code, message, data } = problemOf(error);
  if (code !== 'WRITE_REFUSED') return message;
  if (typeof data !== 'object' || data === null || !('failures' in data) || !Array.isArray(data.failures))
    return message;
  const failure: unknown = data.failures[0];
  const named = typeof failure === 'object' && failure !== null && 'reason' in failure;
  return named && typeof failure.reason === 'string' ? failure.reason : message;
}
