import { createHash } from 'node:crypto';

/** What some system does not take in a name of a file, and `%`, which begins what stands for them. */
const FORBIDDEN = /[<>:"/\\|?*%\u0000-\u001f\u007f]|[. ]$/gu;
/** Names that Windows keeps for devices, with whatever extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Bytes of a name, without its extension; systems take 255. */
const LONGEST = 180;

/**
 * A name as one that every file system takes: what it cannot hold stands as `%` and the code, and names that are too
 * long are cut and end in a hash, so that two names never become one.
 */
export function fileName(name: string): string {
  const escaped = name.replace(FORBIDDEN, percent);
  const safe = DEVICE.test(escaped) ? percent(escaped.charAt(0)) + escaped.slice(1) : escaped;
  if (Buffer.byteLength(safe) <= LONGEST) return safe;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12);
  let cut = '';
  for (const character of safe) {
    if (Buffer.byteLength(cut + character) > LONGEST - hash.length - 1) break;
    cut += character;
  }
  return `${cut}~${hash}`;
}

function percent(character: string): string {
  return `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
}
