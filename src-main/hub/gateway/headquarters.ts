import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FeedPosition } from '#domain/event/event-change';
import type { OpenPlaces } from '../../events/api/app.ts';
import { createListApp } from '../../events/api/app.ts';
import type { ApiLimits } from '../../events/api/limits.ts';
import type { EventSource } from '../../events/api/list/event-source.ts';
import { createListHandler } from '../../events/api/list/list-events.ts';
import { queryOf } from '../../events/api/list/list-query.ts';
import { SlowClient, drained } from '../../events/api/list/list-stream.ts';
import { sendProblem } from '../../events/api/problem.ts';
import { parsePlace, placeText } from '../../events/api/stream/feed-place.ts';
import { STREAM_TYPE } from '../../events/api/stream/stream-events.ts';
import type { CopyOptions } from '../../storage/hub/hub-copy.ts';
import { copyRows } from '../../storage/hub/hub-copy.ts';
import { listStatement } from '../../storage/hub/hub-events.ts';
import { readSites } from '../../storage/hub/site-versions.ts';
import { oldestMirror } from './headers.ts';
import { chunksOf } from './list-chunks.ts';
import type { GatewaySites } from './sites.ts';

interface HeadquartersParts {
  copy: CopyOptions;
  sites: GatewaySites;
  sourceOf: (site: string) => Pick<EventSource, 'changesAfter'>;
  limits: ApiLimits;
  /** Shared with the APIs of the sites. */
  open: OpenPlaces;
  /** Ends its listeners. */
  closing: DisposableStack;
}

/** The request that is being served. */
interface Call {
  response: ServerResponse;
  /** The names of the sites that the consumer may read now, sorted. */
  readable: () => Promise<string[]>;
}

/** Changes of one site that one step sends at most. */
const STEP = 500;
/** How often a stream looks for sites that were added or removed, ms. */
const SITES_MS = 2_000;
const NO_PAGES = 'The list of all sites has no pages, because ids belong to a site. Use /sites/SITE/api/events.';

/** `GET /api/events` of a gateway: the events of several sites as one list, or one stream. Each has its site in `Site`. */
export class Headquarters {
  readonly #parts: HeadquartersParts;
  readonly #calls = new AsyncLocalStorage<Call>();
  readonly #app: (request: IncomingMessage, response: ServerResponse) => Promise<void>;

  constructor(parts: HeadquartersParts) {
    this.#parts = parts;
    const { limits, open, closing } = parts;
    const list = createListHandler({
      source: this.#source(),
      limits,
      waits: open.waits,
      base: '',
      noPages: NO_PAGES,
      closing,
    });
    this.#app = createListApp({ list, stream: (request, response) => this.#stream(request, response) });
  }

  /** @param readable resolves with the names of the sites that the consumer may read now, sorted */
  async serve(request: IncomingMessage, response: ServerResponse, readable: Call['readable']): Promise<void> {
    if (request.headers.prefer !== undefined) response.once('close', this.#parts.sites.read(await readable()));
    return this.#calls.run({ response, readable }, () => this.#app(request, response));
  }

  /** The list of the sites of a request. */
  #source(): Pick<EventSource, 'list' | 'version' | 'onFeed'> {
    const { copy, sites } = this.#parts;
    const calls = this.#calls;
    const names = async () => (await calls.getStore()?.readable()) ?? [];
    return {
      async *list(query) {
        yield* chunksOf(copyRows(copy, listStatement(await names(), query, true)));
      },
      version: async () => {
        const found = await readSites(copy.hub, await names());
        const response = calls.getStore()?.response;
        if (response?.headersSent === false) oldestMirror(response, found);
        const versions = found.map(({ site, version }) => `${site} ${version}`).toSorted();
        return createHash('sha256').update(versions.join('\n')).digest('base64url').slice(0, 22);
      },
      onFeed: (listener) => sites.onChange(() => listener()),
    };
  }

  async #stream(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (queryOf(request.url ?? '') !== '') {
      return sendProblem(response, 'invalid-query', 'The stream of all sites has no parameters.');
    }
    const positions = parsePlaces(String(request.headers['last-event-id'] ?? ''));
    if (!positions) {
      const detail = 'Last-Event-ID is the id of the last message that you received. Omit it for a new list.';
      return sendProblem(response, 'invalid-query', detail);
    }
    const { streams } = this.#parts.open;
    const release = streams.take(() => response.destroy());
    if (!release) {
      const detail = `${streams.size} event streams are already open. Try again later.`;
      return sendProblem(response, 'busy', detail, { 'Retry-After': '5' });
    }
    try {
      response.setHeader('Cache-Control', 'no-store').setHeader('Vary', 'Accept');
      response.setHeader('Content-Type', STREAM_TYPE).flushHeaders();
      if (request.method === 'HEAD') response.end();
      else await this.#send(response, positions);
    } catch (thrown) {
      if (!(thrown instanceof SlowClient)) throw thrown;
      response.destroy();
    } finally {
      release();
    }
  }

  async #send(response: ServerResponse, positions: Map<string, FeedPosition>): Promise<void> {
    const { sites, sourceOf, limits } = this.#parts;
    const readable = this.#calls.getStore()?.readable ?? (async () => []);
    const due = new Set<string>();
    let [names, lookedMs, sentMs] = [new Set<string>(), Number.NEGATIVE_INFINITY, performance.now()];
    let stop = () => {};
    let wake = () => {};
    const unsubscribe = sites.onChange((changed) => {
      for (const name of changed) if (names.has(name)) due.add(name);
      wake();
    });
    response.once('close', () => wake());
    const write = async (text: string): Promise<void> => {
      if (text === '') return;
      sentMs = performance.now();
      if (!response.write(text)) await drained(response, limits.stallMs);
    };
    /** Follows new sites, and resets removed ones and sites that the key can no longer read. */
    const look = async (): Promise<string> => {
      const now = new Set(await readable());
      lookedMs = performance.now();
      for (const name of now) if (!names.has(name)) due.add(name);
      const isSame = names.size === now.size && [...now].every((name) => names.has(name));
      if (!isSame) {
        const before = stop;
        stop = sites.read([...now]);
        before();
        names = now;
      }
      const gone = [...positions.keys()].filter((one) => !now.has(one));
      for (const name of gone) {
        positions.delete(name);
        due.delete(name);
      }
      // Only the last one has an id: it has every position, and a client can send thousands of names that are no sites.
      return gone
        .map((name, at) => {
          const id = at === gone.length - 1 ? `id: ${placesText(positions)}\n` : '';
          return `event: reset\n${id}data: {"Site":"${name}"}\n\n`;
        })
        .join('');
    };
    try {
      while (!response.destroyed) {
        if (performance.now() - lookedMs >= SITES_MS) await write(await look());
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
          await write(text);
          if (response.destroyed) return;
          if (!page.isEnd) due.add(name);
        }
        const quietMs = performance.now() - sentMs;
        if (quietMs >= limits.heartbeatMs) await write(`id: ${placesText(positions)}\n:\n\n`);
        else if (!response.destroyed) {
          await new Promise<void>((resolve) => {
            const late = setTimeout(resolve, Math.min(SITES_MS, limits.heartbeatMs - quietMs));
            wake = () => {
              clearTimeout(late);
              resolve();
            };
          });
        }
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
