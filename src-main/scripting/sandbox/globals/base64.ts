import { named } from './named-error.ts';

/** Characters of one call of `fromCharCode`, whose arguments are on the stack. */
const CHUNK = 8_192;

/** The Base64 text of the bytes that the characters stand for, each up to U+00FF. */
export function btoa(...args: [unknown]): string {
  const text = required('btoa', args);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0xff) {
      const hint = 'encode the text first, for example btoa(String.fromCharCode(...new TextEncoder().encode(text)))';
      throw named(
        'InvalidCharacterError',
        `btoa takes characters up to U+00FF, but character ${index} is larger; ${hint}`,
      );
    }
    bytes[index] = code;
  }
  return bytes.toBase64();
}

/** The bytes of a Base64 text, each as one character. White space and a missing padding are allowed. */
export function atob(...args: [unknown]): string {
  const text = required('atob', args);
  let bytes;
  try {
    bytes = Uint8Array.fromBase64(text);
  } catch {
    throw named('InvalidCharacterError', 'atob takes Base64, but this text is not Base64');
  }
  let binary = '';
  for (let from = 0; from < bytes.length; from += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(from, from + CHUNK));
  }
  return binary;
}

function required(name: string, args: unknown[]): string {
  if (args.length === 0) throw new TypeError(`${name} takes a text, but it was called without one`);
  if (typeof args[0] === 'symbol') throw new TypeError(`${name} takes a text, but it was called with a symbol`);
  return String(args[0]);
}
