import type { ApiResponse, ApiExchange, ApiOperation } from '#domain/mock/api-call';
import { inTurns } from '../platform/turns.ts';
import {
  charsetOfText,
  type EncodedText,
  failedResponse,
  isSuccess,
  isUtf8,
  longErrorMessage,
  responseOf,
  scriptHeaders,
  textOf,
} from './api-response.ts';
import type { HttpResponse } from './http/http-client.ts';
import type { HttpFailure } from './http/http-failure.ts';
import { inUtf8 } from './long-text.ts';
import { SecretMask } from './secrets/secret-mask.ts';

export type Response = Omit<HttpResponse, 'url'>;

/** The outcome of a call, in its unmasked form. */
export interface EndedCall {
  source: ApiExchange['source'];
  /** The name of the mock that matched. */
  mock: string | null;
  response: Response | null;
  /** The form for the script. */
  result: ApiResponse;
  /** Why there is no response. */
  error: string | null;
  /** The same as a sentence; null with a response. */
  reason: string | null;
  /** Everything that no log may show. */
  mask: SecretMask;
}

/** The state of a call when it ended. */
export type Progress = Pick<EndedCall, 'source' | 'mock' | 'mask'>;

/** @param named hides what even the script must not see: a remote server that echoes the request would reveal it */
export async function completedCall(
  operation: ApiOperation,
  received: Response,
  named: SecretMask,
  progress: Progress,
): Promise<EndedCall> {
  const response = named.isEmpty ? received : await withoutSecrets(received, named);
  const isImage = operation.startsWith('GetImage') && isSuccess(response.status);
  const text = isImage ? '' : await shownText(response, named);
  const isLongError = typeof text !== 'string' && !isSuccess(response.status);
  const shown = isLongError ? await inTurns(longErrorMessage(response, text)) : text;
  const result = {
    ...responseOf(operation, response, shown),
    responseHeaders: scriptHeaders(response.headers, named),
  };
  return { ...progress, response, result, error: null, reason: null };
}

/** Without a response. */
export function failedCall({ name, message }: HttpFailure, progress: Progress): EndedCall {
  const reason = progress.mask.text(message);
  return { ...progress, response: null, result: failedResponse(name, reason), error: name, reason };
}

/** Without a call. */
export function invalidCall(message: string, mask = new SecretMask([])): EndedCall {
  const [error, reason] = ['InvalidArgument', mask.text(message)];
  return { source: 'none', mock: null, response: null, result: failedResponse(error, reason), error, reason, mask };
}

/** Decoding, masking and encoding it again would take 6 ms for each MB. */
const LONG_BYTES = 262_144;

/** The body for the script. A long one is not decoded here: its host does that. */
async function shownText({ body, headers }: Response, named: SecretMask): Promise<string | EncodedText> {
  const isLong = body.length > LONG_BYTES;
  if (isUtf8(body, headers)) {
    // Its bytes were masked as UTF-8.
    return isLong ? { bytes: body, charset: 'utf-8' } : textOf(body, headers);
  }
  if (!isLong) return named.textInTurns(textOf(body, headers));
  const charset = charsetOfText(body, headers);
  if (named.isEmpty) return { bytes: body, charset };
  return { bytes: await named.bytesInTurns(await inTurns(inUtf8(body, charset))), charset: 'utf-8' };
}

async function withoutSecrets(response: Response, named: SecretMask): Promise<Response> {
  const body = await named.bytesInTurns(response.body);
  return { ...response, statusText: named.text(response.statusText), body };
}
