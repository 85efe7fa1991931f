import type { ErrorCode } from '#contract/errors';
import type { JsonObject } from '#domain/text/json';

export interface ErrorDetails {
  /** What a program needs to act on the error; documented beside the code in the contract. */
  data?: JsonObject;
  cause?: unknown;
}

/**
 * The one error of the product: a code of the closed set, a message that says what to do next, and the cause kept.
 * It crosses a process as data (code, message, data); its stack stays at home.
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

/** The message of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
