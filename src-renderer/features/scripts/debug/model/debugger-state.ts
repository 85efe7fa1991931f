import type { DebugProtocol } from '@vscode/debugprotocol';
import type { RunContext } from '#domain/run/run';
import type { PendingApiCall } from './debug-client.ts';
import { keyOfSource } from './sources.ts';

/** On which exceptions a run pauses. */
export const EXCEPTIONS = ['none', 'uncaught', 'all'] as const;
export type PausingExceptions = (typeof EXCEPTIONS)[number];

export const STEPS = ['continue', 'next', 'stepIn', 'stepOut'] as const;
export type RunStep = (typeof STEPS)[number];

/** The text that is debugged. */
export interface Debuggee {
  /** The key of its doc. */
  key: string;
  scriptId: number | null;
  name: string;
  body: string;
  context: RunContext;
  dryRun: boolean;
  /** A test, or the script or expression of a tag, which is run in place of the text. */
  runs?: { testId: number; savedAt: string } | { tag: string };
}

/** A line of the debug console: output of the run, or an expression and its result. */
export interface ConsoleLine {
  id: number;
  kind: 'output' | 'error' | 'log' | 'input' | 'result' | 'failed';
  text: string;
  /** The line of the script that wrote it. */
  line: number | null;
  /** An object that unfolds while the run stays paused. */
  value: { ref: number; stop: number; indexed: number; named: number } | null;
}

/** Why the run is paused. */
export interface Stop {
  reason: string;
  /** For people, such as the message of an exception. */
  text: string | null;
}

export interface DebuggerState {
  phase: 'none' | 'starting' | 'running' | 'paused' | 'ended';
  debuggee: Debuggee | null;
  stop: Stop | null;
  /** Counts the stops: references to variables are valid until the next one. */
  stops: number;
  /** Counts what may have changed variables: stops, and evaluations in between. */
  revision: number;
  /** Innermost first; empty while the run is not paused. */
  frames: readonly DebugProtocol.StackFrame[];
  /** The id of the selected frame. */
  frame: number | null;
  /** The call of an API before which the run is paused. */
  call: PendingApiCall | null;
  console: readonly ConsoleLine[];
}

export const NOTHING: DebuggerState = {
  phase: 'none',
  debuggee: null,
  stop: null,
  stops: 0,
  revision: 0,
  frames: [],
  frame: null,
  call: null,
  console: [],
};

export const isActive = (phase: DebuggerState['phase']): boolean => phase !== 'none' && phase !== 'ended';

/** The selected frame, and the doc that shows its text. */
export function shownFrame(state: DebuggerState): { frame: DebugProtocol.StackFrame; key: string | null } | null {
  const frame = state.frames.find(({ id }) => id === state.frame);
  return frame ? { frame, key: keyOfSource(frame.source, state.debuggee?.key ?? null) } : null;
}

export function isDebuggee(value: unknown): value is Debuggee {
  if (typeof value !== 'object' || value === null) return false;
  const { key, name, body, context, scriptId } = value as Partial<Record<keyof Debuggee, unknown>>;
  const texts = [key, name, body].every((one) => typeof one === 'string');
  return (
    texts && typeof context === 'object' && context !== null && (scriptId === null || typeof scriptId === 'number')
  );
}
