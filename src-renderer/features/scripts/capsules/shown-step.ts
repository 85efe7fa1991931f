import { actsAtStep, partOfStep, valuesAtStep } from '#domain/run/replays/run-steps';
import type { CapsuleState } from '../model/capsules.ts';
import type { Ended } from '../model/runs.ts';

/** The run as it was at a step, with the line to mark. */
export interface ShownStep {
  ended: Ended;
  line: number;
}

/** What the editor shows while the user steps through a replay of its text; null for another text. */
export function shownStep({ stepping, opened }: CapsuleState, body: string): ShownStep | null {
  if (!stepping || !opened || stepping.ended.body !== body) return null;
  const { run, at, ended } = stepping;
  const { report } = ended.replay;
  const isEnd = at === run.steps.parts.length - 1;
  const acts = actsAtStep(run, at, report);
  return {
    line: partOfStep(run, at)?.line ?? 1,
    ended: {
      // The error is that of the last step.
      outcome: { kind: 'report', report: { ...report, ...acts, error: isEnd ? report.error : null } },
      body,
      context: opened.capsule.context,
      seq: 0,
      live: false,
      values: { values: valuesAtStep(run, at), parts: [], executed: at + 1, stopped: false },
    },
  };
}
