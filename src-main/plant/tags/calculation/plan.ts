import { CalculationBatch } from './evaluate.ts';
import type { Calculation } from './evaluate.ts';
import { orderOf } from './graph.ts';

/** Maximum number of expressions in one run: a program of 2,000 takes about 10 ms to compile. */
const MAX_BATCH = 2_000;
/** Maximum number of cached plans: enough for the Gets that recur, such as those of Diagrams. */
const MAX_PLANS = 16;

/** How to evaluate some calculation tags and all their dependencies. */
export interface Plan {
  requested: readonly Calculation[];
  /** The requested ones and all calculations that they need. */
  members: ReadonlySet<Calculation>;
  /** In order; the batches of a step do not depend on each other. */
  steps: readonly (readonly CalculationBatch[])[];
  /** The required tags of other kinds, each with a path to it: the calculations from the requested one to its user. */
  inputs: ReadonlyMap<string, readonly Calculation[]>;
  /** The calculations that depend on themselves, each with its cycle. */
  circles: ReadonlyMap<Calculation, readonly Calculation[]>;
}

/** Makes plans, and caches the latest until a calculation changes. */
export class Plans {
  readonly #find: (path: string) => Calculation | undefined;
  #kept: Plan[] = [];

  constructor(find: (path: string) => Calculation | undefined) {
    this.#find = find;
  }

  /** Calculations were added, changed or removed. */
  forget(): void {
    this.#kept = [];
  }

  of(requested: readonly Calculation[]): Plan {
    const kept = this.#kept.find((plan) => isSame(plan.requested, requested));
    if (kept) return kept;
    const plan = this.#make(requested);
    this.#kept = [plan, ...this.#kept.slice(0, MAX_PLANS - 1)];
    return plan;
  }

  #make(requested: readonly Calculation[]): Plan {
    const { levels, circles, reachedFrom } = orderOf(requested, (calculation) => this.needsOf(calculation));
    const inputs = new Map<string, readonly Calculation[]>();
    for (const calculation of reachedFrom.keys()) {
      for (const path of calculation.expression.inputs) {
        if (this.#find(path) === undefined && !inputs.has(path)) inputs.set(path, chainTo(calculation, reachedFrom));
      }
    }
    const members = new Set(reachedFrom.keys());
    return { requested: [...requested], members, steps: stepsOf(levels), inputs, circles };
  }

  /** The direct dependencies of a calculation that are calculations. */
  needsOf({ expression }: Calculation): Calculation[] {
    return expression.inputs.map((path) => this.#find(path)).filter((found) => found !== undefined);
  }
}

function isSame(a: readonly Calculation[], b: readonly Calculation[]): boolean {
  return a.length === b.length && a.every((calculation, index) => calculation === b[index]);
}

/** A path is only needed if it ends at a script tag, so it may be cut: such paths are not long. */
const MAX_WAY = 100;

function chainTo(last: Calculation, reachedFrom: ReadonlyMap<Calculation, Calculation | null>): Calculation[] {
  const way: Calculation[] = [];
  for (let at: Calculation | null = last; at && way.length < MAX_WAY; at = reachedFrom.get(at) ?? null) way.unshift(at);
  return way;
}

/**
 * Consecutive levels, or parts of one, that are one run each; an expression that is not plain has its own run, and so
 * its own realm.
 */
function stepsOf(levels: readonly (readonly Calculation[])[]): CalculationBatch[][] {
  const steps: CalculationBatch[][] = [];
  let open: Calculation[][] = [];
  let size = 0;
  const close = (atOnce: readonly Calculation[] = []): void => {
    const alone = atOnce.map((calculation) => new CalculationBatch([[calculation]]));
    if (size > 0 || alone.length > 0) steps.push([...(size > 0 ? [new CalculationBatch(open)] : []), ...alone]);
    open = [];
    size = 0;
  };
  for (const level of levels) {
    const apart = level.filter(({ expression }) => expression.realm === 'own');
    const plain = apart.length === 0 ? level : level.filter(({ expression }) => expression.realm !== 'own');
    // They may depend on the open batch, but not on their own level.
    if (apart.length > 0) close();
    for (let from = 0; from < plain.length; from += MAX_BATCH) {
      const part = plain.slice(from, from + MAX_BATCH);
      if (size + part.length > MAX_BATCH) close();
      open.push(part);
      size += part.length;
    }
    if (apart.length > 0) close(apart);
  }
  close();
  return steps;
}
