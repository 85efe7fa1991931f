import type { Scope } from '#domain/tag/scope';
import { problemOfScope } from '#domain/tag/scope';
import type { ScriptEvaluator, WrittenTags } from '#domain/run/script-evaluator';
import type { TagValue, TagWrite } from '#domain/tag/tag';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';
import type { Cause } from '#domain/run/journal';
import { PendingWrites } from './pending-writes.ts';
import { EngineView, type TagEngine, type ViewParts, writeTags } from './tag-engine.ts';

interface SessionOptions {
  dryRun: boolean;
  /** Runs the scripts of the tags that the run reads and writes, as part of it. */
  scripts: ScriptEvaluator;
  /** What leads to its writes, unless `scripts` has a run. */
  cause: Cause;
}

/** The reads and writes of one script run. Only a dry run itself sees its own writes. */
export class TagSession {
  readonly #parts: ViewParts;

  constructor(engine: TagEngine, { dryRun, scripts, cause }: SessionOptions) {
    this.#parts = { engine, pending: dryRun ? new PendingWrites() : null, dryRun, scripts, cause };
  }

  /**
   * One value per path, in order; not a promise if all values are in memory. Throws BAD_REQUEST for an invalid scope.
   */
  get(paths: readonly string[], scope: Scope, line: number | null = null): MaybePromise<TagValue[]> {
    return new EngineView(this.#parts).get(paths, scope, line);
  }

  /** What `get` would return now, if all values are in memory and the scope is valid; null otherwise. */
  inMemory(paths: readonly string[], scope: Scope): TagValue[] | null {
    const { engine } = this.#parts;
    if (problemOfScope(scope) !== null) return null;
    for (const path of paths) if (engine.tag(path)?.kind.mode === 'batch') return null;
    const values = engine.read(paths, scope, new EngineView(this.#parts));
    return values instanceof Promise ? null : values;
  }

  /** All or nothing; resolves when it is durable. Throws WRITE_REFUSED with every rejected item. */
  set(items: readonly TagWrite[], scope: Scope, line: number | null = null): Promise<WrittenTags> {
    return writeTags({ ...this.#parts, line }, items, scope);
  }
}
