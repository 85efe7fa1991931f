import type { Scope } from '#domain/tag/scope';
import type { TagValue, TagWrite } from '#domain/tag/tag';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';
import { PendingWrites } from './pending-writes.ts';
import type { ScriptEvaluator, WrittenTags } from '#domain/run/script-evaluator';
import type { TagEngine } from './tag-engine.ts';
import type { ViewParts } from './write-set.ts';
import { EngineView, writeTags } from './write-set.ts';

export interface SessionOptions {
  dryRun: boolean;
  /** Runs the scripts of the tags that the run reads and writes, as part of it. */
  scripts: ScriptEvaluator;
}

/** The reads and writes of one script run. Only a dry run itself sees its own writes. */
export class TagSession {
  readonly #parts: ViewParts;

  constructor(engine: TagEngine, { dryRun, scripts }: SessionOptions) {
    this.#parts = { engine, pending: dryRun ? new PendingWrites() : null, dryRun, scripts };
  }

  /**
   * One value per path, in order; not a promise if all values are in memory. Throws BAD_REQUEST for an invalid scope.
   */
  get(paths: readonly string[], scope: Scope): MaybePromise<TagValue[]> {
    return new EngineView(this.#parts).get(paths, scope);
  }

  /** All or nothing; resolves when it is durable. Throws WRITE_REFUSED with every rejected item. */
  set(items: readonly TagWrite[], scope: Scope): Promise<WrittenTags> {
    return writeTags(this.#parts, items, scope);
  }
}
