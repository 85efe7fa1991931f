import { Asking } from './conditions/asking.ts';
import type { RuleRun } from './rule-run.ts';

/** A rule at work and how it fares. */
export interface Worker {
  readonly run: RuleRun;
  stopSampling: () => void;
  /** What keeps it from its work, in a sentence; null where nothing does. */
  problem: string | null;
  /** A firing could not be stored: when that is tried again, on the clock of `performance.now()`; null while it can. */
  storedNotBefore: number | null;
  /** How its condition fares. */
  condition: ConditionState;
}

export interface ConditionState {
  readonly asking: Asking;
  /** Whether it is being asked, or waits for its turn. */
  busy: boolean;
  /** How long it was left alone last, ms; 0 where it did not break. */
  pauseMs: number;
  /** When it is asked again, on the clock of `performance.now()`. */
  notBefore: number;
}

export const newCondition = (): ConditionState => ({
  asking: new Asking(),
  busy: false,
  pauseMs: 0,
  notBefore: -Infinity,
});
