import {
  API_PARAMETERS,
  type ApiArgument,
  type ApiOperation,
  type ApiResponse,
  type HeaderPair,
} from '#domain/mock/api-call';
import { isText, type PassedArgument, wholeArgument, wholeOf } from '../platform/long-texts/text-in-parts.ts';
import type { RecordedResponse } from '#domain/run/capsule';
import type { HttpRequest } from './http/build-request.ts';
import type { EndedCall } from './ended-call.ts';
import { isText as isTextBody } from './mocks/recording/recorded-body.ts';
import { credentialsIn, hideInWrongUrl, maskBody, maskHeaders, maskUrl } from './secrets/masking.ts';
import { lengthOfLongText, type LongText } from './secrets/long-credentials.ts';
import { type CallSecrets, SHORT } from './secrets/run-secrets.ts';
import { MASK, type Masking, SecretMask } from './secrets/secret-mask.ts';

/** An API call for a capsule: what the script passed and got, masked, and the secrets that it saw. */
export interface RecordedApi {
  args: ApiArgument[];
  response: RecordedResponse;
  secrets: string[];
  /** The parts in which something was masked, such as `args[3]` and `response`. */
  masked: string[];
}

/** The same before it is masked, as JSON. The bytes of its body come separately. */
export interface UnmaskedApi {
  operation: ApiOperation;
  args: readonly PassedArgument[];
  result: Omit<ApiResponse, 'image' | 'text'>;
  /** What the bytes are for the script; null if there are none. */
  body: { charset: string } | 'image' | null;
  /** The headers of the response. */
  headers: readonly HeaderPair[];
  /** The values of secrets in the request. */
  secrets: readonly string[];
  /** The forms of everything that must be hidden in it. */
  hidden: readonly string[];
}

/** A long call: to mask it takes too long for main. */
export interface LongApi {
  unmasked: UnmaskedApi;
  bytes: Uint8Array | null;
}

const NO_SECRETS = new SecretMask([]);
const ONLY_PLACEHOLDER = /^\{\{\s*secret:\s*[^{}\s]{1,64}\s*\}\}$/;
const CREDENTIALS: ReadonlySet<string> = new Set(['token', 'apiKey', 'password']);

/** @param request as the script sent it, with placeholders; null if none could be built */
export function recordedApi(
  { operation, args }: PassedCall,
  request: HttpRequest | null,
  { mask, result: { image, text, ...result }, response }: EndedCall,
): RecordedApi | LongApi {
  const bytes = text?.bytes ?? image ?? null;
  const unmasked: UnmaskedApi = {
    operation,
    args,
    result,
    body: text ? { charset: text.charset } : image ? 'image' : null,
    headers: response?.headers ?? [],
    secrets: request?.secrets ?? [],
    hidden: [],
  };
  if (lengthOf(unmasked, bytes) <= SHORT) return maskedApi(unmasked, bytes, mask);
  return { unmasked: { ...unmasked, hidden: mask.forms }, bytes };
}

function lengthOf({ args, result: { responseObject, errorMessage } }: UnmaskedApi, bytes: Uint8Array | null): number {
  const texts = [...args, responseObject, errorMessage].filter(isText);
  return texts.reduce((sum, { length }) => sum + length, bytes?.length ?? 0);
}

/**
 * The secrets that a script used in a call, and those of the response.
 * @param request as the script sent it; null if none could be built
 */
export function secretsOfCall(
  { operation, args }: PassedCall,
  request: HttpRequest | null,
  { result: { responseObject, errorMessage, text, image }, response }: EndedCall,
): CallSecrets {
  const imageText = image && textOfImage(image);
  const texts = [responseObject, errorMessage, text, imageText].filter((one) => one != null);
  const known = [
    ...passedSecrets(operation, args),
    ...(request?.secrets ?? []),
    ...credentialsIn(response?.headers ?? [], '', null),
  ];
  return withThoseOf(texts, known);
}

/** The same for a call that was not made, because a person gave the response. */
export function secretsOfAnswer(
  { operation, args }: PassedCall,
  { headers, body }: { headers: readonly HeaderPair[]; body: string },
): CallSecrets {
  const known = [...passedSecrets(operation, args), ...credentialsIn(headers, '', null)];
  const texts: string[] = [body];
  for (const [at, passed] of args.entries()) {
    if (!isText(passed)) continue;
    const parameter = API_PARAMETERS[operation][at] ?? '';
    if (parameter === 'url') known.push(...credentialsIn([], wholeOf(passed), null));
    else if (parameter === 'payload' || parameter.endsWith('Headers')) texts.push(wholeOf(passed));
  }
  return withThoseOf(texts, known);
}

type PassedCall = { operation: ApiOperation; args: readonly PassedArgument[] };

/** Short texts are searched at once. */
function withThoseOf(texts: readonly LongText[], known: readonly string[]): CallSecrets {
  const values = [...known];
  const unread: LongText[] = [];
  for (const text of texts) {
    if (lengthOfLongText(text) > SHORT) unread.push(text);
    else values.push(...credentialsIn([], '', typeof text === 'string' ? text : decoded(text)));
  }
  return { values, unread };
}

const decoded = ({ bytes, charset }: { bytes: Uint8Array; charset: string }): string =>
  new TextDecoder(charset).decode(bytes);

/** A response that a script gets as an image may be a text; null if it is not. */
function textOfImage(image: Uint8Array): Exclude<LongText, string> | null {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  return isTextBody('', bytes) ? { bytes, charset: 'utf-8' } : null;
}

/** The tokens, keys and passwords among the arguments of a call. */
const passedSecrets = (operation: ApiOperation, args: readonly PassedArgument[]): string[] =>
  args
    .filter((_, at) => CREDENTIALS.has(API_PARAMETERS[operation][at] ?? ''))
    .map(wholeArgument)
    .filter((value) => typeof value === 'string')
    .filter((value) => !ONLY_PLACEHOLDER.test(value));

/** Masks a call. @param mask its own one by default, from its forms */
export function maskedApi(
  { operation, args: passedArgs, result, body, headers, secrets, hidden }: UnmaskedApi,
  bytes: Uint8Array | null,
  mask = SecretMask.withForms(hidden),
): RecordedApi {
  const hasText = body !== null && body !== 'image';
  const whole = hasText ? new TextDecoder(body.charset).decode(bytes ?? undefined) : null;
  const text = (result.success ? whole : null) ?? result.responseObject;
  const errorMessage = (result.success ? null : whole) ?? result.errorMessage;
  const imageText = body === 'image' && bytes ? textOfImage(bytes) : null;
  const args = passedArgs.map(wholeArgument);
  const shown = maskArguments(operation, args, mask);
  const response = maskedResponse(
    { ...result, responseObject: text, errorMessage },
    body === 'image' ? bytes : null,
    mask,
  );
  return {
    args: shown,
    response,
    secrets: [
      ...passedSecrets(operation, args),
      ...secrets,
      ...credentialsIn(headers, '', text),
      ...credentialsIn([], '', errorMessage),
      ...credentialsIn([], '', imageText && decoded(imageText)),
    ],
    masked: [
      ...shown.flatMap((argument, at) => (argument === args[at] ? [] : [`args[${at}]`])),
      ...(response.responseObject === text ? [] : ['response']),
    ],
  };
}

/**
 * The arguments of a call without secrets. The same for arguments that are masked already, so that a replay finds the
 * recorded call.
 */
export function maskArguments(
  operation: ApiOperation,
  args: readonly PassedArgument[],
  mask: Masking = NO_SECRETS,
): ApiArgument[] {
  return args.map((passed, at) => {
    const argument = wholeArgument(passed);
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

function maskedResponse(result: UnmaskedApi['result'], image: Uint8Array | null, mask: SecretMask): RecordedResponse {
  const { success, statusCode, errorMessage, responseHeaders, responseObject } = result;
  const headers = responseHeaders && maskHeaders(Object.entries(responseHeaders), mask);
  return {
    success,
    statusCode,
    errorMessage: errorMessage === null ? null : maskBody(errorMessage, mask),
    responseObject: responseObject === null ? null : maskBody(responseObject, mask),
    ...(headers && { responseHeaders: Object.fromEntries(headers) }),
    ...(image && { image: Buffer.from(image).toString('base64') }),
  };
}
