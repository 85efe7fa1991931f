import { once } from 'node:events';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { gunzip, gzip, inflateRaw } from 'node:zlib';
import { type Capsule, MAX_OPENED_BYTES } from '#domain/run/capsule';
import { TagwrightError } from '../../platform/errors.ts';
import { capsuleThreadFile, productRoot } from '../../platform/files/paths.ts';
import { InTurn } from '../../platform/in-turn.ts';
import { parseInPieces } from '../../platform/json-pieces.ts';
import { inTurns } from '../../platform/turns.ts';
import type { PackedText } from '../journal/packed-texts.ts';
import { capsuleText, readCapsule, type ReadCapsule } from './capsule-file.ts';

/**
 * What the thread does: the content of a run, in parts, becomes a file, or a file is read. `most` bytes after decompression.
 */
export type CapsuleTask =
  | { do: 'write'; content: readonly Uint8Array[]; isPacked: boolean; gzip: boolean; most: number }
  | { do: 'read'; bytes: Uint8Array; gzip: boolean; most: number };

/** The bytes of the file, or of the capsule as compact JSON with the size of its file; or why there are none. */
export type CapsuleAnswer =
  | { bytes: Uint8Array; size?: number; intact?: boolean }
  /** Null for a problem of the compression. */
  | { problem: string | null; tooLarge?: boolean };

/** Longer texts are handled in a thread, which starts in 40 ms: 100 KB take about 10 ms. */
const SHORT = 65_536;
/** Compressed bytes that may be such a short text. */
const SHORT_PACKED = 16_384;
/** The content of a stored run. */
const MAX_CONTENT = 80 * 1_048_576;
const MOST_MS = 60_000;
const MOST_MB = 1_536;

const TOO_MUCH = {
  read: 'The capsule cannot be read: it takes too much time or memory.',
  write: 'its file takes too much time or memory',
};

const unpack = promisify(gunzip);
const inflate = promisify(inflateRaw);
const pack = promisify(gzip);

/** One thread at a time: each may need more than 1 GB. */
const turn = new InTurn();

/**
 * The file of a capsule, from the compressed content of a run in the journal: its text, or that compressed with gzip in
 * Base64. Null if the content is damaged.
 */
export async function capsuleFileOf(content: Buffer, asGzip: boolean): Promise<string | null> {
  const short = await shortened(() => inflate(content, { maxOutputLength: SHORT }), content.length);
  if (short) {
    try {
      const parsed: Omit<Capsule, 'hash'> = JSON.parse(short.toString());
      const text = capsuleText(parsed);
      return asGzip ? (await pack(text)).toString('base64') : text;
    } catch {
      return null;
    }
  }
  const answer = await inThread({ do: 'write', content: [content], isPacked: true, gzip: asGzip, most: MAX_CONTENT });
  return 'bytes' in answer ? fileText(answer.bytes, asGzip) : null;
}

/**
 * The same for a run that was just recorded, with the bytes of the file before compression.
 * @param text the JSON of the content, as parts if it is long
 */
export async function recordedFileOf(
  content: Omit<Capsule, 'hash'>,
  text: PackedText,
  asGzip: boolean,
): Promise<{ text: string; bytes: number } | { problem: string }> {
  if (typeof text === 'string') {
    const file = capsuleText(content);
    return { text: asGzip ? (await pack(file)).toString('base64') : file, bytes: Buffer.byteLength(file) };
  }
  const answer = await inThread({ do: 'write', content: text, isPacked: false, gzip: asGzip, most: MAX_CONTENT });
  if ('bytes' in answer) return { text: fileText(answer.bytes, asGzip), bytes: answer.size ?? 0 };
  return { problem: answer.problem ?? 'its file cannot be written' };
}

const fileText = (bytes: Uint8Array, asGzip: boolean): string => bufferOf(bytes).toString(asGzip ? 'base64' : 'utf8');

/**
 * Reads the file of a capsule, also if it is hostile: `text`, or the text compressed with gzip in Base64.
 * @throws TagwrightError BAD_REQUEST with the position and the reason
 */
export async function openCapsuleFile(
  given: { text: string } | { gzip: string },
): Promise<{ read: ReadCapsule; bytes: number }> {
  const isPacked = 'gzip' in given;
  const bytes = isPacked ? Buffer.from(given.gzip, 'base64') : Buffer.from(given.text);
  // Compressed text that is larger than the text itself is not what a window sends.
  if (bytes.length > MAX_OPENED_BYTES + SHORT) throw tooLarge(isPacked ? null : bytes.length);
  const short = isPacked
    ? await shortened(() => unpack(bytes, { maxOutputLength: SHORT }), bytes.length)
    : bytes.length <= SHORT && bytes;
  if (short) return { read: readCapsule(short), bytes: short.length };
  if (!isPacked && bytes.length > MAX_OPENED_BYTES) throw tooLarge(bytes.length);
  const answer = await inThread({ do: 'read', bytes, gzip: isPacked, most: MAX_OPENED_BYTES });
  if (!('bytes' in answer)) {
    if (answer.tooLarge) throw tooLarge(null);
    throw new TagwrightError(
      'BAD_REQUEST',
      answer.problem ?? 'The capsule cannot be read: it is not compressed with gzip.',
    );
  }
  const { size = 0, intact = false } = answer;
  // It was checked in the thread, and is compact now.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked there
  const capsule = (await inTurns(parseInPieces(bufferOf(answer.bytes)))) as unknown as Capsule;
  return { read: { capsule, intact }, bytes: size };
}

/** The text if it is short; null if it must be handled in the thread, which also gives the reason of a fault. */
async function shortened(unpacked: () => Promise<Buffer>, length: number): Promise<Buffer | null> {
  if (length > SHORT_PACKED) return null;
  try {
    return await unpacked();
  } catch {
    return null;
  }
}

function inThread(task: CapsuleTask): Promise<CapsuleAnswer> {
  return turn.run(async () => {
    const thread = new Worker(capsuleThreadFile(productRoot()), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
    });
    try {
      const [answer]: CapsuleAnswer[] = await once(thread, 'message', { signal: AbortSignal.timeout(MOST_MS) });
      return answer ?? { problem: null };
    } catch {
      return { problem: TOO_MUCH[task.do] };
    } finally {
      await thread.terminate();
    }
  });
}

/** Without a copy. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

function tooLarge(bytes: number | null): TagwrightError {
  const [size, most] = [bytes ?? 0, MAX_OPENED_BYTES].map((count) => count.toLocaleString('en'));
  const has =
    bytes === null
      ? `more than ${most} bytes, the most that a window opens`
      : `${size} bytes, and a window opens at most ${most}`;
  return new TagwrightError('BAD_REQUEST', `The capsule has ${has}. Use "tagwright replay".`);
}
