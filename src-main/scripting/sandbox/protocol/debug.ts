import type { DebugStep } from '#domain/run/debug';

/** What the guest needs to know of a debugged body. Points and functions are named by their index. */
export interface GuestDebug {
  /** Part of every name that was added to the body. */
  token: string;
  /** For each point: its line, its function, and 1 for caught exceptions, 2 for `finally`, 4 for `await` added up. */
  points: [line: number, fn: number, flags: number][];
  /** For each function: its first and last line. */
  functions: [line: number, lastLine: number][];
  /** What the debugger wants at the start. */
  wants: DebugWants;
}

/** What the guest needs to know of a body that notes its values. */
export interface GuestNotes {
  /** Part of every name that was added to the body. */
  token: string;
  /** How many statements and branches it has, and how many variables it notes. */
  points: number;
  variables: number;
  /** How many statements and branches may run. */
  most: number;
  /** Characters of a value. */
  text: number;
  /** Keeps the order of its steps, up to these limits; absent if the steps are not shown. */
  steps?: StepLimits;
}

/** The limits of the order in which statements run: steps, values that they give, and characters of these values. */
export interface StepLimits {
  steps: number;
  changes: number;
  text: number;
}

/** Where a debugged run pauses. */
export interface DebugWants {
  breakpoints: GuestBreakpoint[];
  exceptions: 'none' | 'uncaught' | 'all';
  /** Before each call of an API. */
  apiCalls?: boolean;
  /** Before the first statement. */
  atStart?: boolean;
}

export interface GuestBreakpoint {
  point: number;
  /** It pauses only if this expression is true. */
  condition?: string;
  /** It pauses from this hit on. */
  hits?: number;
  /** A text to log instead, with expressions in braces. */
  log?: string;
}

/** What main sends to a paused run: how to continue, where to pause from now on, or a question about the run. */
export interface DebugCommand {
  resume?: DebugStep;
  pause?: boolean;
  wants?: DebugWants;
  ask?: string;
}

/** A question about a run that is paused, or waits for a call. Frames and objects are named by numbers, which are valid until it continues. */
export interface DebugQuestion extends DebugCommand {
  frame?: number;
  /** The names of a scope; `this` is allowed. */
  names?: string[];
  ref?: number;
  from?: number;
  count?: number;
  name?: string;
  text?: string;
}

/** The response of main to a call that is not complete yet: the host replies, and then waits on. */
export class PendingQuestion {
  readonly question: DebugQuestion;

  constructor(question: DebugQuestion) {
    this.question = question;
  }
}
