import { SECRET_NAME } from '#domain/mock/api-secret';
import { type AnyText, replacedIn, type Replacement, wholeOf } from '../platform/long-texts/text-in-parts.ts';
import type { Steps } from '../platform/turns.ts';
import { shown } from './http/header-sets.ts';
import { percentDecoded } from './http/percent.ts';
import { InvalidArgument } from './invalid-argument.ts';
import { eachMatch, SHORT_TEXT } from './long-text.ts';

/** `{{secret:NAME}}`, spaces allowed inside the braces. */
const PLAIN = /\{\{\s*secret:\s*([^{}\s]{1,64})\s*\}\}/g;
/** In the encoding of encodeURIComponent and forms: a script may encode what it puts into a URL or a form. */
const ENCODED = /%7[Bb]%7[Bb](?:%20|\+)*secret(?::|%3[Aa])(?:%20|\+)*([\w.-]{1,64})(?:%20|\+)*%7[Dd]%7[Dd]/g;

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text that resembles a placeholder: a letter in another case, an extra s or space, or no name. */
const LIKE_PLAIN = /\{\{\s*secrets?\s*:/gi;
const LIKE_ENCODED = /%7B%7B(?:%20|\+)*secrets?(?:%20|\+)*(?::|%3A)/gi;
const LIKE_LENGTH = 100;

/** The encoding of a value at the place of the placeholder. */
export type Encoding = 'plain' | 'url' | 'form' | 'json' | 'xml';

/** Returns the value of a secret; throws if there is none. */
export type SecretLookup = (name: string) => string;

/** A placeholder in a text: the name of its secret, and its position. */
export interface Placeholder {
  name: string;
  at: number;
}

const placeholderOf = ({ 1: name = '', index: at }: RegExpExecArray): Placeholder => ({ name, at });

/** The placeholders of secrets in a text, in order. */
export function placeholdersIn(text: string): Placeholder[] {
  const plain = text.includes('{{') ? Array.from(text.matchAll(PLAIN), placeholderOf) : [];
  if (!/%7B/i.test(text)) return plain;
  return [...plain, ...Array.from(text.matchAll(ENCODED), placeholderOf)].toSorted((a, b) => a.at - b.at);
}

/** The same in steps. */
function* placeholdersInSteps(text: AnyText): Steps<Placeholder[]> {
  const plain = yield* matchesIn(text, PLAIN);
  const encodedOnes = yield* matchesIn(text, ENCODED);
  return [...plain, ...encodedOnes].map(placeholderOf).toSorted((a, b) => a.at - b.at);
}

function* matchesIn(text: AnyText, pattern: RegExp): Steps<RegExpExecArray[]> {
  const matches: RegExpExecArray[] = [];
  yield* eachMatch(text, pattern, (match) => matches.push(match));
  return matches;
}

/**
 * Throws InvalidArgument for a text that begins like a placeholder, but is none: it would be sent as it is.
 * @param what has the text, for the message
 */
export function checkPlaceholders(what: string, text: string, encoding: Encoding = 'plain'): void {
  const likes = [...text.matchAll(LIKE_PLAIN), ...(mayBeEncoded(text, encoding) ? text.matchAll(LIKE_ENCODED) : [])];
  if (likes.length > 0) checkLikes(what, text, likes, placeholdersIn(text));
}

/** Does the same in steps. */
export function* placeholdersChecked(what: string, text: AnyText, encoding: Encoding = 'plain'): Steps<void> {
  if (text.length <= SHORT_TEXT) {
    checkPlaceholders(what, wholeOf(text), encoding);
    return;
  }
  const likes = yield* matchesIn(text, LIKE_PLAIN);
  if (isEncoded(encoding)) likes.push(...(yield* matchesIn(text, LIKE_ENCODED)));
  if (likes.length > 0) checkLikes(what, text, likes, yield* placeholdersInSteps(text));
}

function checkLikes(
  what: string,
  text: AnyText,
  likes: readonly RegExpExecArray[],
  placeholders: readonly Placeholder[],
): void {
  const names = new Map(placeholders.map(({ name, at }) => [at, name]));
  const wrong = likes.find(({ index }) => !SECRET_NAME.test(names.get(index) ?? ''));
  if (wrong === undefined) return;
  const start = percentDecoded(text.slice(wrong.index, wrong.index + LIKE_LENGTH).replaceAll('+', ' '));
  const written = /^\{\{[^{}"'<&]*\}{0,2}/.exec(start)?.[0] ?? start;
  const name = /:\s*([^\s{}]+)\s*\}*$/.exec(written)?.[1] ?? '';
  const hint = SECRET_NAME.test(name)
    ? `{{secret:${name}}}`
    : '{{secret:NAME}}, where NAME begins with a letter and has letters, digits, _ . or -, at most 64';
  throw new InvalidArgument(`${what} has ${shown(written)}, which is not the placeholder of a secret; write ${hint}`);
}

/** The names of the secrets that a text uses. */
export function secretsIn(text: string): string[] {
  return placeholdersIn(text).map(({ name }) => name);
}

/** Whether a text uses secrets. */
export function* usesSecrets(text: AnyText): Steps<boolean> {
  return text.length <= SHORT_TEXT
    ? secretsIn(wholeOf(text)).length > 0
    : (yield* placeholdersInSteps(text)).length > 0;
}

/** The text with every placeholder replaced by its value; in URLs and forms also percent-encoded placeholders. */
export function fillSecrets(text: string, lookup: SecretLookup, encoding: Encoding = 'plain'): string {
  const fill = (_: string, name: string) => encoded(lookup(name), encoding);
  const plain = text.includes('{{') ? text.replaceAll(PLAIN, fill) : text;
  return mayBeEncoded(plain, encoding) ? plain.replaceAll(ENCODED, fill) : plain;
}

/** The same in steps. */
export function* secretsFilled(text: AnyText, lookup: SecretLookup, encoding: Encoding): Steps<AnyText> {
  if (text.length <= SHORT_TEXT) return fillSecrets(wholeOf(text), lookup, encoding);
  const plain = yield* filledIn(text, PLAIN, lookup, encoding);
  return isEncoded(encoding) ? yield* filledIn(plain, ENCODED, lookup, encoding) : plain;
}

function* filledIn(text: AnyText, pattern: RegExp, lookup: SecretLookup, encoding: Encoding): Steps<AnyText> {
  const values: Replacement[] = [];
  yield* eachMatch(text, pattern, ({ 0: whole, 1: name = '', index }) => {
    values.push({ from: index, to: index + whole.length, text: encoded(lookup(name), encoding) });
  });
  return values.length === 0 ? text : yield* replacedIn(text, values);
}

const isEncoded = (encoding: Encoding): boolean => encoding === 'url' || encoding === 'form';

function mayBeEncoded(text: string, encoding: Encoding): boolean {
  return isEncoded(encoding) && /%7B/i.test(text);
}

/** Escapes the marks that encodeURIComponent keeps: in some places of a URL, they have a meaning. */
const percentCode = (mark: string) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;

function encoded(value: string, encoding: Encoding): string {
  switch (encoding) {
    case 'url':
      return encodeURIComponent(value.toWellFormed()).replaceAll(/[!'()*]/g, percentCode);
    case 'form':
      return new URLSearchParams([['', value]]).toString().slice(1);
    case 'json':
      return JSON.stringify(value).slice(1, -1);
    case 'xml':
      return value.replaceAll(/[&<>"']/g, (mark) => XML[mark] ?? mark);
    default:
      return value;
  }
}
