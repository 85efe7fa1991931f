import { readSync, writeSync } from 'node:fs';
import { HEADER_BYTES } from './frames.ts';

const SMALL = 64 * 1024;
/** The maximum number of UTF-8 bytes for a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/** The host's end of the pipe: blocking reads and writes, without an event loop. */
export class BlockingPipe {
  readonly #fd: number;
  readonly #in = Buffer.allocUnsafe(SMALL);
  readonly #out = Buffer.allocUnsafe(SMALL);
  readonly #endWithMain: () => never;
  #start = 0;
  #end = 0;
  /** Bytes of held frames, at the beginning of the buffer for writing. */
  #held = 0;

  /** @param endWithMain main has ended: no response is needed, and the process ends silently */
  constructor(fd: number, endWithMain: () => never) {
    this.#fd = fd;
    this.#endWithMain = endWithMain;
  }

  /** Waits for the next frame; frames of the given type are returned as bytes, in their own buffer. */
  readBytes(type: number): ArrayBuffer | null {
    while (this.#end - this.#start < HEADER_BYTES) this.#fill();
    if (this.#in[this.#start + 4] !== type) return null;
    const bytes = Buffer.from(new ArrayBuffer(this.#in.readUInt32LE(this.#start)));
    this.#start += HEADER_BYTES;
    const there = Math.min(this.#end - this.#start, bytes.length);
    this.#in.copy(bytes, 0, this.#start, this.#start + there);
    this.#start += there;
    for (let filled = there; filled < bytes.length;) filled += this.#receive(bytes, filled, bytes.length - filled);
    return bytes.buffer;
  }

  /** Waits for the next frame. */
  read(): { type: number; text: string } {
    while (this.#end - this.#start < HEADER_BYTES) this.#fill();
    const length = this.#in.readUInt32LE(this.#start);
    const type = this.#in[this.#start + 4] ?? 0;
    this.#start += HEADER_BYTES;
    if (length <= SMALL - HEADER_BYTES) {
      while (this.#end - this.#start < length) this.#fill();
      const text = this.#in.toString('utf8', this.#start, this.#start + length);
      this.#start += length;
      return { type, text };
    }
    const large = Buffer.allocUnsafe(length);
    let filled = this.#in.copy(large, 0, this.#start, this.#end);
    this.#start = this.#end;
    while (filled < length) filled += this.#receive(large, filled, length - filled);
    return { type, text: large.toString('utf8', 0, length) };
  }

  write(type: number, text: string): void {
    if (this.#fits(text)) {
      this.#put(type, text);
      this.#flush();
      return;
    }
    this.#flush();
    const frame = Buffer.allocUnsafe(HEADER_BYTES + Buffer.byteLength(text));
    encodeInto(frame, 0, type, text);
    this.#sendAll(frame, frame.length);
  }

  /** Sends a short frame with the next one that is written, right before it, and without waking main twice. */
  hold(type: number, text: string): void {
    if (!this.#fits(text)) this.#flush();
    this.#put(type, text);
  }

  #fits(text: string): boolean {
    return this.#held + HEADER_BYTES + text.length * MAX_BYTES_PER_UNIT <= SMALL;
  }

  #put(type: number, text: string): void {
    this.#held = encodeInto(this.#out, this.#held, type, text);
  }

  #flush(): void {
    const length = this.#held;
    this.#held = 0;
    this.#sendAll(this.#out, length);
  }

  #sendAll(bytes: Buffer, length: number): void {
    for (let sent = 0; sent < length;) sent += this.#send(bytes, sent, length - sent);
  }

  #send(frame: Buffer, from: number, length: number): number {
    try {
      return writeSync(this.#fd, frame, from, length);
    } catch (thrown) {
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EPIPE') this.#endWithMain();
      throw thrown;
    }
  }

  #fill(): void {
    if (this.#start === this.#end) {
      this.#start = 0;
      this.#end = 0;
    } else if (this.#end === SMALL) {
      this.#in.copy(this.#in, 0, this.#start, this.#end);
      this.#end -= this.#start;
      this.#start = 0;
    }
    this.#end += this.#receive(this.#in, this.#end, SMALL - this.#end);
  }

  #receive(into: Buffer, at: number, most: number): number {
    const received = readSync(this.#fd, into, at, most, null);
    if (received === 0) this.#endWithMain();
    return received;
  }
}

/** Writes a frame at a place of the buffer; returns the place after it. */
function encodeInto(bytes: Buffer, at: number, type: number, text: string): number {
  const length = bytes.write(text, at + HEADER_BYTES);
  bytes.writeUInt32LE(length, at);
  bytes[at + 4] = type;
  return at + HEADER_BYTES + length;
}
