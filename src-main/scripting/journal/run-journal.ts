import { promisify } from 'node:util';
import { constants, createDeflateRaw, type DeflateRaw, deflateRaw, deflateRawSync, inflateRaw } from 'node:zlib';
import type { Capsule } from '#domain/run/capsule';
import type { RunOrigin } from '#domain/run/journal';
import type { Json } from '#domain/text/json';
import { parseInPieces } from '../../platform/json-pieces.ts';
import { inTurns } from '../../platform/turns.ts';
import type { Journal } from '../../storage/journal/journal.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Compressed bytes of one run. A larger one is stored without what it saw. */
const MAX_BYTES = 8 * 1_048_576;
/** Bytes of one run after decompression: those of a capsule. */
const MAX_CONTENT = 80 * 1_048_576;

/** Stores what runs saw and did. */
export class RunJournal {
  readonly #journal: Journal;
  readonly #inProgress = new Set<Promise<void>>();
  readonly #packer = new Packer();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Whether runs are stored: the setting `journal.megabytes` 0 turns it off. */
  get enabled(): boolean {
    return this.#journal.enabled;
  }

  /** A run has ended; `content` is masked, and null if it was not recorded. Never rejects. */
  keep(run: RunOrigin, content: Omit<Capsule, 'hash'> | null): Promise<void> {
    if (!this.#journal.enabled) return Promise.resolve();
    const keeping = this.#keep(run, content).finally(() => this.#inProgress.delete(keeping));
    this.#inProgress.add(keeping);
    return keeping;
  }

  /** Resolves when everything that has ended is stored. */
  async flush(): Promise<void> {
    await Promise.all(this.#inProgress);
    await this.#journal.flush();
  }

  async #keep(run: RunOrigin, content: Omit<Capsule, 'hash'> | null): Promise<void> {
    const bytes = content && (await this.#packed(JSON.stringify(content)));
    this.#journal.keep(run, bytes && bytes.length <= MAX_BYTES ? bytes : null);
  }

  async #packed(text: string): Promise<Buffer> {
    if (text.length < SHORT) return deflateRawSync(text, { ...SMALL, chunkSize: SHORT_OUTPUT });
    if (text.length < LARGE) return this.#packer.pack(text);
    return deflate(text, { level: 1 });
  }
}

/**
 * Compresses texts one by one in the thread pool, with one stream: to create one for each text takes this process
 * twice as long as everything else. A full flush makes each output independent of those before.
 */
class Packer {
  #stream: DeflateRaw | null = null;
  #parts: Buffer[] = [];

  async pack(text: string): Promise<Buffer> {
    const stream = (this.#stream ??= this.#created());
    const { promise, resolve } = Promise.withResolvers<Buffer | null>();
    stream.write(text, (error) => {
      // All output of this text, and none of the next one, which is compressed in a later turn.
      const parts = this.#parts.splice(0);
      resolve(error || parts.length === 0 ? null : Buffer.concat([...parts, END]));
    });
    return (await promise) ?? deflate(text, SMALL);
  }

  #created(): DeflateRaw {
    const stream = createDeflateRaw({ ...SMALL, chunkSize: LARGE, flush: constants.Z_FULL_FLUSH });
    stream.on('data', (part: Buffer) => this.#parts.push(part));
    stream.on('error', () => {
      if (this.#stream === stream) this.#stream = null;
    });
    return stream;
  }
}

/** The last block of a raw deflate stream, without data. */
const END = Buffer.from([0x03, 0x00]);
// The hash table is cleared for each text.
const SMALL = { level: 1, windowBits: 13, memLevel: 4 };
/** Characters of a text whose compression takes less time than to hand it to another thread. */
const SHORT = 3_000;
/** Bytes of its output. */
const SHORT_OUTPUT = 4_096;
/** Characters of a text for which tables of its own are worth it. */
const LARGE = 65_536;

/** Each chunk is one step on this thread: for a large run, few of them. */
const SHORT_CHUNK = 16_384;
const LONG_CHUNK = 1_048_576;

/** The text of the content of a stored run; null if it is damaged, or has more than `most` bytes. */
export async function inflated(bytes: Buffer, most = MAX_CONTENT): Promise<Buffer | null> {
  try {
    const chunkSize = bytes.length < LARGE ? SHORT_CHUNK : LONG_CHUNK;
    return await inflate(bytes, { maxOutputLength: most, chunkSize });
  } catch {
    return null;
  }
}

/** Whether the text of a stored run has more than `most` bytes. */
export async function isLonger(bytes: Buffer, most: number): Promise<boolean> {
  try {
    await inflate(bytes, { maxOutputLength: most, chunkSize: LONG_CHUNK });
    return false;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE';
  }
}

/**
 * The content of a stored run, read in turns with everything else in this process; null if it is damaged, or has more than
 * `most` bytes.
 */
export async function contentOf(bytes: Buffer, most?: number): Promise<{ content: Json; bytes: number } | null> {
  const text = await inflated(bytes, most);
  if (!text) return null;
  try {
    return { content: await inTurns(parseInPieces(text)), bytes: text.length };
  } catch {
    return null;
  }
}
