import { setImmediate as turn } from 'node:timers/promises';
import { createHash, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { EventListQuery } from '#domain/event/event';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';
import type { ApiLimits } from '../limits.ts';
import { Places } from '../places.ts';
import { Waits } from './wait.ts';
import { sendProblem } from '../problem.ts';
import type { ConsumerReports } from '../consumers/consumer-log.ts';
import { alteredList, altersList } from '../faults/inject.ts';
import type { EventSource, ListChunk } from './event-source.ts';
import { parseListQuery, queryOf } from './list-query.ts';
import { GzipList, JSON_FORM, NDJSON_FORM, PlainList, SlowClient, taken, writeList } from './list-stream.ts';

interface ListParts {
  source: Pick<EventSource, 'list' | 'version' | 'onFeed'>;
  limits: ApiLimits;
  /** Places of requests that wait for a change. */
  waits: Places;
  consumers?: ConsumerReports | undefined;
  /** The path before `/api/events` in links; '' if there is none. */
  base: string;
  /** Why this list has no pages. */
  noPages?: string;
  /** Takes a function that ends open lists: their clients may have a key that is no longer valid. */
  onKeyChange?: (endLists: () => void) => void;
  /** Ends the listeners of the handler. */
  closing: DisposableStack;
}

/**
 * `GET /api/events`: a JSON array or NDJSON, streamed from one snapshot and compressed if the client accepts it; with
 * `limit` a page, with a Link to the next if there is one.
 */
export function createListHandler(parts: ListParts) {
  const { source, limits, consumers, base, noPages, onKeyChange, closing } = parts;
  const lists = new Places({ most: limits.lists, graceMs: limits.slowListMs });
  // Separate places: slow readers of lists don't block pages.
  const pages = new Places({ most: limits.pages, graceMs: limits.slowPageMs });
  const waits = new Waits({ source, limits, places: parts.waits, closing });
  onKeyChange?.(() => {
    for (const open of [lists, parts.waits]) open.endAll();
  });

  return async (request: Request, response: Response): Promise<void> => {
    const query = queryOf(request.url);
    const filter = parseListQuery(query);
    if (!filter.ok) return sendProblem(response, 'invalid-query', filter.detail);
    const namesPage = filter.value.limit !== null || filter.value.after !== null;
    if (noPages !== undefined && namesPage) return sendProblem(response, 'invalid-query', noPages);

    const isNdjson =
      request.headers.accept !== undefined && request.accepts([JSON_FORM.type, NDJSON_FORM.type]) === NDJSON_FORM.type;
    const form = isNdjson ? NDJSON_FORM : JSON_FORM;
    response.setHeader('Vary', 'Accept, Accept-Encoding');
    response.setHeader('Cache-Control', 'private, no-cache');
    const tagOf = (version: number | string) => etagOfList(version, query, form.type);
    const currentTag = (): MaybePromise<string> => {
      const version = source.version();
      return version instanceof Promise ? version.then(tagOf) : tagOf(version);
    };
    const known = request.headers['if-none-match'];
    if (request.headers.prefer !== undefined) {
      // A client without an ETag waits for the first event of its list, such as those after an id.
      const hasNews = async () =>
        known === undefined ? any({ ...filter.value, limit: 1 }) : !namesEtag(known, await currentTag());
      await waits.until(request, response, hasNews);
    }
    // Before the snapshot is taken: the next call detects a tag that is too old, but not one that is too new.
    const tag = currentTag();
    // A version that is there takes no turn of the event loop.
    const etag = typeof tag === 'string' ? tag : await tag;
    response.setHeader('ETag', etag);
    if (namesEtag(known, etag)) {
      response.status(304).end();
      return;
    }
    const isPage = filter.value.limit !== null && filter.value.limit <= limits.pageEvents;
    const places = isPage ? pages : lists;
    const release = places.take(() => response.destroy());
    if (!release) {
      response.removeHeader('ETag');
      const detail = isPage
        ? `${places.size} pages are already being sent. Try again in a second.`
        : `${places.size} lists are already being streamed. Try again in a second${noPages === undefined ? `, or request pages: limit=${limits.pageEvents}` : ''}.`;
      return sendProblem(response, 'busy', detail, { 'Retry-After': '1' });
    }

    try {
      const gzip = request.acceptsEncodings(['gzip', 'identity']) === 'gzip';
      const isAltered = altersList(request);
      const compressed = gzip && form === JSON_FORM && !isAltered;
      const chunks =
        filter.value.limit === null ? source.list(filter.value, { compressed }) : await page(filter.value, response);
      response.status(200).type(form.type);
      if (gzip) response.set('Content-Encoding', 'gzip');
      if (request.method === 'HEAD') {
        response.end();
        return;
      }
      const sent = isAltered ? alteredList(request, chunks) : chunks;
      const last = await writeList(response, sent, gzip ? new GzipList(form) : new PlainList(form), limits);
      await taken(response, limits.stallMs);
      if (response.writableFinished) report(request, filter.value, last, response.hasHeader('Link'));
    } catch (thrown) {
      if (!(thrown instanceof SlowClient)) throw thrown;
      response.destroy();
    } finally {
      release();
    }
  };

  /** A list of a time, or of disabled events, does not say which active events the client knows. */
  function report(request: Request, filter: EventListQuery, last: number, isFull: boolean): void {
    if (filter.active === false || filter.from !== null || filter.to !== null) return;
    consumers?.sent(request, { ruleId: filter.ruleId, after: filter.after ?? 0, last }, isFull);
  }

  /** A page is read completely, because its Link is sent first. */
  async function page(filter: EventListQuery, response: Response): Promise<ListChunk[]> {
    const chunks: ListChunk[] = [];
    for await (const chunk of source.list(filter)) {
      chunks.push(chunk);
      await turn();
    }
    const count = chunks.reduce((sum, chunk) => sum + chunk.count, 0);
    const last = chunks.at(-1)?.lastId ?? null;
    if (last !== null && count === filter.limit && (await any({ ...filter, after: last, limit: 1 }))) {
      const next = new URLSearchParams(queryOf(response.req.url));
      next.set('after', String(last));
      response.set('Link', `<${base}/api/events?${next.toString()}>; rel="next"`);
    }
    return chunks;
  }

  async function any(filter: EventListQuery): Promise<boolean> {
    for await (const chunk of source.list(filter)) return chunk.count > 0;
    return false;
  }
}

/** Counters restart with every process: an ETag of an earlier process must not match. */
const INSTANCE = randomBytes(6).toString('base64url');

/** Hashes of the first distinct queries: clients poll with the same ones. */
const hashes = new Map<string, string>();
const MAX_HASHES = 100;

/**
 * The ETag of a list: changes with every change of any event, and differs by query and format. Weak, because the bytes
 * may differ (compression) when the content does not.
 */
function etagOfList(version: number | string, query: string, form: string): string {
  const key = `${form} ${query}`;
  const what = hashes.get(key) ?? createHash('sha256').update(key).digest('base64url').slice(0, 12);
  if (hashes.size < MAX_HASHES) hashes.set(key, what);
  const state = typeof version === 'number' ? `${INSTANCE}-${version}` : version;
  return `W/"${state}-${what}"`;
}

/** Whether an If-None-Match header contains the tag; compared weakly (RFC 9110). */
function namesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => opaque(tag) === opaque(etag));
}

const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
