import type { Scope } from '../tag/scope.ts';
import type { TagValue, TagWrite } from '../tag/tag.ts';
import type { Json } from '../text/json.ts';
import type { Cause, JournalScript, RunOrigin } from './journal.ts';
import type { RunContext, RunError, RunStatus } from './run.ts';

/** The seam between runs and tags: runs read and write tags, tags and rules have scripts run. */

/** The reads and writes that a script may request while it runs. */
export interface TagCalls {
  /** @param line that of the call in the body, for the journal; null if it is unknown */
  get(paths: readonly string[], scope: Scope, line?: number | null): TagValue[] | Promise<TagValue[]>;
  set(items: readonly TagWrite[], scope: Scope, line?: number | null): WrittenTags | Promise<WrittenTags>;
  /** What `get` would return now, if all values are in memory; null otherwise. Absent if that is not known. */
  inMemory?(paths: readonly string[], scope: Scope): TagValue[] | null;
  /** The run has made a Get with these values of `inMemory`. */
  usedFromMemory?(values: TagValue[], line: number | null): void;
}

/** The values as written, and those before, both in the order of the items; undefined for values that were not read. */
export interface WrittenTags {
  values: TagValue[];
  before: (Json | undefined)[];
}

interface RuleName {
  id: number;
  name: string;
}

/** A script that runs inside another run, because a tag is read or written; or an expression of tags or rules. */
export interface NestedScript {
  /** The tags that led here, outermost first; the last is the one whose script this is. */
  chain: readonly string[];
  /**
   * `tag`: the script of one tag, which may read and write others: it counts as a level of nesting and has a place in
   * the trace. `calculations`: expressions, which read nothing while they run.
   */
  sort: 'tag' | 'calculations';
  body: string;
  context: RunContext;
  /**
   * The saved script and the read or write that led to it, or the rule whose condition it is; absent if it cannot change
   * anything.
   */
  origin?: { script: JournalScript; rule?: null; cause: Cause } | { script: null; rule: RuleName; cause: Cause };
  /** Script time in ms; the setting limits it further. */
  scriptMs?: number;
  /** Cancels it if it runs outside of any run; others are cancelled with the run around them. */
  signal?: AbortSignal;
  /** The calls of the script; scripts that these run in turn are run by `inner`. */
  calls(inner: ScriptEvaluator): TagCalls;
}

/** The name of the error of a script that was not run, because it is nested too deeply. */
export const NESTING_ERROR = 'NestingError';

export interface NestedScriptEnd {
  status: RunStatus;
  result: Json;
  error: RunError | null;
  /** It was not run, because there is no script host. */
  unavailable?: boolean;
}

/** Runs nested scripts as part of a run, if there is one: they end with it at the latest, and appear in its trace. */
export interface ScriptEvaluator {
  /** Aborts when its run ends: results are no longer needed, and nothing may be saved. */
  readonly signal: AbortSignal;
  /** Identifies the outermost run that it is part of; null outside of any run. */
  readonly root: object | null;
  /** Its run for the journal; null outside of any run, and if it cannot change anything. */
  readonly origin: RunOrigin | null;
  /** Settles however the script ends. */
  run(script: NestedScript): Promise<NestedScriptEnd>;
}
