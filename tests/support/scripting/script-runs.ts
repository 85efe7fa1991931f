import type { RunContext, RunLimits } from '#domain/run/run';
import type { Json } from '#domain/text/json';
import type {
  HostCalls,
  ScriptRun,
  ScriptOutcome,
  ScriptRunner,
  TagColumns,
} from '../../../src-main/scripting/sandbox/script-run.ts';
import {
  ScriptHostPool,
  type ScriptHostPoolOptions,
} from '../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { TEST_SCRIPT_HOST } from '../product/build-script-host.ts';

/** Times that only end what never ends. */
export const TEST_LIMITS: RunLimits = {
  scriptMs: 10_000,
  totalMs: 60_000,
  memoryMb: 64,
  consoleEntries: 100,
  resultBytes: 1024 * 1024,
  bodyBytes: 1024 * 1024,
};

const CONTEXT: RunContext = { tagName: 'Plant.Line.Tag.Value', tagScopeDiagram: null, tagScopeLocation: null };

/** Every tag exists. A read returns the index of the tag in the call, a write returns the written value. */
export const PLAIN_CALLS: HostCalls = {
  get: (tags) => columns(tags.map((_, index) => index)),
  set: (items) => columns(items.map(({ value }) => value)),
};

export function columns(values: Json[]): TagColumns {
  return { values, qualities: values.map(() => 'Good'), types: values.map(() => 'Json') };
}

/** A pool of real host processes; the test closes it. */
export function realPool(options: Partial<ScriptHostPoolOptions> = {}): ScriptHostPool {
  return new ScriptHostPool({ hostFile: TEST_SCRIPT_HOST, nodeBinary: process.execPath, count: 1, ...options });
}

export type JobChanges = Partial<Omit<ScriptRun, 'limits' | 'context'>> & {
  limits?: Partial<RunLimits>;
  context?: Partial<RunContext>;
};

export function jobOf(body: string, changes: JobChanges = {}): ScriptRun {
  return {
    body,
    calls: PLAIN_CALLS,
    ...changes,
    context: { ...CONTEXT, ...changes.context },
    limits: { ...TEST_LIMITS, ...changes.limits },
  };
}

export function runScript(runner: ScriptRunner, body: string, changes: JobChanges = {}): Promise<ScriptOutcome> {
  return runner.run(jobOf(body, changes));
}
