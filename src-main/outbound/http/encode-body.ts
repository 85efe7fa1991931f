import type { HeaderPair } from '#domain/mock/api-call';
import { type AnyText, partsOf } from '../../platform/long-texts/text-in-parts.ts';
import type { Steps } from '../../platform/turns.ts';
import { InvalidArgument } from '../invalid-argument.ts';
import { charsetIn, headerOf, shown } from './header-sets.ts';

const BYTE_ORDER_MARK = '\ufeff';
/** Stateful, with sequences of four bytes, or made up. */
const NOT_ENCODED = new Set(['iso-2022-jp', 'gb18030', 'x-user-defined']);
const OF_TWO_BYTES = new Set(['gbk', 'big5', 'euc-jp', 'euc-kr', 'shift_jis']);
const REPLACEMENT = 0xfffd;

/** Characters that are encoded at once. */
const STEP = 32_768;

/**
 * In steps: a body in the charset of its content type: the text itself for UTF-8, which is the default. Throws InvalidArgument
 * for an unknown charset, and for a character that it does not have.
 * @param parameter the argument with the text, for the message
 * @param hasSecrets whether the message must not show the character
 */
export function* encodedBody<Text extends AnyText>(
  body: Text,
  headers: readonly HeaderPair[],
  parameter = 'payload',
  hasSecrets = false,
): Steps<Text | Buffer> {
  const charset = charsetIn(headerOf(headers, 'content-type') ?? '')?.toLowerCase() ?? 'utf-8';
  if (charset === 'utf-8') return body;
  const decoder = decoderOf(charset);
  if (decoder?.encoding === 'utf-8') return body;
  if (decoder === null || NOT_ENCODED.has(decoder.encoding)) {
    throw new InvalidArgument(
      `${parameter} has charset ${shown(charset)}, which is not supported; write charset=utf-8`,
    );
  }
  if (decoder.encoding.startsWith('utf-16')) return yield* inUtf16(body, charset, decoder.encoding);
  const codes = codesOf(charset, decoder);
  // One or two bytes for each character.
  const bytes = Buffer.allocUnsafe(OF_TWO_BYTES.has(decoder.encoding) ? 2 * body.length : body.length);
  let size = 0;
  let at = 1;
  let step = STEP;
  for (const part of partsOf(body)) {
    for (const character of part) {
      const code = codes.get(character.codePointAt(0) ?? REPLACEMENT);
      if (code === undefined) {
        const what = hasSecrets ? 'a character of a secret' : `the character ${named(character)} at position ${at}`;
        throw new InvalidArgument(
          `${parameter} has ${what}, which charset ${charset} does not have; remove it, or write charset=utf-8`,
        );
      }
      if (code > 0xff) bytes[size++] = code >> 8;
      bytes[size++] = code & 0xff;
      at += character.length;
      if (at < step) continue;
      step += STEP;
      yield;
    }
  }
  return bytes.subarray(0, size);
}

const named = (character: string) =>
  `${shown(character)} (U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`;

/** Without an order of bytes in its name, a byte order mark shows it. */
function* inUtf16(body: AnyText, charset: string, encoding: string): Steps<Buffer> {
  const mark = charset === encoding ? '' : BYTE_ORDER_MARK;
  const bytes = Buffer.allocUnsafe(2 * (mark.length + body.length));
  let size = 0;
  const write = (text: string) => {
    const from = size;
    size += bytes.write(text, from, 'utf16le');
    if (encoding === 'utf-16be') bytes.subarray(from, size).swap16();
  };
  write(mark);
  for (let from = 0; from < body.length; from += STEP) {
    write(body.slice(from, from + STEP));
    yield;
  }
  return bytes;
}

/** The one or two bytes of every character of a charset. */
type Codes = ReadonlyMap<number, number>;
const known = new Map<string, Codes>();

function codesOf(charset: string, decoder: TextDecoder): Codes {
  const found = known.get(charset);
  if (found !== undefined) return found;
  const codes = new Map<number, number>();
  const add = (...bytes: number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes));
    const point = text.codePointAt(0) ?? REPLACEMENT;
    const isOne = text.length === (point > 0xffff ? 2 : 1) && point !== REPLACEMENT;
    if (isOne && !codes.has(point))
      codes.set(
        point,
        bytes.reduce((code, byte) => (code << 8) | byte, 0),
      );
  };
  for (let byte = 0; byte <= 0xff; byte += 1) if (hasByte(charset, decoder.encoding, byte)) add(byte);
  if (OF_TWO_BYTES.has(decoder.encoding)) {
    for (let first = 0x81; first <= 0xfe; first += 1) {
      for (let second = 0x40; second <= 0xfe; second += 1) add(first, second);
    }
  }
  known.set(charset, codes);
  return codes;
}

function decoderOf(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset, { ignoreBOM: true });
  } catch {
    return null;
  }
}

/** Decoders read ASCII and charsets of ISO as those of Windows, which have more characters. */
function hasByte(charset: string, encoding: string, byte: number): boolean {
  if (/ascii|ansi_x3/.test(charset)) return byte < 0x80;
  const isExtended = encoding.startsWith('windows-') && !/windows|cp\d/.test(charset);
  return !isExtended || byte < 0x80 || byte > 0x9f;
}
