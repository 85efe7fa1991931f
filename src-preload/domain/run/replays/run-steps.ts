import type { RunActs } from '../run.ts';
import type { NotedValue, RanPart, ShownValues } from '../shown-values.ts';
import { grouped } from '../../text/grouped.ts';

/**
 * The order in which the statements and branches of a run were executed: a step for each. What happens until the next one
 * begins belongs to a step.
 */
export interface RunSteps {
  /** For each step, the index of its statement or branch in the parts of the shown values. */
  parts: number[];
  variables: Pick<NotedValue, 'line' | 'name'>[];
  /** In order: the index of a step, that of a variable, and the value that it got, for people. */
  changes: [step: number, variable: number, value: string][];
  /** In order: the index of a step, and the number of calls that the run has made at its end. */
  calls: [step: number, calls: number][];
}

/**
 * The limits of the steps that are kept of a run. 10,000 steps with 15,000 values take 0.2 s more than the run, are sent as 0.35 MB, and the state
 * of any of them is found in 0.3 ms, so that a slider can be dragged. 100,000 would be sent as 3.5 MB.
 */
export const STEP_LIMITS = {
  steps: 10_000,
  /** Values that variables got. */
  changes: 40_000,
  /** Characters of these values. */
  text: 1_000_000,
} as const;

/** What a run that keeps its steps has shown. */
export interface SteppedRun {
  parts: readonly RanPart[];
  steps: RunSteps;
  /** How many steps were executed, kept or not. */
  executed: number;
}

/** The kept steps of a run; null if it has none. */
export function steppedRun({ parts, executed, steps }: Omit<ShownValues, 'report'>): SteppedRun | null {
  return steps && steps.parts.length > 0 ? { parts, executed, steps } : null;
}

/** The statement or branch of a step. */
export function partOfStep({ parts, steps }: SteppedRun, step: number): RanPart | null {
  return parts[steps.parts[step] ?? -1] ?? null;
}

/** The value that each variable has got last in each line, at the end of a step. */
export function valuesAtStep({ steps: { changes, variables } }: SteppedRun, step: number): NotedValue[] {
  const last = new Map<number, string>();
  for (const [at, variable, value] of changes) {
    if (at > step) break;
    last.set(variable, value);
  }
  return [...last].flatMap(([variable, value]): NotedValue[] => {
    const place = variables[variable];
    return place ? [{ ...place, first: value, last: value, count: 1 }] : [];
  });
}

/** What a run had read, written and called at the end of a step. */
export function actsAtStep({ steps: { calls } }: SteppedRun, step: number, acts: RunActs): RunActs {
  let made = 0;
  for (const [at, count] of calls) {
    if (at > step) break;
    made = count;
  }
  const isMade = ({ call }: { call: number }): boolean => call <= made;
  const { reads, writes, apiCalls } = acts;
  return { reads: reads.filter(isMade), writes: writes.filter(isMade), apiCalls: apiCalls.filter(isMade) };
}

/** The nearest step before or after `from` that begins in a line; null if there is none. */
export function stepInLine(run: SteppedRun, line: number, from: number, direction: 1 | -1): number | null {
  const { length } = run.steps.parts;
  for (let step = from + direction; step >= 0 && step < length; step += direction) {
    if (partOfStep(run, step)?.line === line) return step;
  }
  return null;
}

/** `Step 12 of 340, line 7`; the steps that are not kept are counted separately. */
export function stepText(run: SteppedRun, step: number): string {
  const [shown, all] = [step + 1, run.steps.parts.length].map((count) => grouped(count));
  const line = partOfStep(run, step)?.line;
  return `Step ${shown} of ${all}${line === undefined ? '' : `, line ${line}`}`;
}

/** How many steps were not kept, for people; null if all were. */
export function droppedStepsText({ steps: { parts }, executed }: SteppedRun): string | null {
  if (executed <= parts.length) return null;
  const [kept, all] = [parts.length, executed].map((count) => grouped(count));
  return `Only the first ${kept} of ${all} steps are kept.`;
}
