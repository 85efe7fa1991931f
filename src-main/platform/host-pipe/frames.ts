import type { Readable } from 'node:stream';
import { UNSCANNED_BYTES } from './limits.ts';

/**
 * Frames on the pipe between main and a host process: a header of 5 bytes (payload length as unsigned 32 bit little
 * endian, then the frame type) and the payload, which is UTF-8 text, or the bytes of an image.
 */
export const HEADER_BYTES = 5;

/** A peer sent something that is not a frame; the connection can no longer be used. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** One frame as bytes. */
export function encodeFrame(type: number, text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + bytes);
  frame.writeUInt32LE(bytes, 0);
  frame[4] = type;
  frame.write(text, HEADER_BYTES);
  return frame;
}

/** The start of a frame whose payload of the given size follows separately. */
export function encodeHeader(type: number, bytes: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUInt32LE(bytes, 0);
  header[4] = type;
  return header;
}

/** The maximum payload of a frame of this type at the moment, in bytes; -1 for an unknown type. */
export type PayloadLimit = (type: number) => number;

/** Checks a payload of more than UNSCANNED_BYTES before it becomes text; throws to reject it. */
export type PayloadCheck = (type: number, payload: Buffer) => void;

type OnFrame = (type: number, text: string, after: number) => boolean;

/** Bytes of a payload that is long. */
const LONG_BYTES = 262_144;

/** Takes long payloads as bytes, unchecked. */
export interface LongPayloads {
  has(type: number): boolean;
  /** The reader stops; `rest` is what follows in the chunk. */
  take(type: number, payload: Buffer, rest: Buffer): void;
}

/**
 * Splits a stream of chunks into frames. A frame over its limit throws before its payload is read, so a peer cannot
 * make the reader hold more than one frame of the allowed size.
 */
export class FrameReader {
  readonly #limitOf: PayloadLimit;
  readonly #check: PayloadCheck;
  readonly #long: LongPayloads | null;
  #pending: Buffer | null = null;
  #filled = 0;

  constructor(limitOf: PayloadLimit, check: PayloadCheck = () => undefined, long: LongPayloads | null = null) {
    this.#limitOf = limitOf;
    this.#check = check;
    this.#long = long;
  }

  /**
   * Passes every frame completed by the chunk to `onFrame`, with the number of bytes after it in the chunk; it returns
   * false to stop. Throws FrameError, and errors of the check.
   */
  push(chunk: Buffer, onFrame: OnFrame): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#pending === null) {
        const whole = wholeFrame(rest, this.#limitOf);
        if (whole > 0) {
          const frame = rest;
          rest = rest.subarray(whole);
          if (!this.#emit(frame, whole, rest, onFrame)) return;
          continue;
        }
        this.#pending = Buffer.allocUnsafe(rest.length < HEADER_BYTES ? HEADER_BYTES : HEADER_BYTES + lengthOf(rest));
        this.#filled = 0;
      }
      const taken = rest.copy(this.#pending, this.#filled);
      this.#filled += taken;
      rest = rest.subarray(taken);
      if (!this.#complete(rest, onFrame)) return;
    }
  }

  #emit(frame: Buffer, whole: number, rest: Buffer, onFrame: OnFrame): boolean {
    const type = frame[4] ?? 0;
    if (whole - HEADER_BYTES > LONG_BYTES && this.#long?.has(type) === true) {
      this.#long.take(type, frame.subarray(HEADER_BYTES, whole), rest);
      return false;
    }
    if (whole - HEADER_BYTES > UNSCANNED_BYTES) this.#check(type, frame.subarray(HEADER_BYTES, whole));
    return onFrame(type, frame.toString('utf8', HEADER_BYTES, whole), rest.length);
  }

  /** Grows the pending buffer from a header to its frame, or emits the frame; false if the consumer stopped. */
  #complete(rest: Buffer, onFrame: OnFrame): boolean {
    const pending = this.#pending;
    if (pending === null || this.#filled < pending.length) return true;
    const whole = wholeFrame(pending, this.#limitOf);
    if (whole === 0) {
      this.#pending = Buffer.allocUnsafe(HEADER_BYTES + lengthOf(pending));
      pending.copy(this.#pending);
      return true;
    }
    this.#pending = null;
    this.#filled = 0;
    return this.#emit(pending, whole, rest, onFrame);
  }
}

/** Size of the frame at the start in bytes if it is complete, else 0. */
function wholeFrame(bytes: Buffer, limitOf: PayloadLimit): number {
  if (bytes.length < HEADER_BYTES) return 0;
  const length = lengthOf(bytes);
  const type = bytes[4] ?? 0;
  const limit = limitOf(type);
  if (limit < 0) throw new FrameError(`a frame of unknown type ${type}`);
  if (length > limit) throw new FrameError(`a frame of type ${type} with ${length} bytes, but ${limit} are allowed`);
  return bytes.length >= HEADER_BYTES + length ? HEADER_BYTES + length : 0;
}

function lengthOf(bytes: Buffer): number {
  return bytes.readUInt32LE(0);
}

/** Maximum size of one read of the pipe: a host that fills it has more to send than a call or two. */
const WHOLE_READ = 65_536;

/**
 * Listens to a host: if it sends much, only one read per turn of the event loop, so that a host that floods main leaves
 * time for everything else.
 */
export function listenFairly(pipe: Readable, data: (chunk: Buffer) => void): void {
  pipe.on('data', (chunk: Buffer) => {
    data(chunk);
    if (chunk.length < WHOLE_READ) return;
    pipe.pause();
    setImmediate(() => pipe.resume());
  });
}
