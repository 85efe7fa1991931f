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
}
