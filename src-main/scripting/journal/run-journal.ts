import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { RunOrigin } from '#domain/run/journal';
import type { Json } from '#domain/text/json';
import { parseInPieces } from '../../platform/long-texts/json-pieces.ts';
import { inTurns } from '../../platform/turns.ts';
import type { Journal } from '../../storage/journal/journal.ts';
import { LARGE, MAX_PACKED } from './packed-texts.ts';
import { TextPacker } from './text-packer.ts';

const inflate = promisify(inflateRaw);

/** How long the end of a run waits for others, ms. It waits no longer if their texts have so many characters. */
const KEEP_MS = 200;
const MOST_WAITING = 4 * 1_048_576;
/** Long runs that are being compressed while other runs continue. */
const MOST_LONG = 2;
/** Bytes of one run after decompression: those of a capsule. */
const MAX_CONTENT = 80 * 1_048_576;

/** Stores what runs saw and did. */
export class RunJournal {
  readonly #journal: Journal;
  readonly #inProgress = new Set<Promise<void>>();
  readonly #packer = new TextPacker(MAX_PACKED);
  readonly #long = new Set<Promise<void>>();
  #waiting: { run: RunOrigin; text: string | null }[] = [];
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
  keep(run: RunOrigin, text: string | null): void {
    if (!this.#journal.enabled) return;
    this.#waiting.push({ run, text });
    this.#length += text?.length ?? 0;
    if (this.#length >= MOST_WAITING) this.#store();
    else this.#timer ??= setTimeout(() => this.#store(), KEEP_MS).unref();
  }

  /**
   * The same for a long run, whose text is still being compressed; it is stored without what it saw if that fails. Resolves
   * when other runs may continue: waiting ones are in memory.
   */
  async keepLong(run: RunOrigin, packed: Promise<Buffer | null>): Promise<void> {
    const stored = this.#storeLong(run, packed).finally(() => this.#long.delete(stored));
    this.#long.add(stored);
    this.#track(stored);
    while (this.#long.size > MOST_LONG) await Promise.race(this.#long);
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

  async #storeLong(run: RunOrigin, packed: Promise<Buffer | null>): Promise<void> {
    const bytes = await packed.catch(() => null);
    if (!this.#journal.enabled) return;
    this.#journal.keep(run, bytes);
    await this.#journal.flush();
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

  async #packAndStore(ended: readonly { run: RunOrigin; text: string | null }[]): Promise<void> {
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
