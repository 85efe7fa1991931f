import type { ApiResponse, ApiExchange, ApiOperation } from '#domain/mock/api-call';
import { failedResponse, isUtf8, responseOf, scriptHeaders, textOf } from './api-response.ts';
import type { HttpResponse } from './http/http-client.ts';
import type { HttpFailure } from './http/http-failure.ts';
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
  /** Everything that no log may show. */
  mask: SecretMask;
}

/** The state of a call when it ended. */
export type Progress = Pick<EndedCall, 'source' | 'mock' | 'mask'>;

/** @param named hides what even the script must not see: a remote server that echoes the request would reveal it */
export function completedCall(
  operation: ApiOperation,
  received: Response,
  named: SecretMask,
  progress: Progress,
): EndedCall {
  const response = named.isEmpty ? received : withoutSecrets(received, named);
  const isImage = operation.startsWith('GetImage') && response.status >= 200 && response.status < 300;
  const text = isImage ? '' : textOf(response.body, response.headers);
  // Its bytes were masked as UTF-8.
  const shown = isUtf8(response.body, response.headers) ? text : named.text(text);
  const result = { ...responseOf(operation, response, shown), responseHeaders: scriptHeaders(response.headers, named) };
  return { ...progress, response, result, error: null };
}

/** Without a response. */
export function failedCall({ name, message }: HttpFailure, progress: Progress): EndedCall {
  const result = failedResponse(name, progress.mask.text(message));
  return { ...progress, response: null, result, error: name };
}

/** Without a call. */
export function invalidCall(message: string, mask = new SecretMask([])): EndedCall {
  const result = failedResponse('InvalidArgument', mask.text(message));
  return { source: 'none', mock: null, response: null, result, error: 'InvalidArgument', mask };
}

function withoutSecrets(response: Response, named: SecretMask): Response {
  const body = named.bytes(response.body);
  return { ...response, statusText: named.text(response.statusText), body };
}
