import { bytesOfJson, type Json } from '#domain/text/json';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';

/** The next start commits or discards the set: its intent stays. */
export class Undecided extends Error {}

/**
 * The part of a write set outside of workspace.db, such as in plant.db: committed or undone with the rest of the set.
 * One per layer of pending writes, created by the kind that needs it.
 */
export interface OutsideWork {
  /** The layer is valid and becomes part of the one below. Throws if that is not possible. */
  join(): MaybePromise<void>;
  /** The layer is dropped. Also called after a failure; has no effect if there is nothing to undo. */
  drop(): MaybePromise<void>;
  /**
   * The work of an outermost layer is complete: until now it could be undone at any time, because it took too long or
   * was no longer needed; from here on only `commit` or `drop` end it. Called before its evidence is stored. Throws if it
   * was undone.
   */
  beginCommit(): void;
  /**
   * Commits the work of an outermost layer; this decides about the whole set. Throws if nothing was committed, and
   * Undecided if the next start must find out.
   */
  commit(): Promise<void>;
  /** The data that shows after a crash whether `commit` was done. */
  readonly evidence: Json;
}

/**
 * Pending writes by tag and slot: a slot is whatever a kind uses to distinguish the values of one tag, such as the
 * scope. Layers are nested: a Set writes into its own layer, which is merged into the one below if the whole Set is
 * valid and dropped otherwise.
 */
export class PendingWrites {
  readonly below: PendingWrites | null;
  /** Aborts when the layer is no longer needed; only on the layers of outermost Sets. */
  readonly signal: AbortSignal | undefined;
  /** The work of this layer outside of workspace.db. */
  outside: OutsideWork | null = null;
  /** Called if the layer of an outermost Set can no longer be stored, although its scripts may continue. */
  onLost: (() => void) | null = null;
  /** By tag, for the slot that almost every tag only has: `''`. */
  readonly #plain = new Map<number, Json>();
  readonly #values = new Map<number, Map<string, Json>>();
  #bytes = 0;

  constructor(below: PendingWrites | null = null, signal?: AbortSignal) {
    this.below = below;
    this.signal = signal;
  }

  /** The value written last, or undefined if there is none. */
  get(tagId: number, slot: string): Json | undefined {
    const value = slot === '' ? this.#plain.get(tagId) : this.#values.get(tagId)?.get(slot);
    return value === undefined ? this.below?.get(tagId, slot) : value;
  }

  /** The size of this layer and those below, in bytes of memory. */
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

  /** Merges this layer into the one below. */
  async mergeDown(): Promise<void> {
    await this.outside?.join();
    for (const [tagId, value] of this.#plain) this.below?.put(tagId, '', value);
    for (const [tagId, slots] of this.#values) {
      for (const [slot, value] of slots) this.below?.put(tagId, slot, value);
    }
  }

  /** Undoes the outside work of this layer; the caller drops its values. */
  async drop(): Promise<void> {
    await this.outside?.drop();
  }
}
