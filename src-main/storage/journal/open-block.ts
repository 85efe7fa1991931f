import type { JournalBlock } from './journal-blocks.ts';

/** Characters of entries, and bytes with the contents of runs, at which a block ends. */
const BLOCK_TEXT = 65_536;
const BLOCK_BYTES = 1_048_576;
/** The part of the limit of the journal that a block has at most. */
const BLOCK_PART = 1 / 8;
/** Ranges of events that a block lists; more are one range. */
const MOST_RANGES = 200;

/** The rows since the last block. A job may be undone: then it lists too much, never too little. */
export class OpenBlock implements JournalBlock {
  span: JournalBlock['span'] = null;
  text = 0;
  bytes = 0;
  readonly tags = new Set<number>();
  readonly runs = new Set<number>();
  readonly rows = new Map<number, [number, number]>();
  readonly counted = new Set<string>();
  events: [number, number][] = [];
  /** Whether a row that is still to be added is on its lists. */
  awaitsRow = false;

  isFull(limitBytes: number): boolean {
    return this.text >= BLOCK_TEXT || this.bytes >= Math.min(BLOCK_BYTES, limitBytes * BLOCK_PART);
  }

  addEntries(id: number, at: number, length: number): void {
    this.#extend(at, at).firstId ??= id;
    this.text += length;
    this.bytes += length;
  }

  /** Adds runs with so many bytes that began between these times. */
  addRuns(firstMs: number, lastMs: number, bytes: number): void {
    this.#extend(firstMs, lastMs);
    this.bytes += bytes;
  }

  #extend(firstMs: number, lastMs: number): NonNullable<JournalBlock['span']> {
    const span = (this.span ??= { firstId: null, firstMs, lastMs });
    span.firstMs = Math.min(span.firstMs, firstMs);
    span.lastMs = Math.max(span.lastMs, lastMs);
    return span;
  }

  addRows(ruleId: number, first: number, last: number): void {
    const known = this.rows.get(ruleId);
    if (known) this.rows.set(ruleId, [Math.min(known[0], first), Math.max(known[1], last)]);
    else this.rows.set(ruleId, [first, last]);
  }

  addEvents(ranges: readonly [number, number][]): void {
    for (const [first, last] of ranges) {
      const before = this.events.at(-1);
      if (before && first >= before[0] && first <= before[1] + 1) before[1] = Math.max(before[1], last);
      else this.events.push([first, last]);
    }
    if (this.events.length <= MOST_RANGES) return;
    let [low, high] = [Infinity, 0];
    for (const [first, last] of this.events) [low, high] = [Math.min(low, first), Math.max(high, last)];
    this.events = [[low, high]];
  }
}
