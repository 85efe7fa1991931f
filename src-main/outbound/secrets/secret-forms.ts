/** Shorter Base64 may occur in texts by chance. */
const LEAST_BASE64 = 8;
/** A quote and an apostrophe in HTML: as text, and as encoded by common libraries. */
const QUOTES = [
  ['"', "'"],
  ['&quot;', "'"],
  ['&quot;', '&#39;'],
  ['&quot;', '&#x27;'],
  ['&quot;', '&#039;'],
  ['&quot;', '&apos;'],
  ['&#34;', '&#39;'],
] as const;
/** Characters that every encoding except Base64 leaves unchanged. */
const PLAIN = /^[\w.~-]*$/;

/**
 * Every form in which a request or a response can contain a secret: plain, percent-encoded, as in a form, inside JSON
 * text, in HTML, and as Base64, also as a part of it at any position.
 */
export function formsOf(secret: string): string[] {
  if (PLAIN.test(secret)) return [secret, ...base64Of(secret)];
  const json = JSON.stringify(secret).slice(1, -1);
  const percent = encodeURIComponent(secret.toWellFormed());
  // As written by a program that sends only ASCII, and as JSON text inside JSON text.
  const texts = [secret, json, asciiOf(json), JSON.stringify(json).slice(1, -1)];
  const forms = [
    ...texts,
    json.replaceAll('/', '\\/'),
    percent,
    strictly(percent),
    percent.replaceAll('%2F', '/'),
    // An address inside another, as in redirects to a login.
    encodeURIComponent(percent),
    percent.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    encodeURI(secret.toWellFormed()),
    ...base64Of(secret),
  ];
  return /[&<>"']/.test(secret) ? [...forms, ...texts.flatMap(htmlOf)] : forms;
}

/** Like encodeURIComponent, without the characters that some programs also encode. */
export function strictly(percent: string): string {
  return percent.replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

function asciiOf(json: string): string {
  return json.replaceAll(/[^\0-\u007f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function htmlOf(secret: string): string[] {
  const text = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return QUOTES.map(([quote, apostrophe]) => text.replaceAll('"', quote).replaceAll("'", apostrophe));
}

/** As a whole, and the part that occurs in the Base64 of any text that contains it, above all `user:secret`. */
function base64Of(secret: string): string[] {
  const bytes = Buffer.from(secret);
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
