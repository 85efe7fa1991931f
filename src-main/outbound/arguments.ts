import type { ApiArgument, ApiOperation } from '#domain/mock/api-call';
import { shown } from './http/header-sets.ts';
import { InvalidArgument } from './invalid-argument.ts';

export type Parameter =
  | 'url'
  | 'authHeaders'
  | 'httpMethod'
  | 'payload'
  | 'token'
  | 'apiKey'
  | 'userName'
  | 'password'
  | 'customHeaders'
  | 'mediaType';

/** The parameters of each method in the order of the requirements. */
export const SIGNATURES: Readonly<Record<ApiOperation, readonly Parameter[]>> = {
  GetOauthToken: ['url', 'authHeaders', 'mediaType'],
  Fetch: ['url', 'httpMethod', 'payload', 'customHeaders', 'mediaType'],
  FetchWithBearerToken: ['url', 'httpMethod', 'payload', 'token', 'customHeaders', 'mediaType'],
  FetchWithApiKey: ['url', 'httpMethod', 'payload', 'apiKey', 'customHeaders', 'mediaType'],
  FetchWithUserCredentials: ['url', 'httpMethod', 'payload', 'userName', 'password', 'customHeaders', 'mediaType'],
  GetImage: ['url', 'customHeaders', 'mediaType'],
  GetImageWithBearerToken: ['url', 'token', 'customHeaders', 'mediaType'],
  GetImageWithApiKey: ['url', 'apiKey', 'customHeaders', 'mediaType'],
  GetImageWithUserCredentials: ['url', 'userName', 'password', 'customHeaders', 'mediaType'],
};

/** What to pass instead of an argument that is not a text. */
const EXPECTED: Readonly<Record<Parameter, string>> = {
  url: 'a text such as "https://host/path"',
  authHeaders: 'a serialized array: JSON.stringify([{ headerKey, headerValue }])',
  httpMethod: '"get", "post", "put" or "delete"',
  payload: 'a serialized text, JSON.stringify(payload), or null',
  token: 'a text, the access_token of GetOauthToken',
  apiKey: 'a text',
  userName: 'a text',
  password: 'a text',
  customHeaders: 'a serialized array: JSON.stringify([{ headerKey, headerValue }]), or null',
  mediaType: 'a text such as "application/json", or omit it',
};

/** Only a password may be empty. */
const REQUIRED: ReadonlySet<Parameter> = new Set([
  'url',
  'authHeaders',
  'httpMethod',
  'token',
  'apiKey',
  'userName',
  'password',
]);

export type CallArguments = Partial<Record<Parameter, string>>;

/** The arguments by name; optional ones that are missing or null are omitted. Throws InvalidArgument. */
export function argumentsOf(operation: ApiOperation, given: readonly ApiArgument[]): CallArguments {
  const signature = SIGNATURES[operation];
  const named: CallArguments = {};
  for (const [index, parameter] of signature.entries()) {
    const argument = given[index] ?? null;
    if (typeof argument === 'string') {
      named[parameter] = argument;
    } else if (argument !== null) {
      throw new InvalidArgument(
        `${parameter} (argument ${index + 1} of ${operation}) is ${argument.not}; pass ${EXPECTED[parameter]}`,
      );
    }
    if (!REQUIRED.has(parameter)) continue;
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

const VERBS = { get: 'GET', post: 'POST', put: 'PUT', delete: 'DELETE' } as const;
export type Verb = (typeof VERBS)[keyof typeof VERBS];

/** A verb regardless of case. */
export function verbOf(text: string): Verb {
  const verb = text.trim().toLowerCase();
  if (verb === 'get' || verb === 'post' || verb === 'put' || verb === 'delete') return VERBS[verb];
  throw new InvalidArgument(`httpMethod is ${shown(text)}; pass ${EXPECTED.httpMethod}`);
}
