import { createCipheriv } from 'node:crypto';

/** Bytes at the beginning that `Math.random` follows from. */
const FIRST_BYTES = 16;

/**
 * Random bytes that all follow from a seed of 32 bytes in hexadecimal: a stream of AES-256 in counter mode. Few runs need
 * any, and to begin it takes as long as half of a short run.
 */
export class SeededBytes {
  readonly #seed: string;
  #begun: { next: (count: number) => ArrayBuffer; first: ArrayBuffer } | null = null;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** The first 16 bytes of the stream, each time. */
  get first(): ArrayBuffer {
    return this.#stream.first;
  }

  /** The next bytes after those, in a buffer of their own. */
  take(count: number): ArrayBuffer {
    return this.#stream.next(count);
  }

  get #stream() {
    if (this.#begun === null) {
      const cipher = createCipheriv('aes-256-ctr', Buffer.from(this.#seed, 'hex'), Buffer.alloc(16));
      const next = (count: number): ArrayBuffer => Uint8Array.from(cipher.update(Buffer.alloc(count))).buffer;
      this.#begun = { next, first: next(FIRST_BYTES) };
    }
    return this.#begun;
  }
}
