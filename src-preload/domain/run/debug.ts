/** Why a debugged run pauses. */
export const PAUSE_REASONS = ['step', 'breakpoint', 'pause', 'exception', 'api call'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** How a paused run continues. */
export const DEBUG_STEPS = ['continue', 'into', 'over', 'out'] as const;
export type DebugStep = (typeof DEBUG_STEPS)[number];

/** On which exceptions a run pauses. */
export const EXCEPTION_FILTERS = ['none', 'uncaught', 'all'] as const;
export type ExceptionFilter = (typeof EXCEPTION_FILTERS)[number];

export const DEBUG_LIMITS = {
  /** Characters of a body. */
  body: 1_048_576,
  /** Breakpoints of one script. */
  breakpoints: 1_000,
  /** Scripts with breakpoints. */
  sources: 1_000,
  /** Characters of an expression. */
  text: 10_000,
  /** Debugged runs at a time. */
  sessions: 50,
  /** Variables of one response. */
  variables: 1_000,
} as const;

/** A breakpoint as a person sets it. Lines count from 1. */
export interface Breakpoint {
  line: number;
  /** It pauses only if this expression is true. */
  condition?: string;
  /** It pauses from this hit on. */
  hits?: number;
  /** A text to log instead of pausing, with expressions in braces. */
  log?: string;
}

/** A breakpoint and the line where it pauses: the next one with a statement; null if there is none. */
export interface PlacedBreakpoint extends Breakpoint {
  actualLine: number | null;
}

/** A frame of a paused run. The frames of runs that wait for it follow its own. */
export interface DebugFrame {
  /** As the author named it; null for the body, and for a function without a name. */
  name: string | null;
  line: number;
  column: number;
  /** Whether expressions can be evaluated in it. */
  evaluates: boolean;
}

/** A value of a paused run, for people. */
export interface DebugVariable {
  name: string;
  text: string;
  type: string;
  /** The number of an object, to ask for its members until the run continues; 0 for other values. */
  ref: number;
  /** How many elements it has, if it is an array. */
  length: number;
}

/** `ready`: it waits for `launch` or `configurationDone`. */
export const SESSION_STATES = ['ready', 'running', 'paused', 'ended'] as const;
export type DebugState = (typeof SESSION_STATES)[number];

/** A debug session in the list of all. */
export interface DebugSessionSummary {
  session: string;
  /** The name of the script, or of its tag. */
  name: string;
  /** The script in the library; null if it has none. */
  scriptId: number | null;
  /** The tag that the run is for; '' if none. */
  tag: string;
  state: DebugState;
  /** The time when this state began. */
  since: string;
  /** It began by itself, because *Break in all runs* is on. */
  breakInAll: boolean;
}
