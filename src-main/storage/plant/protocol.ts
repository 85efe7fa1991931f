import type { Json } from '#domain/text/json';

/** What main and the processes that run the SQL of plant.db say to one another. */

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
export type PlantFault = 'sql' | 'data' | 'time' | 'busy' | 'file' | 'recover' | 'size' | 'lost' | 'taken';

export interface PlantError {
  fault: PlantFault;
  /** For people; what SQLite said, where it was SQLite. */
  message: string;
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

export type PlantAnswer = { id: number; results: PlantResult[] } | { id: number; error: PlantError };

export type HostRole = 'reader' | 'writer';
