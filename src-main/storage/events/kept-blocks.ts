import { type DeflatedText, deflated, inflated, joined, stored } from '../../platform/http/gzip-parts.ts';
import { blockOf } from './event-blocks.ts';
import type { EventListChunk } from './event-list.ts';

/** Limit of the compressed text: about 12,000,000 events. Beyond it, each list renders and compresses the rest again. */
const MOST_BYTES = 128_000_000;

/** Number of blocks in a row that are joined when all of them are kept: about 330 kB. */
export const JOINED_BLOCKS = 32;
const COMMA = stored(Buffer.from(','));

/** The active events of a block of ids, or of joined ones, rendered and compressed. */
class KeptBlock implements EventListChunk {
  deflated: DeflatedText;
  readonly lastId: number;
  readonly count: number;

  constructor(part: DeflatedText, { lastId, count }: Pick<EventListChunk, 'lastId' | 'count'>) {
    this.deflated = part;
    this.lastId = lastId;
    this.count = count;
  }

  /** Inflated by each call: a fifth of the time of rendering it. */
  get text(): Uint8Array {
    return inflated([this.deflated]);
  }
}

/**
 * The blocks of the list of active events that did not change since they were rendered, so that a poll renders only
 * changed ones. A block is kept when it is rendered a second time unchanged: one that changes between all polls costs
 * no compression.
 */
export class KeptBlocks {
  readonly #kept = new Map<number, KeptBlock>();
  /** By the number of their first block. Their bytes are those of the blocks, so that they take no further memory. */
  readonly #joined = new Map<number, KeptBlock>();
  readonly #bytes: { now: number; readonly most: number };
  /** Blocks that were rendered since their last change. */
  readonly #rendered = new Set<number>();
  readonly #readers = new Set<BlockReader>();

  constructor(mostBytes = MOST_BYTES) {
    this.#bytes = { now: 0, most: mostBytes };
  }

  /** Called after every commit with the id of each event that it created, changed or deleted. */
  changed(id: number): void {
    const block = blockOf(id);
    const kept = this.#kept.get(block);
    if (kept) {
      this.#kept.delete(block);
      this.#bytes.now -= kept.deflated.bytes.length;
    }
    this.#joined.delete(block - (block % JOINED_BLOCKS));
    this.#rendered.delete(block);
    for (const reader of this.#readers) reader.changed.add(block);
  }

  /** For one list. Must be called in the turn in which the snapshot of the list is taken, and closed at its end. */
  reader(): BlockReader {
    const reader: BlockReader = {
      changed: new Set(),
      get: (block) => (reader.changed.has(block) ? null : (this.#kept.get(block) ?? null)),
      joined: (block) => {
        if (block % JOINED_BLOCKS !== 0) return null;
        for (let one = block; one < block + JOINED_BLOCKS; one += 1) if (reader.changed.has(one)) return null;
        return this.#joined.get(block) ?? this.#join(block);
      },
      keep: (block, chunk, atOnce) => {
        if (reader.changed.has(block)) return chunk;
        if (!atOnce && !this.#rendered.has(block)) {
          this.#rendered.add(block);
          return chunk;
        }
        return this.#keep(block, chunk);
      },
      close: () => this.#readers.delete(reader),
    };
    this.#readers.add(reader);
    return reader;
  }

  #join(first: number): EventListChunk | null {
    const blocks: KeptBlock[] = [];
    for (let block = first; block < first + JOINED_BLOCKS; block += 1) {
      const kept = this.#kept.get(block);
      if (!kept) return null;
      blocks.push(kept);
    }
    const parts = blocks.flatMap((block, n) => (n === 0 ? [block.deflated] : [COMMA, block.deflated]));
    const whole = new KeptBlock(joined(parts), {
      lastId: blocks.at(-1)?.lastId ?? 0,
      count: blocks.reduce((sum, { count }) => sum + count, 0),
    });
    let at = 0;
    for (const block of blocks) {
      const end = at + block.deflated.bytes.length;
      block.deflated = { ...block.deflated, bytes: whole.deflated.bytes.subarray(at, end) };
      at = end + COMMA.bytes.length;
    }
    this.#joined.set(first, whole);
    return whole;
  }

  #keep(block: number, chunk: EventListChunk): EventListChunk {
    if (this.#bytes.now >= this.#bytes.most || this.#kept.has(block)) return chunk;
    const part = deflated(chunk.text);
    this.#kept.set(block, new KeptBlock(part, chunk));
    this.#bytes.now += part.bytes.length;
    return { ...chunk, deflated: part };
  }
}

/** The kept blocks as one list sees them. */
export interface BlockReader {
  /** Blocks that changed since the snapshot of the list was taken: their kept content is newer. */
  readonly changed: Set<number>;
  /** The block as it is in the snapshot, if it is kept. */
  get(block: number): EventListChunk | null;
  /** The blocks from this one on, if they are joined in the snapshot: a list sends them without copying them. */
  joined(block: number): EventListChunk | null;
  /** Offers a whole block of the snapshot; returns it, compressed if it is kept now. `atOnce`: also one that is rendered for the first time. */
  keep(block: number, chunk: EventListChunk, atOnce: boolean): EventListChunk;
  close(): void;
}
