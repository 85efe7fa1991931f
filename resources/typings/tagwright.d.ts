/**
 * Everything that a Tagwright script can use without imports: the variables of the run, `TagValueManager`,
 * `ApiValueManager` and `console`. A script is the body of a function: `return` ends it with a result, and `await` may
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
  /** Same as `Path`. */
  path: string;
  /** Same as `Value`. */
  value: any;
  /** Same as `Quality`. */
  quality: TagQuality;
  /** Same as `Type`. */
  type: TagType;
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
   * Dates are written as ISO text, undefined as null, typed arrays and ArrayBuffers as Bytes.
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
  /** Same as `Success`. */
  success: true;
  /** Same as `StatusCode`. */
  statusCode: string;
  /** Same as `ErrorMessage`. */
  errorMessage: null;
  /** Same as `ResponseObject`. */
  responseObject: string;
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
  /** Same as `Success`. */
  success: false;
  /** Same as `StatusCode`. */
  statusCode: string;
  /** Same as `ErrorMessage`. */
  errorMessage: string;
  /** Same as `ResponseObject`. */
  responseObject: null;
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

/** Writes to the console of the run. Entries over the limit are counted but discarded. */
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
