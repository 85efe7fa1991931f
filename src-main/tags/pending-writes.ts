import type { Json } from '#domain/json';

/**
 * What was written and is not kept (yet), by tag and slot: a slot is whatever a kind tells values of one tag apart by,
 * such as the scope. Layers lie on one another: a Set writes into a layer of its own, which is merged into the one
 * below when the whole Set is right and dropped otherwise.
 */
export class PendingWrites {
  readonly #below: PendingWrites | null;
  readonly #values = new Map<number, Map<string, Json>>();

  constructor(below: PendingWrites | null = null) {
    this.#below = below;
  }

  /** The value written last, or undefined where none was. */
  get(tagId: number, slot: string): Json | undefined {
    const value = this.#values.get(tagId)?.get(slot);
    return value === undefined ? this.#below?.get(tagId, slot) : value;
  }

  put(tagId: number, slot: string, value: Json): void {
    const slots = this.#values.get(tagId);
    if (slots) slots.set(slot, value);
    else this.#values.set(tagId, new Map([[slot, value]]));
  }

  /** Puts all of this layer into the one below. */
  mergeDown(): void {
    for (const [tagId, slots] of this.#values) {
      for (const [slot, value] of slots) this.#below?.put(tagId, slot, value);
    }
  }
}
