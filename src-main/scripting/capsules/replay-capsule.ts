import { bodyOf, type Capsule, type RecordedCall } from '#domain/run/capsule';
import type { ReplayReport } from '#domain/run/replay';
import type { RunError, RunReport } from '#domain/run/run';
import { compareRuns } from '#domain/run/run-comparison';
import { grouped } from '#domain/text/grouped';
import { DEFAULT_SETTINGS, type Settings } from '#domain/workspace/settings';
import { tracedCalls } from '../runs/run-trace.ts';
import { type RunDebugging, RunTree } from '../runs/run-tree.ts';
import type { ScriptRunner } from '../sandbox/script-run.ts';
import { endlessCalls } from '../sandbox/supervisor/run-errors.ts';
import type { ReadCapsule } from './capsule-file.ts';
import { type MaskArguments, ReplayedCalls, type ReplayOptions } from './replayed-calls.ts';

export interface ReplayParts {
  /** Its hosts have the time zone and the locale of the capsule. */
  runner: ScriptRunner;
  maskArguments: MaskArguments;
  /** The version of the product. */
  version: string;
  options?: ReplayOptions;
  /** Called with the calls that were made, if they are kept. */
  onCalls?: (calls: RecordedCall[]) => void;
  /** Observes the run. */
  debugging?: RunDebugging;
}

const BYTES_PER_MB = 1_048_576;

/**
 * Runs the body of a capsule, or an edited one, in the sandbox: every call is answered from the capsule. A call that the
 * capsule cannot answer ends the run. Rejects only with UNAVAILABLE, if no script host is available.
 */
export async function replayCapsule(
  { capsule, intact }: ReadCapsule,
  edited: string | null,
  { runner, maskArguments, version, options, onCalls, debugging }: ReplayParts,
  signal?: AbortSignal,
): Promise<ReplayReport> {
  const settings = settingsOf(capsule);
  const recorded = bodyOf(capsule);
  const body = edited ?? recorded;
  const end = new AbortController();
  const calls = new ReplayedCalls(capsule, maskArguments, () => end.abort(), options);
  const { dryRun } = capsule.report;
  const { processorMs } = capsule.limits;
  const tree = new RunTree({ runner, settings: { get: () => settings }, ...(debugging && { api: calls.api }) });
  const { run, trace } = tree.root({ dryRun, debugging });
  const { consoleDropped, ...ended } = await run.execute(
    { body, context: capsule.context, recorded: calls, ...(processorMs !== undefined && { processorMs }) },
    () => (debugging ? tracedCalls(calls.tags(trace), trace) : calls.traced(trace)),
    signal ? AbortSignal.any([signal, end.signal]) : end.signal,
  );
  const { missing, assumed, realm } = calls;
  const report: RunReport = { ...ended, ...trace.report(consoleDropped), dryRun };
  if (missing) Object.assign(report, { status: 'error', error: errorOf(calls) });
  else if (calls.isEndless) Object.assign(report, { status: 'timeout', error: endlessCalls() });
  if (calls.made) onCalls?.(calls.made);
  return {
    script: capsule.script.name,
    recordedAt: capsule.report.timing.startedAt,
    product: capsule.product,
    intact,
    edited: body !== recorded,
    report,
    missing,
    assumed,
    comparison: compareRuns(capsule.report, report),
    warnings: warningsOf(capsule, intact, realm, version),
  };
}

function settingsOf({ limits }: Capsule): Settings {
  return {
    ...DEFAULT_SETTINGS,
    'limits.scriptMs': limits.scriptMs,
    'limits.totalMs': limits.totalMs,
    'limits.memoryMb': limits.memoryMb,
    'limits.consoleEntries': limits.consoleEntries,
    'limits.resultMb': limits.resultBytes / BYTES_PER_MB,
  };
}

function errorOf({ missing }: ReplayedCalls): RunError {
  const message = `${missing?.call} is not in the capsule: ${missing?.reason}`;
  return { name: 'NotInCapsule', message, line: missing?.line ?? null, column: null, stack: [] };
}

/** What Intl calls the time zone of a process whose `TZ` it does not know. */
const UNKNOWN_ZONE = 'undefined';

function warningsOf(
  { environment, masked, product }: Capsule,
  intact: boolean,
  realm: ReplayedCalls['realm'],
  version: string,
): string[] {
  const warnings: string[] = [];
  if (!intact) warnings.push('The capsule was changed since it was written: its content does not match its hash.');
  if (product !== version) warnings.push(`The run was recorded by Tagwright ${product}; this is ${version}.`);
  const places = masked.places.length + masked.more;
  if (places > 0) {
    const where = places === 1 ? '1 place' : `${grouped(places)} places`;
    warnings.push(`Secrets are masked in ${where}: the script sees *** there.`);
  }
  for (const name of ['timeZone', 'locale'] as const) {
    if (realm === null || realm[name] === environment[name]) continue;
    const what = name === 'timeZone' ? 'time zone' : 'locale';
    const here =
      realm[name] === UNKNOWN_ZONE ? 'does not know it, and gives scripts UTC' : `gives scripts ${realm[name]}`;
    warnings.push(`The ${what} of the recorded run was ${environment[name]}; this system ${here}.`);
  }
  return warnings;
}
