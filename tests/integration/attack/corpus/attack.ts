import type { Json } from '#domain/text/json';
import type { RunStatus } from '#domain/run/run';

/** A hostile script. */
export interface Attack {
  name: string;
  body: string;
  /** The allowed outcomes. If there are several, it depends on which guard acts first. */
  ends: RunStatus[];
  /** The expected error message. */
  says?: RegExp;
  /** The expected result if it ends with `ok`, for example the escape routes that it found. */
  gives?: Json;
  /** Script time in ms; 300 by default. */
  scriptMs?: number;
}

/** Ended by a guard, whichever acts first. */
export const STOPPED: RunStatus[] = ['timeout', 'memory', 'crashed', 'error'];
