import { abbreviate } from '#domain/text/abbreviate';
import type { ApiMessage, HeaderPair } from '#domain/mock/api-call';
import { textOf } from './answers.ts';
import { headerOf } from './http/header-sets.ts';
import { maskBody, maskHeaders } from './secrets/masking.ts';
import { isText } from './mocks/recorder.ts';
import type { SecretMask } from './secrets/secret-mask.ts';

/** Characters of a body and of a header's value that are shown. */
const BODY_LENGTH = 16_384;
const HEADER_LENGTH = 1_000;
const MAX_HEADERS = 100;
/** So much of a long body is masked: more than is shown, so that no secret is cut in two and half of it shown. */
const LOOKED_AT = 4 * BODY_LENGTH;
/** Bodies up to this size are read as JSON, whose members are known by name. */
const WHOLE_BODY = 262_144;

/** A request or an answer as people may see it: masked, then cut. */
export function describeMessage(
  headers: readonly HeaderPair[],
  body: string | Buffer | null,
  mask: SecretMask,
): ApiMessage {
  const bytes = body === null ? 0 : Buffer.byteLength(body);
  const shown = maskHeaders(headers.slice(0, MAX_HEADERS), mask).map(([name, value]): HeaderPair => [
    name,
    abbreviate(value, HEADER_LENGTH),
  ]);
  return { headers: shown, body: shownBody(headers, body, mask), bytes };
}

function shownBody(headers: readonly HeaderPair[], body: string | Buffer | null, mask: SecretMask): string | null {
  if (body === null || body.length === 0) return null;
  const text = typeof body === 'string' ? body : textIn(body, headers);
  if (text === null) return null;
  return abbreviate(maskBody(text.length <= WHOLE_BODY ? text : text.slice(0, LOOKED_AT), mask), BODY_LENGTH);
}

function textIn(body: Buffer, headers: readonly HeaderPair[]): string | null {
  if (!isText(headerOf(headers, 'content-type') ?? '', body)) return null;
  return textOf(body.length <= WHOLE_BODY ? body : body.subarray(0, LOOKED_AT), headers);
}
