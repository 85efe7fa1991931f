import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FeedPosition } from '#domain/event/event-change';
import type { ApiLimits } from '../../events/api/limits.ts';
import type { EventSource } from '../../events/api/list/event-source.ts';
import { parseListQuery, queryOf } from '../../events/api/list/list-query.ts';
import {
  GzipList,
  JSON_FORM,
  NDJSON_FORM,
  PlainList,
  SlowClient,
  drained,
  writeList,
} from '../../events/api/list/list-stream.ts';
import { Places } from '../../events/api/places.ts';
import { sendProblem } from '../../events/api/problem.ts';
import { parsePlace, placeText } from '../../events/api/stream/feed-place.ts';
import type { CopyOptions } from '../../storage/hub/hub-copy.ts';
import { copyRows } from '../../storage/hub/hub-copy.ts';
import { listStatement } from '../../storage/hub/hub-events.ts';
import { readSites } from '../../storage/hub/site-versions.ts';
import { chunksOf } from './list-chunks.ts';
import type { GatewaySites } from './sites.ts';

interface HeadquartersParts {
  copy: CopyOptions;
  sites: GatewaySites;
  sourceOf: (site: string) => Pick<EventSource, 'changesAfter'>;
  limits: ApiLimits;
}

/** Changes of one site that one step sends at most. */
const STEP = 500;

/** `GET /api/events` of a gateway: the events of several sites as one list, or one stream. Each has its site in `Site`. */
export class Headquarters {
  readonly #parts: HeadquartersParts;
  readonly #lists: Places;
  readonly #streams: Places;

  constructor(parts: HeadquartersParts) {
    this.#parts = parts;
    this.#lists = new Places({ most: parts.limits.lists, graceMs: parts.limits.slowListMs });
    this.#streams = new Places({ most: parts.limits.streams, graceMs: Number.POSITIVE_INFINITY });
  }

  /** @param readable resolves with the names of the sites that the consumer may read now, sorted */
  async serve(request: IncomingMessage, response: ServerResponse, readable: () => Promise<string[]>): Promise<void> {
    const isStream = request.headers.accept?.includes('text/event-stream') === true;
    const places = isStream ? this.#streams : this.#lists;
    const release = places.take(() => response.destroy());
    if (!release) {
      const detail = `${places.size} ${isStream ? 'streams' : 'lists'} of all sites are open. Try again later.`;
      return sendProblem(response, 'busy', detail, { 'Retry-After': '5' });
    }
    try {
      if (isStream) await this.#stream(request, response, readable);
      else await this.#list(request, response, await readable());
    } catch (thrown) {
      if (!(thrown instanceof SlowClient)) throw thrown;
      response.destroy();
    } finally {
      release();
    }
  }

  async #list(request: IncomingMessage, response: ServerResponse, sites: string[]): Promise<void> {
    const text = queryOf(request.url ?? '');
    const query = parseListQuery(text);
    if (!query.ok) return sendProblem(response, 'invalid-query', query.detail);
    if (query.value.limit !== null || query.value.after !== null) {
      const detail = 'The list of all sites has no pages, because ids belong to a site. Use /sites/SITE/api/events.';
      return sendProblem(response, 'invalid-query', detail);
    }
    const isNdjson = request.headers.accept?.includes(NDJSON_FORM.type) === true;
    const form = isNdjson ? NDJSON_FORM : JSON_FORM;
    const gzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(request.headers['accept-encoding'] ?? '');
    const versions = (await readSites(this.#parts.copy.hub, sites)).map(({ site, version }) => `${site} ${version}`);
    const state = [form.type, text, ...versions.toSorted()].join('\n');
    const etag = `W/"${createHash('sha256').update(state).digest('base64url').slice(0, 22)}"`;
    response.setHeader('ETag', etag).setHeader('Cache-Control', 'private, no-cache');
    response.setHeader('Vary', 'Accept, Accept-Encoding');
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
    response.setHeader('Content-Type', isNdjson ? form.type : `${form.type}; charset=utf-8`);
    if (gzip) response.setHeader('Content-Encoding', 'gzip');
    if (request.method === 'HEAD') return void response.end();
    const { copy, limits } = this.#parts;
    const chunks = chunksOf(copyRows(copy, listStatement(sites, query.value, true)));
    await writeList(response, chunks, gzip ? new GzipList(form) : new PlainList(form), limits);
    if (!response.closed)
      await once(response, 'close', { signal: AbortSignal.timeout(limits.stallMs) }).catch(() => response.destroy());
  }

  async #stream(request: IncomingMessage, response: ServerResponse, readable: () => Promise<string[]>): Promise<void> {
    const { sites, sourceOf, limits } = this.#parts;
    if (queryOf(request.url ?? '') !== '') {
      return sendProblem(response, 'invalid-query', 'The stream of all sites has no parameters.');
    }
    const positions = parsePlaces(String(request.headers['last-event-id'] ?? ''));
    if (!positions) {
      const detail = 'Last-Event-ID is the id of the last message that you received. Omit it for a new list.';
      return sendProblem(response, 'invalid-query', detail);
    }
    const names = await readable();
    for (const name of positions.keys()) if (!names.includes(name)) positions.delete(name);
    const due = new Set(names);
    let wake = () => {};
    const unsubscribe = sites.onChange((changed) => {
      for (const name of names) if (changed.has(name)) due.add(name);
      wake();
    });
    const stop = sites.read(names);
    response.once('close', () => wake());
    response.setHeader('Cache-Control', 'no-store').setHeader('Content-Type', 'text/event-stream').flushHeaders();
    try {
      while (!response.destroyed) {
        for (const name of due) {
          due.delete(name);
          const before = positions.get(name) ?? null;
          const page = await sourceOf(name).changesAfter(before, { ruleId: null, limit: STEP });
          let text = page.isReset ? `event: reset\ndata: {"Site":"${name}"}\n\n` : '';
          for (const { kind, event, position } of page.changes) {
            positions.set(name, position);
            text += `event: ${kind}\nid: ${placesText(positions)}\ndata: ${JSON.stringify({ Site: name, ...event })}\n\n`;
          }
          positions.set(name, page.position);
          if (text !== '' && !response.write(text)) await drained(response, limits.stallMs);
          if (response.destroyed) return;
          if (!page.isEnd) due.add(name);
        }
        const woken = new Promise<boolean>((resolve) => {
          wake = () => resolve(true);
          setTimeout(() => resolve(false), limits.heartbeatMs).unref();
        });
        if (due.size === 0 && !response.destroyed && !(await woken))
          response.write(`id: ${placesText(positions)}\n:\n\n`);
      }
    } finally {
      unsubscribe();
      stop();
    }
  }
}

/** `leeds:17,york:9.4`: the position in the feed of each site. */
const placesText = (positions: ReadonlyMap<string, FeedPosition>): string =>
  [...positions].map(([site, position]) => `${site}:${placeText(position)}`).join(',');

/** Null if it is no such text. */
function parsePlaces(text: string): Map<string, FeedPosition> | null {
  const positions = new Map<string, FeedPosition>();
  if (text === '') return positions;
  for (const part of text.split(',')) {
    const [site = '', place = ''] = part.split(':');
    const position = parsePlace(place);
    if (!position || !/^[a-z0-9-]+$/.test(site)) return null;
    positions.set(site, position);
  }
  return positions;
}
