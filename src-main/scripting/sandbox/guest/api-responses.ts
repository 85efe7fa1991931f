import { takeImage, takeText } from './host-call.ts';
import {
  base64Of,
  indexOfText,
  joinBytes,
  own,
  PrimitiveUint8Array,
  put,
  putAccessor,
  putHidden,
} from './primordials.ts';

interface ApiResponse {
  Success: boolean;
  StatusCode: string;
  ErrorMessage: string | null;
  ResponseObject: string | null;
  /** Not enumerable: it is not part of the JSON of a response. */
  ResponseHeaders: Record<string, string>;
}

interface ResponseData {
  success: boolean;
  statusCode: string;
  errorMessage: string | null;
  responseObject: string | null;
  /** Absent without a response. */
  responseHeaders?: Record<string, string>;
  /** Creates the response object from an image whose bytes can be fetched. */
  hasImage?: boolean;
  /** The response object, or the error message without success, is a text whose bytes in this charset can be fetched. */
  charset?: string;
}

type Shape = new (data: ResponseData) => ApiResponse;

let shape: Shape | null = null;
/** Number of bytes that are converted to text at a time. */
const CHUNK = 32_768;

/** An API Response Object for scripts: PascalCase members are its own, the camelCase ones are aliases. */
export function apiResponse(data: unknown): ApiResponse {
  shape ??= makeShape();
  const given = data as ResponseData;
  const response = new shape(given);
  if (own(given, 'hasImage') === true) addImage(response, takeImage());
  const charset = own(given, 'charset');
  if (charset !== undefined)
    put(response, own(given, 'success') === true ? 'ResponseObject' : 'ErrorMessage', takeText(charset));
  return response;
}

/**
 * The Image Response Object is created when it is first read: its list of bytes takes three times as many characters as
 * the image has bytes, and many scripts only read Success.
 */
function addImage(response: ApiResponse, image: ArrayBuffer): void {
  const become = (value: unknown): void => put(response, 'ResponseObject', value);
  const get = (): string => {
    const text = imageJson(image);
    become(text);
    return text;
  };
  putAccessor(response, 'ResponseObject', get, become);
}

function imageJson(image: ArrayBuffer): string {
  const base64 = base64Of(new PrimitiveUint8Array(image));
  const bytes = bytesOfBase64(base64);
  let text = `{"Base64Image":"${base64}","ImageData":[`;
  for (let from = 0; from < bytes; from += CHUNK) {
    text += (from === 0 ? '' : ',') + joinBytes(image, from, bytes - from < CHUNK ? bytes - from : CHUNK);
  }
  return `${text}]}`;
}

/**
 * The number of bytes that a Base64 text encodes. A script can change the reported length of a buffer, but not a text.
 */
function bytesOfBase64(text: string): number {
  const padding = indexOfText(text, '=', text.length - 3);
  return (text.length / 4) * 3 - (padding === -1 ? 0 : text.length - padding);
}

function makeShape(): Shape {
  class Response implements ApiResponse {
    Success: boolean;
    StatusCode: string;
    ErrorMessage: string | null;
    ResponseObject: string | null;
    declare ResponseHeaders: Record<string, string>;

    constructor(data: ResponseData) {
      this.Success = data.success;
      this.StatusCode = data.statusCode;
      this.ErrorMessage = data.errorMessage;
      this.ResponseObject = data.responseObject;
      putHidden(this, 'ResponseHeaders', own(data, 'responseHeaders') ?? {});
    }

    get success(): boolean {
      return this.Success;
    }
    set success(success: boolean) {
      this.Success = success;
    }
    get statusCode(): string {
      return this.StatusCode;
    }
    set statusCode(code: string) {
      this.StatusCode = code;
    }
    get errorMessage(): string | null {
      return this.ErrorMessage;
    }
    set errorMessage(message: string | null) {
      this.ErrorMessage = message;
    }
    get responseObject(): string | null {
      return this.ResponseObject;
    }
    set responseObject(text: string | null) {
      this.ResponseObject = text;
    }
    get responseHeaders(): Record<string, string> {
      return this.ResponseHeaders;
    }
    set responseHeaders(headers: Record<string, string>) {
      this.ResponseHeaders = headers;
    }
  }
  // The bundler named the class; without the name, objects look plain when printed.
  (Response.prototype as { constructor?: unknown }).constructor = undefined;
  return Response;
}
