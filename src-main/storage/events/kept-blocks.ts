import { type DeflatedText, deflated, inflated } from '../../platform/http/gzip-parts.ts';
import { blockOf } from './event-blocks.ts';
import type { EventListChunk } from './event-list.ts';

/** Limit of the compressed text: about 12,000,000 events. Beyond it, each list renders and compresses the rest again. */
const MOST_BYTES = 128_000_000;

/** The active events of a block of ids, rendered and compressed. */
class KeptBlock implements EventListChunk {
  readonly deflated: DeflatedText;
  readonly lastId: number;
  readonly count: number;

  constructor(part: DeflatedText, { lastId, count }: EventListChunk) {
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
    this.#rendered.delete(block);
    for (const reader of this.#readers) reader.changed.add(block);
  }

  /** For one list. Must be called in the turn in which the snapshot of the list is taken, and closed at its end. */
  reader(): BlockReader {
    const reader: BlockReader = {
      changed: new Set(),
      get: (block) => (reader.changed.has(block) ? null : (this.#kept.get(block) ?? null)),
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
  /** Offers a whole block of the snapshot; returns it, compressed if it is kept now. `atOnce`: also one that is rendered for the first time. */
  keep(block: number, chunk: EventListChunk, atOnce: boolean): EventListChunk;
  close(): void;
}
