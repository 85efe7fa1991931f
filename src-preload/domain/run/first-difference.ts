import type { ComparedLine, RunComparison } from './run-comparison.ts';

/** One side of a difference. */
interface DifferentSide {
  text: string;
  /** The line of that body; null if unknown. */
  line: number | null;
}

/** Where two runs part; a side is null if only the other run has it. */
export interface FirstDifference {
  part: 'calls' | 'console' | 'result' | 'end';
  before: DifferentSide | null;
  after: DifferentSide | null;
}

/**
 * The difference that comes first: in the calls, which are in order and contain the writes, else in the console, else in the
 * result or the end. Null for equal runs.
 */
export function firstDifference({ calls, console, result, end }: RunComparison): FirstDifference | null {
  const inLists = [
    ['calls', calls],
    ['console', console],
  ] as const;
  for (const [part, lines] of inLists) {
    const at = lines.findIndex(({ mark }) => mark !== '=');
    if (at >= 0) return { part, ...sidesOf(lines.slice(at)) };
  }
  const parts = [
    ['result', result],
    ['end', end],
  ] as const;
  for (const [part, differences] of parts) {
    const [first] = differences;
    if (!first) continue;
    const side = (text: string | null) => (text === null ? null : { text: `${first.place}: ${text}`, line: null });
    return { part, before: side(first.before), after: side(first.after) };
  }
  return null;
}

/** A removed line and the added one that replaces it, in this order within a group of differences. */
function sidesOf(lines: readonly ComparedLine[]): Pick<FirstDifference, 'before' | 'after'> {
  const end = lines.findIndex(({ mark }) => mark === '=');
  const group = end < 0 ? lines : lines.slice(0, end);
  const side = (mark: ComparedLine['mark']) => {
    const found = group.find((one) => one.mark === mark);
    return found ? { text: found.text.trim(), line: found.line } : null;
  };
  return { before: side('-'), after: side('+') };
}
