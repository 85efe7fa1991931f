import { hmac } from '@noble/hashes/hmac.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { named } from './named-error.ts';

/** Returns this many random bytes, up to MAX_RANDOM_BYTES. */
export type RandomBytes = (count: number) => Uint8Array<ArrayBuffer>;

type Hash = typeof sha1 | typeof sha256;
/** What a script passes may be anything else. */
type Algorithm = string | { name: string; hash?: Algorithm; length?: number };

const HASHES: Readonly<Record<string, Hash>> = {
  'SHA-1': sha1,
  'SHA-256': sha256,
  'SHA-384': sha384,
  'SHA-512': sha512,
};
const USAGES = ['sign', 'verify'];
/** The limit of the web standard for one call. */
const MAX_RANDOM_BYTES = 65_536;
/** Ids are taken from this many bytes at a time. */
const ID_POOL = 4_096;
const ID_BYTES = 16;
const IntegerArrays = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  BigInt64Array,
  BigUint64Array,
];

/** A key for HMAC; only `subtle` creates one. */
class CryptoKey {
  readonly type = 'secret';
  readonly algorithm: { name: 'HMAC'; hash: { name: string }; length: number };
  readonly extractable: boolean;
  readonly usages: string[];
  readonly #bytes: Uint8Array;

  constructor(algorithm: CryptoKey['algorithm'], extractable: boolean, usages: string[], bytes: Uint8Array) {
    this.algorithm = algorithm;
    this.extractable = extractable;
    this.usages = usages;
    this.#bytes = bytes;
    Object.freeze(this);
  }

  /** The given value, if `subtle` created it. */
  static from(given: unknown): CryptoKey {
    if (typeof given === 'object' && given !== null && #bytes in given) return given;
    throw new TypeError('the key must come from crypto.subtle.importKey or generateKey');
  }

  static bytesOf(key: CryptoKey): Uint8Array {
    return key.#bytes;
  }
}

/** The part of Web Crypto that needs no tables and no big numbers: digests, HMAC and random bytes. */
export function createCrypto(randomBytes: RandomBytes): object {
  let ids = new Uint8Array(0);
  let nextId = 0;

  function makeKey(
    algorithm: Algorithm,
    extractable: boolean,
    usages: Iterable<unknown>,
    bytes: Uint8Array,
  ): CryptoKey {
    const { name, hash } = hmacOf(algorithm);
    const uses = Array.from(usages, String);
    const unknown = uses.find((usage) => !USAGES.includes(usage));
    if (unknown !== undefined || uses.length === 0) {
      throw new SyntaxError("the usages of an HMAC key are 'sign', 'verify' or both");
    }
    const kept = USAGES.filter((usage) => uses.includes(usage));
    return new CryptoKey({ name, hash: { name: hash }, length: bytes.length * 8 }, extractable, kept, bytes);
  }

  function code(algorithm: Algorithm, key: unknown, usage: string, data: unknown): Uint8Array {
    if (nameOf(algorithm) !== 'HMAC') throw unsupported(nameOf(algorithm), 'HMAC');
    const known = CryptoKey.from(key);
    if (!known.usages.includes(usage)) {
      throw named('InvalidAccessError', `the usages of this key do not include '${usage}'`);
    }
    return hmac(hashNamed(known.algorithm.hash.name), CryptoKey.bytesOf(known), bytesOf(data));
  }

  const subtle = {
    async digest(algorithm: Algorithm, data: unknown): Promise<ArrayBuffer> {
      return bufferOf(hashNamed(nameOf(algorithm))(bytesOf(data)));
    },
    async importKey(
      format: string,
      data: unknown,
      algorithm: Algorithm,
      extractable: boolean,
      usages: Iterable<unknown>,
    ) {
      if (format !== 'raw') throw named('NotSupportedError', `keys are imported as 'raw' bytes, not as '${format}'`);
      const bytes = bytesOf(data).slice();
      if (bytes.length === 0) throw named('DataError', 'the key has no bytes');
      const length = typeof algorithm === 'object' ? algorithm.length : undefined;
      if (length !== undefined && length !== bytes.length * 8) {
        throw named('DataError', `the key has ${bytes.length * 8} bits, but its algorithm names ${length}`);
      }
      return makeKey(algorithm, extractable, usages, bytes);
    },
    async exportKey(format: string, key: unknown): Promise<ArrayBuffer> {
      if (format !== 'raw') throw named('NotSupportedError', `keys are exported as 'raw' bytes, not as '${format}'`);
      const known = CryptoKey.from(key);
      if (!known.extractable) throw named('InvalidAccessError', 'the key is not extractable');
      return bufferOf(CryptoKey.bytesOf(known));
    },
    async generateKey(algorithm: Algorithm, extractable: boolean, usages: Iterable<unknown>) {
      const { hash, length } = hmacOf(algorithm);
      const bits = length ?? hashNamed(hash).blockLen * 8;
      if (!Number.isInteger(bits) || bits <= 0 || bits % 8 !== 0 || bits > MAX_RANDOM_BYTES * 8) {
        throw named('OperationError', 'the length of a key is a multiple of 8, up to 524,288 bits');
      }
      return makeKey(algorithm, extractable, usages, randomBytes(bits / 8));
    },
    async sign(algorithm: Algorithm, key: unknown, data: unknown): Promise<ArrayBuffer> {
      return bufferOf(code(algorithm, key, 'sign', data));
    },
    async verify(algorithm: Algorithm, key: unknown, signature: unknown, data: unknown): Promise<boolean> {
      const right = code(algorithm, key, 'verify', data);
      const given = bytesOf(signature);
      let difference = right.length ^ given.length;
      for (let index = 0; index < right.length; index += 1) difference |= (right[index] ?? 0) ^ (given[index] ?? 0);
      return difference === 0;
    },
  };

  return {
    subtle,
    getRandomValues<T extends ArrayBufferView>(view: T): T {
      if (!IntegerArrays.some((kind) => view instanceof kind)) {
        throw named('TypeMismatchError', 'getRandomValues takes a typed array of integers');
      }
      if (view.byteLength > MAX_RANDOM_BYTES) {
        throw named('QuotaExceededError', `getRandomValues fills up to ${MAX_RANDOM_BYTES} bytes at a time`);
      }
      if (view.byteLength > 0) bytesOf(view).set(randomBytes(view.byteLength));
      return view;
    },
    randomUUID(): string {
      if (nextId + ID_BYTES > ids.length) {
        ids = randomBytes(ID_POOL);
        nextId = 0;
      }
      const id = ids.slice(nextId, nextId + ID_BYTES);
      nextId += ID_BYTES;
      id[6] = ((id[6] ?? 0) & 0x0f) | 0x40;
      id[8] = ((id[8] ?? 0) & 0x3f) | 0x80;
      return id.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
  };
}

function nameOf(algorithm: Algorithm): string {
  const name: unknown = typeof algorithm === 'object' && algorithm !== null ? algorithm.name : algorithm;
  return String(name).toUpperCase();
}

function hashNamed(name: string): Hash {
  const hash = Object.hasOwn(HASHES, name) ? HASHES[name] : undefined;
  if (hash === undefined) throw unsupported(name, Object.keys(HASHES).join(', '));
  return hash;
}

function hmacOf(algorithm: Algorithm): { name: 'HMAC'; hash: string; length: number | undefined } {
  if (nameOf(algorithm) !== 'HMAC') throw unsupported(nameOf(algorithm), 'HMAC');
  const given = typeof algorithm === 'object' ? algorithm : undefined;
  if (given?.hash === undefined) throw new TypeError("an HMAC key needs a hash: { name: 'HMAC', hash: 'SHA-256' }");
  const hash = nameOf(given.hash);
  hashNamed(hash);
  return { name: 'HMAC', hash, length: given.length };
}

function unsupported(name: string, known: string): Error {
  return named('NotSupportedError', `the algorithm ${name.slice(0, 100)} is not available in scripts; use ${known}`);
}

function bytesOf(data: unknown): Uint8Array {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  throw new TypeError('the data must be an ArrayBuffer or a typed array; new TextEncoder().encode(text) makes one');
}

/** A buffer of exactly these bytes. */
function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
