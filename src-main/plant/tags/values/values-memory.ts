import { bytesOfJson, type Json } from '#domain/text/json';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { PreparedWrite } from '../kinds/kind.ts';
import type { Tag } from '../definitions/tag.ts';
import { writeRefused } from './write-refused.ts';

const MB = 1_048_576;

/** A write of a set, with its tag. */
export interface ValueWrite {
  tag: Tag;
  write: PreparedWrite;
}

/** The reservation of one write set until its values are in memory. */
export interface Claim {
  /** Makes the reservation, inside the transaction. Throws WRITE_REFUSED, naming the tag with the largest value. */
  take(): void;
  /** The values are in memory and counted there, or the set was not stored. */
  release(): void;
}

/**
 * Counts the memory of the values of all tags, and limits it: main has them all in memory, so that scripts could fill
 * it. Existing values are never rejected, only writes that add to them.
 */
export class ValuesMemory {
  readonly #limitMb: () => number;
  #held = 0;
  #claimed = 0;

  /** @param limitMb setting `limits.valuesMb` */
  constructor(limitMb: () => number = () => DEFAULT_SETTINGS['limits.valuesMb']) {
    this.#limitMb = limitMb;
  }

  /** The excess over the limit, for people; null if there is none. */
  get excess(): string | null {
    if (this.#held <= this.#limitMb() * MB) return null;
    return `the values of all tags use ${Math.ceil(this.#held / MB)} MB of memory, but limits.valuesMb allows ${this.#limitMb()} MB`;
  }

  /**
   * A value in memory replaces another; undefined for no value.
   * @param placeBytes the memory of the place itself, besides the value
   */
  changed(before: Json | undefined, now: Json | undefined, placeBytes = 0): void {
    this.#held += bytesOf(now, placeBytes) - bytesOf(before, placeBytes);
  }

  claim(writes: readonly ValueWrite[]): Claim {
    let claimed = 0;
    return {
      take: () => {
        const place = this.#placeFor(writes);
        claimed += place;
        this.#claimed += place;
      },
      release: () => {
        this.#claimed -= claimed;
        claimed = 0;
      },
    };
  }

  #placeFor(writes: readonly ValueWrite[]): number {
    const room = this.#limitMb() * MB - this.#held - this.#claimed;
    let added = 0;
    for (const { write } of writes) if (write.kept) added += bytesOf(write.written.value, write.placeBytes);
    if (added <= room) return added;
    const growth = Math.max(0, growthOf(writes));
    if (growth > 0 && growth > room) throw this.#refusal(writes);
    return growth;
  }

  #refusal(writes: readonly ValueWrite[]): Error {
    let [tag, most] = ['', 0];
    for (const one of writes) {
      const bytes = one.write.kept ? bytesOf(one.write.written.value, one.write.placeBytes) : 0;
      if (bytes > most) [tag, most] = [one.tag.path, bytes];
    }
    const reason = `the values of all tags would take more than ${this.#limitMb()} MB of memory (setting limits.valuesMb); write a smaller value, clear values that are no longer needed, or raise the limit`;
    return writeRefused([{ tag, reason }], writes.length);
  }
}

/** The memory that a set adds: the last value of each place, minus the current one. */
function growthOf(writes: readonly ValueWrite[]): number {
  const places = new Map<string, number>();
  for (const { tag, write } of writes) {
    const place = write.kept?.();
    if (!place) continue;
    const growth = bytesOf(write.written.value, write.placeBytes) - bytesOf(place.value, write.placeBytes);
    places.set(`${tag.id} ${place.slot}`, growth);
  }
  let growth = 0;
  for (const bytes of places.values()) growth += bytes;
  return growth;
}

/** Includes the tag's own data for each value. */
const VALUE_BYTES = 100;

function bytesOf(value: Json | undefined, placeBytes = 0): number {
  return value === undefined ? 0 : VALUE_BYTES + placeBytes + bytesOfJson(value);
}
