/** The result of a check. `not-checked` has the reason in its detail. */
export const CHECK_STATES = ['ok', 'warning', 'problem', 'not-checked'] as const;
export type CheckState = (typeof CHECK_STATES)[number];

/** One check. */
export interface CheckResult {
  /** Stays the same across versions: `port.events`. */
  id: string;
  group: string;
  title: string;
  state: CheckState;
  /** The finding. */
  detail: string;
  /** How to fix a warning or a problem; null if there is nothing to do. */
  fix: string | null;
}

/** The result of `tagwright doctor`. Later versions add members, but never rename them; otherwise `format` changes. */
export interface Diagnosis {
  format: 1;
  /** RFC 3339 in UTC. */
  madeAt: string;
  /** The version of Tagwright. */
  version: string;
  /** The folder of the workspace. */
  workspace: string;
  /** Whether every page of both databases was checked, without a time limit. */
  full: boolean;
  /** The worst state of all checks; `not-checked` counts as `ok`. */
  state: Exclude<CheckState, 'not-checked'>;
  checks: CheckResult[];
}

/** The progress of a diagnosis. */
export interface DiagnosisStep {
  /** The current check: `Pages of workspace.db: 3 of 31 tables`. */
  doing: string;
  /** The findings since the previous step. */
  checks: CheckResult[];
  /** In the last step only. */
  diagnosis: Diagnosis | null;
}

/** A support file, with its suggested name. */
export interface SupportFile {
  name: string;
  text: string;
}

export function worstOf(checks: readonly CheckResult[]): Diagnosis['state'] {
  const worst = (['problem', 'warning'] as const).find((state) => checks.some((check) => check.state === state));
  return worst ?? 'ok';
}

const MARKS: Readonly<Record<CheckState, string>> = {
  ok: 'ok',
  warning: 'warning',
  problem: 'PROBLEM',
  'not-checked': 'not checked',
};

/** As in a report: `1 problem, 2 warnings, 21 checks`. */
export function summaryOf(checks: readonly CheckResult[]): string {
  const count = (state: CheckState) => checks.filter((check) => check.state === state).length;
  const counted = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
  const bad = [counted(count('problem'), 'problem'), counted(count('warning'), 'warning')];
  const skipped = count('not-checked');
  return [...bad, ...(skipped > 0 ? [`${skipped} not checked`] : []), counted(checks.length, 'check')].join(', ');
}

/**
 * The checks as aligned lines, by group, with the fix below each problem. @param colored applies the color of a state
 * to its mark, if there are colors
 */
export function checksText(
  checks: readonly CheckResult[],
  colored: (state: CheckState, mark: string) => string = (_, mark) => mark,
): string {
  const widest = Math.max(...Object.values(MARKS).map((mark) => mark.length));
  const titles = Math.max(0, ...checks.map(({ title }) => title.length));
  const lines: string[] = [];
  for (const group of new Set(checks.map((check) => check.group))) {
    lines.push('', group);
    for (const { group: own, title, state, detail, fix } of checks) {
      if (own !== group) continue;
      const mark = MARKS[state];
      lines.push(
        `  ${colored(state, mark)}${' '.repeat(widest - mark.length)}  ${title.padEnd(titles)}  ${detail}`.trimEnd(),
      );
      if (fix !== null) lines.push(`${' '.repeat(widest + titles + 6)}Fix: ${fix}`);
    }
  }
  return `${lines.slice(1).join('\n')}\n`;
}
