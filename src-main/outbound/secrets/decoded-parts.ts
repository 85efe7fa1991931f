import type { HiddenPart } from '#domain/run/journal';
import { atOnce } from '../../platform/turns.ts';
import { percentDecoded } from '../http/percent.ts';
import { isText } from './secret-forms.ts';
import { unescaped } from './unescape.ts';

/** How many levels of escapes are removed, and how many texts a part can become. */
const LEVELS = 6;
const MOST = 50;
/** Characters of a group of Base64 before a hidden part: a mask hides the whole characters of a secret. */
const OFFSETS = [0, 2, 3];
const SHORTEST = 4;

/** What a script can make of a text that it read. Each returns the text itself if there is nothing to decode. */
const DECODERS: readonly ((text: string) => string)[] = [
  jsonDecoded,
  percentDecoded,
  (text) => percentDecoded(text.replaceAll('+', ' ')),
  (text) => atOnce(unescaped(Buffer.from(text)))?.toString() ?? text,
];

/**
 * The texts that a script can get from a hidden part of a value: as it is, without its escapes, and from Base64. A part of
 * Base64 is decoded with its neighbors, because a secret need not begin at the first of four characters.
 */
export function decodedParts(part: HiddenPart): string[] {
  const found = new Set([part.text]);
  let level = [part];
  for (let depth = 0; depth < LEVELS && level.length > 0; depth += 1) {
    const next: HiddenPart[] = [];
    for (const { before, text, after } of level) {
      for (const decoded of fromBase64({ before, text, after })) found.add(decoded);
      for (const decode of DECODERS) {
        const decoded = decode(text);
        if (found.has(decoded) || found.size >= MOST) continue;
        found.add(decoded);
        next.push({ before: decode(before), text: decoded, after: decode(after) });
      }
    }
    level = next;
  }
  return [...found];
}

/** A part of a text in JSON. */
function jsonDecoded(text: string): string {
  try {
    const decoded: unknown = JSON.parse(`"${text}"`);
    return typeof decoded === 'string' ? decoded : text;
  } catch {
    return text;
  }
}

function fromBase64({ before, text, after }: HiddenPart): string[] {
  const own = text.replace(/=+$/, '');
  if (own.length <= SHORTEST || !/^[\w+/-]+$/.test(own)) return [];
  const start = /[\w+/-]{0,3}$/.exec(before)?.[0] ?? '';
  const end = /^[\w+/-]{0,3}/.exec(after)?.[0] ?? '';
  return OFFSETS.filter((offset) => offset <= start.length).flatMap((offset) => {
    const bytes = Buffer.from(start.slice(start.length - offset) + own + end, 'base64');
    const from = Math.floor((offset * 6) / 8);
    const to = ((offset + own.length) * 6) / 8;
    // The last character may have bits of the secret only, or by chance those of the byte after it.
    const ends = new Set([Math.ceil(to), Math.floor(to)]);
    const parts = [...ends].map((last) => bytes.subarray(from, last));
    return parts.filter((one) => one.length >= SHORTEST && isText(one)).map(String);
  });
}
