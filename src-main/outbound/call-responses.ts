import type { HttpRequest } from './http/build-request.ts';
import type { HttpResponse } from './http/http-client.ts';
import type { SecretMask } from './secrets/secret-mask.ts';

/** A call before it was masked and cut for the log. It stays in main. */
export interface KeptCall {
  /** With the placeholders of named secrets. */
  request: HttpRequest;
  response: Pick<HttpResponse, 'status' | 'headers' | 'body'> | null;
  /** Why there was no response. */
  error: string | null;
  /** Everything that must be hidden in it. */
  mask: SecretMask;
}

/** Maximum size of all stored bodies and masks in bytes, and number of calls: the oldest are dropped. */
const MOST_BYTES = 16 * 1_048_576;
const MOST_CALLS = 500;
const IMAGE = /^(?:\u0089PNG|\u00ff\u00d8\u00ff|GIF8|RIFF....WEBP|BM)/s;

/** The complete responses to the newest calls: for images in the call log and for mocks that are created from calls. */
export class CallResponses {
  readonly #kept = new Map<number, KeptCall>();
  #bytes = 0;

  add(seq: number, call: KeptCall): void {
    if (bytesOf(call) > MOST_BYTES / 2) return;
    this.#kept.set(seq, call);
    this.#bytes += bytesOf(call);
    for (const [oldest, gone] of this.#kept) {
      if (this.#bytes <= MOST_BYTES && this.#kept.size <= MOST_CALLS) break;
      this.#kept.delete(oldest);
      this.#bytes -= bytesOf(gone);
    }
  }

  get(seq: number): KeptCall | undefined {
    return this.#kept.get(seq);
  }

  /** The image in the response to a call, as Base64; null if it is none. */
  image(seq: number): string | null {
    const body = this.#kept.get(seq)?.response?.body;
    return body !== undefined && isImage(body) ? body.toString('base64') : null;
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }
}

/** By its first bytes. */
export function isImage(body: Buffer): boolean {
  return IMAGE.test(body.subarray(0, 16).toString('latin1'));
}

const bytesOf = ({ request, response, mask }: KeptCall): number =>
  (response?.body.length ?? 0) + 2 * ((request.body?.length ?? 0) + request.url.href.length) + mask.size + 500;
