/** The statements of a body that ran, in the order of the text. */
export interface Coverage {
  /** The line of each statement, from 1. */
  lines: number[];
  /** `1` for each statement that ran, `0` for each other one. */
  executed: string;
}

/** The statements that begin in a line. */
export interface LineCoverage {
  statements: number;
  executed: number;
}

/** `all`: each statement of the line ran; `some`: a part of them. */
export type LineState = 'all' | 'some' | 'none';

/** Statements that ran in one of several runs of the same body; null if there are none. */
export function mergedCoverage(all: readonly Coverage[]): Coverage | null {
  const [first, ...others] = all;
  if (!first) return null;
  const executed = first.lines.map((_, at) =>
    first.executed[at] === '1' || others.some((other) => other.executed[at] === '1') ? '1' : '0',
  );
  return { lines: first.lines, executed: executed.join('') };
}

/** By line, from 1. */
export function coverageByLine({ lines, executed }: Coverage): Map<number, LineCoverage> {
  const found = new Map<number, LineCoverage>();
  for (const [at, line] of lines.entries()) {
    const one = found.get(line) ?? { statements: 0, executed: 0 };
    one.statements += 1;
    if (executed[at] === '1') one.executed += 1;
    found.set(line, one);
  }
  return found;
}

export function stateOfLine({ statements, executed }: LineCoverage): LineState {
  if (executed === statements) return 'all';
  return executed === 0 ? 'none' : 'some';
}

/** The lines whose statements did not run, in their order. */
export function missedLines(coverage: Coverage): number[] {
  const missed = [...coverageByLine(coverage)].filter(([, { executed }]) => executed === 0);
  return missed.map(([line]) => line).toSorted((a, b) => a - b);
}

/** The part of the lines with statements in which one ran, in whole percent, rounded down; 100 without statements. */
export function coverageSummary(coverage: Coverage): { lines: number; executed: number; percent: number } {
  const all = [...coverageByLine(coverage).values()];
  const executed = all.filter((line) => line.executed > 0).length;
  return { lines: all.length, executed, percent: all.length === 0 ? 100 : Math.floor((executed * 100) / all.length) };
}
