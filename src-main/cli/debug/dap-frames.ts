import { isJsonObject, type JsonObject, parseJson } from '#domain/text/json';

/** Bytes of one message: a body of a script has at most 1 MB, which JSON may double. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Bytes of the headers of one message. */
const MOST_HEADER = 1024;
const END = '\r\n\r\n';

/** Reads messages of the Debug Adapter Protocol: headers with `Content-Length`, an empty line, and JSON. */
export class DapFrames {
  #waiting = Buffer.alloc(0);
  #length: number | null = null;

  /** The messages that are complete. Throws an Error for bytes that no client of the protocol sends. */
  push(bytes: Buffer): JsonObject[] {
    this.#waiting = Buffer.concat([this.#waiting, bytes]);
    const messages: JsonObject[] = [];
    for (let next = this.#next(); next !== null; next = this.#next()) messages.push(next);
    return messages;
  }

  #next(): JsonObject | null {
    this.#length ??= this.#header();
    if (this.#length === null || this.#waiting.length < this.#length) return null;
    const text = this.#waiting.toString('utf8', 0, this.#length);
    this.#waiting = this.#waiting.subarray(this.#length);
    this.#length = null;
    const message = parseJson(text);
    if (isJsonObject(message)) return message;
    throw new Error('a message is not an object');
  }

  #header(): number | null {
    const end = this.#waiting.indexOf(END);
    if (end === -1 ? this.#waiting.length > MOST_HEADER : end > MOST_HEADER) throw new Error('a header is too long');
    if (end === -1) return null;
    const header = this.#waiting.toString('latin1', 0, end);
    const [, digits = ''] = /^Content-Length: *(\d{1,9})$/im.exec(header) ?? [];
    if (digits === '') throw new Error('a header has no Content-Length');
    if (Number(digits) > MOST_BYTES) throw new Error('a message is too long');
    this.#waiting = this.#waiting.subarray(end + END.length);
    return Number(digits);
  }
}

/** A message as its bytes. */
export function dapFrame(message: object): Buffer {
  const json = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${json.length}${END}`), json]);
}
