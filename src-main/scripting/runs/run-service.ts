import type { RunContext, RunError, RunReport } from '#domain/run/run';
import type { Caller, RunTree } from './run-tree.ts';
import type { TagCalls } from './tag-calls.ts';
import { tracedCalls } from './tag-calls.ts';

/** What a run needs of the tags: reads and writes that belong together, and keep nothing in a dry run. */
export interface RunTags {
  session(options: { dryRun: boolean; scripts: Caller }): TagCalls;
}

export interface RunInput {
  body: string;
  context: RunContext;
  dryRun: boolean;
  /** A run of a text that is still being typed: always a dry run, and short. */
  live?: boolean;
}

export interface RunServiceParts {
  tree: RunTree;
  tags: RunTags;
}

/** Runs scripts: joins the sandbox, which executes, with the tags, which a script reads and writes. */
export class RunService {
  readonly #parts: RunServiceParts;

  constructor(parts: RunServiceParts) {
    this.#parts = parts;
  }

  /**
   * Runs a body to its end and reports how it ended, whatever that was. Aborting the signal cancels the
   * run and all that it has caused; it then reports `cancelled`. Rejects only with UNAVAILABLE, when no script host can
   * be had.
   */
  async execute({ body, context, live = false, ...asked }: RunInput, signal?: AbortSignal): Promise<RunReport> {
    const { tree, tags } = this.#parts;
    const dryRun = asked.dryRun || live;
    const { run, trace } = tree.root({ dryRun, live });
    const callsOf = (scripts: Caller) => tracedCalls(tags.session({ dryRun, scripts }), trace);
    const { consoleDropped, ...ended } = await run.execute({ body, context }, callsOf, signal);
    return {
      ...ended,
      error: live ? namingLiveLimit(ended.error) : ended.error,
      ...trace.report(consoleDropped),
      dryRun,
    };
  }
}

/** The sandbox names the settings of usual runs. */
function namingLiveLimit(error: RunError | null): RunError | null {
  if (error?.name !== 'TimeoutError') return error;
  return { ...error, message: error.message.replace(/limits\.(script|total)Ms/, 'limits.liveMs') };
}
