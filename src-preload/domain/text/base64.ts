const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Whether the text is Base64 as RFC 4648 section 4 writes it: the standard alphabet, padded, no line breaks, and no
 * stray bits in the last character, so that every content has exactly one text.
 */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0 || !BASE64.test(text)) return false;
  if (!text.endsWith('=')) return true;
  const doubled = text.endsWith('==');
  const last = ALPHABET.indexOf(text.at(doubled ? -3 : -2) ?? '');
  return last % (doubled ? 16 : 4) === 0;
}
