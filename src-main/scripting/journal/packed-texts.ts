import { deflateRawSync } from 'node:zlib';

/** Compressed bytes of one run. A larger one is stored without what it saw. */
export const MAX_PACKED = 8 * 1_048_576;

/** Texts in UTF-8, or compressed ones, one after another, and how many bytes each has. The rest of the bytes is unused. */
export interface Batch {
  bytes: Uint8Array<ArrayBuffer>;
  lengths: number[];
}

/** The hash table is cleared for each text. */
export const SMALL = { level: 1, windowBits: 13, memLevel: 4 };
/** Characters of a text for which tables of its own are worth it. */
export const LARGE = 65_536;
/** Bytes of the output of a short text. */
const SHORT_OUTPUT = 4_096;

/** Compresses a text with deflate, here and now. */
export const packedNow = (text: string | Uint8Array): Buffer =>
  deflateRawSync(text, text.length < LARGE ? { ...SMALL, chunkSize: SHORT_OUTPUT } : { level: 1 });

/** Compresses texts, each by itself. One that has more than `most` bytes then has no output. */
export function packedBatch({ bytes, lengths }: Batch, most: number): Batch {
  const packed = partsOf(bytes, lengths).map((text) => {
    const output = packedNow(text);
    return output.length <= most ? [output] : [];
  });
  return batchOf(packed, new Uint8Array());
}

/** All texts in one piece of memory: in `room` if they fit, which is faster than to allocate it. */
export function batchOf(texts: readonly (string | readonly Uint8Array[])[], room: Uint8Array<ArrayBuffer>): Batch {
  let bytes = room;
  let at = 0;
  const encoder = new TextEncoder();
  const ensure = (length: number): void => {
    if (at + length <= bytes.length) return;
    const larger = new Uint8Array(Math.max(at + length, 2 * bytes.length));
    larger.set(bytes.subarray(0, at));
    bytes = larger;
  };
  const add = (text: string | Uint8Array): void => {
    ensure(text.length);
    if (typeof text !== 'string') {
      bytes.set(text, at);
      at += text.length;
      return;
    }
    const { read, written } = encoder.encodeInto(text, bytes.subarray(at));
    at += written;
    if (read === text.length) return;
    ensure(3 * (text.length - read));
    at += encoder.encodeInto(text.slice(read), bytes.subarray(at)).written;
  };
  const lengths = texts.map((text) => {
    const start = at;
    if (typeof text === 'string') add(text);
    else for (const part of text) add(part);
    return at - start;
  });
  return { bytes, lengths };
}

/** The texts of a batch, without a copy. */
export function partsOf(bytes: Uint8Array<ArrayBuffer>, lengths: readonly number[]): Buffer<ArrayBuffer>[] {
  let at = 0;
  return lengths.map((length) => {
    at += length;
    return Buffer.from(bytes.buffer, bytes.byteOffset + at - length, length);
  });
}
