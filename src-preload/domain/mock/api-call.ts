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

/** `live`: mocks are not asked. `mockFirst`: a mock answers where one fits. `offline`: nothing leaves. */
export const API_MODES = ['live', 'mockFirst', 'offline'] as const;
export type ApiMode = (typeof API_MODES)[number];

/** An argument as a script gave it; `not` says what it is where it is neither text nor missing: `a number`. */
export type ApiArgument = string | null | { not: string };

/** An API Response Object on its way to the script; of an image `responseObject` is null and `image` its bytes. */
export interface ApiAnswer {
  success: boolean;
  statusCode: string;
  errorMessage: string | null;
  responseObject: string | null;
  image?: Uint8Array;
}

export type HeaderPair = [name: string, value: string];

/** A request or an answer as it is shown: secrets are masked, a long body is cut. */
export interface ApiMessage {
  headers: HeaderPair[];
  /** Null where there is none, or where it is no text. */
  body: string | null;
  /** Of the body as it was sent or received, decoded. */
  bytes: number;
}

/** `none`: no far end and no mock was asked, such as for a wrong argument. */
export const API_SOURCES = ['live', 'mock', 'none'] as const;
export type ApiSource = (typeof API_SOURCES)[number];

/** One outbound call, masked. */
export interface ApiExchange {
  operation: ApiOperation;
  /** The HTTP method in upper case; '' where it was not understood. */
  method: string;
  url: string;
  /** Text as the script sees it: `"0"` where no response came. */
  statusCode: string;
  ms: number;
  source: ApiSource;
  /** The name of the mock that answered. */
  mock: string | null;
  /** Why there was no response: `Timeout`, `ConnectionRefused` …; null where there was one. */
  error: string | null;
  request: ApiMessage;
  response: ApiMessage | null;
}

/** A call in the log of the instance. */
export interface LoggedCall extends ApiExchange {
  /** Counts the calls of this instance, from 1. */
  seq: number;
  /** When it began, RFC 3339 in UTC. */
  at: string;
  /** The tag whose script called; '' where it ran for none. */
  tag: string;
  dryRun: boolean;
}
