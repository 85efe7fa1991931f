import type { Scope } from '#domain/scope';
import type { TagValue, TagWrite } from '#domain/tag';
import type { MaybePromise } from '../platform/maybe-promise.ts';
import type { WrittenTags } from './kinds/kind.ts';
import { PendingWrites } from './pending-writes.ts';
import type { TagEngine } from './tag-engine.ts';
import { EngineView } from './tag-engine.ts';
import { writeTags } from './write-set.ts';

/** The reads and writes of one script run. A dry run sees its own writes, and nobody else ever does (decision 3). */
export class TagSession {
  readonly #engine: TagEngine;
  readonly #kept: PendingWrites | null;

  constructor(engine: TagEngine, { dryRun }: { dryRun: boolean }) {
    this.#engine = engine;
    this.#kept = dryRun ? new PendingWrites() : null;
  }

  /** One value a path, in order; no promise where all values are in memory. Throws BAD_REQUEST for an odd scope. */
  get(paths: readonly string[], scope: Scope): MaybePromise<TagValue[]> {
    return new EngineView(this.#engine, this.#kept, this.#kept !== null).get(paths, scope);
  }

  /** All or nothing; resolves when it is durable. Throws WRITE_REFUSED with every item that is wrong. */
  set(items: readonly TagWrite[], scope: Scope): Promise<WrittenTags> {
    return writeTags(this.#engine, items, scope, this.#kept);
  }
}
