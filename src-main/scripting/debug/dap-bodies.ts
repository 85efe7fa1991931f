import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Breakpoint, PlacedBreakpoint } from '#domain/run/debug';
import type { Json } from '#domain/text/json';
import type { SourceBreakpoints } from './dap-arguments.ts';
import type { SessionPause } from './debug-session.ts';

/** What this adapter can do, for `initialize`. */
export const CAPABILITIES: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsEvaluateForHovers: true,
  supportsSetVariable: true,
  supportsSetExpression: true,
  supportsCompletionsRequest: true,
  completionTriggerCharacters: ['.'],
  supportsRestartRequest: true,
  supportsTerminateRequest: true,
  supportTerminateDebuggee: true,
  exceptionBreakpointFilters: [
    { filter: 'all', label: 'All exceptions', default: false },
    { filter: 'uncaught', label: 'Uncaught exceptions', default: true },
  ],
};

const TITLES = {
  step: 'Paused after a step',
  breakpoint: 'Paused at a breakpoint',
  pause: 'Paused',
  exception: 'Paused on an exception',
  'api call': 'Paused before an API call',
};

export function stoppedBody({ reason, error, title }: SessionPause): Json {
  const caught = error?.isCaught === true ? 'caught' : 'uncaught';
  const text = error
    ? `${caught} ${error.error.name}: ${error.error.message}`
    : reason === 'api call'
      ? undefined
      : title;
  return {
    reason,
    description: TITLES[reason],
    threadId: 1,
    allThreadsStopped: true,
    ...(text !== undefined && { text }),
  };
}

/** A breakpoint, or the reason why it cannot be one. */
export type WantedBreakpoint = Breakpoint | { problem: string };

export function wantedBreakpoint(given: SourceBreakpoints['breakpoints'][number]): WantedBreakpoint {
  const { line, condition, hitCondition, logMessage } = given;
  const [, sign = '', number = ''] = /^\s*(>=|>)?\s*(\d{1,9})\s*$/.exec(hitCondition ?? '') ?? [];
  if (isGiven(hitCondition) && number === '') {
    return { problem: 'A hit count is a number: the run pauses from that hit on.' };
  }
  const hits = Number(number) + (sign === '>' ? 1 : 0);
  return {
    line,
    ...(isGiven(condition) && { condition }),
    ...(hits > 0 && { hits }),
    ...(isGiven(logMessage) && { log: logMessage }),
  };
}

const isGiven = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/** @param placed the breakpoints without a problem; null if they are not known yet */
export function placedBreakpoints(
  wanted: readonly WantedBreakpoint[],
  placed: readonly PlacedBreakpoint[] | null,
): DebugProtocol.Breakpoint[] {
  const places = [...(placed ?? [])];
  return wanted.map((one) => {
    if ('problem' in one) return { verified: false, message: one.problem, reason: 'failed' };
    if (placed === null) return { verified: false, line: one.line, reason: 'pending' };
    const line = places.shift()?.actualLine ?? null;
    if (line === null) return { verified: false, line: one.line, message: 'No statement follows.', reason: 'failed' };
    return { verified: true, line };
  });
}
