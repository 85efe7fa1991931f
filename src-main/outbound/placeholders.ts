/** `{{secret:NAME}}`, spaces allowed inside the braces. */
const PLAIN = /\{\{\s*secret:\s*([^{}\s]{1,64})\s*\}\}/g;
/** In the encoding of encodeURIComponent and forms: a script may encode what it puts into a URL or a form. */
const ENCODED = /%7B%7B(?:%20|\+)*secret(?::|%3A)(?:%20|\+)*([\w.-]{1,64})(?:%20|\+)*%7D%7D/gi;

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

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

/** The names of the secrets that a text uses. */
export function secretsIn(text: string): string[] {
  return placeholdersIn(text).map(({ name }) => name);
}

/** The text with every placeholder replaced by its value; in URLs and forms also percent-encoded placeholders. */
export function fillSecrets(text: string, lookup: SecretLookup, encoding: Encoding = 'plain'): string {
  const fill = (_: string, name: string) => encoded(lookup(name), encoding);
  const plain = text.includes('{{') ? text.replaceAll(PLAIN, fill) : text;
  const mayBeEncoded = (encoding === 'url' || encoding === 'form') && /%7B/i.test(plain);
  return mayBeEncoded ? plain.replaceAll(ENCODED, fill) : plain;
}

/** Of the marks that encodeURIComponent keeps: in some places of a URL, they have a meaning. */
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
