import type { Json } from '#domain/text/json';
import type { RunContext, RunError, RunStatus } from '#domain/run/run';
import type { Scope } from '#domain/tag/scope';
import type { TagValue, TagWrite } from '#domain/tag/tag';
import { TagwrightError } from '../../../platform/errors.ts';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';
import type { WrittenTags } from '../kinds/kind.ts';

/** The tag methods that a script can call while it runs. */
export interface TagScriptCalls {
  get(paths: readonly string[], scope: Scope): MaybePromise<TagValue[]>;
  set(items: readonly TagWrite[], scope: Scope): MaybePromise<WrittenTags>;
}

/** A script that runs because its tag is read or written. */
export interface TagScript {
  /** The tags on the way here, outermost first, like the chain of a view; the last one owns this script. */
  chain: readonly string[];
  /**
   * `tag`: the script of one tag, which may read and write others: it counts as a level of nesting and has a place in
   * the trace. `calculations`: expressions of many tags, which read nothing while they run.
   */
  sort: 'tag' | 'calculations';
  body: string;
  context: RunContext;
  /** Script time in ms, if it is below the setting. */
  scriptMs?: number;
  /** The calls of the script; runs that they cause use `inner`. */
  calls(inner: ScriptEvaluator): TagScriptCalls;
}

export interface TagScriptEnd {
  status: RunStatus;
  result: Json;
  error: RunError | null;
}

/**
 * Runs the scripts of tags as part of the run that reads or writes them, if there is one: they end with it at the
 * latest, and appear in its trace.
 */
export interface ScriptEvaluator {
  /** Whether the run of this evaluator has ended: its requests must no longer be stored. */
  readonly ended: boolean;
  /** Settles however the script ends. */
  run(script: TagScript): Promise<TagScriptEnd>;
}

/** For tags without script hosts. */
export const NO_SCRIPTS: ScriptEvaluator = {
  ended: false,
  run: async () => ({
    status: 'error',
    result: null,
    error: { name: 'Error', message: 'scripts cannot be run here', line: null, column: null, stack: [] },
  }),
};

/** A run that was stopped while its Set was being prepared no longer writes anything. */
export function refuseAfterEnd(scripts: ScriptEvaluator): void {
  if (scripts.ended) throw new TagwrightError('CANCELLED', 'The run has ended; nothing was written.');
}
