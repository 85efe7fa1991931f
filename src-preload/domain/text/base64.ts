const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Whether the text is Base64 as in RFC 4648 section 4: the standard alphabet, padded, without line breaks, and without
 * stray bits in the last character, so that each content has exactly one text.
 */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0 || !BASE64.test(text)) return false;
  if (!text.endsWith('=')) return true;
  const doubled = text.endsWith('==');
  const last = ALPHABET.indexOf(text.at(doubled ? -3 : -2) ?? '');
  return last % (doubled ? 16 : 4) === 0;
}
