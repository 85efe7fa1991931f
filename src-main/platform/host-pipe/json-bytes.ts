/** The bytes that delimit the parts of a JSON text. */
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** How many bytes of a text are looked at one by one before native code searches for its end. */
export const LOOKED_AT = 64;

/**
 * The place of the quote that ends a text; `from` is in it, and not in an escape. If it is at `until` or later, it may return
 * the complement of a place from which to continue. The length of the JSON if the text has no end. A text full of escaped
 * quotes is not searched quote by quote.
 */
export function endOfText(json: Uint8Array, from: number, until = json.length): number {
  let at = from;
  while (at < until) {
    for (const stop = Math.min(at + LOOKED_AT, json.length); at < stop; at += 1) {
      if (json[at] === QUOTE) return at;
      if (json[at] === BACKSLASH) at += 1;
    }
    const quote = json.indexOf(QUOTE, at);
    if (quote < 0) return json.length;
    let before = quote;
    while (before > at && json[before - 1] === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 0) return quote;
    at = quote + 1;
  }
  return at < json.length ? ~at : json.length;
}
