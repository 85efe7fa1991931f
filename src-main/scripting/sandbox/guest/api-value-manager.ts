import { apiResponse } from './api-responses.ts';
import { callerLine } from './errors.ts';
import { callHost } from './host-call.ts';
import { MAX_CALL_BYTES } from '../protocol/limits.ts';
import { isArray, stringify } from './primordials.ts';

type Method = (...args: unknown[]) => object;

/** More arguments than any method has: main reports an excess. */
const MAX_ARGUMENTS = 9;

/** The `ApiValueManager` global. Main knows the methods and checks their arguments; this only forwards the calls. */
export function apiValueManager(): object {
  return {
    GetOauthToken: method('GetOauthToken'),
    Fetch: method('Fetch'),
    FetchWithBearerToken: method('FetchWithBearerToken'),
    FetchWithApiKey: method('FetchWithApiKey'),
    FetchWithUserCredentials: method('FetchWithUserCredentials'),
    GetImage: method('GetImage'),
    GetImageWithBearerToken: method('GetImageWithBearerToken'),
    GetImageWithApiKey: method('GetImageWithApiKey'),
    GetImageWithUserCredentials: method('GetImageWithUserCredentials'),
  };
}

function method(name: string): Method {
  const call: Method = (...args) => {
    const line = callerLine(call);
    const text = argumentsJson(args);
    if (text === null) return apiResponse(tooLarge(name));
    return apiResponse(callHost('api', line, `"${name}",[${text}]`));
  };
  return call;
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
