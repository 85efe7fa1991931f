import type { Inserted } from './columns.ts';

/** A place where a debugged body reports to the debugger, before what follows it runs. */
export interface ProbePoint {
  /** In the author's text, from 1. */
  line: number;
  column: number;
  /** The index of its function. */
  fn: number;
  /** The index of its innermost scope. */
  scope: number;
  /** Whether an exception here is caught in the same function. */
  isCaught: boolean;
  /** Whether the statement contains `await` or `yield`, so that other code can run before it ends. */
  suspends: boolean;
  /** Whether it is inside of a `finally` block. */
  isFinally: boolean;
}

/** A function of the body; the first one is the body itself. */
export interface DebugFunction {
  /** As the author named it; null if it has no name. */
  name: string | null;
  line: number;
  lastLine: number;
}

/** A scope with the names that it declares, inner ones first when following `parent`. */
export interface DebugScope {
  kind: 'function' | 'block' | 'catch' | 'loop' | 'switch' | 'class';
  names: string[];
  /** null for the scope of the body. */
  parent: number | null;
  fn: number;
}

/** A body that reports to a debugger. Its lines are those of the author; `originalError` gives the author's columns. */
export interface DebugBody {
  body: string;
  /** Part of every name that was added: nothing in the body contains it. */
  token: string;
  points: ProbePoint[];
  functions: DebugFunction[];
  scopes: DebugScope[];
  inserted: Inserted[];
}

/** The names that the debugged body uses for what the guest gives it; each starts with the token. */
export const PARAMETERS = { point: 'p', enter: 'e', thrown: 't', caught: 'c', finally: 'f' } as const;
