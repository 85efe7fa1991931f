import { apiResponse } from './api-responses.ts';
import { callerLine, callHost } from './host-call.ts';
import { MAX_CALL_BYTES } from '../protocol/limits.ts';
import { isArray, stringify } from './primordials.ts';

/** More arguments than any method has: main reports an excess. */
const MAX_ARGUMENTS = 9;

/**
 * The `ApiValueManager` global. Main knows the methods and checks their arguments; this only forwards the calls.
 * Written out, because every realm creates it: methods made by a function would take 5 µs more, 2 % of a run.
 */
export function apiValueManager(): object {
  return {
    GetOauthToken: (...args: unknown[]) => forward('GetOauthToken', args),
    Fetch: (...args: unknown[]) => forward('Fetch', args),
    FetchWithBearerToken: (...args: unknown[]) => forward('FetchWithBearerToken', args),
    FetchWithApiKey: (...args: unknown[]) => forward('FetchWithApiKey', args),
    FetchWithUserCredentials: (...args: unknown[]) => forward('FetchWithUserCredentials', args),
    GetImage: (...args: unknown[]) => forward('GetImage', args),
    GetImageWithBearerToken: (...args: unknown[]) => forward('GetImageWithBearerToken', args),
    GetImageWithApiKey: (...args: unknown[]) => forward('GetImageWithApiKey', args),
    GetImageWithUserCredentials: (...args: unknown[]) => forward('GetImageWithUserCredentials', args),
  };
}

function forward(name: string, args: unknown[]): object {
  // The frame above is that of the method.
  const line = callerLine(forward, 2);
  const text = argumentsJson(args);
  if (text === null) return apiResponse(tooLarge(name));
  return apiResponse(callHost('api', line, `"${name}",[${text}]`));
}

/** Null if it exceeds the size of one call. */
function argumentsJson(args: unknown[]): string | null {
  let text = '';
  for (let index = 0; index < args.length && index < MAX_ARGUMENTS; index += 1) {
    const value = args[index];
    // Checked first: quoting a text that is too long could take all the memory of the run.
    if (typeof value === 'string' && value.length > MAX_CALL_BYTES) return null;
    text += (index === 0 ? '' : ',') + argumentJson(value);
    if (text.length > MAX_CALL_BYTES - 1_000) return null;
  }
  return text;
}

/** A text or nothing; of anything else, main receives only the type. */
function argumentJson(value: unknown): string {
  if (typeof value === 'string') return stringify(value);
  if (value === undefined || value === null) return 'null';
  const kind = isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
  return `{"not":"${kind}"}`;
}

function tooLarge(name: string): unknown {
  const message = `the arguments of ${name} exceed the ${MAX_CALL_BYTES / 1024 / 1024} MB that one call can carry`;
  return {
    success: false,
    statusCode: '0',
    errorMessage: `{"error":"InvalidArgument","message":${stringify(message)}}`,
    responseObject: null,
  };
}
