import type { Json } from '#domain/text/json';

/**
 * The protocol between main and the processes that run the SQL of plant.db: frames on a pipe, as with script hosts.
 * Main sends one request and waits for its response, which is any number of ROWS and RESULTS frames, then DONE.
 */

/** Frames from main to a plant host. */
export const TO_PLANT_HOST = {
  /** A PlantRequest as JSON. */
  request: 1,
} as const;

/** Frames from a plant host to main. */
export const FROM_PLANT_HOST = {
  /** Some rows, as JSON: the first rows of the next result. */
  rows: 33,
  /** Some PlantResults as JSON, in the order of the statements. */
  results: 34,
  /** End of the response: `null`, or a PlantError as JSON if nothing was run. */
  done: 35,
} as const;

const MB = 1_048_576;
/** Maximum size of one text or BLOB that SQLite creates, in bytes. */
export const MAX_VALUE_BYTES = 64 * MB;
/** Maximum size of all values of one response, see `sizeOf`. */
export const MAX_RESPONSE_SIZE = 64 * MB;
/** Maximum size of one frame in bytes: the largest text, escaped or as Base64, and the values with it. */
export const MAX_FRAME_BYTES = 2 * MAX_RESPONSE_SIZE;

/**
 * Maximum resident memory of a plant host: the engine's own, the largest response with its JSON, and what SQLite holds
 * for a statement. SQLite cannot limit its memory itself, because Node compiles it without counting.
 */
export const MAX_HOST_BYTES = 1024 * MB;

/** Maximum length of the message of an error. */
export const MAX_MESSAGE = 10_000;
/** The length that the message of every error may have, and what longer ones of one response may have beyond it in total. */
export const SHORT_MESSAGE = 300;
export const MAX_LONG_MESSAGES = MB;

/** The size of a value in its response: its characters, or its memory. */
export function sizeOf(value: Json): number {
  return typeof value === 'string' ? Math.max(value.length, 8) : 8;
}

/** A bound value. Numbers: `real` keeps an integer a REAL. */
export type Bound = null | string | number | { real: number } | { bytes: string };

export interface PlantStatement {
  /** One checked statement, with parameters as `:name`. */
  sql: string;
  /** The bound values, by name without the colon. */
  bind?: Record<string, Bound>;
}

/** The result of a statement: rows as arrays, BLOBs as Base64, integers beyond 2^53 as text. */
export interface PlantRows {
  columns: string[];
  rows: Json[][];
  /** There were more rows than requested. */
  more?: boolean;
  changes?: number;
  /** Its duration in ms. */
  ms: number;
}

/**
 * Why a statement has no result: `sql` it is invalid; `data` it failed on its data; `time` it timed out; `busy` another
 * program holds the file; `file` the file cannot be read or written; `recover` a writer must first undo leftovers of a
 * crash; `size` the result is too large; `lost` its process ended; `taken` another write set holds plant.db.
 */
export type PlantFault = (typeof PLANT_FAULTS)[number];

export const PLANT_FAULTS = ['sql', 'data', 'time', 'busy', 'file', 'recover', 'size', 'lost', 'taken'] as const;

export interface PlantError {
  fault: PlantFault;
  /** For people; the message of SQLite if there is one. */
  message: string;
  /** The result code of SQLite, for errors of the file. */
  sqlite?: number;
}

export type PlantResult = PlantRows | { error: PlantError };

export interface Limits {
  /** Time limit of one statement, ms. */
  ms: number;
  /** Maximum number of rows of one result; one more shows that there are more. */
  rows: number;
  /** No statement of the request begins after this time, ms; unlimited if absent. */
  totalMs?: number;
}

/** The time limit of all statements of one read or Set, in time limits of one statement. */
const STATEMENTS_IN_TIME = 6;

/**
 * The time limit of one read or Set, ms. A read waits, and begins its last statement, within it. The transaction of a Set
 * is decided within it.
 */
export function timeInTotal({ ms }: Limits): number {
  return STATEMENTS_IN_TIME * ms;
}

function timeLimitText(whose: string, limits: Limits): string {
  const total = timeInTotal(limits).toLocaleString('en');
  return `the DB tags of one ${whose} take at most ${total} ms in total (${STATEMENTS_IN_TIME} × setting db.statementMs)`;
}

/** The error of a statement that was not begun within the time of its read. */
export function notInTime(limits: Limits): PlantError {
  return { fault: 'time', message: `it was not run: ${timeLimitText('read', limits)}` };
}

/** The error of a Set whose transaction was open for too long. */
export function setTooLong(limits: Limits): PlantError {
  const message = `${timeLimitText('Set, with its scripts,', limits)}; write fewer in one Set, or raise the setting`;
  return { fault: 'time', message };
}

/** The error of statements whose result is no longer needed. */
export const CANCELLED: PlantError = { fault: 'lost', message: 'the run or client that requested it has ended' };

/** A statement whose text the process knows by number. */
export type SentStatement = [text: number, bind?: Record<string, Bound>];

export type PlantRequest = { id: number; limits: Limits; texts?: [number, string][] } & (
  | { op: 'read' | 'write'; statements: SentStatement[] }
  | { op: 'script'; sql: string }
  | { op: 'begin' | 'commit' | 'rollback' | 'save' | 'release' | 'undo' | 'check' | 'close' }
);

export type PlantOperation = PlantRequest['op'];

/** The response to a request: the results, or why nothing was run. */
export type PlantResponse = { results: PlantResult[] } | { error: PlantError };

export type HostRole = 'reader' | 'writer';
