import type { Json } from '#domain/text/json';
import type { RunStatus } from '#domain/run/run';

/** A script that wants to do harm. */
export interface Attack {
  name: string;
  body: string;
  /** How it may end; where several are named, it depends on which guard is the first. */
  ends: RunStatus[];
  /** What the error says. */
  says?: RegExp;
  /** The result of a script that ends with `ok`: the escape routes that it found, for example. */
  gives?: Json;
  /** Script time, ms; the usual one is 300. */
  scriptMs?: number;
}

/** Ended by a guard, whichever is the first. */
export const STOPPED: RunStatus[] = ['timeout', 'memory', 'crashed', 'error'];
