import { isUtf8 } from 'node:buffer';
import { atOnce } from '../../platform/turns.ts';
import { folded, unescaped } from './unescape.ts';

/** Shorter Base64 may occur in texts by chance. */
const LEAST_BASE64 = 8;
const BASE64 = /^[\w+/-]+=*$/;
/** A secret can itself contain escapes, which are lost when a text is unescaped. */
const LEVELS = 6;

/** The characters that unescaping changes. */
const ESCAPED = /[\0- %&\\]/;

/**
 * Every form, as bytes in Latin-1, in which an unescaped text can contain a secret: in UTF-8 and Latin-1, and
 * as Base64, also as a part of it at any position. A secret that is itself a text in Base64 also has that text.
 */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const utf8 = bytes.toString('latin1');
  const texts = [utf8];
  if (utf8.length > secret.length) {
    // A header in UTF-8 is read as Latin-1.
    texts.push(Buffer.from(utf8).toString('latin1'));
    if (!/[^\0-\u00ff]/.test(secret)) texts.push(secret);
  }
  if (secret.length >= LEAST_BASE64 && BASE64.test(secret)) {
    const decoded = Buffer.from(secret, 'base64');
    if (isText(decoded)) texts.push(decoded.toString('latin1'));
  }
  return [...texts.flatMap(levelsOf), ...base64Of(bytes)];
}

/** Whether bytes are a text in UTF-8: other bytes never occur in a text. */
export const isText = (bytes: Buffer): boolean => isUtf8(bytes) && !/[^\P{Cc}\t\r\n]/u.test(bytes.toString());

/** The secret as stored, and with its escapes removed. */
function levelsOf(form: string): string[] {
  if (!ESCAPED.test(form)) return [form];
  const bytes = Buffer.from(form, 'latin1');
  const levels = [bytes, atOnce(folded(bytes))];
  for (let next = atOnce(unescaped(bytes)); next !== null && levels.length < LEVELS; next = atOnce(unescaped(next))) {
    levels.push(next);
  }
  return levels.map((level) => level.toString('latin1'));
}

/** As a whole, and the part that occurs in the Base64 of any text that contains it, above all `user:secret`. */
function base64Of(bytes: Buffer): string[] {
  const forms = [bytes.toString('base64'), bytes.toString('base64url')];
  for (const before of [0, 1, 2]) {
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    if (to - from < LEAST_BASE64) continue;
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    forms.push(shifted.toString('base64').slice(from, to), shifted.toString('base64url').slice(from, to));
  }
  return forms;
}
