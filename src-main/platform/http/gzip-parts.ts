import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/** A text in raw deflate form that ends at the boundary of a byte and refers to nothing before it: parts can be joined. */
export interface DeflatedText {
  bytes: Uint8Array;
  /** Of the text. */
  crc: number;
  /** Of the text, in bytes. */
  length: number;
}

/** The lowest level already reduces a list of events to a tenth of its size. About 0.3 ms for 180 kB. */
export function deflated(text: Uint8Array): DeflatedText {
  const bytes = deflateRawSync(text, { level: constants.Z_BEST_SPEED, finishFlush: constants.Z_FULL_FLUSH });
  return { bytes, crc: crc32(text), length: text.length };
}

/** About 0.1 ms for 180 kB. */
export function inflated({ bytes, length }: DeflatedText): Uint8Array {
  // One chunk takes the whole text; the end of a part is not that of a stream.
  const chunkSize = Math.max(constants.Z_MIN_CHUNK, length + 1);
  return inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, chunkSize });
}

/** A short text as it is: a stored block of deflate, cheaper than compressing it. At most 65,535 bytes. */
function stored(text: Uint8Array): DeflatedText {
  const bytes = Buffer.alloc(5 + text.length);
  bytes.writeUInt16LE(text.length, 1);
  bytes.writeUInt16LE(~text.length & 0xff_ff, 3);
  bytes.set(text, 5);
  return { bytes, crc: crc32(text), length: text.length };
}

/** RFC 1952: deflate, no name, no time, fastest, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255]);
/** An empty last block. */
const LAST_BLOCK = Buffer.from([3, 0]);

/** Joins texts to one gzip stream, without compressing again what is compressed. */
export class GzipJoin {
  #crc = 0;
  #length = 0;

  /** The first bytes of the stream. */
  begin(): Uint8Array {
    return HEADER;
  }

  add(part: DeflatedText): Uint8Array {
    this.#crc = joinedCrc(this.#crc, part.crc, part.length);
    this.#length += part.length;
    return part.bytes;
  }

  /** A short text, for example a separator. */
  addShort(text: string): Uint8Array {
    return this.add(stored(Buffer.from(text)));
  }

  /** The last bytes of the stream. */
  end(): Uint8Array {
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(this.#crc, 0);
    trailer.writeUInt32LE(this.#length % 2 ** 32, 4);
    return Buffer.concat([LAST_BLOCK, trailer]);
  }
}

/*
 * The CRC of two joined texts, as zlib's crc32_combine, which Node does not offer: a CRC is the rest of a polynomial
 * over GF(2), so the first one is multiplied by x^(8 × length of the second), and the second one is added.
 */

const POLYNOMIAL = 0xed_b8_83_20;
/** x^0; the highest bit is the lowest power. */
const ONE = 0x80_00_00_00;

/** @param length of the second text, in bytes */
export function joinedCrc(first: number, second: number, length: number): number {
  let power = ONE;
  let rest = length;
  // x^8, x^16, x^32, …: the bits of the length choose which are factors.
  for (let place = 3; rest > 0; place += 1) {
    if (rest % 2 === 1) power = product(POWERS[place % POWERS.length] ?? ONE, power);
    rest = Math.floor(rest / 2);
  }
  return (product(power, first) ^ second) >>> 0;
}

/** The product of two polynomials, modulo that of the CRC. */
function product(a: number, b: number): number {
  let sum = 0;
  let factor = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) sum ^= factor;
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ POLYNOMIAL;
  }
  return sum >>> 0;
}

/** x^(2^n) for n from 0 to 31; the next one is the first again. */
const POWERS: readonly number[] = (() => {
  const powers = [ONE >>> 1];
  while (powers.length < 32) powers.push(product(powers.at(-1) ?? ONE, powers.at(-1) ?? ONE));
  return powers;
})();
