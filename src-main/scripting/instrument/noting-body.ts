import type { CodeRange } from '#domain/run/shown-values';
import type { Inserted } from './columns.ts';

/** A variable in a line that assigns or declares it. */
export interface NotedVariable {
  line: number;
  name: string;
}

/** A body that counts its statements and branches, and notes what its variables become. Its lines are the author's. */
export interface NotingBody {
  body: string;
  /** Part of every name that was added: nothing in the body contains it. */
  token: string;
  /** The statements and branches, in the order of their numbers. */
  points: CodeRange[];
  variables: NotedVariable[];
  /** Numbers of the variables that are noted before the first statement of a block: parameters, and those of loops. */
  heads: ReadonlySet<number>;
  inserted: Inserted[];
}

/** The names that the body uses for what the guest gives it; each starts with the token. */
export const NOTING_PARAMETERS = { point: 'p', note: 'n' } as const;
