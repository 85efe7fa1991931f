import type { ApiOperation, ApiParameter, HttpVerb } from '#domain/mock/api-call';
import { API_PARAMETERS, EXPECTED_VERBS, httpVerbOf } from '#domain/mock/api-call';
import { type AnyText, isText, type PassedArgument, wholeOf } from '../platform/long-texts/text-in-parts.ts';
import { shown } from './http/header-sets.ts';
import { InvalidArgument } from './invalid-argument.ts';

/** What to pass instead of an argument that is not a text. */
const EXPECTED: Readonly<Record<ApiParameter, string>> = {
  url: 'a text such as "https://host/path"',
  authHeaders: 'a serialized array: JSON.stringify([{ headerKey, headerValue }])',
  httpMethod: EXPECTED_VERBS,
  payload: 'a serialized text, JSON.stringify(payload), or null',
  token: 'a text, the access_token of GetOauthToken',
  apiKey: 'a text',
  userName: 'a text',
  password: 'a text',
  customHeaders: 'a serialized array: JSON.stringify([{ headerKey, headerValue }]), or null',
  mediaType: 'a text such as "application/json", or omit it',
};

/** Only a password may be empty. */
const REQUIRED: ReadonlySet<ApiParameter> = new Set([
  'url',
  'authHeaders',
  'httpMethod',
  'token',
  'apiKey',
  'userName',
  'password',
]);

export type CallArguments = Partial<Record<Exclude<ApiParameter, 'payload'>, string>> & { payload?: AnyText };

/** The arguments by name; optional ones that are missing or null are omitted. Throws InvalidArgument. */
export function argumentsOf(operation: ApiOperation, given: readonly PassedArgument[]): CallArguments {
  const signature = API_PARAMETERS[operation];
  const named: CallArguments = {};
  for (const [index, parameter] of signature.entries()) {
    const argument = given[index] ?? null;
    if (isText(argument)) {
      if (parameter === 'payload') named.payload = argument;
      else named[parameter] = wholeOf(argument);
    } else if (argument !== null) {
      throw new InvalidArgument(
        `${parameter} (argument ${index + 1} of ${operation}) is ${argument.not}; pass ${EXPECTED[parameter]}`,
      );
    }
    if (parameter === 'payload' || !REQUIRED.has(parameter)) continue;
    const value = named[parameter];
    if (value === undefined || (value.trim() === '' && parameter !== 'password')) {
      const what = value === undefined ? 'missing' : 'empty';
      throw new InvalidArgument(
        `${parameter} (argument ${index + 1} of ${operation}) is ${what}; pass ${EXPECTED[parameter]}`,
      );
    }
  }
  if (given.length > signature.length && given.slice(signature.length).some((extra) => extra !== null)) {
    throw new InvalidArgument(
      `${operation} takes ${signature.length} arguments (${signature.join(', ')}), but got ${given.length}`,
    );
  }
  return named;
}

/** A verb regardless of case. */
export function verbOf(text: string): HttpVerb {
  const verb = httpVerbOf(text);
  if (verb !== null) return verb;
  throw new InvalidArgument(`httpMethod is ${shown(text)}; pass ${EXPECTED.httpMethod}`);
}
