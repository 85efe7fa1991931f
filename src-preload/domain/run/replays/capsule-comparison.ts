import { scopeSuffix } from '../../tag/scope.ts';
import { abbreviate, abbreviatedPair } from '../../text/abbreviate.ts';
import { aligned } from '../../text/aligned.ts';
import type { Json } from '../../text/json.ts';
import { bodyOf, type Capsule, type RecordedCall } from '../capsule.ts';
import { firstDifference } from '../first-difference.ts';
import type { RunStatus } from '../run.ts';
import { compareRuns } from '../run-comparison.ts';
import { partOfStep, type SteppedRun } from './run-steps.ts';
import { grouped } from '../../text/grouped.ts';

/** One run of a comparison. */
export interface ComparedRun {
  /** `Group/Name` and the version of a saved script; null for other texts. */
  script: string | null;
  version: number | null;
  /** RFC 3339 in UTC. */
  startedAt: string;
  status: RunStatus;
}

/** One side of a difference, for people. */
export interface ComparedText {
  text: string;
  /** The line of its body; null if unknown. */
  line: number | null;
}

/** Where two runs part; a side is null if only the other run has it. */
export interface RunDifference {
  what: 'context' | 'read' | 'API call' | 'rejected write' | 'executed line' | 'write' | 'console' | 'result' | 'end';
  before: ComparedText | null;
  after: ComparedText | null;
}

/** A read, a write or an API call of both runs, or of one of them; `differs` if it is not the same in both. */
export interface ComparedExchange {
  before: ComparedText | null;
  after: ComparedText | null;
  differs: boolean;
}

/** Two recorded runs side by side. */
export interface CapsuleComparison {
  /** Nothing that is compared differs. */
  equal: boolean;
  runs: [before: ComparedRun, after: ComparedRun];
  sameBody: boolean;
  /** The first difference in what the runs were given: context, values of tags, responses of APIs, rejected writes. */
  input: RunDifference | null;
  /** The first difference in the statements and branches that they executed. */
  path: RunDifference | null;
  /** Why the paths are not known, or which part of them is compared; null if they are compared completely. */
  pathNote: string | null;
  /** The first difference in what the runs did: writes, console, result, end. */
  output: RunDifference | null;
  /** Reads, writes and API calls in order, at most 2,000; around differences if there are more. */
  exchanges: ComparedExchange[];
  /** How many of them are not listed. */
  more: number;
}

/** The executed statements and branches of a run; or why they are not known. */
export type ExecutedPath = { run: SteppedRun } | { problem: string };

const SHOWN = 300;
const MOST_ROWS = 2_000;

/** Compares two recorded runs; clock, random numbers and durations are ignored. */
export function compareCapsules(
  before: Capsule,
  after: Capsule,
  paths: readonly [ExecutedPath, ExecutedPath],
): CapsuleComparison {
  const rows = aligned(exchangesOf(before), exchangesOf(after), (a, b) => a.asked === b.asked).map(distinct);
  const input = contextDifference(before, after) ?? inputDifference(rows);
  const output = outputDifference(before, after, rows);
  const bodies: [string, string] = [bodyOf(before), bodyOf(after)];
  const { path, pathNote } = comparePaths(paths, bodies);
  const all = rows.map(([one, other]): ComparedExchange => ({
    before: one && sideOf(one),
    after: other && sideOf(other),
    differs: one?.key !== other?.key,
  }));
  const differs = input !== null || path !== null || output !== null || all.some((row) => row.differs);
  const exchanges = listed(all);
  return {
    equal: !differs,
    runs: [runOf(before), runOf(after)],
    sameBody: bodies[0] === bodies[1],
    input,
    path,
    pathNote,
    output,
    exchanges,
    more: all.length - exchanges.length,
  };
}

const runOf = ({ script, report }: Capsule): ComparedRun => ({
  script: script.name,
  version: script.version,
  startedAt: report.timing.startedAt,
  status: report.status,
});

/** A reading of a tag, a written item or an API call of a capsule. */
interface CapsuleExchange extends ComparedText {
  kind: RecordedCall['kind'];
  /** The whole text. */
  full: () => string;
  /** What was asked: equal in exchanges that belong together. */
  asked: string;
  /** The parts that the script gave, and that it got. */
  given: string;
  got: string;
  key: string;
}

const sideOf = ({ text, line }: CapsuleExchange): ComparedText => ({ text, line });

const textOf = (value: Json | undefined): string => JSON.stringify(value ?? null);
const shown = (value: Json | undefined): string => abbreviate(textOf(value), SHOWN);

type Row = readonly [CapsuleExchange | null, CapsuleExchange | null];

/** Both sides of a row; if they differ and look the same, from shortly before their first difference. */
function distinct([one, other]: Row): Row {
  if (!one || !other || one.key === other.key || one.text !== other.text) return [one, other];
  const [first, second] = abbreviatedPair(one.full(), other.full(), SHOWN);
  return [
    { ...one, text: first },
    { ...other, text: second },
  ];
}

function exchange(
  { kind, line }: RecordedCall,
  parts: { asked: unknown; given?: unknown; got: unknown; text: string; full?: () => string },
): CapsuleExchange {
  const [asked = '', given = '', got = ''] = [parts.asked, parts.given ?? null, parts.got ?? null].map((part) =>
    JSON.stringify(part),
  );
  const text = abbreviate(parts.text, SHOWN);
  const full = parts.full ?? (() => `${parts.text} ${given}`);
  return { kind, line, text, full, asked, given, got, key: `${asked} ${given} ${got}` };
}

function exchangesOf({ calls }: Capsule): CapsuleExchange[] {
  return calls.flatMap((call): CapsuleExchange[] => {
    if (call.kind === 'get') return readings(call);
    if (call.kind === 'set') return writes(call);
    const { operation, args, response } = call;
    const [url = null, method = null] = args;
    const asked = [operation, url, operation.startsWith('Fetch') ? method : null];
    const status = response ? response.statusCode : 'no response';
    const words = args.slice(0, 2).map((argument) => (typeof argument === 'string' ? argument : ''));
    const text = `${operation} ${words.join(' ').trim()} -> ${status}${apiText(response)}`;
    return [exchange(call, { asked, given: args, got: response, text })];
  });
}

function apiText(response: { errorMessage: string | null; responseObject: string | null } | undefined): string {
  const body = response?.responseObject ?? response?.errorMessage;
  return typeof body === 'string' ? ` ${body}` : '';
}

function readings(call: Extract<RecordedCall, { kind: 'get' }>): CapsuleExchange[] {
  const { diagram, location, error } = call;
  const named = call.values ?? (call.paths ?? []).map((path) => ({ path, value: null, quality: null, type: null }));
  return named.map((one) => {
    const { path, value, quality, type } = one;
    const reason = 'reason' in one ? (one.reason ?? null) : null;
    const gotOf = (text: string) => error?.message ?? (quality === null ? 'no answer' : `${text} ${quality}`);
    const text = (got: string) => `read ${path}${scopeSuffix(call)} = ${got}`;
    return exchange(call, {
      asked: ['get', path, diagram, location],
      got: [value, quality, type, reason, error?.message ?? null],
      text: text(gotOf(shown(value))),
      full: () => text(gotOf(textOf(value))),
    });
  });
}

function writes(call: Extract<RecordedCall, { kind: 'set' }>): CapsuleExchange[] {
  const { diagram, location, items, error } = call;
  return items.map(({ tag, value }) => {
    const failed = error && (error.failures?.find((failure) => failure.tag === tag)?.reason ?? error.message);
    const text = (shownValue: string) =>
      `write ${tag}${scopeSuffix(call)} = ${shownValue}${failed === undefined ? '' : `, rejected: ${failed}`}`;
    return exchange(call, {
      asked: ['set', tag, diagram, location],
      given: value,
      got: failed ?? null,
      text: text(shown(value)),
      full: () => text(textOf(value)),
    });
  });
}

/** The context, and where the script runs: the same script may give other texts there. */
function contextDifference(before: Capsule, after: Capsule): RunDifference | null {
  const all = [before, after].map(({ context, environment: { timeZone, locale } }) => ({
    ...context,
    timeZone,
    locale,
  }));
  for (const name of ['tagName', 'tagScopeDiagram', 'tagScopeLocation', 'tagValue', 'timeZone', 'locale'] as const) {
    const [one, other] = all.map((context) => JSON.stringify(context[name]) ?? 'undefined');
    if (one === other) continue;
    const [first, second] = abbreviatedPair(one ?? '', other ?? '', SHOWN);
    const side = (text: string): ComparedText => ({ text: `${name}: ${text}`, line: null });
    return { what: 'context', before: side(first), after: side(second) };
  }
  return null;
}

type Rows = readonly Row[];

/** The first row that `isDifferent`. A row of one run only may have its counterpart in the next rows. */
function firstRow(
  rows: Rows,
  isDifferent: (one: CapsuleExchange | null, other: CapsuleExchange | null) => boolean,
): Row | null {
  const at = rows.findIndex(([one, other]) => isDifferent(one, other));
  const found = rows[at];
  if (!found) return null;
  if (found[0] && found[1]) return found;
  const end = rows.findIndex(([one, other], index) => index > at && one !== null && other !== null);
  const group = rows.slice(at, end < 0 ? rows.length : end);
  const { kind } = found[0] ?? found[1] ?? { kind: 'get' };
  const side = (which: 0 | 1) => group.find((row) => row[which]?.kind === kind)?.[which] ?? null;
  return [side(0), side(1)];
}

function inputDifference(rows: Rows): RunDifference | null {
  const found = firstRow(rows, (one, other) => {
    const { kind } = one ?? other ?? { kind: 'set' };
    if (!one || !other) return kind !== 'set';
    return one.got !== other.got || (kind === 'api' && one.given !== other.given);
  });
  if (!found) return null;
  const [one, other] = found;
  const kind = (one ?? other)?.kind;
  const what = kind === 'get' ? 'read' : kind === 'api' ? 'API call' : 'rejected write';
  return { what, before: one && sideOf(one), after: other && sideOf(other) };
}

function outputDifference(before: Capsule, after: Capsule, rows: Rows): RunDifference | null {
  const write = firstRow(rows, (one, other) => (one ?? other)?.kind === 'set' && one?.given !== other?.given);
  if (write) return { what: 'write', before: write[0] && sideOf(write[0]), after: write[1] && sideOf(write[1]) };
  const found = firstDifference({ ...compareRuns(before.report, after.report), calls: [] });
  return found && { what: found.part === 'calls' ? 'write' : found.part, before: found.before, after: found.after };
}

function comparePaths(
  paths: readonly [ExecutedPath, ExecutedPath],
  bodies: readonly [string, string],
): Pick<CapsuleComparison, 'path' | 'pathNote'> {
  const [first, second] = paths;
  if (!('run' in first)) return { path: null, pathNote: `The path of the first run is not known: ${first.problem}` };
  if (!('run' in second)) return { path: null, pathNote: `The path of the second run is not known: ${second.problem}` };
  const stepsOf = ({ run }: { run: SteppedRun }, body: string) => {
    const lines = body.split(/\r\n|[\n\r\u2028\u2029]/);
    return (step: number): ComparedText | null => {
      const part = partOfStep(run, step);
      return part && { text: (lines[part.line - 1] ?? '').trim(), line: part.line };
    };
  };
  const [one, other] = [stepsOf(first, bodies[0]), stepsOf(second, bodies[1])];
  const isSameBody = bodies[0] === bodies[1];
  const isSame = (step: number): boolean =>
    isSameBody ? first.run.steps.parts[step] === second.run.steps.parts[step] : one(step)?.text === other(step)?.text;
  const kept = [first.run, second.run].map(({ steps }) => steps.parts.length);
  const [fewest, most] = [Math.min(...kept), Math.max(...kept)];
  let step = 0;
  while (step < fewest && isSame(step)) step += 1;
  const isCut = [first.run, second.run].some((run) => run.executed > run.steps.parts.length);
  if (step < fewest || (step < most && !isCut)) {
    const ends = [one(step), other(step)] as const;
    const texts = abbreviatedPair(ends[0]?.text ?? '', ends[1]?.text ?? '', SHOWN);
    const side = (which: 0 | 1) => ends[which] && { ...ends[which], text: `step ${step + 1}: ${texts[which]}` };
    return { path: { what: 'executed line', before: side(0), after: side(1) }, pathNote: null };
  }
  const note = `The paths are equal in the first ${grouped(fewest)} steps; later ones are not compared.`;
  return { path: null, pathNote: isCut ? note : null };
}

/** All rows, or of too many those with differences first. */
function listed(all: readonly ComparedExchange[]): ComparedExchange[] {
  if (all.length <= MOST_ROWS) return [...all];
  const different = all.filter((row) => row.differs).slice(0, MOST_ROWS);
  const chosen = new Set(different);
  for (const row of all) {
    if (chosen.size >= MOST_ROWS) break;
    chosen.add(row);
  }
  return all.filter((row) => chosen.has(row));
}
