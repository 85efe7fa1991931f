/** The methods of `ApiValueManager`, as the requirements name them. */
export const API_OPERATIONS = [
  'GetOauthToken',
  'Fetch',
  'FetchWithBearerToken',
  'FetchWithApiKey',
  'FetchWithUserCredentials',
  'GetImage',
  'GetImageWithBearerToken',
  'GetImageWithApiKey',
  'GetImageWithUserCredentials',
] as const;
export type ApiOperation = (typeof API_OPERATIONS)[number];

export type ApiParameter =
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
export const API_PARAMETERS: Readonly<Record<ApiOperation, readonly ApiParameter[]>> = {
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

export const HTTP_VERBS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
export type HttpVerb = (typeof HTTP_VERBS)[number];
export const EXPECTED_VERBS = '"get", "post", "put" or "delete"';

/** The verb of an `httpMethod`, in any case; null if it is none. */
export function httpVerbOf(text: string): HttpVerb | null {
  const verb = text.trim().toUpperCase();
  return HTTP_VERBS.find((one) => one === verb) ?? null;
}

/** `live`: no mocks. `mockFirst`: a mock responds if one matches. `offline`: only mocks. */
export const API_MODES = ['live', 'mockFirst', 'offline'] as const;
export type ApiMode = (typeof API_MODES)[number];

/** An argument from a script; `not` describes a value that is neither text nor missing: `a number`. */
export type ApiArgument = string | null | { not: string };

/** An API Response Object for the script; for an image, `responseObject` is null and `image` has its bytes. */
export interface ApiResponse {
  success: boolean;
  statusCode: string;
  errorMessage: string | null;
  responseObject: string | null;
  image?: Uint8Array;
  /** A long text in place of the response object, or of the error message without success: its bytes, which the host decodes. */
  text?: { bytes: Uint8Array; charset: string };
  /** By their names in lower case; values of the same name are joined with commas. Absent without a response. */
  responseHeaders?: Record<string, string>;
}

export type HeaderPair = [name: string, value: string];

/** A request or a response for display: secrets are masked, a long body is cut off. */
export interface ApiMessage {
  headers: HeaderPair[];
  /** Null if there is none, or it is not text. */
  body: string | null;
  /** Size of the decoded body as sent or received. */
  bytes: number;
}

/** `none`: no request was sent to a remote server or a mock, for example because of an invalid argument. */
export const API_SOURCES = ['live', 'mock', 'none'] as const;
export type ApiSource = (typeof API_SOURCES)[number];

/** One outbound call, masked. */
export interface ApiExchange {
  operation: ApiOperation;
  /** The HTTP method in upper case; '' if it is invalid. */
  method: string;
  url: string;
  /** Text as the script sees it: `"0"` without a response. */
  statusCode: string;
  ms: number;
  source: ApiSource;
  /** The name of the mock that responded. */
  mock: string | null;
  /** Why there was no response: `Timeout`, `ConnectionRefused` …; null with a response. */
  error: string | null;
  /** The same as a sentence, cut off if it is long; absent with a response. */
  reason?: string;
  request: ApiMessage;
  response: ApiMessage | null;
}

/** A call in the log of the instance. */
export interface LoggedCall extends ApiExchange {
  /** Counts the calls of this instance, from 1. */
  seq: number;
  /** Start time, RFC 3339 in UTC. */
  at: string;
  /** The tag of the calling script; '' if it ran without a tag. */
  tag: string;
  dryRun: boolean;
  /** The number of the calling run in the journal, and the line of the call there; absent if it has none. */
  run?: number;
  line?: number;
}
