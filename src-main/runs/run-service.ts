import type { Json } from '#domain/json';
import type { RunContext, RunLimits, RunReport } from '#domain/run';
import type { Scope } from '#domain/scope';
import { SCRIPT_LIMITS } from '#domain/script';
import type { Settings } from '#domain/settings';
import type { TagValue, TagWrite } from '#domain/tag';
import type { MaybePromise } from '../platform/maybe-promise.ts';
import type { HostCalls, ScriptRunner, TagColumns } from '../sandbox/script-job.ts';
import { RunTrace } from './run-trace.ts';

/** What a run needs of the tags: reads and writes that belong together, and keep nothing in a dry run (decision 3). */
export interface RunTags {
  session(options: { dryRun: boolean }): {
    get(paths: readonly string[], scope: Scope): MaybePromise<TagValue[]>;
    set(items: readonly TagWrite[], scope: Scope): Promise<{ values: TagValue[]; before: Json[] }>;
  };
}

export interface RunRequest {
  body: string;
  context: RunContext;
  dryRun: boolean;
}

export interface RunServiceParts {
  runner: ScriptRunner;
  tags: RunTags;
  settings: { get(): Settings };
}

const BYTES_PER_MB = 1_048_576;

/** Runs scripts: joins the sandbox, which executes, with the tags, which a script reads and writes. */
export class RunService {
  readonly #parts: RunServiceParts;

  constructor(parts: RunServiceParts) {
    this.#parts = parts;
  }

  /**
   * Runs a body to its end and reports how it ended, whatever that was (decision 4). Aborting the signal cancels the
   * run, which then reports `cancelled`. Rejects only with UNAVAILABLE, when no script host can be had.
   */
  async execute(request: RunRequest, signal?: AbortSignal): Promise<RunReport> {
    const trace = new RunTrace();
    const outcome = await this.#parts.runner.run({
      body: request.body,
      context: request.context,
      limits: limitsOf(this.#parts.settings.get()),
      calls: this.#callsOf(request, trace),
      ...(signal && { signal }),
    });
    const { consoleDropped, ...ended } = outcome;
    return {
      ...ended,
      reads: trace.reads,
      writes: trace.writes,
      apiCalls: [],
      dryRun: request.dryRun,
      dropped: { console: consoleDropped, ...trace.dropped },
    };
  }

  #callsOf(request: RunRequest, trace: RunTrace): HostCalls {
    const session = this.#parts.tags.session({ dryRun: request.dryRun });
    return {
      get(tags, scope, line) {
        const traced = (values: TagValue[]) => {
          trace.read(values, scope, line);
          return columnsOf(values);
        };
        const values = session.get(tags, scope);
        return values instanceof Promise ? values.then(traced) : traced(values);
      },
      async set(items, scope, line) {
        const { values, before } = await session.set(items, scope);
        trace.write(values, before, scope, line);
        return columnsOf(values);
      },
    };
  }
}

function limitsOf(settings: Settings): RunLimits {
  return {
    scriptMs: settings['limits.scriptMs'],
    totalMs: settings['limits.totalMs'],
    memoryMb: settings['limits.memoryMb'],
    consoleEntries: settings['limits.consoleEntries'],
    resultBytes: settings['limits.resultMb'] * BYTES_PER_MB,
    bodyBytes: SCRIPT_LIMITS.bodyBytes,
  };
}

function columnsOf(values: readonly TagValue[]): TagColumns {
  const columns: TagColumns = { values: [], qualities: [], types: [] };
  for (const { value, quality, type } of values) {
    columns.values.push(value);
    columns.qualities.push(quality);
    columns.types.push(type);
  }
  return columns;
}
