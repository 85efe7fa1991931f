import type { RunContext, RunError } from '#domain/run/run';
import type { WriteFailure } from '#domain/tag/tag';
import { MAX_CALL_BYTES, MAX_CONSOLE_TEXT } from './limits.ts';

/** Frames from main to a host. */
export const TO_HOST = {
  /**
   * A RunStart as JSON; only to a host without a run. A host that is still creating its realm reads it afterwards.
   */
  run: 1,
  /** The response to a call, a CallResponse as JSON; only while the host waits for it. */
  response: 2,
  /** The bytes of an image, right before the response that they belong to, which has `hasImage`. */
  image: 3,
} as const;

/** Frames from a host to main. */
export const FROM_HOST = {
  /** Empty; at the start and after every run, when the host has created the realm of its next run. */
  ready: 17,
  /**
   * A call of the script, as JSON `[method, line or null, ...arguments]`; the host blocks until the response arrives.
   */
  call: 18,
  /** A console entry: one digit (index into CONSOLE_LEVELS), then the text. */
  console: 19,
  /** How many console entries of the run were dropped so far, as decimal text. */
  consoleDropped: 20,
  /** A RunEnd as JSON; the host then creates its next realm, or exits after `memory` and `timeout`. */
  done: 21,
} as const;

/** One run, as requested by main. */
export interface RunStart {
  body: string;
  context: RunContext;
  limits: HostLimits;
}

/** The limits that the host itself enforces; main enforces them too, and more, from outside. */
export interface HostLimits {
  scriptMs: number;
  memoryMb: number;
  consoleEntries: number;
  resultBytes: number;
}

/** The response to a call of the script: a value, or an Error to throw. */
export type CallResponse = { value: unknown } | { error: CallError };

export interface CallError {
  message: string;
  failures?: WriteFailure[];
}

/** How a run ended, as seen by the host. `result` is any JSON that the script returned. */
export type RunEnd =
  | { status: 'ok'; dropped: number; result: unknown }
  | { status: 'error'; dropped: number; error: RunError }
  | { status: 'timeout' | 'memory'; dropped: number };

const MB = 1024 * 1024;

/** The payload limits for frames of a host, for a run with this result limit. */
export function payloadLimit(type: number, resultBytes: number): number {
  switch (type) {
    case FROM_HOST.ready:
      return 0;
    case FROM_HOST.call:
      return MAX_CALL_BYTES;
    case FROM_HOST.console:
      // Three bytes for a character of two, and room for the note about the cut.
      return 1 + 3 * (MAX_CONSOLE_TEXT + 100);
    case FROM_HOST.consoleDropped:
      return 16;
    case FROM_HOST.done:
      return Math.max(resultBytes, MB) + MB;
    default:
      return -1;
  }
}
