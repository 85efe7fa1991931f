import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { HeaderPair } from '#domain/mock/api-call';
import { codingsOf, decoded, tooLarge } from './decode-body.ts';
import { headerOf, valuesOf } from './header-sets.ts';
import type { HttpFailure } from './http-failure.ts';

/** A response with its body decompressed. */
export interface CollectedResponse {
  status: number;
  statusText: string;
  /** In the order received, as Latin-1 texts. */
  headers: HeaderPair[];
  body: Buffer;
}

/** How much of the body of a response is collected. */
export interface BodyLimit {
  /** Bytes, before and after decompression. */
  bytes: number;
  /** Returns the beginning of a longer body, as it was sent, instead of rejecting the response. */
  cut?: boolean;
}

/** Joining the parts of a longer body takes 10 ms for 30 MB. */
const LONG_BYTES = 1_048_576;

/** Ends a call from outside: at its deadline, or because its run has ended. */
export class CallEnd {
  reason: HttpFailure | null = null;
  #ended: (reason: HttpFailure) => void = () => undefined;

  now(reason: HttpFailure): void {
    this.reason ??= reason;
    this.#ended(this.reason);
  }

  /** The listener for the end, which replaces the previous one; called at once if it has ended. */
  onEnd(ended: (reason: HttpFailure) => void): void {
    this.#ended = ended;
    if (this.reason !== null) ended(this.reason);
  }
}

/**
 * Sends a request and collects its whole response, within the limit of its body. Rejects with HttpFailure if that is
 * exceeded, and at once with the reason of `end`; with the error of undici otherwise.
 * @param begun called when the first part of a response has arrived
 */
export function collectResponse(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limit: BodyLimit,
  end: CallEnd,
  begun: () => void,
): Promise<CollectedResponse> {
  return new Promise((resolve, reject) => {
    const collector = new ResponseCollector(limit, begun, resolve, reject);
    end.onEnd((reason) => collector.fail(reason));
    if (end.reason === null) dispatcher.dispatch(request, collector);
  });
}

/**
 * Takes the parts of a response directly from undici: its `request` creates a stream for each, which costs half as much
 * again.
 */
class ResponseCollector implements Dispatcher.DispatchHandler {
  readonly #limit: number;
  readonly #cut: boolean;
  readonly #begun: () => void;
  readonly #resolve: (response: CollectedResponse) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #chunks: Buffer[] = [];
  /** For a long body whose length is known: its parts are not copied again at the end. */
  #whole: Buffer | null = null;
  #size = 0;
  #controller: Dispatcher.DispatchController | null = null;
  #head: Omit<CollectedResponse, 'body'> | null = null;
  /** Compressed data goes through here. */
  #coded: Readable | null = null;
  #failure: Error | null = null;
  #ended = false;

  constructor(
    { bytes, cut = false }: BodyLimit,
    begun: () => void,
    resolve: (response: CollectedResponse) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#limit = bytes;
    this.#cut = cut;
    this.#begun = begun;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Aborts the response; the first reason counts. */
  fail(reason: Error): void {
    if (this.#failure !== null) return;
    this.#failure = reason;
    this.#reject(reason);
    this.#coded?.destroy(reason);
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure !== null) controller.abort(this.#failure);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, _: unknown, statusText = ''): void {
    this.#begun();
    if (status < 200) return;
    const headers = pairsOf(controller.rawHeaders);
    const head = { status, statusText, headers };
    this.#head = head;
    if (this.#cut) return;
    const length = headerOf(headers, 'content-length');
    if (length !== null && Number(length) > this.#limit) throw tooLarge(this.#limit);
    const codings = codingsOf(valuesOf(headers, 'content-encoding'));
    if (codings.length === 0) {
      if (Number(length) > LONG_BYTES) this.#whole = Buffer.allocUnsafeSlow(Number(length));
      return;
    }
    this.#coded = new Readable({ read: () => controller.resume() });
    decoded(this.#coded, codings, this.#limit).then(
      (body) => {
        this.#resolve({ ...head, body });
        // Data after the end of the compressed data is useless.
        if (!this.#ended) controller.abort(new Error('the body continues after its end'));
      },
      (thrown: unknown) => this.fail(thrown instanceof Error ? thrown : new Error(String(thrown))),
    );
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const from = this.#size;
    this.#size += chunk.length;
    if (this.#size > this.#limit) {
      if (!this.#cut || this.#head === null) throw tooLarge(this.#limit);
      this.#chunks.push(chunk);
      this.#resolve({ ...this.#head, body: wholeOf(this.#chunks, this.#limit) });
      controller.abort(tooLarge(this.#limit));
      return;
    }
    if (this.#whole !== null && this.#size > this.#whole.length) {
      this.#chunks.push(this.#whole.subarray(0, from));
      this.#whole = null;
    }
    if (this.#whole !== null) chunk.copy(this.#whole, from);
    else if (this.#coded === null) this.#chunks.push(chunk);
    else if (!this.#coded.push(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    this.#ended = true;
    if (this.#coded !== null) this.#coded.push(null);
    else if (this.#head !== null)
      this.#resolve({ ...this.#head, body: this.#whole?.subarray(0, this.#size) ?? wholeOf(this.#chunks, this.#size) });
  }

  onResponseError(_: unknown, error: Error): void {
    this.fail(error);
  }
}

/** A chunk is a part of a larger buffer: copied, so that a small stored body does not keep all of it. */
function wholeOf(chunks: readonly Buffer[], size: number): Buffer {
  return Buffer.concat(chunks, size);
}

function pairsOf(headers: unknown): HeaderPair[] {
  const pairs: HeaderPair[] = [];
  if (Array.isArray(headers)) {
    for (let index = 0; index + 1 < headers.length; index += 2) {
      pairs.push([textOf(headers[index]), textOf(headers[index + 1])]);
    }
    return pairs;
  }
  if (typeof headers !== 'object' || headers === null) return pairs;
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value]) pairs.push([name, String(one)]);
  }
  return pairs;
}

function textOf(part: unknown): string {
  return Buffer.isBuffer(part) ? part.toString('latin1') : String(part);
}
