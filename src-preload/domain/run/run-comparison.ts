import microdiff from 'microdiff';
import { scopeSuffix } from '../tag/scope.ts';
import { abbreviate, abbreviatedPair } from '../text/abbreviate.ts';
import { aligned } from '../text/aligned.ts';
import { canonicalJson } from '../text/canonical-json.ts';
import type { Json } from '../text/json.ts';
import type { RunReport } from './run.ts';
import { traceItems, type TraceItem } from './trace.ts';

/** A line of one run, of the other, or of both (`=`). */
export interface ComparedLine {
  mark: '-' | '+' | '=';
  text: string;
  /** The line of the body; null if unknown. */
  line: number | null;
}

/** A difference in a value; null for nothing. */
export interface ValueDifference {
  /** Such as `result.items[1]`. */
  place: string;
  before: string | null;
  after: string | null;
}

/** The differences between two runs; empty lists where they are equal. */
export interface RunComparison {
  equal: boolean;
  /** How the runs ended: status and error. */
  end: ValueDifference[];
  result: ValueDifference[];
  writes: ComparedLine[];
  /** All reads, writes and API calls. */
  calls: ComparedLine[];
  console: ComparedLine[];
}

const SHOWN = 300;
/** The maximum number of differences in a value, and of lines in a list. */
const MOST_DIFFERENCES = 100;
const MOST_LINES = 1_000;
/** Equal lines around a difference. */
const AROUND = 2;

/** Compares what two runs did: times are ignored. */
export function compareRuns(before: RunReport, after: RunReport): RunComparison {
  const ends: ValueDifference[] = [];
  if (before.status !== after.status) ends.push({ place: 'status', before: before.status, after: after.status });
  const [first, second] = [errorText(before), errorText(after)];
  if (first !== second) ends.push({ place: 'error', before: first, after: second });
  const compared = {
    end: ends,
    result: valueDifferences('result', before.result, after.result),
    writes: comparedLines(before, after, writeLines),
    calls: comparedLines(before, after, callLines),
    console: comparedLines(before, after, consoleLines),
  };
  return { equal: Object.values(compared).every((list) => list.length === 0), ...compared };
}

/** Differences between two JSON values, also in the order of their members. */
function valueDifferences(name: string, before: Json, after: Json): ValueDifference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const found = microdiff({ [name]: before }, { [name]: after }).slice(0, MOST_DIFFERENCES);
  if (found.length === 0) return [{ place: name, ...shownPair(before, after) }];
  return found.map((one) => {
    const place = placeOf(one.path);
    if (one.type === 'CHANGE') return { place, ...shownPair(one.oldValue, one.value) };
    return one.type === 'CREATE'
      ? { place, before: null, after: shown(one.value) }
      : { place, before: shown(one.oldValue), after: null };
  });
}

function shownPair(one: unknown, other: unknown): { before: string; after: string } {
  const [before, after] = abbreviatedPair(textOf(one), textOf(other), SHOWN);
  return { before, after };
}

function placeOf([first, ...rest]: readonly (string | number)[]): string {
  const members = rest.map((part) => {
    if (typeof part === 'number') return `[${part}]`;
    return /^[\p{L}_$][\p{L}\d_$]*$/u.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
  });
  return `${first}${members.join('')}`;
}

const textOf = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
const shown = (value: unknown): string => abbreviate(textOf(value), SHOWN);

function errorText({ error }: RunReport): string | null {
  if (error === null) return null;
  const place = error.line === null ? '' : ` (line ${error.line}${error.column === null ? '' : `:${error.column}`})`;
  return abbreviate(`${error.name}: ${error.message}`, SHOWN) + place;
}

/** A line with everything that must be equal; `text` may be shortened. */
interface FullLine {
  key: string;
  text: string;
  /** The whole text, of a line whose `text` may be that of another one. */
  full: () => string;
  line: number | null;
}

function writeLines(report: RunReport): FullLine[] {
  return traceItems(report)
    .filter((item) => item.what === 'write')
    .map(lineOf);
}

function callLines(report: RunReport): FullLine[] {
  return traceItems(report).map(lineOf);
}

function consoleLines({ console }: RunReport): FullLine[] {
  return console.map(({ level, text, line = null, values }) => ({
    // Members of logged objects come in the order of their schema, or of the guest.
    key: canonicalJson([level, text, values ?? null]),
    text: abbreviate(`${level}: ${text}`, SHOWN),
    full: () => `${level}: ${text}`,
    line,
  }));
}

function lineOf(item: TraceItem): FullLine {
  const indent = '  '.repeat(item.depth);
  const of = (line: number | null, key: Json, text: string, full = () => text): FullLine => ({
    key: JSON.stringify([item.depth, item.what, key]),
    text: indent + abbreviate(text, SHOWN),
    full: () => indent + full(),
    line,
  });
  switch (item.what) {
    case 'read': {
      const { line, path, value, quality, type, diagram, location, reason = null } = item;
      const text = (part: string) => `read ${path}${scopeSuffix(item)} = ${part} ${quality}`;
      return of(line, [path, value, quality, type, diagram, location, reason], text(shown(value)), () =>
        text(textOf(value)),
      );
    }
    case 'write': {
      const { line, path, value, type, diagram, location } = item;
      const text = (part: string) => `write ${path}${scopeSuffix(item)} = ${part}`;
      return of(line, [path, value, type, diagram, location], text(shown(value)), () => text(textOf(value)));
    }
    case 'call': {
      const { line, operation, method, url, statusCode, request, response } = item;
      const key = [operation, method, url, statusCode, request.body, response?.body ?? null];
      return of(line, key, `${operation} ${method} ${url} -> ${statusCode}`);
    }
    case 'rejected': {
      const { line, access, path, reason } = item;
      return of(line, [access, path, reason], `${access} ${path} rejected: ${reason}`);
    }
    default: {
      const { access, tag, status } = item.run;
      return of(item.line, [access, tag, status], `${access} script of ${tag}: ${status}`);
    }
  }
}

function comparedLines(
  before: RunReport,
  after: RunReport,
  linesOf: (report: RunReport) => FullLine[],
): ComparedLine[] {
  const [first, second] = [linesOf(before), linesOf(after)];
  const isEqual = first.length === second.length && first.every(({ key }, at) => key === second[at]?.key);
  return isEqual ? [] : excerpt(merged(first, second));
}

/** The longest common sequence of two lists, with what only one of them has. */
function merged(first: readonly FullLine[], second: readonly FullLine[]): ComparedLine[] {
  const lines: ComparedLine[] = [];
  /** The last removed lines, by their texts: an added line may look the same. */
  const removed = new Map<string, { line: ComparedLine; full: FullLine }>();
  for (const [before, after] of aligned(first, second, (a, b) => a.key === b.key)) {
    if (before && after) {
      removed.clear();
      lines.push(marked('=')(after));
    } else if (before) {
      const line = marked('-')(before);
      removed.set(before.text, { line, full: before });
      lines.push(line);
    } else if (after) {
      const line = marked('+')(after);
      const same = removed.get(after.text);
      if (same) [same.line.text, line.text] = abbreviatedPair(same.full.full(), after.full(), SHOWN);
      removed.delete(after.text);
      lines.push(line);
    }
  }
  return lines;
}

const marked =
  (mark: ComparedLine['mark']) =>
  ({ text, line }: FullLine): ComparedLine => ({ mark, text, line });

/** The differences with some equal lines around them. */
function excerpt(lines: readonly ComparedLine[]): ComparedLine[] {
  const isNear = lines.map(() => false);
  for (const [at, { mark }] of lines.entries()) {
    if (mark !== '=') isNear.fill(true, Math.max(0, at - AROUND), at + AROUND + 1);
  }
  return lines.filter((_, at) => isNear[at]).slice(0, MOST_LINES);
}
