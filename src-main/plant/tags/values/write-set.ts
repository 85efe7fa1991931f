import type { Scope } from '#domain/tag/scope';
import type { TagValue, TagWrite } from '#domain/tag/tag';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';
import type { ReadView, WriteView } from '../kinds/kind.ts';
import { PendingWrites } from './pending-writes.ts';
import type { ScriptEvaluator, WrittenTags } from '#domain/run/script-evaluator';
import { refuseAfterEnd } from './script-evaluator.ts';
import type { Tag } from '../definitions/tag.ts';
import type { TagEngine } from './tag-engine.ts';
import { checkScope } from './tag-engine.ts';
import type { SetEntry } from './tag-transactions.ts';

/** The context of a read or a write set. */
export interface ViewParts {
  engine: TagEngine;
  /** The pending writes of a dry run or a transaction. */
  pending: PendingWrites | null;
  dryRun: boolean;
  scripts: ScriptEvaluator;
  chain?: readonly string[];
  /** The moment of the call, in ms since 1970; now unless given. */
  now?: number;
}

/** The view of a read or a write set: the moment, the pending writes, and the chain of tags that led here. */
export class EngineView implements ReadView {
  readonly pending: PendingWrites | null;
  readonly dryRun: boolean;
  readonly chain: readonly string[];
  readonly scripts: ScriptEvaluator;
  protected readonly engine: TagEngine;
  #now: number | undefined;

  constructor({ engine, pending, dryRun, scripts, chain = [], now }: ViewParts) {
    this.engine = engine;
    this.pending = pending;
    this.dryRun = dryRun;
    this.scripts = scripts;
    this.chain = chain;
    this.#now = now;
  }

  get now(): number {
    return (this.#now ??= this.engine.clock.now());
  }

  tag(path: string): Tag | undefined {
    return this.engine.tag(path);
  }

  get(paths: readonly string[], scope: Scope): MaybePromise<TagValue[]> {
    checkScope(scope);
    return this.engine.read(paths, scope, this);
  }

  set(items: readonly TagWrite[], scope: Scope): Promise<WrittenTags> {
    return writeTags(this.parts(this.chain, this.scripts), items, scope);
  }

  within(path: string, scripts: ScriptEvaluator = this.scripts): ReadView {
    return new EngineView({ ...this.parts([...this.chain, path], scripts), now: this.now });
  }

  protected parts(chain: readonly string[], scripts: ScriptEvaluator): ViewParts {
    return { engine: this.engine, pending: this.pending, dryRun: this.dryRun, scripts, chain };
  }
}

/** The context of a write for a kind: a layer of pending writes and the list of writes to apply. */
class SetView extends EngineView implements WriteView {
  declare readonly pending: PendingWrites;
  readonly #entries: SetEntry[];

  constructor(parts: ViewParts & { pending: PendingWrites }, entries: SetEntry[]) {
    super(parts);
    this.#entries = entries;
  }

  /** A nested Set: its own layer and list, merged into the outer ones if all of it is valid. */
  override async set(items: readonly TagWrite[], scope: Scope): Promise<WrittenTags> {
    const layer = new PendingWrites(this.pending);
    const entries: SetEntry[] = [];
    const view = new SetView({ ...this.parts(this.chain, this.scripts), pending: layer }, entries);
    try {
      const written = await this.engine.prepare(items, scope, view, entries);
      refuseAfterEnd(this.scripts);
      await layer.mergeDown();
      for (const entry of entries) this.#entries.push(entry);
      return written;
    } catch (thrown) {
      await layer.drop();
      throw thrown;
    }
  }

  override within(path: string, scripts: ScriptEvaluator = this.scripts): WriteView {
    const parts = this.parts([...this.chain, path], scripts);
    return new SetView({ ...parts, pending: this.pending, now: this.now }, this.#entries);
  }
}

/**
 * Writes items all or nothing: every item is checked, then all are written in one transaction, in order. Sets of the
 * same tag are made in the order of their requests. In a dry run they only change its pending writes.
 */
export async function writeTags(parts: ViewParts, items: readonly TagWrite[], scope: Scope): Promise<WrittenTags> {
  // Writes within another Set or a dry run are already in its order.
  if (parts.pending) return prepareAndCommit(parts, items, scope, () => undefined);
  const turn = parts.engine.order.enter(items.map(({ tag }) => tag));
  try {
    if (turn.before) {
      await turn.before;
      refuseAfterEnd(parts.scripts);
    }
    return await prepareAndCommit(parts, items, scope, () => turn.end());
  } finally {
    turn.end();
  }
}

/** @param queued called when nothing can come between this set and its transaction any more */
async function prepareAndCommit(
  { engine, pending: kept, dryRun, scripts, chain = [] }: ViewParts,
  items: readonly TagWrite[],
  scope: Scope,
  queued: () => void,
): Promise<WrittenTags> {
  const layer = new PendingWrites(kept);
  const entries: SetEntry[] = [];
  const view = new SetView({ engine, pending: layer, dryRun, scripts, chain }, entries);
  try {
    const written = await engine.prepare(items, scope, view, entries);
    refuseAfterEnd(scripts);
    if (kept) await layer.mergeDown();
    else await engine.transactions.commit(entries, { outside: layer.outside, queued });
    return written;
  } catch (thrown) {
    await layer.drop();
    throw thrown;
  }
}
