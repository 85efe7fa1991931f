import type { ErrorCode } from '#contract/errors';
import type { JsonObject } from '#domain/text/json';

export interface ErrorDetails {
  /** The data that a program needs to act on the error; documented with the code in the contract. */
  data?: JsonObject;
  cause?: unknown;
}

/**
 * The one error of the product: a code of the closed set, a message that says what to do next, and the cause. It
 * crosses a process as data (code, message, data); its stack does not.
 */
export class TagwrightError extends Error {
  override readonly name = 'TagwrightError';
  readonly code: ErrorCode;
  readonly data: JsonObject;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.data = details.data ?? {};
  }
}

/** The message of any thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
