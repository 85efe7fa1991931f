import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/** A text in raw deflate form that ends at the boundary of a byte and refers to nothing before it: parts can be joined. */
export interface DeflatedText {
  bytes: Uint8Array;
  /** Checksum of the text. */
  crc: number;
  /** Length of the text, in bytes. */
  length: number;
  /** x^(8 × length): the factor of the CRC of what comes before. */
  shift: number;
}

const partOf = (bytes: Uint8Array, text: Uint8Array): DeflatedText => ({
  bytes,
  crc: crc32(text),
  length: text.length,
  shift: shiftOf(text.length),
});

/** The lowest level already reduces a list of events to a tenth of its size. About 0.3 ms for 180 kB. */
export function deflated(text: Uint8Array): DeflatedText {
  const bytes = deflateRawSync(text, { level: constants.Z_BEST_SPEED, finishFlush: constants.Z_FULL_FLUSH });
  return partOf(bytes, text);
}

/** The joined texts of some parts, in memory of its own. About 0.04 ms for 180 kB; a call costs 0.03 ms more. */
export function inflated(parts: readonly DeflatedText[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  // One chunk takes the whole text; the end of a part is not that of a stream.
  const chunkSize = Math.max(constants.Z_MIN_CHUNK, length + 1);
  const all = Buffer.concat(parts.map(({ bytes }) => bytes));
  return inflateRawSync(all, { finishFlush: constants.Z_SYNC_FLUSH, chunkSize });
}

/** The parts as one, in memory of its own. */
export function joined(parts: readonly DeflatedText[]): DeflatedText {
  return {
    bytes: Buffer.concat(parts.map(({ bytes }) => bytes)),
    crc: parts.reduce(joinedCrc, 0),
    length: parts.reduce((sum, part) => sum + part.length, 0),
    shift: parts.reduce((power, part) => product(part.shift, power), ONE),
  };
}

/** A short text as it is: a stored block of deflate, cheaper than compressing it. At most 65,535 bytes. */
export function stored(text: Uint8Array): DeflatedText {
  const bytes = Buffer.alloc(5 + text.length);
  bytes.writeUInt16LE(text.length, 1);
  bytes.writeUInt16LE(~text.length & 0xff_ff, 3);
  bytes.set(text, 5);
  return partOf(bytes, text);
}

/** RFC 1952: deflate, no name, no time, fastest, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255]);
/** An empty last block. */
const LAST_BLOCK = Buffer.from([3, 0]);

/** Joins texts to one gzip stream, without recompressing compressed parts. */
export class GzipJoin {
  #crc = 0;
  #length = 0;

  /** The first bytes of the stream. */
  begin(): Uint8Array {
    return HEADER;
  }

  add(part: DeflatedText): Uint8Array {
    this.#crc = joinedCrc(this.#crc, part);
    this.#length += part.length;
    return part.bytes;
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

export function joinedCrc(first: number, second: Pick<DeflatedText, 'crc' | 'shift'>): number {
  return (product(second.shift, first) ^ second.crc) >>> 0;
}

/** x^(8 × length) */
export function shiftOf(length: number): number {
  let power = ONE;
  let rest = length;
  // x^8, x^16, x^32, …: the bits of the length choose which are factors.
  for (let place = 3; rest > 0; place += 1) {
    if (rest % 2 === 1) power = product(POWERS[place % POWERS.length] ?? ONE, power);
    rest = Math.floor(rest / 2);
  }
  return power;
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
