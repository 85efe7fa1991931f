import { API_PARAMETERS, type ApiArgument, type ApiOperation, type ApiResponse } from '#domain/mock/api-call';
import type { RecordedResponse } from '#domain/run/capsule';
import type { HttpRequest } from './http/build-request.ts';
import type { EndedCall } from './ended-call.ts';
import { credentialsIn, hideInWrongUrl, maskBody, maskHeaders, maskUrl } from './secrets/masking.ts';
import { MASK, SecretMask } from './secrets/secret-mask.ts';

/** An API call for a capsule: what the script passed and got, masked, and the secrets that it saw. */
export interface RecordedApi {
  args: ApiArgument[];
  response: RecordedResponse;
  secrets: string[];
}

const NO_SECRETS = new SecretMask([]);
const ONLY_PLACEHOLDER = /^\{\{\s*secret:\s*[^{}\s]{1,64}\s*\}\}$/;
const CREDENTIALS: ReadonlySet<string> = new Set(['token', 'apiKey', 'password']);

/** @param request as the script sent it, with placeholders; null if none could be built */
export function recordedCall(
  { operation, args }: { operation: ApiOperation; args: readonly ApiArgument[] },
  request: HttpRequest | null,
  { mask, result, response }: EndedCall,
): RecordedApi {
  const passed = args.filter((_, at) => CREDENTIALS.has(API_PARAMETERS[operation][at] ?? ''));
  const text = textOf(result);
  return {
    args: maskArguments(operation, args, mask),
    response: maskedResponse(result, text, mask),
    secrets: [
      ...passed.filter((value) => typeof value === 'string').filter((value) => !ONLY_PLACEHOLDER.test(value)),
      ...(request?.secrets ?? []),
      ...credentialsIn(response?.headers ?? [], '', text),
      ...credentialsIn([], '', result.errorMessage),
    ],
  };
}

/**
 * The arguments of a call without secrets. The same for arguments that are masked already, so that a replay finds the
 * recorded call.
 */
export function maskArguments(
  operation: ApiOperation,
  args: readonly ApiArgument[],
  mask: SecretMask = NO_SECRETS,
): ApiArgument[] {
  return args.map((argument, at) => {
    if (typeof argument !== 'string' || argument === '') return argument;
    switch (API_PARAMETERS[operation][at]) {
      case 'url':
        return URL.canParse(argument) ? maskUrl(argument, mask) : hideInWrongUrl(mask.text(argument));
      case 'token':
      case 'apiKey':
      case 'password':
        return ONLY_PLACEHOLDER.test(argument) ? argument : MASK;
      case 'payload':
      case 'authHeaders':
      case 'customHeaders':
        return maskBody(argument, mask);
      default:
        return mask.text(argument);
    }
  });
}

function maskedResponse(result: ApiResponse, text: string | null, mask: SecretMask): RecordedResponse {
  const { success, statusCode, errorMessage, responseHeaders, image } = result;
  const headers = responseHeaders && maskHeaders(Object.entries(responseHeaders), mask);
  return {
    success,
    statusCode,
    errorMessage: errorMessage === null ? null : maskBody(errorMessage, mask),
    responseObject: text === null ? null : maskBody(text, mask),
    ...(headers && { responseHeaders: Object.fromEntries(headers) }),
    ...(image && { image: Buffer.from(image).toString('base64') }),
  };
}

function textOf({ responseObject, text }: ApiResponse): string | null {
  return text ? new TextDecoder(text.charset).decode(text.bytes) : responseObject;
}
