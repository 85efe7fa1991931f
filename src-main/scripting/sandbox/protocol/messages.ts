import type { RunContext, RunError } from '#domain/run/run';
import type { WriteFailure } from '#domain/tag/tag';
import { MAX_CALL_BYTES, MAX_CONSOLE_TEXT, MAX_CONSOLE_VALUES } from './limits.ts';

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
  /**
   * A console entry: one digit (index into CONSOLE_LEVELS), then the text. With 5 added to the digit, these follow it:
   * the line, or nothing; `|`; the length of the logged values; `|`; these, as JSON. An entry that is sent late begins
   * with `@`, the ms since the start of the run, and `|`.
   */
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
  /** A body that reports its statements: the name of the function that it calls, and how many statements it has. */
  coverage?: { counter: string; statements: number };
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

/**
 * How a run ended, as seen by the host. `result` is any JSON that the script returned. `covered` has a `1` for each
 * statement that ran, `0` for each other one; absent if none are counted.
 */
export type RunEnd = { covered?: string } & (
  | { status: 'ok'; dropped: number; result: unknown }
  | { status: 'error'; dropped: number; error: RunError }
  | { status: 'timeout' | 'memory'; dropped: number }
);

const MB = 1024 * 1024;

/** The payload limits for frames of a host, for a run with this result limit. */
export function payloadLimit(type: number, resultBytes: number): number {
  switch (type) {
    case FROM_HOST.ready:
      return 0;
    case FROM_HOST.call:
      return MAX_CALL_BYTES;
    case FROM_HOST.console:
      // Three bytes for a character of two, and room for the note about the cut and for the head.
      return 1 + 3 * (MAX_CONSOLE_TEXT + 2 * MAX_CONSOLE_VALUES + 200);
    case FROM_HOST.consoleDropped:
      return 16;
    case FROM_HOST.done:
      return Math.max(resultBytes, MB) + MB;
    default:
      return -1;
  }
}
