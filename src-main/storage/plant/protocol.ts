import type { Json } from '#domain/text/json';

/**
 * What main and the processes that run the SQL of plant.db say to one another: frames on a pipe, as script hosts use
 * them. Main sends one request and waits for its answer, which is any number of ROWS and RESULTS frames, then DONE.
 */

/** What main sends to a plant host. */
export const TO_PLANT_HOST = {
  /** A PlantRequest as JSON. */
  request: 1,
} as const;

/** What a plant host sends to main. */
export const FROM_PLANT_HOST = {
  /** Some rows, as JSON: the first of those of the result that is sent next. */
  rows: 33,
  /** Some PlantResults as JSON, in the order of the statements. */
  results: 34,
  /** The answer is over: `null`, or a PlantError as JSON where nothing was run. */
  done: 35,
} as const;

const MB = 1_048_576;
/** Bytes of one text or BLOB that SQLite makes. */
export const MAX_VALUE_BYTES = 64 * MB;
/** What all values of one answer may take together, see `sizeOf`. */
export const MAX_ANSWER_SIZE = 64 * MB;
/** Bytes of one frame: the largest text, escaped or as Base64, and the values beside it. */
export const MAX_FRAME_BYTES = 2 * MAX_ANSWER_SIZE;

/** The most characters of the message of an error. */
export const MAX_MESSAGE = 10_000;

/** What a value counts in its answer: its characters, or what it takes in memory. */
export function sizeOf(value: Json): number {
  return typeof value === 'string' ? Math.max(value.length, 8) : 8;
}

/** A value as it is bound. Numbers: `real` keeps a whole number a REAL. */
export type Bound = null | string | number | { real: number } | { bytes: string };

export interface PlantStatement {
  /** One statement that was checked, with parameters as `:name`. */
  sql: string;
  /** What is bound, by name without the colon. */
  bind?: Record<string, Bound>;
}

/** What a statement gave: rows as arrays, BLOBs as Base64, integers beyond 2^53 as text. */
export interface PlantRows {
  columns: string[];
  rows: Json[][];
  /** There were more rows than asked for. */
  more?: boolean;
  changes?: number;
  /** ms that it took. */
  ms: number;
}

/**
 * Why a statement gave nothing: `sql` it is wrong; `data` it failed on what it found; `time` it took too long; `busy`
 * another program holds the file; `file` the file cannot be read or written; `recover` a writer must first undo what a
 * crash left; `size` the result is too large; `lost` the process that ran it ended; `taken` another write set holds
 * plant.db.
 */
export type PlantFault = (typeof PLANT_FAULTS)[number];

export const PLANT_FAULTS = ['sql', 'data', 'time', 'busy', 'file', 'recover', 'size', 'lost', 'taken'] as const;

export interface PlantError {
  fault: PlantFault;
  /** For people; what SQLite said, where it was SQLite. */
  message: string;
  /** The result code of SQLite, where the file is at fault. */
  sqlite?: number;
}

export type PlantResult = PlantRows | { error: PlantError };

export interface Limits {
  /** What one statement may take, ms. */
  ms: number;
  /** Rows of one result; one more says that there are more. */
  rows: number;
}

/** A statement whose text the process knows by number. */
export type SentStatement = [text: number, bind?: Record<string, Bound>];

export type PlantRequest = { id: number; limits: Limits; texts?: [number, string][] } & (
  | { op: 'read' | 'write'; statements: SentStatement[] }
  | { op: 'script'; sql: string }
  | { op: 'begin' | 'commit' | 'rollback' | 'save' | 'release' | 'undo' | 'close' }
);

export type PlantOperation = PlantRequest['op'];

/** The answer to a request: the results, or why nothing was run. */
export type PlantAnswer = { results: PlantResult[] } | { error: PlantError };

export type HostRole = 'reader' | 'writer';
