import { ORPCError, ValidationError } from '@orpc/server';
import { z } from 'zod';
import type { ErrorCode } from '#contract/errors';
import type { Json, JsonObject } from '#domain/text/json';
import { TagwrightError } from '../platform/errors.ts';
import { PLAIN } from '../platform/plain-words.ts';

// The input of procedures is validated by oRPC, which passes no options; people see these messages too.
z.config({ customError: PLAIN.error });

/** Receives the details of internal errors: they are never sent to a client. */
export type FaultLog = (where: string, fault: unknown) => void;

/** An error as sent to every client: a code of the closed set, a message, data. Its stack is not sent. */
export type ContractError = ORPCError<ErrorCode, Json>;

interface Issue {
  path: (string | number)[];
  message: string;
}

/**
 * The only place that converts exceptions to errors for clients: a TagwrightError keeps its code, message and data;
 * invalid input becomes BAD_REQUEST with `data.issues: [{ path, message }]`; anything else is an internal error:
 * INTERNAL, neutral, with its details logged.
 *
 * @param where the procedure, such as `tags.get`
 */
export function toContractError(thrown: unknown, where: string, signal: AbortSignal | undefined, log: FaultLog) {
  if (thrown instanceof TagwrightError) return contractError(thrown.code, thrown.message, thrown.data);
  if (thrown instanceof ORPCError && thrown.code === 'BAD_REQUEST' && thrown.cause instanceof ValidationError) {
    return badRequest(where, thrown.cause);
  }
  if (signal?.aborted && thrown instanceof Error && (thrown.name === 'AbortError' || thrown === signal.reason)) {
    return contractError('CANCELLED', `${where} was cancelled.`, {});
  }
  log(where, thrown);
  return contractError(
    'INTERNAL',
    `Tagwright could not complete ${where} because of an internal error. Its log has the details.`,
    {},
  );
}

function contractError(code: ErrorCode, message: string, data: JsonObject): ContractError {
  return new ORPCError<ErrorCode, Json>(code, { message, data });
}

function badRequest(where: string, error: ValidationError): ContractError {
  const issues = error.issues.map(issueOf);
  const [first] = issues;
  const place = first && first.path.length > 0 ? ` at ${textOfPath(first.path)}` : '';
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return contractError('BAD_REQUEST', `The input of ${where} is invalid${place}: ${first?.message ?? ''}${more}`, {
    issues: issues.map(({ path, message }) => ({ path, message })),
  });
}

function issueOf(issue: ValidationError['issues'][number]): Issue {
  const path = (issue.path ?? []).map((step) => {
    const key = typeof step === 'object' ? step.key : step;
    return typeof key === 'number' ? key : String(key);
  });
  return { path, message: issue.message };
}

/** `items[3].tag` */
function textOfPath(path: (string | number)[]): string {
  return path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${step}`)).join('');
}
