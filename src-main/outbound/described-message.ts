import type { ApiMessage, HeaderPair } from '#domain/mock/api-call';
import { abbreviate } from '#domain/text/abbreviate';
import { type AnyText, isText, TextInParts, wholeOf } from '../platform/long-texts/text-in-parts.ts';
import { atOnce } from '../platform/turns.ts';
import { textOf } from './api-response.ts';
import { encodedBody } from './http/encode-body.ts';
import { headerOf } from './http/header-sets.ts';
import { isText as isTextBody } from './mocks/recording/recorded-body.ts';
import { maskBody, maskHeaders } from './secrets/masking.ts';
import type { Masking } from './secrets/secret-mask.ts';

/** Maximum length of a body and of a header's value to show. */
const BODY_LENGTH = 16_384;
const HEADER_LENGTH = 1_000;
const MAX_HEADERS = 100;
/** How much of a long body is masked: more than is shown, so that no secret is cut in two and half of it shown. */
const LOOKED_AT = 4 * BODY_LENGTH;
/** Bodies up to this size are read as JSON, whose members are known by name. */
const WHOLE_BODY = 262_144;

/** A request or a response for people: masked, then cut. */
export function describeMessage(
  headers: readonly HeaderPair[],
  body: AnyText | Buffer | null,
  mask: Masking,
  encoded = typeof body === 'string' ? atOnce(encodedBody(body, headers)) : body,
): ApiMessage {
  const bytes = encoded === null ? 0 : encoded instanceof TextInParts ? encoded.bytes : Buffer.byteLength(encoded);
  const shown = maskHeaders(headers.slice(0, MAX_HEADERS), mask).map(([name, value]): HeaderPair => [
    name,
    abbreviate(value, HEADER_LENGTH),
  ]);
  return { headers: shown, body: shownBody(headers, body, mask), bytes };
}

function shownBody(headers: readonly HeaderPair[], body: AnyText | Buffer | null, mask: Masking): string | null {
  if (body === null || body.length === 0) return null;
  const text = isText(body) ? body : textIn(body, headers);
  if (text === null) return null;
  const shown = text.length <= WHOLE_BODY ? wholeOf(text) : text.slice(0, LOOKED_AT);
  return abbreviate(maskBody(shown, mask), BODY_LENGTH);
}

function textIn(body: Buffer, headers: readonly HeaderPair[]): string | null {
  if (!isTextBody(headerOf(headers, 'content-type') ?? '', body)) return null;
  return textOf(body.length <= WHOLE_BODY ? body : body.subarray(0, LOOKED_AT), headers);
}
