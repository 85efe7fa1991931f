import { setImmediate as turn } from 'node:timers/promises';
import { createHash, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { EventListQuery } from '#domain/event/event';
import type { ApiLimits } from '../limits.ts';
import { Places } from '../places.ts';
import { sendProblem } from '../problem.ts';
import type { EventSource, ListChunk } from './event-source.ts';
import { parseListQuery } from './list-query.ts';
import { GzipList, JSON_FORM, NDJSON_FORM, PlainList, SlowClient, taken, writeList } from './list-stream.ts';

interface ListParts {
  source: Pick<EventSource, 'list' | 'version'>;
  limits: ApiLimits;
}

/**
 * `GET /api/events`: a JSON array or NDJSON, streamed from one snapshot and compressed if the client accepts it; with
 * `limit` a page, with a Link to the next if there is one.
 */
export function createListHandler({ source, limits }: ListParts) {
  const lists = new Places({ most: limits.lists, graceMs: limits.slowListMs });
  // Separate places: slow readers of lists don't block pages.
  const pages = new Places({ most: limits.pages, graceMs: limits.slowPageMs });

  return async (request: Request, response: Response): Promise<void> => {
    const query = queryOf(request.url);
    const filter = parseListQuery(query);
    if (!filter.ok) return sendProblem(response, 'invalid-query', filter.detail);

    const form = request.accepts([JSON_FORM.type, NDJSON_FORM.type]) === NDJSON_FORM.type ? NDJSON_FORM : JSON_FORM;
    // Before the snapshot is taken: a tag that is too old is detected by the next call, one that is too new never is.
    const etag = etagOfList(source.version(), query, form.type);
    response.set({ ETag: etag, Vary: 'Accept, Accept-Encoding', 'Cache-Control': 'private, no-cache' });
    if (namesEtag(request.headers['if-none-match'], etag)) {
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
        : `${places.size} lists are already being streamed. Try again in a second, or request pages: limit=${limits.pageEvents}.`;
      return sendProblem(response, 'busy', detail, { 'Retry-After': '1' });
    }

    try {
      const gzip = request.acceptsEncodings(['gzip', 'identity']) === 'gzip';
      const compressed = gzip && form === JSON_FORM;
      const chunks =
        filter.value.limit === null ? source.list(filter.value, { compressed }) : await page(filter.value, response);
      response.status(200).type(form.type);
      if (gzip) response.set('Content-Encoding', 'gzip');
      if (request.method === 'HEAD') {
        response.end();
        return;
      }
      await writeList(response, chunks, gzip ? new GzipList(form) : new PlainList(form), limits);
      await taken(response, limits.stallMs);
    } catch (thrown) {
      if (!(thrown instanceof SlowClient)) throw thrown;
      response.destroy();
    } finally {
      release();
    }
  };

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
      response.set('Link', `</api/events?${next.toString()}>; rel="next"`);
    }
    return chunks;
  }

  async function any(filter: EventListQuery): Promise<boolean> {
    for await (const chunk of source.list(filter)) return chunk.count > 0;
    return false;
  }
}

function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

/** Counters restart with every process: an ETag of an earlier process must not match. */
const INSTANCE = randomBytes(6).toString('base64url');

/** Of the first distinct queries: clients poll with the same ones. */
const hashes = new Map<string, string>();
const MAX_HASHES = 100;

/**
 * The ETag of a list: changes with every change of any event, and differs by query and format. Weak, because the bytes
 * may differ (compression) when the content does not.
 */
function etagOfList(version: number, query: string, form: string): string {
  const key = `${form} ${query}`;
  const what = hashes.get(key) ?? createHash('sha256').update(key).digest('base64url').slice(0, 12);
  if (hashes.size < MAX_HASHES) hashes.set(key, what);
  return `W/"${INSTANCE}-${version}-${what}"`;
}

/** Whether an If-None-Match header contains the tag; compared weakly (RFC 9110). */
function namesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => opaque(tag) === opaque(etag));
}

const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
