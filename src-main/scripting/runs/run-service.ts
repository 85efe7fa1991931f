import type { RunContext, RunError, RunReport } from '#domain/run/run';
import type { ScriptEvaluator, TagCalls } from '#domain/run/script-evaluator';
import type { RunTree } from './run-tree.ts';
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
}

export interface RunServiceParts {
  tree: RunTree;
  tags: RunTags;
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
  async execute({ body, context, live = false, ...input }: RunRequest, signal?: AbortSignal): Promise<RunReport> {
    const { tree, tags } = this.#parts;
    const dryRun = input.dryRun || live;
    const { run, trace } = tree.root({ dryRun, live });
    const callsOf = (scripts: ScriptEvaluator) => tracedCalls(tags.session({ dryRun, scripts }), trace);
    const { consoleDropped, ...ended } = await run.execute({ body, context }, callsOf, signal);
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
