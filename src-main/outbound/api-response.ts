import { STATUS_CODES } from 'node:http';
import { abbreviate } from '#domain/text/abbreviate';
import type { ApiResponse, ApiOperation, HeaderPair } from '#domain/mock/api-call';
import { writtenInPieces } from '../platform/long-texts/json-pieces.ts';
import type { Steps } from '../platform/turns.ts';
import { inUtf8, isJsonInSteps, markLength, textStart } from './long-text.ts';
import type { SecretMask } from './secrets/secret-mask.ts';
import { charsetIn, headerOf } from './http/header-sets.ts';

/** Maximum length of an error page; JSON is passed on as received. */
const ERROR_BODY_LENGTH = 1_000_000;

/** Headers that a script sees; an HTTP client rejects more than 64 KB of them. */
const MAX_HEADERS = 100;
const MAX_HEADER_LENGTH = 8_000;

interface Received {
  status: number;
  statusText: string;
  headers: HeaderPair[];
  body: Buffer;
}

/** A text that is decoded where it is used. */
export type EncodedText = NonNullable<ApiResponse['text']>;

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/**
 * The API Response Object of a response. `text` is the body in a form that the script may see; a long one of an error is its
 * message already.
 */
export function responseOf(
  operation: ApiOperation,
  { status, statusText, body }: Received,
  text: string | EncodedText,
): ApiResponse {
  const statusCode = String(status);
  if (isSuccess(status)) {
    const common = { success: true, statusCode, errorMessage: null };
    if (operation.startsWith('GetImage')) return { ...common, responseObject: null, image: body };
    return typeof text === 'string' ? { ...common, responseObject: text } : { ...common, responseObject: null, text };
  }
  const failed = { success: false, statusCode, responseObject: null };
  if (typeof text !== 'string') return { ...failed, errorMessage: null, text };
  return {
    ...failed,
    errorMessage: isJsonText(text) ? text : JSON.stringify(describedError(status, statusText, text)),
  };
}

/** Headers in the form for a script, without secrets; not more than an object of a script should hold. */
export function scriptHeaders(headers: readonly HeaderPair[], hide: SecretMask): Record<string, string> {
  const values = new Map<string, string>();
  for (const [given, value] of headers) {
    // A secret is known by its case, so it is masked before that is lost.
    const name = hide.text(hide.text(given).toLowerCase());
    const before = values.get(name);
    if (before === undefined && values.size === MAX_HEADERS) continue;
    const all = before === undefined ? hide.text(value) : `${before}, ${hide.text(value)}`;
    values.set(name, abbreviate(all, MAX_HEADER_LENGTH));
  }
  return Object.fromEntries(values);
}

/** The API Response Object without a response. */
export function failedResponse(error: string, message: string): ApiResponse {
  return {
    success: false,
    statusCode: '0',
    errorMessage: JSON.stringify({ error, message }),
    responseObject: null,
  };
}

/** What an error says whose body is not JSON. `body` is at least its beginning, with more than ERROR_BODY_LENGTH characters. */
function describedError(status: number, statusText: string, body: string) {
  const reason = statusText === '' ? (STATUS_CODES[status] ?? 'an unknown status') : statusText;
  return {
    error: `Http${status}`,
    message: `the remote server responded with ${status} ${reason}`,
    status,
    body: abbreviate(body, ERROR_BODY_LENGTH),
  };
}

/** The message of an error with a long body: as received if it is JSON, else an object that describes the response. */
export function* longErrorMessage({ status, statusText }: Received, text: EncodedText): Steps<EncodedText> {
  const whole = text.charset === 'utf-8' ? bufferOf(text.bytes) : yield* inUtf8(bufferOf(text.bytes), text.charset);
  if (yield* isJsonInSteps(whole.subarray(markLength(whole)))) return text;
  const body = yield* textStart(bufferOf(text.bytes), text.charset, ERROR_BODY_LENGTH);
  const parts = yield* writtenInPieces(describedError(status, statusText, body));
  return { bytes: Buffer.concat(parts), charset: 'utf-8' };
}

function isJsonText(text: string): boolean {
  if (text.trim() === '') return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const UTF8 = new TextDecoder();

/** A body as text: by the charset of its content type, else by its byte order mark, else UTF-8. */
export function textOf(body: Buffer, headers: readonly HeaderPair[]): string {
  // Almost every response: creating a decoder takes longer than a short body.
  if (isUtf8(body, headers)) return UTF8.decode(body);
  try {
    return new TextDecoder(charsetOf(body, headers)).decode(body);
  } catch {
    // An unknown charset.
    return UTF8.decode(body);
  }
}

/** The charset by which `textOf` reads a body. */
export function charsetOfText(body: Buffer, headers: readonly HeaderPair[]): string {
  try {
    return new TextDecoder(charsetOf(body, headers)).encoding;
  } catch {
    return 'utf-8';
  }
}

/** Whether `textOf` reads a body as UTF-8. */
export function isUtf8(body: Buffer, headers: readonly HeaderPair[]): boolean {
  return /^utf-8$/i.test(charsetOf(body, headers));
}

function charsetOf(body: Buffer, headers: readonly HeaderPair[]): string {
  return charsetIn(headerOf(headers, 'content-type') ?? '') ?? markOf(body) ?? 'utf-8';
}

function markOf(body: Buffer): string | null {
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return body[0] === 0xfe && body[1] === 0xff ? 'utf-16be' : null;
}
