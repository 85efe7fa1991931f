import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { mockRoute } from '#contract/texts/mock-route';
import type { HeaderPair } from '#domain/mock/api-call';
import { isJsonObject, type Json } from '#domain/text/json';
import type { Mock, MockAnswer, MockBody, MockBodyMatch, MockRequest, MockRoute } from '#domain/mock/mock';
import { MAX_ANSWERS, answersOf, routeOf } from '#domain/mock/mock';
import { writtenInPieces } from '../../../platform/long-texts/json-pieces.ts';
import { wholeOf } from '../../../platform/long-texts/text-in-parts.ts';
import { atOnce, inTurns, type Steps } from '../../../platform/turns.ts';
import { messageOf } from '../../../platform/errors.ts';
import type { HttpRequest } from '../../http/build-request.ts';
import { headerOf } from '../../http/header-sets.ts';
import type { HttpResponse } from '../../http/http-client.ts';
import { isSecretName, maskHeaders, maskUrl } from '../../secrets/masking.ts';
import { MASK, type SecretMask } from '../../secrets/secret-mask.ts';
import { fieldsOf, LongBody } from '../match-body.ts';
import type { GivenMock, MockBook } from '../mock-book.ts';
import type { MockFiles } from '../mock-files.ts';
import { bodyInThread, bodyOf, isText, LONG_BODY } from './recorded-body.ts';

/** A request with the placeholders of secrets, and the value of its long body if that is read already. */
type ShownRequest = HttpRequest & { long?: LongBody | null };

/** The parts of a response that are recorded. */
type RecordedResponse = Pick<HttpResponse, 'status' | 'headers' | 'body'>;

/** Headers that a recorded response keeps; the others belong to the connection, or are cookies. */
const KEPT =
  /^(?:content-(?:type|language|disposition)|retry-after|location|(?:x-)?ratelimit-[a-z]+|x-total-count|link|etag|last-modified)$/i;
/** A script sees less of a header, and a mock can hold little more. */
const MAX_HEADER_LENGTH = 8_000;
/** Long responses that wait in memory; the call that gets another one waits, too. */
const MOST_LONG = 2;
/** Members that are nested deeper are not compared. */
const DEPTH = 100;

export interface RecorderParts {
  book: Pick<MockBook, 'find' | 'save'>;
  files: MockFiles;
  /** Receives internal errors of Tagwright. */
  fault: (where: string, thrown: unknown) => void;
}

/** Further conditions and responses of recorded mocks. */
export interface RecordedMore {
  /** Request headers that a recorded mock requires as well, if the call has them; credentials are never recorded. */
  headers: readonly string[];
  /** Whether another response to the same call is added to the sequence of its mock. */
  sequences: boolean;
  /** The folder that new mocks go into; '' for none. */
  folder: string;
}

const NO_MORE: RecordedMore = { headers: [], sequences: false, folder: '' };

/** Creates mocks from live calls that no mock matches yet, if possible. */
export class Recorder {
  readonly #parts: RecorderParts;
  /** Mocks that are being saved, by their request: concurrent equal calls create one. */
  readonly #saving = new Map<string, Promise<void>>();
  /** Saves of mocks with long responses. */
  readonly #savingLong = new Set<Promise<void>>();
  /** Everything that has not ended. */
  readonly #pending = new Set<Promise<void>>();
  /** The ids of recorded mocks: only those get further responses. */
  readonly #recorded = new Set<number>();
  #isClosed = false;
  /** Why the last mock was not saved: a full disk is not reported with every call. */
  #failed: string | null = null;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /**
   * Does not wait until the mock is saved, unless so many long responses are in memory for it already. Never rejects. A long
   * payload is read and masked in turns with everything else, a long response in a thread.
   */
  async record(shown: ShownRequest, response: RecordedResponse, mask: SecretMask, more = NO_MORE): Promise<void> {
    if (this.#isClosed) return;
    this.#begin(shown, response, mask, more);
    if (this.#savingLong.size > MOST_LONG) await Promise.race(this.#savingLong);
  }

  /** Records no further calls, and waits until all mocks are saved: none is lost when the workspace is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  #follow(work: Promise<void>): void {
    const pending = work.finally(() => this.#pending.delete(pending));
    this.#pending.add(pending);
  }

  #begin(shown: ShownRequest, response: RecordedResponse, mask: SecretMask, more: RecordedMore): void {
    const long = shown.long ?? LongBody.of(shown.body);
    const call = { ...shown, long };
    const steps = recordedRequest(call, mask, more.headers);
    if (long !== null) {
      this.#follow(
        inTurns(keyed(steps))
          .then(({ request, key }) => this.#record(call, request, key, response, mask, more))
          .catch((thrown: unknown) => this.#report(thrown)),
      );
      return;
    }
    try {
      const request = atOnce(steps);
      this.#record(call, request, JSON.stringify(request), response, mask, more);
    } catch (thrown) {
      this.#report(thrown);
    }
  }

  #record(
    shown: ShownRequest,
    request: MockRequest,
    key: string,
    response: RecordedResponse,
    mask: SecretMask,
    more: RecordedMore,
  ): void {
    const before = this.#saving.get(key);
    if (before !== undefined && !more.sequences) return;
    if (before === undefined && !this.#isNew(shown, request, more)) return;
    const save = () => this.#save(shown, request, response, mask, more);
    const saving = (before === undefined ? save() : before.then(save))
      .catch((thrown: unknown) => this.#report(thrown))
      .finally(() => {
        if (this.#saving.get(key) === saving) this.#saving.delete(key);
        this.#savingLong.delete(saving);
      });
    this.#saving.set(key, saving);
    this.#follow(saving);
    if (response.body.length > LONG_BODY) this.#savingLong.add(saving);
  }

  /** Whether the call can become a mock, or a response of one. */
  #isNew(shown: ShownRequest, request: MockRequest, { sequences }: RecordedMore): boolean {
    const found = this.#parts.book.find(shown)?.mock;
    if (found === undefined || isSibling(found.request, request)) return true;
    return sequences && this.#recorded.has(found.id) && isDeepStrictEqual(found.request, request);
  }

  async #save(
    shown: ShownRequest,
    request: MockRequest,
    response: RecordedResponse,
    mask: SecretMask,
    more: RecordedMore,
  ): Promise<void> {
    const { book, files } = this.#parts;
    const isLong = response.body.length > LONG_BODY;
    const body = isLong ? await bodyInThread(response, mask, files) : bodyOf(response, mask, files);
    const plain = routeFor(shown, request, response, mask, body);
    const route = more.folder === '' ? plain : { ...plain, folder: more.folder };
    // A status or a URL that no mock can have: it would be lost at the next start.
    if (!mockRoute().safeParse(route).success) return;
    const found = book.find(shown)?.mock;
    if (found && isDeepStrictEqual(found.request, route.request)) {
      const given = this.#recorded.has(found.id) ? withAnswer(found, route.answer) : null;
      if (given !== null) await book.save(given);
    } else {
      // It must be matched before the one with fewer or wider conditions.
      const priority = found ? found.priority + 1 : route.priority;
      this.#recorded.add((await book.save({ ...route, priority })).id);
    }
    this.#failed = null;
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
  files: Pick<MockFiles, 'keep'>,
  headers: readonly string[] = [],
): MockRoute {
  return routeFor(shown, atOnce(recordedRequest(shown, mask, headers)), response, mask, bodyOf(response, mask, files));
}

function routeFor(
  shown: HttpRequest,
  request: MockRequest,
  response: RecordedResponse,
  mask: SecretMask,
  body: MockBody,
): MockRoute {
  return {
    name: mask.text(`${shown.method} ${shown.url.host}${shown.url.pathname}`).slice(0, 200),
    enabled: true,
    priority: 0,
    request,
    answer: {
      status: response.status,
      headers: maskHeaders(recordedHeaders(response), mask),
      body,
      delayMs: 0,
      fault: null,
      template: false,
    },
  };
}

/** The request that a recorded mock matches. */
function* recordedRequest(shown: ShownRequest, mask: SecretMask, headers: readonly string[]): Steps<MockRequest> {
  const wanted = new Set(headers.map((name) => name.toLowerCase()));
  return {
    method: shown.method,
    url: patternOf(maskUrl(shown.url.href, mask)),
    headers: shown.headers.filter(
      ([name, value]) => wanted.has(name.toLowerCase()) && !isCredential(name, value, mask),
    ),
    body: yield* bodyMatch(shown, mask),
  };
}

function isCredential(name: string, value: string, mask: SecretMask): boolean {
  return isSecretName(name) || mask.text(value) !== value || value.includes('{{secret:');
}

/** Whether a recorded request differs from that of a mock that matches it only in the headers that it requires. */
function isSibling(found: MockRequest, request: MockRequest): boolean {
  const differs = request.headers.length > 0 && !isDeepStrictEqual(found.headers, request.headers);
  return differs && isDeepStrictEqual({ ...found, headers: [] }, { ...request, headers: [] });
}

/** The mock with another response at the end of its sequence; null if that repeats the last one, or is one too many. */
function withAnswer(mock: Mock, answer: MockAnswer): GivenMock | null {
  const base = routeOf(mock);
  const [, ...others] = [...answersOf(mock), answer];
  if (others.length >= MAX_ANSWERS || isDeepStrictEqual(answersOf(mock).at(-1), answer)) return null;
  return { ...base, sequence: { end: 'repeat', ...mock.sequence, answers: others }, id: mock.id, base };
}

/** The text of a mock is in UTF-8, other bytes are as received. */
function recordedHeaders({ headers, body }: RecordedResponse): HeaderPair[] {
  const isRecoded = isText(headerOf(headers, 'content-type') ?? '', body);
  return headers
    .filter(([name, value]) => KEPT.test(name) && value.length <= MAX_HEADER_LENGTH)
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

/** A long request with a text that is the same for equal ones. */
function* keyed(steps: Steps<MockRequest>): Steps<{ request: MockRequest; key: string }> {
  const request = yield* steps;
  const hash = createHash('sha256');
  for (const part of yield* writtenInPieces(request)) {
    hash.update(part);
    yield;
  }
  return { request, key: hash.digest('hex') };
}

/** The same JSON or form, except for secrets. */
function* bodyMatch({ body, long }: ShownRequest, mask: SecretMask): Steps<MockBodyMatch | null> {
  if (body === null || body.length === 0) return null;
  if (long && long.state !== 'read') yield* long.read();
  const fields = long ? long.value : fieldsOf(wholeOf(body));
  if (fields === undefined) return null;
  const others = yield* withoutSecrets(fields, mask);
  return others === undefined ? null : { json: others };
}

/** Only the members that will be equal in the next call; undefined if there are none. */
function* withoutSecrets(value: Json, mask: SecretMask, depth = 0): Steps<Json | undefined> {
  if (depth > DEPTH) return undefined;
  if (typeof value === 'string') {
    yield;
    return mask.text(value) === value && !value.includes('{{secret:') ? value : undefined;
  }
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value) {
      const kept = yield* withoutSecrets(item, mask, depth + 1);
      if (kept === undefined) return undefined;
      items.push(kept);
    }
    return items;
  }
  if (!isJsonObject(value)) return value;
  const entries: [string, Json][] = [];
  for (const [name, member] of Object.entries(value)) {
    const isSecret = isSecretName(name) || mask.text(name) !== name;
    const kept = isSecret ? undefined : yield* withoutSecrets(member, mask, depth + 1);
    if (kept !== undefined) entries.push([name, kept]);
  }
  return Object.fromEntries(entries);
}
