import type { Transform } from 'node:stream';
import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { HttpFailure } from './http-failure.ts';

/** The supported compressions of a response. */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';
const MB = 1_048_576;
/** More codings than this in a row are never legitimate. */
const MAX_CODINGS = 3;

/** A complete compressed body, decompressed to at most `limit` bytes: fails as soon as it exceeds them. */
export async function decoded(body: Readable, codings: readonly string[], limit: number): Promise<Buffer> {
  const first = await firstOf(body[Symbol.asyncIterator]());
  if (first.chunk === null) return Buffer.alloc(0);
  let source: Readable = Readable.from(first.all);
  for (const coding of codings.toReversed()) source = through(source, decoderOf(coding, first.chunk));
  try {
    return await collected(source, limit);
  } finally {
    body.destroy();
  }
}

function collected(source: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let ended = false;
    source.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) source.destroy(tooLarge(limit));
      else chunks.push(chunk);
    });
    source.once('end', () => {
      ended = true;
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    });
    source.once('error', reject);
    // A source that was ended from outside has no other error. Created only if needed: an error collects its stack.
    source.once('close', () => {
      if (!ended) reject(new HttpFailure('ConnectionReset', 'the response was cut off'));
    });
  });
}

/** The first chunk, and an iteration that begins with it. */
async function firstOf(chunks: AsyncIterator<Buffer>) {
  const { value, done } = await chunks.next();
  if (done === true) return { chunk: null, all: rest(null, chunks) };
  const chunk: Buffer = value;
  return { chunk, all: rest(chunk, chunks) };
}

async function* rest(first: Buffer | null, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first !== null) yield first;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
}

/** An error of the source also ends the decoder, which `pipe` alone does not do. */
function through(source: Readable, decoder: Transform): Readable {
  source.once('error', (error) => decoder.destroy(error));
  decoder.once('close', () => source.destroy());
  return source.pipe(decoder);
}

/** The compressions of a body, in order. Throws HttpFailure for too many. */
export function codingsOf(encoding: string): string[] {
  if (encoding === '') return [];
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MAX_CODINGS) {
    throw new HttpFailure('UnsupportedEncoding', `the response is compressed ${codings.length} times`);
  }
  return codings;
}

function decoderOf(coding: string, first: Buffer): Transform {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      // The standard requires a zlib wrapper; many servers omit it.
      return ((first[0] ?? 0) & 0x0f) === 0x08 ? createInflate() : createInflateRaw();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
    default:
      // Not named: a remote server could put parts of the request there.
      throw new HttpFailure(
        'UnsupportedEncoding',
        `the response uses an unsupported compression; supported: ${ACCEPT_ENCODING}`,
      );
  }
}

export function tooLarge(limit: number): HttpFailure {
  return new HttpFailure(
    'ResponseTooLarge',
    `the response is larger than ${Math.round(limit / MB)} MB (setting api.maxResponseMb)`,
  );
}
