import type { Scope } from '#domain/scope';
import type { TagWrite } from '#domain/tag';
import type { WriteView, WrittenTags } from './kinds/kind.ts';
import { PendingWrites } from './pending-writes.ts';
import type { SetEntry, TagEngine } from './tag-engine.ts';
import { EngineView } from './tag-engine.ts';

/** What a kind is given to write with: a layer of pending writes and the list of what is to be applied. */
class SetView extends EngineView implements WriteView {
  declare readonly pending: PendingWrites;
  readonly #entries: SetEntry[];

  constructor(
    engine: TagEngine,
    pending: PendingWrites,
    dryRun: boolean,
    chain: readonly string[],
    entries: SetEntry[],
  ) {
    super(engine, pending, dryRun, chain);
    this.#entries = entries;
  }

  /** A Set within the Set: a layer and a list of its own, joined to these when all of it is right. */
  async set(items: readonly TagWrite[], scope: Scope): Promise<WrittenTags> {
    const layer = new PendingWrites(this.pending);
    const entries: SetEntry[] = [];
    const view = new SetView(this.engine, layer, this.dryRun, this.chain, entries);
    const written = await this.engine.prepare(items, scope, view, entries);
    layer.mergeDown();
    for (const entry of entries) this.#entries.push(entry);
    return written;
  }

  override within(path: string): WriteView {
    return new SetView(this.engine, this.pending, this.dryRun, [...this.chain, path], this.#entries);
  }
}

/**
 * Writes items all or nothing (decision 3): every item is checked, then all are written in one transaction, in order.
 * With `kept` (the pending writes of a dry run) they go there and nowhere else.
 */
export async function writeTags(
  engine: TagEngine,
  items: readonly TagWrite[],
  scope: Scope,
  kept: PendingWrites | null,
): Promise<WrittenTags> {
  const layer = new PendingWrites(kept);
  const entries: SetEntry[] = [];
  const written = await engine.prepare(items, scope, new SetView(engine, layer, kept !== null, [], entries), entries);
  if (kept) layer.mergeDown();
  else await engine.commit(entries);
  return written;
}
