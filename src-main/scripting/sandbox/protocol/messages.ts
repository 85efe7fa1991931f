import type { RunContext, RunError } from '#domain/run/run';
import type { ClockReadings } from '#domain/run/clock-readings';
import type { WriteFailure } from '#domain/tag/tag';
import type { DebugQuestion, GuestDebug, GuestNotes } from './debug.ts';
import { MAX_CALL_BYTES, MAX_CONSOLE_TEXT, MAX_CONSOLE_VALUES } from './limits.ts';

/** Frames from main to a host. */
export const TO_HOST = {
  /**
   * A RunStart as JSON; only to a host without a run. A host that is still creating its realm reads it afterwards.
   */
  run: 1,
  /** The response to a call, a CallResponse as JSON; only while the host waits for it. */
  response: 2,
  /** The bytes of an image or of a text, right before their response, which has `hasImage` or `charset`. */
  bytes: 3,
  /** Empty; after a run, if no other one follows at once: the host sends `ready` when the realm of its next run exists. */
  check: 4,
  /**
   * Right before a response: Gets that the script probably makes next, with their responses, all read at one moment. The
   * ms of that moment since 1970; then, for each, its arguments as JSON and its response; all on lines of their own. In a
   * replay, these can be API calls, too; the first line also has, for each, the place of the reading of the clock that
   * comes after it; and they can be used at any time.
   */
  ahead: 5,
  /** Right before a response, in a replay: the place of the reading of the clock that comes next, as decimal text. */
  clock: 6,
} as const;

/** Frames from a host to main. */
export const FROM_HOST = {
  /**
   * Empty; the host has created the realm of its next run. Sent at the start, in response to `check`, and without it if
   * creating the realm took long; once for each realm.
   */
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
  /**
   * The script made a call that the last `ahead` has: its place there, its line or null, and the µs since `ahead` was read,
   * separated by commas. Once for each place, right before the next frame of any other type.
   */
  used: 22,
  /**
   * In a run that is recorded, right before another frame: the readings of the clock since the last such frame, as
   * `times,ms` separated by semicolons; ms since 1970.
   */
  clock: 23,
  /** In a run that is recorded or replayed, once, before its body: the locale and the time zone of its realm. */
  place: 24,
} as const;

/** One run, as requested by main. */
export interface RunStart {
  body: string;
  context: RunContext;
  limits: HostLimits;
  /** The clock and the random numbers of the run are recorded, or those of a recorded run. */
  recorded?: RecordedStart;
  /** A body that reports its statements: the name of the function that it calls, and how many statements it has. */
  coverage?: { counter: string; statements: number };
  /** A body with the probes of a debugger, or that notes its values: the names of what it calls, and what its guest needs to know. */
  debug?: { names: readonly string[]; guest: GuestDebug | GuestNotes };
}

/** The limits that the host itself enforces; main enforces them too, and more, from outside. */
export interface HostLimits {
  scriptMs: number;
  memoryMb: number;
  consoleEntries: number;
  resultBytes: number;
}

/** How a recorded or replayed run begins. */
export interface RecordedStart {
  /** All random numbers follow from it: 32 bytes in hexadecimal. */
  seed: string;
  /** The readings of a recorded clock to repeat; absent if the clock is recorded. */
  readings?: ClockReadings;
  /** Also Gets have their lines after the first MAX_CALL_LINES calls, which Sets and calls of APIs always have. */
  everyLine?: boolean;
}

/**
 * The response to a call of the script: a value, or an Error to throw; or a question of the debugger, whose reply the
 * host sends before it waits on.
 */
export type CallResponse = { value: unknown } | { error: CallError } | { question: DebugQuestion };

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

/** Bytes of a frame with readings of the clock, and of the locale and time zone of a realm. */
export const MAX_CLOCK_FRAME = 65_536;
export const MAX_PLACE = 200;

const MB = 1024 * 1024;

/** The maximum payloads of the frames of a host, in bytes, except those of `done`. */
export const PAYLOAD_LIMITS: Readonly<Record<number, number>> = {
  [FROM_HOST.ready]: 0,
  [FROM_HOST.call]: MAX_CALL_BYTES,
  // Three bytes for a character of two, and room for the note about the cut and for the head.
  [FROM_HOST.console]: 1 + 3 * (MAX_CONSOLE_TEXT + 2 * MAX_CONSOLE_VALUES + 200),
  [FROM_HOST.consoleDropped]: 16,
  [FROM_HOST.used]: 32,
  [FROM_HOST.clock]: MAX_CLOCK_FRAME,
  [FROM_HOST.place]: MAX_PLACE,
};

/** The maximum payload of `done`, for a run with this limit of its result. */
export function doneLimit(resultBytes: number): number {
  return Math.max(resultBytes, MB) + MB;
}
