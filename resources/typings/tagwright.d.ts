/**
 * Everything that a Tagwright script can use without imports: the variables of the run, `TagValueManager`,
 * `ApiValueManager`, `console` and standard globals such as `URL`. A script is the body of a function: `return` ends it with a result, and `await` may
 * be used.
 */

/** A value as tags keep it: any JSON value. DateTime values are ISO text in UTC, Bytes are Base64 text. */
type TagJson = null | boolean | number | string | TagJson[] | { [member: string]: TagJson };

/** Whether a value can be trusted. `Good…` and `Uncertain…` values may be used, `Bad…` ones may not. */
type TagQuality =
  | 'Good'
  | 'GoodLocalOverride'
  | 'Uncertain'
  | 'UncertainInitialValue'
  | 'UncertainLastUsableValue'
  | 'UncertainSensorNotAccurate'
  | 'UncertainEngineeringUnitsExceeded'
  | 'UncertainSubNormal'
  | 'Bad'
  | 'BadConfigurationError'
  | 'BadNotConnected'
  | 'BadDeviceFailure'
  | 'BadSensorFailure'
  | 'BadCommunicationError'
  | 'BadOutOfService'
  | 'BadNodeIdUnknown'
  | 'BadTypeMismatch'
  | 'BadTimeout'
  | 'BadOutOfMemory'
  | 'BadInternalError'
  | 'BadNotReadable'
  | 'BadNotWritable'
  | 'BadNoData'
  | 'BadOutOfRange';

/** The type of a tag value; `Unknown` is the type of a tag that does not exist. */
type TagType = 'Boolean' | 'Int' | 'Double' | 'String' | 'DateTime' | 'Json' | 'Bytes' | 'Unknown';

/** One tag of a result. Every property can be read in both casings: `item.Value` and `item.value`. */
interface TagValueItem {
  /** The requested path. */
  Path: string;
  /**
   * The current value of the tag, null if there is none. DateTime values are ISO text in UTC
   * (`new Date(item.Value)` converts it to a Date), Bytes values are Base64 text.
   */
  Value: any;
  /** Quality of the value: an OPC UA status code name such as `Good` or `BadNodeIdUnknown` (no such tag). */
  Quality: TagQuality;
  /** Type of the tag value. */
  Type: TagType;
  /**
   * Why the quality is bad or uncertain, in words: the error of a script or of SQL, a forced quality; null for a good
   * quality. Not part of the JSON of the element.
   */
  Reason: string | null;
  /** Same as `Path`. */
  path: string;
  /** Same as `Value`. */
  value: any;
  /** Same as `Quality`. */
  quality: TagQuality;
  /** Same as `Type`. */
  type: TagType;
  /** Same as `Reason`. */
  reason: string | null;
}

/** What `TagValueManager.Get` and `Set` return. Every property can be read in both casings. */
interface TagValueResult {
  /** True when the quality of every element is good or uncertain. */
  Success: boolean;
  /** One element per tag, in the order of the request, duplicates included. */
  Value: TagValueItem[];
  /** Same as `Success`. */
  success: boolean;
  /** Same as `Value`. */
  value: TagValueItem[];
}

/** One item of a `TagValueManager.Set`. */
type TagWriteItem =
  | {
      /** Path of the tag: `Root.Groups.TagName.TagProperty`. */
      tag: string;
      /** The value to write. It is converted to the type of the tag only if nothing is lost. */
      value: unknown;
    }
  | {
      /** Path of the tag: `Root.Groups.TagName.TagProperty`. */
      Tag: string;
      /** The value to write. It is converted to the type of the tag only if nothing is lost. */
      Value: unknown;
    };

/** The error of a rejected `TagValueManager.Set`: nothing was written. */
interface TagWriteError extends Error {
  /** Each rejected item, with the reason. */
  failures: { tag: string; reason: string; index?: number }[];
}

/** Reads and writes tags. */
interface TagValueManager {
  /**
   * Reads any number of tags, of any kinds, in one call.
   *
   * A tag that does not exist does not throw: its element has `Value` null, `Quality` `BadNodeIdUnknown` and `Type`
   * `Unknown`. An argument that is not an array of texts throws a TypeError.
   *
   * @example
   * const result = TagValueManager.Get(['Bottling.Line1.Filler.Speed.Value'], tagScopeDiagram, tagScopeLocation);
   * if (!result.Success) return 0;
   * return result.Value[0].Value;
   *
   * @param tags Paths of the tags, `Root.Groups.TagName.TagProperty`.
   * @param diagram The Diagram scope, for storage and script tags. Omitted, null or '': the default shared by all
   *   Diagrams. Usually `tagScopeDiagram`.
   * @param location The location scope, for storage and script tags. Omitted, null or '': the default shared by all
   *   locations. Usually `tagScopeLocation`.
   */
  Get(tags: readonly string[], diagram?: string | null, location?: string | null): TagValueResult;

  /**
   * Writes any number of tags, of any kinds, in one call: all or nothing, in the order given.
   *
   * Returns the values as written. If one item is rejected, nothing is written, and an Error is thrown whose
   * `failures` lists each rejected item as `{ tag, reason, index }`; `index` is its index in `tags`.
   *
   * Dates are written as ISO text, undefined as null, typed arrays and ArrayBuffers as Bytes, a BigInt of any size to a
   * String tag as its digits.
   *
   * @example
   * try {
   *   const items = [{ tag: 'Bottling.Line1.Order.Number.Value', value: 4711 }];
   *   TagValueManager.Set(items, tagScopeDiagram, tagScopeLocation);
   * } catch (error) {
   *   console.error(error.message, error.failures);
   * }
   *
   * @param tags The items to write.
   * @param diagram The Diagram scope, for storage and script tags: the value is stored as if that Diagram had written
   *   it. Omitted, null or '': the default shared by all Diagrams.
   * @param location The location scope, for storage and script tags. Omitted, null or '': the default shared by all
   *   locations.
   */
  Set(tags: readonly TagWriteItem[], diagram?: string | null, location?: string | null): TagValueResult;
}

/** A response whose status is from 200 to 299. Every property can be read in both casings. */
interface ApiSuccess {
  /** True for a status from 200 to 299. */
  Success: true;
  /** The status as text, `"200"`. */
  StatusCode: string;
  ErrorMessage: null;
  /** The body of the response as text; `JSON.parse` converts it to an object. */
  ResponseObject: string;
  /**
   * The headers of the response by their names in lower case, such as `response.ResponseHeaders['content-type']`. Empty
   * if there was no response. Not part of the JSON of a response.
   */
  ResponseHeaders: Record<string, string | undefined>;
  /** Same as `Success`. */
  success: true;
  /** Same as `StatusCode`. */
  statusCode: string;
  /** Same as `ErrorMessage`. */
  errorMessage: null;
  /** Same as `ResponseObject`. */
  responseObject: string;
  /** Same as `ResponseHeaders`. */
  responseHeaders: Record<string, string | undefined>;
}

/** A response with another status, or none at all. */
interface ApiFailure {
  /** True for a status from 200 to 299. */
  Success: false;
  /** The status as text, `"404"`; `"0"` if there was no response. */
  StatusCode: string;
  /**
   * Why the call failed, serialized JSON: the error body of the remote server if that is JSON, else
   * `{ error, message, status, body }`, or `{ error, message }` if there was no response: `error` is then a name such as
   * `Timeout`, `HostNotFound` or `InvalidArgument`.
   */
  ErrorMessage: string;
  ResponseObject: null;
  /**
   * The headers of the response by their names in lower case, such as `response.ResponseHeaders['content-type']`. Empty
   * if there was no response. Not part of the JSON of a response.
   */
  ResponseHeaders: Record<string, string | undefined>;
  /** Same as `Success`. */
  success: false;
  /** Same as `StatusCode`. */
  statusCode: string;
  /** Same as `ErrorMessage`. */
  errorMessage: string;
  /** Same as `ResponseObject`. */
  responseObject: null;
  /** Same as `ResponseHeaders`. */
  responseHeaders: Record<string, string | undefined>;
}

/** What every method of `ApiValueManager` returns. */
type ApiResponse = ApiSuccess | ApiFailure;

/** The parsed `ResponseObject` of the GetImage methods. */
interface ImageResponse {
  /** The image or document in Base64. */
  Base64Image: string;
  /** All its bytes, each from 0 to 255. */
  ImageData: number[];
}

/** The HTTP method, in any case. */
type HttpMethod = 'get' | 'post' | 'put' | 'delete' | 'GET' | 'POST' | 'PUT' | 'DELETE' | (string & {});

/**
 * Calls external REST systems. No method throws: the response has the error. `{{secret:NAME}}` in any argument
 * is replaced by a secret of the workspace when the call is sent.
 */
interface ApiValueManager {
  /**
   * Obtains a token from an OAuth 2 token endpoint, with a POST.
   *
   * Entries that name an HTTP header (Authorization, Accept, User-Agent, Cookie, `X-…`) are sent as headers; all others
   * are the fields of the body, as JSON or, for `application/x-www-form-urlencoded`, as a form.
   *
   * @example
   * const auth = ApiValueManager.GetOauthToken(
   *   'https://login.example.com/oauth2/token',
   *   JSON.stringify([
   *     { headerKey: 'client_id', headerValue: 'plant' },
   *     { headerKey: 'client_secret', headerValue: '{{secret:CLIENT}}' },
   *     { headerKey: 'grant_type', headerValue: 'client_credentials' },
   *   ]),
   *   'application/x-www-form-urlencoded',
   * );
   * if (!auth.Success) return auth.ErrorMessage;
   * const token = JSON.parse(auth.ResponseObject).access_token;
   *
   * @param url The token endpoint.
   * @param authHeaders A serialized array of `{ headerKey, headerValue }` with the credentials.
   * @param mediaType How the fields are sent; `application/json` by default.
   */
  GetOauthToken(url: string, authHeaders: string, mediaType?: string | null): ApiResponse;

  /**
   * Calls a REST API without authentication.
   *
   * @example
   * const answer = ApiValueManager.Fetch('https://example.com/orders/7', 'get', null);
   * if (!answer.Success) return answer.ErrorMessage;
   * return JSON.parse(answer.ResponseObject);
   *
   * @param url `http://…` or `https://…`, without user name and password.
   * @param httpMethod `get`, `post`, `put` or `delete`, in any case.
   * @param payload The body, serialized; null for none.
   * @param customHeaders A serialized array of `{ headerKey, headerValue }`; these win over all other headers.
   * @param mediaType The Accept header, and the Content-Type of a payload; `application/json` by default.
   */
  Fetch(
    url: string,
    httpMethod: HttpMethod,
    payload?: string | null,
    customHeaders?: string | null,
    mediaType?: string | null,
  ): ApiResponse;

  /**
   * Calls a REST API with an OAuth bearer token.
   *
   * @example
   * const answer = ApiValueManager.FetchWithBearerToken('https://example.com/orders/7', 'get', null, token);
   * if (!answer.Success) return answer.ErrorMessage;
   * return JSON.parse(answer.ResponseObject);
   *
   * @param url `http://…` or `https://…`, without user name and password.
   * @param httpMethod `get`, `post`, `put` or `delete`, in any case.
   * @param payload The body, serialized; null for none.
   * @param token The `access_token` of GetOauthToken.
   * @param customHeaders A serialized array of `{ headerKey, headerValue }`; these win over all other headers.
   * @param mediaType The Accept header, and the Content-Type of a payload; `application/json` by default.
   */
  FetchWithBearerToken(
    url: string,
    httpMethod: HttpMethod,
    payload: string | null | undefined,
    token: string,
    customHeaders?: string | null,
    mediaType?: string | null,
  ): ApiResponse;

  /**
   * Calls a REST API with an API key.
   *
   * @example
   * const answer = ApiValueManager.FetchWithApiKey('https://example.com/orders/7', 'get', null, '{{secret:KEY}}');
   * if (!answer.Success) return answer.ErrorMessage;
   * return JSON.parse(answer.ResponseObject);
   *
   * @param url `http://…` or `https://…`, without user name and password.
   * @param httpMethod `get`, `post`, `put` or `delete`, in any case.
   * @param payload The body, serialized; null for none.
   * @param apiKey Sent in the header `X-API-Key`, or the one that the settings name for the host.
   * @param customHeaders A serialized array of `{ headerKey, headerValue }`; these win over all other headers.
   * @param mediaType The Accept header, and the Content-Type of a payload; `application/json` by default.
   */
  FetchWithApiKey(
    url: string,
    httpMethod: HttpMethod,
    payload: string | null | undefined,
    apiKey: string,
    customHeaders?: string | null,
    mediaType?: string | null,
  ): ApiResponse;

  /**
   * Calls a REST API with the name and password of a user.
   *
   * @example
   * const answer = ApiValueManager.FetchWithUserCredentials('https://example.com/orders/7', 'get', null, 'plant', '{{secret:PASSWORD}}');
   * if (!answer.Success) return answer.ErrorMessage;
   * return JSON.parse(answer.ResponseObject);
   *
   * @param url `http://…` or `https://…`, without user name and password.
   * @param httpMethod `get`, `post`, `put` or `delete`, in any case.
   * @param payload The body, serialized; null for none.
   * @param userName The name of a user of the called API, for HTTP Basic.
   * @param password The password of that user.
   * @param customHeaders A serialized array of `{ headerKey, headerValue }`; these win over all other headers.
   * @param mediaType The Accept header, and the Content-Type of a payload; `application/json` by default.
   */
  FetchWithUserCredentials(
    url: string,
    httpMethod: HttpMethod,
    payload: string | null | undefined,
    userName: string,
    password: string,
    customHeaders?: string | null,
    mediaType?: string | null,
  ): ApiResponse;

  /**
   * Gets an image or document with an HTTP GET without authentication.
   *
   * @example
   * const image = ApiValueManager.GetImage('https://example.com/label.png');
   * if (!image.Success) return image.ErrorMessage;
   * const { Base64Image } = JSON.parse(image.ResponseObject);
   *
   * @param url `http://…` or `https://…`, without user name and password.
   * @param customHeaders A serialized array of `{ headerKey, headerValue }`; these win over all other headers.
   * @param mediaType The Accept header; `application/octet-stream` by default.
   */
  GetImage(url: string, customHeaders?: string | null, mediaType?: string | null): ApiResponse;

  /**
   * Gets an image or document with an HTTP GET with an OAuth bearer token.
   *
   * @example
   * const image = ApiValueManager.GetImageWithBearerToken('https://example.com/label.png', token);
   * if (!image.Success) return image.ErrorMessage;
   * const { Base64Image } = JSON.parse(image.ResponseObject);
   *
   * @param url `http://…` or `https://…`, without user name and password.
   * @param token The `access_token` of GetOauthToken.
   * @param customHeaders A serialized array of `{ headerKey, headerValue }`; these win over all other headers.
   * @param mediaType The Accept header; `application/octet-stream` by default.
   */
  GetImageWithBearerToken(
    url: string,
    token: string,
    customHeaders?: string | null,
    mediaType?: string | null,
  ): ApiResponse;

  /**
   * Gets an image or document with an HTTP GET with an API key.
   *
   * @example
   * const image = ApiValueManager.GetImageWithApiKey('https://example.com/label.png', '{{secret:KEY}}');
   * if (!image.Success) return image.ErrorMessage;
   * const { Base64Image } = JSON.parse(image.ResponseObject);
   *
   * @param url `http://…` or `https://…`, without user name and password.
   * @param apiKey Sent in the header `X-API-Key`, or the one that the settings name for the host.
   * @param customHeaders A serialized array of `{ headerKey, headerValue }`; these win over all other headers.
   * @param mediaType The Accept header; `application/octet-stream` by default.
   */
  GetImageWithApiKey(
    url: string,
    apiKey: string,
    customHeaders?: string | null,
    mediaType?: string | null,
  ): ApiResponse;

  /**
   * Gets an image or document with an HTTP GET with the name and password of a user.
   *
   * @example
   * const image = ApiValueManager.GetImageWithUserCredentials('https://example.com/label.png', 'plant', '{{secret:PASSWORD}}');
   * if (!image.Success) return image.ErrorMessage;
   * const { Base64Image } = JSON.parse(image.ResponseObject);
   *
   * @param url `http://…` or `https://…`, without user name and password.
   * @param userName The name of a user of the called API, for HTTP Basic.
   * @param password The password of that user.
   * @param customHeaders A serialized array of `{ headerKey, headerValue }`; these win over all other headers.
   * @param mediaType The Accept header; `application/octet-stream` by default.
   */
  GetImageWithUserCredentials(
    url: string,
    userName: string,
    password: string,
    customHeaders?: string | null,
    mediaType?: string | null,
  ): ApiResponse;
}

/** Writes to the console of the run, which keeps the last entries and counts the earlier ones. */
interface Console {
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  debug(...values: unknown[]): void;
}

/** Full path of the tag this script runs for, `Root.Groups.TagName.TagProperty`. */
declare const tagName: string;

/** Name of the Diagram that calls the tag, null when no Diagram does. Pass it on to `TagValueManager`. */
declare const tagScopeDiagram: string | null;

/** The location, from the `workcenter` query parameter of the Diagram; null if there is none. */
declare const tagScopeLocation: string | null;

/** The value being written, when the script runs because its tag is written; else undefined. */
declare const tagValue: any;

/** Reads and writes tags. */
declare const TagValueManager: TagValueManager;

/** Calls external REST systems. */
declare const ApiValueManager: ApiValueManager;

/** Writes to the console of the run. */
declare const console: Console;

/**
 * The Base64 text of the bytes that the characters of a text stand for, each up to U+00FF. For other text, encode it
 * first: `new TextEncoder().encode(text).toBase64()`.
 */
declare const btoa: (text: string) => string;

/** Decodes Base64: one character, up to U+00FF, for each byte. Throws an `InvalidCharacterError` for other text. */
declare const atob: (text: string) => string;

/** Typed arrays of bytes convert to and from text. */
interface Uint8Array<TArrayBuffer extends ArrayBufferLike> {
  /** The bytes as hexadecimal digits. */
  toHex(): string;
  /** The bytes as Base64. */
  toBase64(options?: { alphabet?: 'base64' | 'base64url'; omitPadding?: boolean }): string;
}

/** Typed arrays of bytes convert to and from text. */
interface Uint8ArrayConstructor {
  /** The bytes of hexadecimal digits. */
  fromHex(text: string): Uint8Array;
  /** The bytes of Base64. */
  fromBase64(text: string, options?: { alphabet?: 'base64' | 'base64url' }): Uint8Array;
}

/** Converts text to bytes, in UTF-8. */
interface TextEncoder {
  readonly encoding: 'utf-8';
  /** The bytes of the text in UTF-8. */
  encode(text?: string): Uint8Array;
  /** Writes as much of the text as fits: `read` characters as `written` bytes. */
  encodeInto(text: string, bytes: Uint8Array): { read: number; written: number };
}

/** Converts text to bytes, in UTF-8. */
declare const TextEncoder: { new (): TextEncoder; readonly prototype: TextEncoder };

/** Converts bytes to text. */
interface TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /** The text of the bytes. With `stream`, an incomplete character at the end waits for the next call. */
  decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}

/**
 * Converts bytes to text: UTF-8 (the default), UTF-16 and encodings with one byte for each character, such as
 * `windows-1252`. With `fatal`, invalid bytes throw a TypeError instead of becoming U+FFFD.
 */
declare const TextDecoder: {
  new (encoding?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder;
  readonly prototype: TextDecoder;
};

/** The parts of a URL; writing one changes the others. */
interface URL {
  /** The whole URL. */
  href: string;
  /** Protocol, host and port. */
  readonly origin: string;
  /** With a colon at the end: `https:`. */
  protocol: string;
  username: string;
  password: string;
  /** Host name and port. */
  host: string;
  hostname: string;
  /** Empty for the default port of the protocol. */
  port: string;
  pathname: string;
  /** The query with its question mark, or empty. */
  search: string;
  /** The fragment with its `#`, or empty. */
  hash: string;
  /** The query as a list of names and values; changing it changes the URL. */
  readonly searchParams: URLSearchParams;
  toString(): string;
  toJSON(): string;
}

/**
 * Takes a URL apart, or resolves a relative one. Throws a TypeError for text that is not a URL.
 *
 * @example
 * const url = new URL('/orders', 'https://example.com');
 * url.searchParams.set('station', tagScopeLocation ?? '');
 * return ApiValueManager.Fetch(url.href, 'get');
 */
declare const URL: {
  new (url: string | URL, base?: string | URL): URL;
  readonly prototype: URL;
  /** Whether `new URL` would not throw. */
  canParse(url: string | URL, base?: string | URL): boolean;
  /** Like `new URL`, but null instead of a TypeError. */
  parse(url: string | URL, base?: string | URL): URL | null;
};

/** The names and values of a query, decoded, in their order. */
interface URLSearchParams {
  readonly size: number;
  append(name: string, value: string): void;
  /** Removes all values of the name, or only this one. */
  delete(name: string, value?: string): void;
  /** The first value, null if there is none. */
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  /** Replaces all values of the name by one. */
  set(name: string, value: string): void;
  sort(): void;
  forEach(each: (value: string, name: string, params: URLSearchParams) => void): void;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  entries(): IterableIterator<[string, string]>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
  /** The query without a question mark, encoded. */
  toString(): string;
}

/** Reads and writes queries, such as `a=1&b=2`. */
declare const URLSearchParams: {
  new (init?: string | Iterable<[string, string]> | Record<string, string> | URLSearchParams): URLSearchParams;
  readonly prototype: URLSearchParams;
};

/**
 * A deep copy, with cycles, Map, Set, Date, Error and typed arrays. Objects of classes become plain objects; functions
 * and symbols throw a `DataCloneError`.
 */
declare const structuredClone: <Value>(value: Value, options?: { transfer?: ArrayBuffer[] }) => Value;

/** The hash of a digest or of HMAC. */
type HashName = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512';

/** Bytes. `new TextEncoder().encode(text)` makes them of text. */
type BufferSource = ArrayBuffer | ArrayBufferView;

/** A key for HMAC. */
interface CryptoKey {
  readonly type: 'secret';
  readonly extractable: boolean;
  readonly algorithm: { name: 'HMAC'; hash: { name: HashName }; length: number };
  readonly usages: ('sign' | 'verify')[];
}

/** HMAC with one of the hashes. */
interface HmacAlgorithm {
  name: 'HMAC';
  hash: HashName | { name: HashName };
  /** Bits of the key. */
  length?: number;
}

/** Digests and HMAC. Other algorithms are not available. */
interface SubtleCrypto {
  /** @example const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toHex(); */
  digest(algorithm: HashName | { name: HashName }, data: BufferSource): Promise<ArrayBuffer>;
  importKey(
    format: 'raw',
    key: BufferSource,
    algorithm: HmacAlgorithm,
    extractable: boolean,
    usages: readonly ('sign' | 'verify')[],
  ): Promise<CryptoKey>;
  exportKey(format: 'raw', key: CryptoKey): Promise<ArrayBuffer>;
  generateKey(
    algorithm: HmacAlgorithm,
    extractable: boolean,
    usages: readonly ('sign' | 'verify')[],
  ): Promise<CryptoKey>;
  sign(algorithm: 'HMAC' | { name: 'HMAC' }, key: CryptoKey, data: BufferSource): Promise<ArrayBuffer>;
  verify(
    algorithm: 'HMAC' | { name: 'HMAC' },
    key: CryptoKey,
    signature: BufferSource,
    data: BufferSource,
  ): Promise<boolean>;
}

/** Random ids and bytes, digests and HMAC. */
interface Crypto {
  /**
   * Digests and HMAC.
   *
   * @example
   * const bytes = (text) => new TextEncoder().encode(text);
   * const key = await crypto.subtle.importKey('raw', bytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
   * const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(payload))).toHex();
   */
  readonly subtle: SubtleCrypto;
  /** A random id: a UUID of version 4. */
  randomUUID(): string;
  /** Fills a typed array of integers, up to 65,536 bytes, with random values, and returns it. */
  getRandomValues<View extends ArrayBufferView>(view: View): View;
}

/** Random ids and bytes, digests and HMAC. */
declare const crypto: Crypto;
