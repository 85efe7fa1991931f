import { bodyOf, type Capsule, MAX_SCRIPT_MS, MAX_TOTAL_MS } from '#domain/run/capsule';
import {
  byRisk,
  type CallSite,
  type FailureKind,
  type FailureCell,
  type FailureMatrix,
  type FailureOutcome,
  type FailureProgress,
} from '#domain/run/failures';
import type { ReplayReport } from '#domain/run/replay';
import type { ApiCallEntry, RunReport, WriteEntry } from '#domain/run/run';
import { abbreviate, abbreviatedPair } from '#domain/text/abbreviate';
import { grouped } from '#domain/text/grouped';
import { TagwrightError } from '../../platform/errors.ts';
import { InTurn } from '../../platform/in-turn.ts';
import { type ReplayParts, replayCapsule } from '../capsules/replay-capsule.ts';
import { allSitesOf, capsuleWith, failuresOf, type RecordedSite, sitesOf } from './failed-calls.ts';

/** A script that needs more processor time after a failure hangs, unless the recorded run took longer itself. */
const HANGS_AFTER_MS = 1_000;
const SLOWER = 20;
/** The limit of the script time is so much higher than that of the processor time: the machine may be busy. */
const BUSY = 20;
/** A script that makes so many more calls after a failure than the recorded run made never ends. */
const MOST_MORE_CALLS = 1_000;
const SHOWN = 60;

type FailureParts = Pick<ReplayParts, 'runner' | 'maskArguments' | 'version'>;

export interface MatrixOptions extends FailureParts {
  /** How many replays run at a time. */
  parallel: number;
  /** Whether calls that are alike are all tried, up to the maximum. */
  everyCall?: boolean;
  onProgress?: (progress: FailureProgress) => void;
}

/** Processor time of main for each replay, as a part of the run itself. */
const MAIN_PART = 0.2;

/**
 * Replays a run once for each failure of each of its calls, and says what the script then does. Nothing is written and no
 * API is called.
 * @throws TagwrightError CONFLICT if the recorded run failed itself, CANCELLED if the signal aborts
 */
export async function tryFailures(
  given: Capsule,
  { parallel, everyCall = false, onProgress, ...parts }: MatrixOptions,
  signal?: AbortSignal,
): Promise<FailureMatrix> {
  if (given.report.status !== 'ok') throw failedItself(given.report);
  const { sites, more, groups } = sitesOf(given, everyCall);
  const replays = new Replays(given, parts, signal);
  const base = await replays.run();
  if (base.report.status !== 'ok') throw failedItself(base.report);
  const planned = sites.flatMap((site, index) => failuresOf(given, site).map((failure) => ({ site, index, failure })));
  const inTurn = new InTurn(parallel);
  let done = 0;
  const expectedMs = (base.report.timing.totalMs * (1 + MAIN_PART) * planned.length) / parallel;
  const started = performance.now();
  const progress = () => {
    const leftMs = done === 0 ? expectedMs : ((performance.now() - started) / done) * (planned.length - done);
    onProgress?.({ done, of: planned.length, leftMs: Math.round(leftMs) });
  };
  progress();
  const cells = await Promise.all(
    planned.map(({ site, index, failure }) =>
      inTurn.run(async () => {
        const cell = { site: index, failure, ...(await replays.cell(base.report, site, failure)) };
        done += 1;
        progress();
        return cell;
      }),
    ),
  );
  const equal = base.comparison.equal ? [] : ['Without a failure, the replay differs from the recorded run.'];
  return {
    script: given.script.name,
    sites: sites.map(siteOf),
    notTried: more,
    ...(groups !== null && { groups }),
    cells: cells.toSorted(byRisk),
    warnings: [...base.warnings, ...equal],
  };
}

function siteOf({ call, line, nth, access, name, text }: RecordedSite): CallSite {
  return { call, line, nth, access, name, text };
}

/** The capsule of one cell: with the failed answer, and the report of the replay. */
export async function capsuleOfCell(
  given: Capsule,
  { call, name }: { call: number; name: string },
  failure: FailureKind,
  parts: FailureParts,
  signal?: AbortSignal,
): Promise<Omit<Capsule, 'hash'> | null> {
  const site = allSitesOf(given).find((one) => one.call === call && one.name === name);
  const failed = site && capsuleWith(given, site, failure);
  if (!failed) return null;
  let { calls } = failed;
  const keep: ReplayParts['onCalls'] = (made) => void (calls = made);
  const replays = new Replays(given, parts, signal);
  const { report } = await replays.run(failed, site, keep);
  const { hash: _, ...content } = replays.limited(failed);
  return { ...content, calls, report };
}

class Replays {
  readonly #capsule: Capsule;
  readonly #body: string;
  readonly #parts: ReplayParts;
  readonly #limits: Capsule['limits'];
  readonly #environment: Capsule['environment'];
  readonly #signal: AbortSignal | undefined;

  constructor(capsule: Capsule, parts: FailureParts, signal: AbortSignal | undefined) {
    const { limits, report, environment, calls } = capsule;
    const processorMs = Math.min(limits.scriptMs, Math.max(HANGS_AFTER_MS, SLOWER * report.timing.scriptMs));
    this.#capsule = capsule;
    this.#body = bodyOf(capsule);
    this.#parts = parts;
    this.#limits = {
      ...limits,
      scriptMs: Math.min(MAX_SCRIPT_MS, BUSY * processorMs),
      totalMs: Math.min(MAX_TOTAL_MS, Math.max(limits.totalMs, BUSY * processorMs)),
      processorMs,
      calls: calls.length + MOST_MORE_CALLS,
    };
    this.#environment = { ...environment, clock: { ...environment.clock, ticks: true } };
    this.#signal = signal;
  }

  /** The capsule with what ends a script that hangs, and with a clock that continues. */
  limited(capsule: Capsule): Capsule {
    return { ...capsule, limits: this.#limits, environment: this.#environment };
  }

  /** @param site the call that fails in this capsule; none unless given */
  async run(
    capsule: Capsule = this.#capsule,
    site?: RecordedSite,
    onCalls?: ReplayParts['onCalls'],
  ): Promise<ReplayReport> {
    const signal = this.#signal;
    if (signal?.aborted) throw cancelled();
    const failed = site && capsule.calls[site.at];
    const options = { ...(failed && { failed }), keepsCalls: onCalls !== undefined };
    const parts = { ...this.#parts, options, ...(onCalls && { onCalls }) };
    const replay = await replayCapsule({ capsule: this.limited(capsule), intact: true }, this.#body, parts, signal);
    if (signal?.aborted) throw cancelled();
    return replay;
  }

  async cell(
    base: RunReport,
    site: RecordedSite,
    failure: FailureKind,
  ): Promise<Pick<FailureCell, 'outcome' | 'unchanged' | 'problem'>> {
    const failed = capsuleWith(this.#capsule, site, failure);
    if (!failed) throw new TagwrightError('INTERNAL', 'This call cannot fail like this.');
    return described(base, await this.run(failed, site), site, failure);
  }
}

const cancelled = () => new TagwrightError('CANCELLED', 'Cancelled before all failures were tried.');

function failedItself({ status, error }: RunReport): TagwrightError {
  const why = error ? `${error.name}: ${error.message}` : `status ${status}`;
  const message = `The script fails without any failure of its calls (${abbreviate(why, 300)}). Try failures on a run that succeeds.`;
  return new TagwrightError('CONFLICT', message);
}

/** What the script did after the failure. */
function described(
  base: RunReport,
  { report, missing }: ReplayReport,
  site: RecordedSite,
  failure: FailureKind,
): Pick<FailureCell, 'outcome' | 'unchanged' | 'problem'> {
  const after = `after ${causeOf(site, failure)}${placeText(site)}`;
  const of = (outcome: FailureOutcome, unchanged: boolean, what: string) => ({
    outcome,
    unchanged,
    problem: `${what} ${after}`,
  });
  const writes = effectsOf(report, site.call);
  const usual = effectsOf(base, site.call);
  const [first] = writes;
  const isHanging = missing === null && report.status !== 'ok' && report.status !== 'error';
  const unchanged = writes.length === usual.length && writes.every(({ key }, at) => key === usual[at]?.key);
  if (first && !(isHanging && unchanged)) {
    const different = writes.find(({ key }, at) => key !== usual[at]?.key);
    const other = different ?? first;
    const expected = unchanged
      ? undefined
      : usual.find(({ target, nth, value }) => target === other.target && nth === other.nth && value !== other.value);
    const [value, before] = expected
      ? abbreviatedPair(other.value, expected.value, SHOWN)
      : [abbreviate(other.value, SHOWN), ''];
    const instead = expected ? ` instead of ${before}` : '';
    const more = writes.length === 1 ? '' : ` and ${writes.length - 1} more`;
    // Without one that differs, later ones are missing; after a call that is not known, what follows is not known either.
    const only = `Made only ${grouped(writes.length)} of ${grouped(usual.length)} writes: `;
    const start = unchanged ? 'Still ' : different || missing ? '' : only;
    const what = `${start}${start === '' ? other.verb : other.verb.toLowerCase()} ${other.textOf(value)}`;
    const end = isHanging ? ', and did not end,' : '';
    return of('writes', unchanged, `${what}${instead}${lineText(other.line)}${more}${end}`);
  }
  if (missing?.access === 'write') {
    return of('writes', false, `Tried ${missing.call}${lineText(missing.line)}`);
  }
  if (missing) {
    const call = `${missing.call}${lineText(missing.line)}`;
    return of('unknown', false, `Continued with ${call}, which the recorded run did not do,`);
  }
  if (report.status === 'error') {
    const { name = 'Error', message = '', line = null } = report.error ?? {};
    return of('throws', false, `Threw ${abbreviate(`${name}: ${message}`, 2 * SHOWN)}${lineText(line)}`);
  }
  if (report.status !== 'ok') return of('hangs', false, HANGING[report.status]);
  const results = [JSON.stringify(report.result), JSON.stringify(base.result)] as const;
  if (results[0] === results[1]) return of('returns', true, 'Returned the same result');
  const [result, before] = abbreviatedPair(...results, SHOWN);
  return of('returns', false, `Returned ${result} instead of ${before}`);
}

const HANGING: Readonly<Record<Exclude<RunReport['status'], 'ok' | 'error'>, string>> = {
  timeout: 'Did not end in time',
  memory: 'Exceeded its memory limit',
  crashed: 'Ended its script host',
  cancelled: 'Was cancelled',
};

const lineText = (line: number | null): string => (line === null ? '' : ` (line ${line})`);

/** The line of a call, and which of its calls it is, such as that of the third round of a loop. */
const placeText = ({ line, nth, ofLine }: RecordedSite): string =>
  line === null || ofLine === 1 ? lineText(line) : ` (line ${line}, call ${grouped(nth)} of ${grouped(ofLine)})`;

/** Something that a run did to the plant or to another system. */
interface Effect {
  target: string;
  /** Which effect on this target it is. */
  nth: number;
  /** As text, in full. */
  value: string;
  key: string;
  verb: 'Wrote' | 'Sent';
  /** What was written or sent; `value` abbreviates its value. */
  textOf: (value: string) => string;
  line: number | null;
}

/** What a run wrote or sent after a call. */
function effectsOf({ writes, apiCalls }: RunReport, call: number): Effect[] {
  const items = [...writes.map(writeOf), ...apiCalls.filter(sends).map(sendingOf)]
    .filter((item) => item.call > call)
    .toSorted((a, b) => a.seq - b.seq);
  const counts = new Map<string, number>();
  return items.map(({ target, value, verb, textOf, line }) => {
    const nth = (counts.get(target) ?? 0) + 1;
    counts.set(target, nth);
    return { target, nth, value, verb, textOf, line, key: JSON.stringify([target, nth, value]) };
  });
}

const writeOf = ({ call, seq, line, path, value, diagram, location }: WriteEntry) => ({
  call,
  seq,
  line,
  target: JSON.stringify([path, diagram, location]),
  value: JSON.stringify(value),
  verb: 'Wrote' as const,
  textOf: (text: string) => `${text} to ${path}`,
});

/** Requests that change something elsewhere. */
const sends = ({ method, operation, source }: ApiCallEntry): boolean =>
  operation !== 'GetOauthToken' && method !== 'GET' && source !== 'none';

const sendingOf = ({ call, seq, line, method, url, request }: ApiCallEntry) => ({
  call,
  seq,
  line,
  target: `${method} ${url}`,
  value: request.body ?? '',
  verb: 'Sent' as const,
  textOf: () => `${method} ${abbreviate(url, SHOWN)}`,
});

/** The failure, as the cause of what happened. */
function causeOf({ name, access }: RecordedSite, failure: FailureKind): string {
  if (access === 'call') return `${API_CAUSES[failure] ?? 'a failure'} from ${name}`;
  return `${TAG_CAUSES[failure] ?? 'a failure of'} ${name}`;
}

const TAG_CAUSES: Readonly<Partial<Record<FailureKind, string>>> = {
  'missing-tag': 'a read of the missing tag',
  'bad-quality': 'a BadNotConnected read of',
  'uncertain-quality': 'an UncertainSensorNotAccurate read of',
  'wrong-type': 'a read of another type from',
  'empty-array': 'an empty array from',
  'stale-value': 'a stale read (UncertainLastUsableValue) of',
  'set-rejected': 'a rejected Set of',
  'nested-set-failed': 'a Set that failed in the write script of',
};

const API_CAUSES: Readonly<Partial<Record<FailureKind, string>>> = {
  'http-401': 'status 401',
  'http-403': 'status 403',
  'http-404': 'status 404',
  'http-429': 'status 429',
  'http-500': 'status 500',
  'connection-refused': 'a refused connection',
  timeout: 'a timeout',
  'truncated-body': 'a truncated response',
  'html-body': 'an HTML response',
  'empty-body': 'an empty response',
  'malformed-token': 'a response without a token',
};
