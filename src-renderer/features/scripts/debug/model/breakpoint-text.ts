import type { LineBreakpoint, Placement } from './breakpoints.ts';

/** Whether a run pauses at another line, because its own has no statement. */
export const isMoved = ({ line }: LineBreakpoint, placement: Placement | undefined): boolean =>
  placement?.verified === true && placement.line !== null && placement.line !== line;

/** What a debugged run does at a breakpoint, for people. */
export function stateText(breakpoint: LineBreakpoint, placement: Placement | undefined): string {
  if (!breakpoint.enabled) return 'Turned off';
  if (placement?.verified === false) return placement.message ?? 'The run does not reach this line';
  if (isMoved(breakpoint, placement)) return `Pauses at line ${placement?.line ?? 0}: this line has no statement`;
  return '';
}
