import { createCipheriv } from 'node:crypto';

/** Random bytes that all follow from a seed of 32 bytes in hexadecimal: a stream of AES-256 in counter mode. */
export class SeededBytes {
  readonly #cipher;

  constructor(seed: string) {
    this.#cipher = createCipheriv('aes-256-ctr', Buffer.from(seed, 'hex'), Buffer.alloc(16));
  }

  /** The next bytes, in a buffer of their own. */
  take(count: number): ArrayBuffer {
    return Uint8Array.from(this.#cipher.update(Buffer.alloc(count))).buffer;
  }
}
