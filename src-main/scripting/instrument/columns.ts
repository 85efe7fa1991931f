import type { RunError } from '#domain/run/run';

const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

/** A text that was inserted at a place of the original. */
export interface Inserted {
  at: number;
  length: number;
}

/** Where each line of a text begins. */
export const lineStartsOf = (text: string): number[] => [
  0,
  ...[...text.matchAll(LINE_END)].map(({ index, 0: end }) => index + end.length),
];

/** The line of a place, from 1. */
export function lineAt(lineStarts: readonly number[], place: number): number {
  let [low, high] = [0, lineStarts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((lineStarts[middle] ?? 0) <= place) low = middle;
    else high = middle;
  }
  return low + 1;
}

/**
 * Converts columns of a text with insertions without new lines into those of the original; lines and columns
 * count from 1. @param insertions in the order of their places
 */
export function columnsOf(insertions: readonly Inserted[], lineStarts: readonly number[]) {
  const byLine = new Map<number, { column: number; length: number }[]>();
  let line = 1;
  for (const { at, length } of insertions) {
    while ((lineStarts[line] ?? Infinity) <= at) line += 1;
    const inLine = byLine.get(line) ?? [];
    inLine.push({ column: at - (lineStarts[line - 1] ?? 0) + 1, length });
    byLine.set(line, inLine);
  }
  return (inLine: number, column: number): number => {
    let added = 0;
    for (const one of byLine.get(inLine) ?? []) {
      if (column < one.column + added) break;
      // Inside of inserted text: the place where it was inserted.
      if (column < one.column + added + one.length) return one.column;
      added += one.length;
    }
    return column - added;
  };
}

/** An error of a text with insertions, with the columns of the original. */
export function originalError(
  error: RunError,
  { source, inserted }: { source: string; inserted: readonly Inserted[] },
) {
  const column = columnsOf(
    inserted.toSorted((a, b) => a.at - b.at),
    lineStartsOf(source),
  );
  return {
    ...error,
    column: error.line === null || error.column === null ? error.column : column(error.line, error.column),
    stack: error.stack.map((frame) => ({ ...frame, column: column(frame.line, frame.column) })),
  };
}
