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
  /** Script time in ms of one that may end with `timeout`; 300 by default. */
  scriptMs?: number;
}

/** Script time in ms of what ends by itself, also on a slow machine. */
export const ENOUGH_MS = 20_000;

/** The limit of script time for an attack, ms. */
export const scriptMsOf = ({ ends, scriptMs = 300 }: Attack): number =>
  ends.includes('timeout') ? scriptMs : ENOUGH_MS;

/** Ended by a guard, whichever acts first. */
export const STOPPED: RunStatus[] = ['timeout', 'memory', 'crashed', 'error'];
