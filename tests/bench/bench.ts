/** The result of a bench: one figure with its goal, and its parts. */
export interface Finding {
  figure: number;
  detail: string;
}

/** One goal of speed or memory, and how it is measured. */
export interface Bench {
  area: string;
  name: string;
  /** The unit of the figure; `×` for a ratio taken in one run. */
  unit: '×' | 'ms' | 's' | 'MB';
  goal: { atLeast: number } | { atMost: number };
  /** Takes many minutes: only runs if a word names it. */
  onRequest?: boolean;
  /** Why it can't run here; null if it can. */
  skip?: () => string | null;
  run(): Promise<Finding>;
}

export function isMet(bench: Bench, figure: number): boolean {
  return 'atLeast' in bench.goal ? figure >= bench.goal.atLeast : figure <= bench.goal.atMost;
}

export function textOfGoal({ goal, unit }: Bench): string {
  return 'atLeast' in goal ? `≥ ${goal.atLeast} ${unit}` : `≤ ${goal.atMost} ${unit}`;
}
