/**
 * Frames on the pipe between main and a script host: a header of 5 bytes (payload length as unsigned 32 bit little
 * endian, then the frame type) and the payload, which is UTF-8 text, or the bytes of an image.
 */
export const HEADER_BYTES = 5;

/** What a peer sent is not a frame; the connection cannot be used further. */
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

/** The start of a frame whose payload of so many bytes follows by itself. */
export function encodeHeader(type: number, bytes: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUInt32LE(bytes, 0);
  header[4] = type;
  return header;
}

/** The largest payload in bytes that a frame of this type may have; -1 for a type that is not known. */
export type PayloadLimit = (type: number) => number;

/**
 * Cuts a stream of chunks into frames. A frame over its limit throws before its payload is read, so a peer cannot
 * make the reader hold more than one frame of the allowed size.
 */
export class FrameReader {
  readonly #limitOf: PayloadLimit;
  #pending: Buffer | null = null;
  #filled = 0;

  constructor(limitOf: PayloadLimit) {
    this.#limitOf = limitOf;
  }

  /** Hands every frame completed by the chunk to `onFrame`, which returns false to stop. Throws FrameError. */
  push(chunk: Buffer, onFrame: (type: number, text: string) => boolean): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#pending === null) {
        const whole = wholeFrame(rest, this.#limitOf);
        if (whole > 0) {
          const more = onFrame(rest[4] ?? 0, rest.toString('utf8', HEADER_BYTES, whole));
          if (!more) return;
          rest = rest.subarray(whole);
          continue;
        }
        this.#pending = Buffer.allocUnsafe(rest.length < HEADER_BYTES ? HEADER_BYTES : HEADER_BYTES + lengthOf(rest));
        this.#filled = 0;
      }
      const taken = rest.copy(this.#pending, this.#filled);
      this.#filled += taken;
      rest = rest.subarray(taken);
      if (!this.#complete(onFrame)) return;
    }
  }

  /** Grows the pending buffer from a header to its frame, or emits the frame; false when the consumer stopped. */
  #complete(onFrame: (type: number, text: string) => boolean): boolean {
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
    return onFrame(pending[4] ?? 0, pending.toString('utf8', HEADER_BYTES, whole));
  }
}

/** Bytes of the frame at the start when all of it is there, else 0. */
function wholeFrame(bytes: Buffer, limitOf: PayloadLimit): number {
  if (bytes.length < HEADER_BYTES) return 0;
  const length = lengthOf(bytes);
  const type = bytes[4] ?? 0;
  const limit = limitOf(type);
  if (limit < 0) throw new FrameError(`a frame of unknown type ${type}`);
  if (length > limit) throw new FrameError(`a frame of type ${type} with ${length} bytes, ${limit} are allowed`);
  return bytes.length >= HEADER_BYTES + length ? HEADER_BYTES + length : 0;
}

function lengthOf(bytes: Buffer): number {
  return bytes.readUInt32LE(0);
}
