import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { RunOrigin } from '#domain/run/journal';
import type { Json } from '#domain/text/json';
import { parseInPieces } from '../../platform/json-pieces.ts';
import { inTurns } from '../../platform/turns.ts';
import type { Journal } from '../../storage/journal/journal.ts';
import { LARGE, type PackedText } from './packed-texts.ts';
import { TextPacker } from './text-packer.ts';

const inflate = promisify(inflateRaw);

/** How long the end of a run waits for others, ms. It waits no longer if their texts have so many characters. */
const KEEP_MS = 200;
const MOST_WAITING = 4 * 1_048_576;
/** Compressed bytes of one run. A larger one is stored without what it saw. */
const MAX_BYTES = 8 * 1_048_576;
/** Bytes of one run after decompression: those of a capsule. */
const MAX_CONTENT = 80 * 1_048_576;

/** Stores what runs saw and did. */
export class RunJournal {
  readonly #journal: Journal;
  readonly #inProgress = new Set<Promise<void>>();
  readonly #packer = new TextPacker(MAX_BYTES);
  #waiting: { run: RunOrigin; text: PackedText | null }[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Whether runs are stored: the setting `journal.megabytes` 0 turns it off. */
  get enabled(): boolean {
    return this.#journal.enabled;
  }

  /**
   * A run has ended.
   * @param text a capsule without its hash, masked, as JSON; null if it was not recorded
   */
  keep(run: RunOrigin, text: PackedText | null): void {
    if (!this.#journal.enabled) return;
    this.#waiting.push({ run, text });
    this.#length += typeof text === 'string' ? text.length : 0;
    if (this.#length >= MOST_WAITING || Array.isArray(text)) this.#store();
    else this.#timer ??= setTimeout(() => this.#store(), KEEP_MS).unref();
  }

  /** The same for a long run, whose text is still being made; it then is stored without what it saw if that fails. */
  keepLong(run: RunOrigin, text: Promise<PackedText | null>): void {
    this.#track(
      text.then(
        (made) => this.keep(run, made),
        () => this.keep(run, null),
      ),
    );
  }

  /** Resolves when everything that has ended is stored. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0 || this.#inProgress.size > 0) {
      this.#store();
      await Promise.all(this.#inProgress);
    }
    await this.#journal.flush();
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#packer.close();
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#inProgress.delete(tracked));
    this.#inProgress.add(tracked);
  }

  /** Stores the runs that wait, in one commit: one for each would take longer than most runs. */
  #store(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const ended = this.#waiting;
    if (ended.length === 0) return;
    this.#waiting = [];
    this.#length = 0;
    this.#track(this.#packAndStore(ended));
  }

  async #packAndStore(ended: readonly { run: RunOrigin; text: PackedText | null }[]): Promise<void> {
    const texts = ended.flatMap(({ text }) => (text === null ? [] : [text]));
    const packed = texts.length === 0 ? [] : await this.#packer.pack(texts);
    let at = 0;
    for (const { run, text } of ended) this.#journal.keep(run, text === null ? null : (packed[at++] ?? null));
    await this.#journal.flush();
  }
}

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
