import type { GuestDebug, GuestNotes } from '../protocol/debug.ts';

/**
 * The interface between the guest and the child. The child sets HOST_GLOBAL before it runs the guest. The guest deletes
 * it and sets START_GLOBAL, which the wrapper of a body calls and which is deleted before the body runs.
 */
export const HOST_GLOBAL = '__tagwrightHost';
export const START_GLOBAL = '__tagwrightStart';

/** The name under which a body is compiled; frames with this name are the author's. */
export const SCRIPT_NAME = 'script';

/**
 * The requests of the guest to the child. All except `begin`, `call`, `image`, `text`, `random`, `clock` and `seed` return
 * empty text.
 */
export const GUEST_REQUEST = {
  /** Returns a GuestRun as JSON. */
  begin: 0,
  /** `[method, line or null, ...arguments]` as JSON; returns a CallResponse as JSON. */
  call: 1,
  /** An entry; protocol/messages.ts has its form. */
  console: 2,
  /** How many console entries were dropped so far. */
  consoleDropped: 3,
  /** The result of the body as JSON. */
  returned: 4,
  /** The thrown value, a RunError as JSON. */
  threw: 5,
  /** Returns the bytes of the image from the last call, once. */
  image: 6,
  /** The number of a statement that ran for the first time, as decimal text. */
  covered: 7,
  /** How many random bytes; returns them, none if the number is not from 1 to MAX_RANDOM_BYTES. */
  random: 8,
  /** The charset of the bytes from the last call; returns them as text, once. */
  text: 9,
  /** Returns the time of a recorded or replayed run: ms since 1970 as decimal text. */
  clock: 10,
  /** Returns what `Math.random` of such a run follows from: four numbers of 32 bits as JSON; '' after the run. */
  seed: 11,
} as const;

export type GuestRequest = (typeof GUEST_REQUEST)[keyof typeof GUEST_REQUEST];

type BytesRequest = typeof GUEST_REQUEST.image | typeof GUEST_REQUEST.random;

/** The only function that leads out of the isolate. Text in both directions, except for bytes. */
export interface Host {
  (request: BytesRequest, text: string): ArrayBuffer;
  (request: Exclude<GuestRequest, BytesRequest>, text: string): string;
}

type Body = () => Promise<unknown>;

/**
 * The function that the wrapper of a body calls, with the body as its argument; with the function that makes the body
 * from the counter of statements, or from the probes of a debugger, in a run that has them.
 */
export type Start = (body: Body | ((count: (statement: number) => void) => Body)) => void;

/** The data that a run passes to its guest. */
export interface GuestRun {
  tagName: string;
  tagScopeDiagram: string | null;
  tagScopeLocation: string | null;
  tagValue?: unknown;
  consoleEntries: number;
  resultBytes: number;
  /** Whether every Get has its line; absent if the run is not recorded or replayed. */
  recorded?: { everyLine: boolean };
  /** The number of statements that the body counts; absent if it counts none. */
  statements?: number;
  /** Absent if the run is not debugged, and notes no values. */
  debug?: GuestDebug | GuestNotes;
}
