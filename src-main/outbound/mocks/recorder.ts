import { mockRoute } from '#contract/mocks';
import type { HeaderPair } from '#domain/mock/api-call';
import { isJsonObject, type Json } from '#domain/text/json';
import type { MockBody, MockBodyMatch, MockRoute } from '#domain/mock/mock';
import { messageOf } from '../../platform/errors.ts';
import { textOf } from '../api-response.ts';
import type { HttpRequest } from '../http/build-request.ts';
import { headerOf } from '../http/header-sets.ts';
import type { HttpResponse } from '../http/http-client.ts';
import { isSecretName, maskBody, maskHeaders, maskUrl } from '../secrets/masking.ts';
import { MASK, type SecretMask } from '../secrets/secret-mask.ts';
import { fieldsOf } from './match-body.ts';
import type { MockBook } from './mock-book.ts';
import type { MockFiles } from './mock-files.ts';

/** The parts of a response that are recorded. */
type RecordedResponse = Pick<HttpResponse, 'status' | 'headers' | 'body'>;

/** Headers that a recorded response keeps; the others belong to the connection, or are cookies. */
const KEPT =
  /^(?:content-type|content-language|content-disposition|retry-after|x-total-count|link|etag|last-modified)$/i;
/** Larger bodies become files of the folder `mock-files`. */
const INLINE_BYTES = 65_536;
/** Members that are nested deeper are not compared. */
const DEPTH = 100;

export interface RecorderParts {
  book: Pick<MockBook, 'find' | 'save'>;
  files: MockFiles;
  /** Receives internal errors of Tagwright. */
  fault: (where: string, thrown: unknown) => void;
}

/** Creates mocks from live calls that no mock matches yet, if possible. */
export class Recorder {
  readonly #parts: RecorderParts;
  /** Of mocks that are being saved: concurrent equal calls create one. */
  readonly #underWay = new Set<string>();
  /** Why the last mock was not saved: a full disk is not reported with every call. */
  #failed: string | null = null;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** Does not wait until the mock is saved, and never throws. */
  record(shown: HttpRequest, response: RecordedResponse, mask: SecretMask): void {
    const { book, files } = this.#parts;
    const failed = (thrown: unknown) => this.#report(thrown);
    try {
      if (book.find(shown) !== null) return;
      const route = recorded(shown, response, mask, files);
      // A status or a URL that no mock can have: it would be lost at the next start.
      if (!mockRoute.safeParse(route).success) return;
      const key = JSON.stringify(route.request);
      if (this.#underWay.has(key)) return;
      this.#underWay.add(key);
      book
        .save(route)
        .then(() => (this.#failed = null))
        .catch(failed)
        .finally(() => this.#underWay.delete(key));
    } catch (thrown) {
      failed(thrown);
    }
  }

  #report(thrown: unknown): void {
    const message = messageOf(thrown);
    if (message !== this.#failed) this.#parts.fault('recording a mock', thrown);
    this.#failed = message;
  }
}

/**
 * A live call as a mock with the same response, with secrets masked. `shown` is the request as the script wrote it,
 * with the placeholders of secrets.
 */
export function recorded(
  shown: HttpRequest,
  response: RecordedResponse,
  mask: SecretMask,
  files: MockFiles,
): MockRoute {
  const url = patternOf(maskUrl(shown.url.href, mask));
  return {
    name: mask.text(`${shown.method} ${shown.url.host}${shown.url.pathname}`).slice(0, 200),
    enabled: true,
    priority: 0,
    request: { method: shown.method, url, headers: [], body: bodyMatch(shown.body, mask) },
    answer: {
      status: response.status,
      headers: maskHeaders(recordedHeaders(response), mask),
      body: bodyOf(response, mask, files),
      delayMs: 0,
      fault: null,
      template: false,
    },
  };
}

/** The text of a mock is in UTF-8, other bytes are as received. */
function recordedHeaders({ headers, body }: RecordedResponse): HeaderPair[] {
  const isRecoded = isText(headerOf(headers, 'content-type') ?? '', body);
  return headers
    .filter(([name]) => KEPT.test(name))
    .map(([given, value]) => {
      const name = given.toLowerCase();
      const isType = isRecoded && name === 'content-type';
      return [name, isType ? value.replace(/(;\s*charset\s*=\s*)[^\s;]+/i, '$1utf-8') : value];
    });
}

/** Masked parts match anything; a `*` in the URL itself also matches itself. */
function patternOf(url: string): string {
  return url.replaceAll(MASK, '*').replaceAll(/%7B/gi, '{').replaceAll(/%7D/gi, '}');
}

/** The same JSON or form, except for secrets. */
function bodyMatch(body: string | null, mask: SecretMask): MockBodyMatch | null {
  if (body === null || body === '') return null;
  const fields = fieldsOf(body);
  if (fields === undefined) return null;
  const others = withoutSecrets(fields, mask);
  return others === undefined ? null : { json: others };
}

/** Only the members that will be equal in the next call; undefined if there are none. */
function withoutSecrets(value: Json, mask: SecretMask, depth = 0): Json | undefined {
  if (depth > DEPTH) return undefined;
  if (typeof value === 'string') return mask.text(value) === value && !value.includes('{{secret:') ? value : undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutSecrets(item, mask, depth + 1));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    const isSecret = isSecretName(name) || mask.text(name) !== name;
    const kept = isSecret ? undefined : withoutSecrets(member, mask, depth + 1);
    return kept === undefined ? [] : [[name, kept]];
  });
  return Object.fromEntries(entries);
}

function bodyOf(response: RecordedResponse, mask: SecretMask, files: MockFiles): MockBody {
  const { body, headers } = response;
  if (body.length === 0) return { kind: 'none' };
  const type = headerOf(headers, 'content-type') ?? '';
  if (!isText(type, body)) {
    const bytes = mask.bytes(body);
    if (bytes.length <= INLINE_BYTES) return { kind: 'base64', base64: bytes.toString('base64') };
    return { kind: 'file', file: files.keep(bytes, extensionOf(type)) };
  }
  const text = maskBody(textOf(body, headers), mask);
  if (text.length > INLINE_BYTES) return { kind: 'file', file: files.keep(Buffer.from(text), extensionOf(type)) };
  // The original text: a script may depend on more than its value.
  return { kind: 'text', text };
}

/** By its type, or, if that is inconclusive, by its bytes. */
export function isText(type: string, body: Buffer): boolean {
  if (/^text\/|[/+](?:json|xml|javascript|x-www-form-urlencoded|yaml)\b/i.test(type)) return true;
  if (/^(?:image|audio|video|font)\/|\/(?:pdf|zip|gzip)\b/i.test(type)) return false;
  const start = body.subarray(0, 4_096);
  return !start.includes(0) && !new TextDecoder().decode(start, { stream: true }).includes('\ufffd');
}

function extensionOf(type: string): string {
  const name = /^[\w-]+\/(?:[\w.-]+\+)?([\w-]{1,12})/.exec(type)?.[1] ?? 'bin';
  return name === 'octet-stream' ? 'bin' : name.toLowerCase();
}
