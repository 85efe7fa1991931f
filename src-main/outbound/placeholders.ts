/** `{{secret:NAME}}`, spaces allowed inside the braces. */
const PLACEHOLDER = /\{\{\s*secret:\s*([^{}\s]{1,64})\s*\}\}/g;

/** How a value has to be written where the placeholder stands. */
export type Encoding = 'plain' | 'url' | 'form' | 'json';

/** Gives the value of a secret; throws where there is none. */
export type SecretLookup = (name: string) => string;

/** The names of the secrets that a text wants. */
export function secretsIn(text: string): string[] {
  if (!text.includes('{{')) return [];
  return Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name);
}

/** The text with every placeholder replaced by its value. */
export function fillSecrets(text: string, lookup: SecretLookup, encoding: Encoding = 'plain'): string {
  if (!text.includes('{{')) return text;
  return text.replaceAll(PLACEHOLDER, (_, name: string) => encoded(lookup(name), encoding));
}

function encoded(value: string, encoding: Encoding): string {
  switch (encoding) {
    case 'url':
      return encodeURIComponent(value.toWellFormed());
    case 'form':
      return new URLSearchParams([['', value]]).toString().slice(1);
    case 'json':
      return JSON.stringify(value).slice(1, -1);
    default:
      return value;
  }
}
