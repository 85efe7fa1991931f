import type { RunContext, RunError } from '#domain/run/run';
import type { WriteFailure } from '#domain/tag/tag';
import { MAX_CALL_BYTES, MAX_CONSOLE_TEXT } from './limits.ts';

/** What main sends to a host. */
export const TO_HOST = {
  /** A RunRequest as JSON; only to a host without a run. One that still makes its realm reads it afterwards. */
  run: 1,
  /** The answer to a call, a CallAnswer as JSON; only while the host waits for it. */
  answer: 2,
  /** The bytes of an image, right before the answer that they belong to, whose value says `hasImage`. */
  image: 3,
} as const;

/** What a host sends to main. */
export const FROM_HOST = {
  /** Empty; at the start and after every run, when the host has made the realm of its next run. */
  ready: 17,
  /** A call of the script, as JSON `[method, line or null, ...arguments]`; the host blocks until it is answered. */
  call: 18,
  /** A console entry: one digit (index into CONSOLE_LEVELS), then the text. */
  console: 19,
  /** How many console entries of the run were left out so far, as decimal text. */
  consoleDropped: 20,
  /** A RunEnd as JSON; the host makes its next realm then, or ends itself after `memory` and `timeout`. */
  done: 21,
} as const;

/** One run, as main asks for it. */
export interface RunRequest {
  body: string;
  context: RunContext;
  limits: HostLimits;
}

/** The limits that the host itself enforces; main enforces them again, and more, from outside. */
export interface HostLimits {
  scriptMs: number;
  memoryMb: number;
  consoleEntries: number;
  resultBytes: number;
}

/** What the script gets of its call: a value, or an Error to throw. */
export type CallAnswer = { value: unknown } | { error: CallError };

export interface CallError {
  message: string;
  failures?: WriteFailure[];
}

/** How a run ended, as the host saw it. `result` is whatever JSON the script returned. */
export type RunEnd =
  | { status: 'ok'; dropped: number; result: unknown }
  | { status: 'error'; dropped: number; error: RunError }
  | { status: 'timeout' | 'memory'; dropped: number };

const MB = 1024 * 1024;

/** The payload limits of what a host may send, for a run with this result limit. */
export function payloadLimit(type: number, resultBytes: number): number {
  switch (type) {
    case FROM_HOST.ready:
      return 0;
    case FROM_HOST.call:
      return MAX_CALL_BYTES;
    case FROM_HOST.console:
      // Three bytes for a character of two, and room for the note about what was cut.
      return 1 + 3 * (MAX_CONSOLE_TEXT + 100);
    case FROM_HOST.consoleDropped:
      return 16;
    case FROM_HOST.done:
      return Math.max(resultBytes, MB) + MB;
    default:
      return -1;
  }
}
