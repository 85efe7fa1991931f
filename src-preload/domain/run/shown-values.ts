import { abbreviate } from '../text/abbreviate.ts';
import type { RunReport } from './run.ts';
import type { RunSteps } from './replays/run-steps.ts';
import { grouped } from '../text/grouped.ts';

/** A part of a body. Lines and columns count from 1; the end is after the last character. */
export interface CodeRange {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

/** What a variable became in a line that assigns or declares it. */
export interface NotedValue {
  line: number;
  name: string;
  /** The first and the last value, for people. */
  first: string;
  last: string;
  /** How many times the line gave it a value. */
  count: number;
}

/** A statement or branch, and how many times it ran. */
export interface RanPart extends CodeRange {
  count: number;
}

/** What a run that notes its values has shown. */
export interface ShownValues {
  report: RunReport;
  /** In the order of the text; absent variables got no value. */
  values: NotedValue[];
  /** All statements and branches, in the order of the text; empty for a body that does not parse. */
  parts: RanPart[];
  /** How many statements and branches ran. */
  executed: number;
  /** Whether the run was stopped because these were too many. */
  stopped: boolean;
  /** Their order, if it was requested. */
  steps?: RunSteps;
}

export const VALUES_LIMITS = {
  /** Statements and branches that run before the run is stopped. */
  executed: 100_000,
  /** Characters of a value. */
  text: 400,
  /** The same of a run that keeps the values of each step. */
  stepText: 100,
} as const;

const MAX_NAME = 40;
/** Characters of a value, and of each of two. */
const MAX_VALUE = 60;
const MAX_PAIRED = 36;
/** A line shows further variables only up to this length. */
const MAX_LINE = 90;
/** What would break the line of a text, or reverse it. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g;

/** `speed = 12.4`; in a loop, `sum = 1 … 45 ×9`. */
export function noteText({ name, first, last, count }: NotedValue): string {
  const value =
    first === last ? abbreviate(last, MAX_VALUE) : `${abbreviate(first, MAX_PAIRED)} … ${abbreviate(last, MAX_PAIRED)}`;
  const times = count > 1 ? ` ×${grouped(count)}` : '';
  return `${abbreviate(name, MAX_NAME)} = ${value}${times}`.replaceAll(CONTROLS, ' ');
}

/** The same with all that is known of the values. */
function wholeNote({ name, first, last, count }: NotedValue): string {
  const times = count > 1 ? ` ×${grouped(count)}` : '';
  return `${name} = ${first === last ? last : `${first} … ${last}`}${times}`.replaceAll(CONTROLS, ' ');
}

/** All values of the lines where `notesByLine` shows only a part, one in each line of the text. */
export function wholeNotesByLine(values: readonly NotedValue[]): Map<number, string> {
  const shown = notesByLine(values);
  const whole = [...Map.groupBy(values, (one) => one.line)].flatMap(([line, all]) => {
    const notes = all.map(wholeNote);
    return notes.join(', ') === shown.get(line) ? [] : [[line, notes.join('\n')] as const];
  });
  return new Map(whole);
}

/** The text of each line with noted values, by line. */
export function notesByLine(values: readonly NotedValue[]): Map<number, string> {
  const texts = new Map<number, string>();
  for (const [line, all] of Map.groupBy(values, (one) => one.line)) {
    const [first = '', ...others] = all.map(noteText);
    let text = first;
    let shown = 1;
    for (const other of others) {
      if (text.length + other.length > MAX_LINE) break;
      text += `, ${other}`;
      shown += 1;
    }
    texts.set(line, shown < all.length ? `${text} and ${all.length - shown} more` : text);
  }
  return texts;
}

/** Which parts begin in a line, and the most that one of them ran. */
export interface LineRuns {
  state: 'all' | 'some' | 'none';
  count: number;
}

/** By line, from 1. */
export function runsByLine(parts: readonly RanPart[]): Map<number, LineRuns> {
  const found = new Map<number, LineRuns>();
  for (const [line, all] of Map.groupBy(parts, (one) => one.line)) {
    const executed = all.filter(({ count }) => count > 0).length;
    const state = executed === all.length ? 'all' : executed === 0 ? 'none' : 'some';
    found.set(line, { state, count: Math.max(...all.map(({ count }) => count)) });
  }
  return found;
}

/** The parts that did not run, without those inside of another such part. */
export function skippedParts(parts: readonly RanPart[]): RanPart[] {
  const skipped = parts
    .filter(({ count }) => count === 0)
    .toSorted((a, b) => before(a, b) || -before(ends(a), ends(b)));
  const outer: RanPart[] = [];
  for (const part of skipped) {
    const last = outer.at(-1);
    if (last === undefined || before(ends(last), part) <= 0) outer.push(part);
  }
  return outer;
}

type PlaceOfPart = Pick<CodeRange, 'line' | 'column'>;

const before = (a: PlaceOfPart, b: PlaceOfPart): number => a.line - b.line || a.column - b.column;

const ends = ({ endLine, endColumn }: CodeRange): PlaceOfPart => ({ line: endLine, column: endColumn });
