import { promisify } from 'node:util';
import { gunzip, gzip, inflateRaw } from 'node:zlib';
import { type Capsule, MAX_OPENED_BYTES } from '#domain/run/capsule';
import { grouped } from '#domain/text/grouped';
import { copiedInSteps } from '../../platform/long-texts/copied.ts';
import { parseInPieces, writtenInPieces } from '../../platform/long-texts/json-pieces.ts';
import { TagwrightError } from '../../platform/errors.ts';
import { programFile } from '../../platform/files/programs.ts';
import { InTurn } from '../../platform/in-turn.ts';
import { inThread } from '../../platform/threads/in-thread.ts';
import { inTurns, type Steps } from '../../platform/turns.ts';
import { MAX_PACKED } from '../journal/packed-texts.ts';
import { capsuleText, readCapsule, type ReadCapsule } from './capsule-file.ts';
import type { CapsuleContent, UnmaskedRun } from './masked-capsule.ts';

/** The form of a long run besides that for the journal: its content as compact JSON, or the file of its capsule. */
type CapsuleForm = 'content' | 'gzip' | 'text' | null;

/**
 * What the thread does: the stored content of a run becomes a file, a file is read, or a run that was just recorded, in
 * parts, is masked and written. `most` bytes after decompression, or of the content for the journal.
 */
export type CapsuleTask =
  | { do: 'write'; content: Uint8Array; gzip: boolean; most: number }
  | { do: 'read'; bytes: Uint8Array; gzip: boolean; most: number }
  | ({ do: 'record'; content: readonly Uint8Array<ArrayBuffer>[]; bodies: readonly Uint8Array<ArrayBuffer>[] } & {
      wanted: CapsuleForm;
      most: number;
    } & Omit<UnmaskedRun, 'bodies' | 'content'>);

/** The bytes of the file, or of the capsule as compact JSON with the size of its file; or why there are none. */
export type CapsuleAnswer =
  | {
      bytes: Uint8Array<ArrayBuffer> | null;
      size?: number;
      intact?: boolean;
      /** The content for the journal; null if it is too large. */
      packed?: Uint8Array<ArrayBuffer> | null;
    }
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
  record: 'masking and writing it takes too much time or memory',
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
      const parsed: CapsuleContent = JSON.parse(short.toString());
      return (await packedFile(capsuleText(parsed), asGzip)).text;
    } catch {
      return null;
    }
  }
  const answer = await handled('write', () => ({ do: 'write', content, gzip: asGzip, most: MAX_CONTENT }));
  return 'bytes' in answer && answer.bytes ? fileText(answer.bytes, asGzip) : null;
}

/** The text of a short file, or that compressed with gzip in Base64, and its bytes before that. */
export async function packedFile(file: string, asGzip: boolean): Promise<{ text: string; bytes: number }> {
  return { text: asGzip ? (await pack(file)).toString('base64') : file, bytes: Buffer.byteLength(file) };
}

/** What became of a long run. */
interface LongRecord {
  /** For the journal; null if it is too large, or there is a problem. */
  packed: Buffer | null;
  /** The wanted form. */
  content: CapsuleContent | null;
  file: { text: string; bytes: number } | null;
  /** Bytes of the content or the file. */
  length: number;
  problem: string | null;
}

/** Masks and writes a long run in the thread, which gets it in steps. Never rejects. */
export async function recordedInThread(unmasked: () => Steps<UnmaskedRun>, wanted: CapsuleForm): Promise<LongRecord> {
  const answer = await handled('record', () => inTurns(taskOf(unmasked, wanted)));
  const none = { packed: null, content: null, file: null, length: 0 };
  if ('problem' in answer) return { ...none, problem: answer.problem ?? TOO_MUCH.record };
  const { bytes, size = 0 } = answer;
  const made = { ...none, packed: answer.packed ? bufferOf(answer.packed) : null, length: size, problem: null };
  if (!bytes || wanted === null) return made;
  if (wanted !== 'content') return { ...made, file: { text: fileText(bytes, wanted === 'gzip'), bytes: size } };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thread has written it
  return { ...made, content: (await inTurns(parseInPieces(bufferOf(bytes)))) as unknown as CapsuleContent };
}

function* taskOf(unmasked: () => Steps<UnmaskedRun>, wanted: CapsuleForm): Steps<CapsuleTask> {
  const { content, bodies, ...run } = yield* unmasked();
  const copies: Uint8Array<ArrayBuffer>[] = [];
  for (const body of bodies) copies.push(yield* copiedInSteps(body));
  return {
    do: 'record',
    content: yield* writtenInPieces(content),
    bodies: copies,
    wanted,
    most: MAX_PACKED,
    ...run,
  };
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
  const answer = await handled('read', () => ({ do: 'read', bytes, gzip: isPacked, most: MAX_OPENED_BYTES }));
  if (!('bytes' in answer) || !answer.bytes) {
    if ('tooLarge' in answer && answer.tooLarge) throw tooLarge(null);
    throw new TagwrightError(
      'BAD_REQUEST',
      ('problem' in answer && answer.problem) || 'The capsule cannot be read: it is not compressed with gzip.',
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

function handled(does: CapsuleTask['do'], make: () => CapsuleTask | Promise<CapsuleTask>): Promise<CapsuleAnswer> {
  return turn.run(async () => {
    try {
      const task = await make();
      const moved = task.do === 'record' ? [...task.content, ...task.bodies].map(({ buffer }) => buffer) : [];
      const given = { data: task, moved, mostMb: MOST_MB, mostMs: MOST_MS };
      return await inThread<CapsuleAnswer>(programFile('capsule-thread'), given);
    } catch {
      return { problem: TOO_MUCH[does] };
    }
  });
}

/** Without a copy. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

function tooLarge(bytes: number | null): TagwrightError {
  const [size, most] = [bytes ?? 0, MAX_OPENED_BYTES].map((count) => grouped(count));
  const has =
    bytes === null
      ? `more than ${most} bytes, the most that a window opens`
      : `${size} bytes, and a window opens at most ${most}`;
  return new TagwrightError('BAD_REQUEST', `The capsule has ${has}. Use "tagwright replay".`);
}
