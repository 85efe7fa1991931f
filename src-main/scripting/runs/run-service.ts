import type { JournalScript, RunOrigin } from '#domain/run/journal';
import type { RunContext, RunError, RunReport } from '#domain/run/run';
import type { ScriptEvaluator, TagCalls } from '#domain/run/script-evaluator';
import type { RunDebugging, RunTree } from './run-tree.ts';
import { tracedCalls } from './run-trace.ts';

/** What a run needs from the tags: reads and writes in one scope, which save nothing in a dry run. */
export interface RunTags {
  session(options: { dryRun: boolean; scripts: ScriptEvaluator }): TagCalls;
}

export interface RunRequest {
  body: string;
  context: RunContext;
  dryRun: boolean;
  /** A run of text that is still being typed: always a dry run, and short. */
  live?: boolean;
  /** The saved script whose body it is. */
  script?: JournalScript | undefined;
}

/** Runs bodies so that the journal can show what they saw. */
export interface RunKeeping {
  /** False while the journal is off: runs are then not recorded, which takes time. */
  enabled(): boolean;
  run(request: RunRequest, signal?: AbortSignal): Promise<RunReport>;
  /** A run under a debugger has ended. */
  ended(origin: RunOrigin): void;
}

export interface RunServiceParts {
  tree: RunTree;
  tags: RunTags;
  /** Runs that a person started; absent if there is no journal. */
  kept?: RunKeeping;
}

/** Runs scripts: connects the sandbox, which executes them, with the tags that they read and write. */
export class RunService {
  readonly #parts: RunServiceParts;

  constructor(parts: RunServiceParts) {
    this.#parts = parts;
  }

  /**
   * Runs a body to its end and reports how it ended. Aborting the signal cancels the run and everything that it
   * started; the status is then `cancelled`. Rejects only with UNAVAILABLE, if no script host is available.
   */
  async execute(request: RunRequest, signal?: AbortSignal, debugging?: RunDebugging): Promise<RunReport> {
    const { tree, tags, kept } = this.#parts;
    const { body, context, script, live = false } = request;
    if (kept?.enabled() && !live && !debugging) return kept.run(request, signal);
    const dryRun = request.dryRun || live;
    const { run, trace } = tree.root({ dryRun, live, script, debugging });
    const callsOf = (scripts: ScriptEvaluator) => tracedCalls(tags.session({ dryRun, scripts }), trace);
    const { consoleDropped, ...ended } = await run.execute({ body, context }, callsOf, signal);
    if (run.origin) kept?.ended(run.origin);
    return {
      ...ended,
      error: live ? namingLiveLimit(ended.error) : ended.error,
      ...trace.report(consoleDropped),
      dryRun,
    };
  }
}

/** The sandbox names the settings for ordinary runs; a live run has its own. */
function namingLiveLimit(error: RunError | null): RunError | null {
  if (error?.name !== 'TimeoutError') return error;
  return { ...error, message: error.message.replace(/limits\.(script|total)Ms/, 'limits.liveMs') };
}
