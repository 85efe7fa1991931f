import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { deflateRaw } from 'node:zlib';
import { programFile } from '../../platform/files/programs.ts';
import { type Batch, batchOf, LARGE, packedNow, partsOf, SMALL } from './packed-texts.ts';

const deflate = promisify(deflateRaw);

export interface PackThreadData {
  /** Compressed bytes of one text. */
  most: number;
}

export interface PackAnswer {
  packed: Batch;
  /** The memory of the texts, to be used again. */
  room: Uint8Array<ArrayBuffer>;
}

/** Texts for which the thread is started: fewer are tasks of the thread pool, one each. */
const MANY = 8;
/** Characters of a text whose compression takes less time than to hand it to another thread. */
const SHORT = 3_000;
/** How long the thread waits for texts, ms: it takes 5 MB. */
const IDLE_MS = 10_000;
const MOST_MB = 512;
/** Bytes of memory that is used again. */
const MOST_ROOM = 4 * 1_048_576;

/** Compresses texts outside of this thread. */
export class TextPacker {
  readonly #most: number;
  #thread: PackThread | null = null;

  /** @param most compressed bytes of one text; one that has more is dropped */
  constructor(most: number) {
    this.#most = most;
  }

  /** The texts, each compressed by itself; null for one that is too long. Never rejects. */
  async pack(texts: readonly string[]): Promise<(Buffer | null)[]> {
    if (this.#thread || texts.length >= MANY) {
      this.#thread ??= new PackThread(this.#most, () => (this.#thread = null));
      const packed = await this.#thread.pack(texts);
      if (packed) return packed;
    }
    return Promise.all(texts.map((text) => this.#packedAlone(text)));
  }

  /** Ends the thread; texts in progress are compressed without it. */
  async close(): Promise<void> {
    await this.#thread?.close();
  }

  async #packedAlone(text: string): Promise<Buffer | null> {
    if (text.length < SHORT) return packedNow(text);
    const bytes = await deflate(text, text.length < LARGE ? SMALL : { level: 1 });
    return bytes.length <= this.#most ? bytes : null;
  }
}

/** The thread, which starts in 40 ms and ends when it has nothing to do for a while. */
class PackThread {
  readonly #worker: Worker;
  readonly #ended: () => void;
  /** The batches in progress, in order. */
  readonly #asked: ((packed: Batch | null) => void)[] = [];
  #room = new Uint8Array();
  #idle: NodeJS.Timeout | null = null;
  #isOver = false;

  constructor(most: number, ended: () => void) {
    this.#ended = ended;
    this.#worker = new Worker(programFile('pack-thread'), {
      workerData: { most } satisfies PackThreadData,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
    });
    this.#worker.on('message', ({ packed, room }: PackAnswer) => {
      if (room.length <= MOST_ROOM) this.#room = room;
      this.#asked.shift()?.(packed);
      if (this.#asked.length === 0) this.#rest();
    });
    this.#worker.on('error', () => this.#end());
    this.#worker.on('exit', () => this.#end());
  }

  /** Null if the thread failed. */
  async pack(texts: readonly string[]): Promise<(Buffer | null)[] | null> {
    if (this.#isOver) return null;
    if (this.#idle) clearTimeout(this.#idle);
    this.#worker.ref();
    const { promise, resolve } = Promise.withResolvers<Batch | null>();
    this.#asked.push(resolve);
    const batch = batchOf(texts, this.#room);
    this.#room = new Uint8Array();
    this.#worker.postMessage(batch, [batch.bytes.buffer]);
    const packed = await promise;
    return packed && partsOf(packed.bytes, packed.lengths).map((part) => (part.length === 0 ? null : part));
  }

  async close(): Promise<void> {
    this.#end();
    await this.#worker.terminate();
  }

  /** The process may end while the thread waits. */
  #rest(): void {
    this.#worker.unref();
    this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#idle) clearTimeout(this.#idle);
    this.#ended();
    for (const answer of this.#asked.splice(0)) answer(null);
  }
}
