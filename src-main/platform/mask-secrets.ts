import type { Json } from '#domain/text/json';

const MASK = '***';
/** Parts of names whose values are secrets, in any text. Numbers of tokens and their lifetimes are none. */
export const SECRET_WORDS =
  '(?<!(?:completion|max|prompt|total)[-_]?)token(?!s?[-_]?(?:count|expir|lifetime|limit|ttl|type|usage|used))' +
  '|pass(?:w|phrase|code)|pwd|secret|(?:access|api|private)[-_]?key|bearer|jwt|session[-_]?id';
const SECRET_NAME = new RegExp(`${SECRET_WORDS}|authorization|cookie|credential`, 'i');

/** Whether a header or a member with this name has a secret as its value. */
export function hasSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/**
 * Secrets in text: a header value, a query parameter, a member of JSON, credentials of a URL. Names are bounded, so
 * that the time is linear in the length of the text.
 */
const IN_TEXT: readonly [RegExp, string][] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${MASK}`],
  [
    new RegExp(String.raw`\b([\w-]{0,40}(?:${SECRET_WORDS})[\w-]{0,40})(["']?\s*[=:]\s*["']?)[^\s"'&,;}]+`, 'gi'),
    `$1$2${MASK}`,
  ],
  [/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/@]+@/gi, `$1${MASK}@`],
];

/** Text for a log, with secrets masked. */
export function maskText(text: string): string {
  return IN_TEXT.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}

/** Details for a log: members named like secrets are masked completely, texts where they contain one. */
export function maskDetails(value: Json): Json {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskDetails);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, part]) => [key, hasSecretName(key) ? MASK : maskDetails(part)]));
}
