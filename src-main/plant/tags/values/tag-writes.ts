import { valueOfItem } from '#domain/tag/convert';
import { abbreviate } from '#domain/text/abbreviate';
import type { Json } from '#domain/text/json';
import type { Scope } from '#domain/tag/scope';
import type { TagValue, TagWrite, WriteFailure } from '#domain/tag/tag';
import { MAX_PATH_LENGTH } from '#domain/tag/tag-path';
import type { WrittenTags } from '#domain/run/script-evaluator';
import { settledOrAborted } from '../../../platform/pause.ts';
import { withinResponse } from '../../../platform/response-size.ts';
import type { TagwrightError } from '../../../platform/errors.ts';
import { Turns } from '../../../platform/turns.ts';
import type { TagCatalog } from '../definitions/catalog.ts';
import { unknownTag } from '../definitions/nearest.ts';
import type { Tag } from '../definitions/tag.ts';
import type { StateChange, WriteView } from '../kinds/kind.ts';
import { PendingWrites } from './pending-writes.ts';
import { refuseAfterEnd } from './script-evaluator.ts';
import { checkScope, TagView, type TagWriter, type ViewParts } from './tag-reads.ts';
import type { SetEntry, TagTransactions } from './tag-transactions.ts';
import { WriteOrder } from './write-order.ts';
import { withPlaces, writeRefused } from './write-refused.ts';

/** Maximum number of unknown tags of one Set with suggestions: finding them takes ms among 50,000 tags. */
const SUGGESTED_FOR = 3;
/** Characters of a reason: those of the first failures may name a long chain of tags. */
const MAX_REASON = 400;
const MAX_FIRST_REASON = 4_000;
const FIRST_REASONS = 10;
const MB = 1_048_576;
/** Memory limit of the pending writes of a dry run, or of a Set with its write scripts. */
const MAX_PENDING_BYTES = 256 * MB;

/** Writes tags of all kinds: defines the order of steps, independent of the kinds. */
export class TagWrites implements TagWriter {
  readonly #catalog: TagCatalog;
  readonly #transactions: TagTransactions;
  readonly #order = new WriteOrder();

  constructor(catalog: TagCatalog, transactions: TagTransactions) {
    this.#catalog = catalog;
    this.#transactions = transactions;
  }

  /**
   * Every item is checked, then all are written in one transaction, in order. Sets of the same tag are made in the order
   * of their requests. In a dry run they only change its pending writes.
   */
  async write(parts: ViewParts, items: readonly TagWrite[], scope: Scope): Promise<WrittenTags> {
    // Writes within another Set or a dry run are already in its order.
    if (parts.pending) return this.#prepareAndCommit(parts, items, scope, () => undefined);
    const turn = this.#order.enter(items.map(({ tag }) => tag));
    try {
      if (turn.before) {
        const { signal = parts.scripts.signal } = parts;
        await settledOrAborted(turn.before, signal);
        refuseAfterEnd(signal);
      }
      return await this.#prepareAndCommit(parts, items, scope, () => turn.end());
    } finally {
      turn.end();
    }
  }

  /**
   * Makes a change of a tag's stored data durable, then visible, after earlier writes of the tag. `record` puts it into
   * the journal, inside the transaction.
   */
  async change(
    changes: readonly { tag: Tag; change: StateChange }[],
    record: (tags: readonly Tag[]) => void,
  ): Promise<void> {
    const paths = changes.map(({ tag }) => tag.path);
    const turn = this.#order.enter(paths);
    try {
      if (turn.before) await turn.before;
      const kept = this.#transactions.keep(
        () => {
          for (const { change } of changes) change.apply();
          record(changes.map(({ tag }) => tag));
        },
        () => {
          for (const { change } of changes) change.committed();
          return paths;
        },
      );
      turn.end();
      await kept;
    } finally {
      turn.end();
    }
  }

  /** @param queued called when nothing can come between this set and its transaction, or when it no longer has one */
  async #prepareAndCommit(
    parts: ViewParts,
    items: readonly TagWrite[],
    scope: Scope,
    queued: () => void,
  ): Promise<WrittenTags> {
    const { pending: kept, scripts, signal = scripts.signal } = parts;
    const layer = new PendingWrites(kept, signal);
    layer.onLost = queued;
    const entries: SetEntry[] = [];
    const view = this.#viewOf({ ...parts, pending: layer, signal }, entries);
    try {
      const written = await this.#prepare(items, scope, view, entries);
      if (kept) await layer.mergeDown();
      else await this.#transactions.commit(entries, { outside: layer.outside, queued });
      return written;
    } catch (thrown) {
      await layer.drop();
      throw withPlaces(thrown, items);
    }
  }

  /** The view of a set for kinds: what they write through it becomes a part of the set, added to `entries`. */
  #viewOf(parts: ViewParts<PendingWrites>, entries: SetEntry[]): TagView<PendingWrites> {
    return new TagView({ ...parts, writes: { write: (...set) => this.#prepareNested(entries, ...set) } });
  }

  /** A nested Set: its own layer and list, merged into the outer ones if all of it is valid. */
  async #prepareNested(
    outer: SetEntry[],
    parts: ViewParts,
    items: readonly TagWrite[],
    scope: Scope,
  ): Promise<WrittenTags> {
    const layer = new PendingWrites(parts.pending);
    const entries: SetEntry[] = [];
    const view = this.#viewOf({ ...parts, pending: layer }, entries);
    try {
      const written = await this.#prepare(items, scope, view, entries);
      await layer.mergeDown();
      for (const entry of entries) outer.push(entry);
      return written;
    } catch (thrown) {
      await layer.drop();
      throw thrown;
    }
  }

  /**
   * Checks every item in order, each seeing the writes before it; valid ones are added to the view's pending writes and
   * to `entries`. Throws WRITE_REFUSED with every rejected item. Many items are checked a few ms at a time.
   */
  async #prepare(items: readonly TagWrite[], scope: Scope, view: WriteView, entries: SetEntry[]): Promise<WrittenTags> {
    checkScope(scope);
    const values: TagValue[] = [];
    const before: (Json | undefined)[] = [];
    const failures: WriteFailure[] = [];
    let unknown = 0;
    const fail = (tag: string, reason: string, index: number) => {
      const room = failures.length < FIRST_REASONS ? MAX_FIRST_REASON : MAX_REASON;
      failures.push({ tag: abbreviate(tag, MAX_PATH_LENGTH), reason: abbreviate(reason, room), index });
    };
    const turns = new Turns();
    for (const [index, item] of items.entries()) {
      const { tag: path } = item;
      const pause = turns.due();
      if (pause) {
        await pause;
        refuseAfterEnd(view.signal);
      }
      const tag = this.#catalog.byPath.get(path);
      if (!tag) {
        unknown++;
        fail(path, unknown > SUGGESTED_FOR ? 'the tag does not exist' : unknownTag(this.#catalog, path), index);
        continue;
      }
      const given = valueOfItem(item, tag.definition.type);
      if (!given.ok) {
        fail(path, given.reason, index);
        continue;
      }
      const preparation = tag.kind.prepare({ tag, value: given.value, scope }, view);
      const result = preparation instanceof Promise ? await preparation : preparation;
      if (!result.ok) {
        fail(path, result.reason, index);
        continue;
      }
      entries.push({ tag, write: result.write, scope, cause: view.cause });
      values.push(result.write.written);
      before.push(result.write.before);
    }
    refuseAfterEnd(view.signal);
    if (failures.length > 0) throw writeRefused(failures, items.length);
    // Checked here, because a value that cannot be returned must not be written.
    withinResponse(values, 'Set');
    if (view.pending.bytes > MAX_PENDING_BYTES) throw pendingFull(items);
    return { values, before };
  }
}

function pendingFull(items: readonly TagWrite[]): TagwrightError {
  const reason = `the pending writes of this dry run or Set use more than ${MAX_PENDING_BYTES / MB} MB of memory; write less at once`;
  return writeRefused([{ tag: items.at(-1)?.tag ?? '', reason }], items.length);
}
