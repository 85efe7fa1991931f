import type { ConditionRule, ConditionRunner, Verdict, WindowOutputs } from './condition.ts';
import { askAtOnce } from './condition.ts';

/** What came of one step. */
export interface Step {
  /** Of the first windows that were asked about: of one at least, or of none where none can be asked about now. */
  verdicts: Verdict[];
  /** The condition outlived its limits, or broke its host, over a window alone. */
  broke: boolean;
  /** Why none can be asked about now; null where everything ends. */
  later: string | null;
}

/**
 * Asks the condition of one rule about windows, as many at once as works: about all of them; where that fails, since one
 * may be at fault for all, about one alone, and then about twice as many each time.
 */
export class Asking {
  #atOnce = Infinity;

  async next(rule: ConditionRule, windows: readonly WindowOutputs[], runner: ConditionRunner): Promise<Step> {
    for (;;) {
      const some = windows.slice(0, this.#atOnce);
      const answer = await askAtOnce(rule, some, runner);
      if (answer.kind === 'later') return { verdicts: [], broke: false, later: answer.reason };
      if (answer.kind === 'verdicts') {
        this.#atOnce *= 2;
        return { verdicts: answer.verdicts, broke: false, later: null };
      }
      const { message, broke } = answer;
      if (some.length <= 1) return { verdicts: [{ kind: 'error', message }], broke, later: null };
      this.#atOnce = 1;
    }
  }
}

/** A condition that broke so often is not asked any more about windows that somebody looks at. */
const MAX_BROKEN = 3;

/**
 * Asks the condition of a rule about windows that somebody looks at: one after another where it fails, and no further
 * where it always outlives its limits, so that a preview of it holds one host for a few seconds at most.
 */
export async function askCondition(
  rule: ConditionRule,
  windows: readonly WindowOutputs[],
  runner: ConditionRunner,
): Promise<Verdict[]> {
  const asking = new Asking();
  const verdicts: Verdict[] = [];
  let broken = 0;
  while (verdicts.length < windows.length) {
    const left = windows.slice(verdicts.length);
    const { verdicts: some, broke } = await asking.next(rule, left, runner);
    if (some.length === 0) return [...verdicts, ...left.map((): Verdict => ({ kind: 'later' }))];
    verdicts.push(...some);
    if (broke) broken += 1;
    if (broken === MAX_BROKEN) {
      const message = `not asked, since it took too long or too much for ${broken} windows before`;
      return [...verdicts, ...left.slice(some.length).map((): Verdict => ({ kind: 'error', message }))];
    }
  }
  return verdicts;
}
