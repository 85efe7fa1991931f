import { bytesOfJson, type Json } from '#domain/text/json';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';

/** The set is kept or dropped by the next start: its intent stays. */
export class Undecided extends Error {}

/**
 * What a write set does outside of workspace.db, such as in plant.db: kept or undone with the rest of the set. One for a
 * layer of pending writes, made by the kind that needs it.
 */
export interface OutsideWork {
  /** The layer is right and becomes part of the one below. Throws where that cannot be. */
  join(): MaybePromise<void>;
  /** The layer is dropped. Also called after what threw; does nothing where there is nothing to undo. */
  drop(): MaybePromise<void>;
  /**
   * Keeps the work of an outermost layer, durably; this decides about the whole set. Throws where nothing was kept, and
   * Undecided where the next start has to find out.
   */
  commit(): Promise<void>;
  /** What tells after a crash whether `commit` was done. */
  readonly evidence: Json;
}

/**
 * What was written and is not kept (yet), by tag and slot: a slot is whatever a kind tells values of one tag apart by,
 * such as the scope. Layers lie on one another: a Set writes into a layer of its own, which is merged into the one
 * below when the whole Set is right and dropped otherwise.
 */
export class PendingWrites {
  readonly below: PendingWrites | null;
  /** What was done in this layer outside of workspace.db. */
  outside: OutsideWork | null = null;
  /** By tag, of the slot that almost every tag has alone: `''`. */
  readonly #plain = new Map<number, Json>();
  readonly #values = new Map<number, Map<string, Json>>();
  #bytes = 0;

  constructor(below: PendingWrites | null = null) {
    this.below = below;
  }

  /** The value written last, or undefined where none was. */
  get(tagId: number, slot: string): Json | undefined {
    const value = slot === '' ? this.#plain.get(tagId) : this.#values.get(tagId)?.get(slot);
    return value === undefined ? this.below?.get(tagId, slot) : value;
  }

  /** What is kept in this layer and those below, in bytes of memory. */
  get bytes(): number {
    return this.#bytes + (this.below?.bytes ?? 0);
  }

  put(tagId: number, slot: string, value: Json): void {
    const before = slot === '' ? this.#plain.get(tagId) : this.#values.get(tagId)?.get(slot);
    this.#bytes += bytesOfJson(value) - (before === undefined ? 0 : bytesOfJson(before));
    if (slot === '') {
      this.#plain.set(tagId, value);
      return;
    }
    const slots = this.#values.get(tagId);
    if (slots) slots.set(slot, value);
    else this.#values.set(tagId, new Map([[slot, value]]));
  }

  /** Puts all of this layer into the one below. */
  async mergeDown(): Promise<void> {
    await this.outside?.join();
    for (const [tagId, value] of this.#plain) this.below?.put(tagId, '', value);
    for (const [tagId, slots] of this.#values) {
      for (const [slot, value] of slots) this.below?.put(tagId, slot, value);
    }
  }

  /** Undoes what was done in this layer; its values are left to be forgotten. */
  async drop(): Promise<void> {
    await this.outside?.drop();
  }
}
