import type { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { AggregationEvent, EventListQuery } from '#domain/event/event';
import type { FeedPage, FeedPosition } from '#domain/event/event-change';
import type { HealthReason } from '../../events/api/event-shape.ts';
import type { EventSource, ListChunk } from '../../events/api/list/event-source.ts';
import { TagwrightError } from '../../platform/errors.ts';
import type { CopyOptions } from '../../storage/hub/hub-copy.ts';
import { copyRows } from '../../storage/hub/hub-copy.ts';
import type { HubEvent, HubFeedPart, ConsumerChange } from '../../storage/hub/hub-events.ts';
import { HubEvents, listStatement, WANTED } from '../../storage/hub/hub-events.ts';
import { isReadOnly, readSites } from '../../storage/hub/site-versions.ts';
import { chunksOf } from './list-chunks.ts';
import { mirroredAt, PENDING } from './headers.ts';
import type { GatewaySites } from './sites.ts';

/** The request that is being served. */
export interface GatewayCall {
  response: ServerResponse;
  /** The name of its consumer. */
  consumer: string;
  address: string;
}

interface SourceParts {
  site: string;
  copy: CopyOptions;
  sites: GatewaySites;
  calls: AsyncLocalStorage<GatewayCall>;
}

/** Changes that one part of the feed reads at most. */
const STEP = 2_000;
/** More than any number of a change. */
const NO_CHANGES = Number.MAX_SAFE_INTEGER;
/** How long streams at the same position share what was read, ms. */
const SHARED_MS = 50;

/** The events of one site at the hub, for the events API. */
export class HubSource implements Omit<EventSource, 'activeAfter'> {
  readonly #parts: SourceParts;
  readonly #events: HubEvents;
  /** Why the last change failed, if the disk of the hub was full. */
  #full: string | null = null;
  readonly #shared = new Map<number, Promise<HubFeedPart | null>>();

  constructor(parts: SourceParts) {
    this.#parts = parts;
    this.#events = new HubEvents(parts.copy.hub, parts.site);
  }

  async get(id: number): Promise<AggregationEvent | null> {
    return this.#shown(await this.#events.get(id));
  }

  async setActive(id: number, active: boolean): Promise<AggregationEvent | null> {
    return this.#shown(await this.#want(id, active ? WANTED.active : WANTED.disabled));
  }

  async delete(id: number): Promise<boolean> {
    return this.#shown(await this.#want(id, WANTED.deleted)) !== null;
  }

  async version(): Promise<string> {
    const { site, copy, calls } = this.#parts;
    const [found] = await readSites(copy.hub, [site]);
    const response = calls.getStore()?.response;
    if (found && response && !response.headersSent) mirroredAt(response, found.mirroredAt);
    return found?.version ?? '';
  }

  /** Why changes fail at present. @throws TagwrightError UNAVAILABLE */
  async problems(): Promise<HealthReason[]> {
    if (await isReadOnly(this.#parts.copy.hub)) {
      return [{ code: 'read-only', message: 'The database of the hub is read-only.' }];
    }
    return this.#full === null ? [] : [{ code: 'storage-full', message: this.#full }];
  }

  async changesAfter(from: FeedPosition | null, query: { ruleId: number | null; limit: number }): Promise<FeedPage> {
    const part = from && (await this.#part(from, query));
    const isKnown = from !== null && !!part && from.seq >= part.first - 1 && from.seq <= part.last;
    if (isKnown) return pageOf(part, from, query, false);
    const list = await this.#events.changesAfter(NO_CHANGES, { changes: 0, listed: 0, ...query });
    const empty = { first: 1, last: 0, changes: [], listed: [] };
    return pageOf(list ?? empty, { seq: list?.last ?? 0, listed: 0 }, query, from !== null);
  }

  onFeed(listener: () => void): () => void {
    const { site, sites } = this.#parts;
    return sites.onChange((changed) => {
      if (changed.has(site)) listener();
    });
  }

  async *list(query: EventListQuery): AsyncGenerator<ListChunk> {
    if (query.limit === null) {
      yield* chunksOf(copyRows(this.#parts.copy, listStatement([this.#parts.site], query, false)));
      return;
    }
    const { text, count, lastId } = await this.#events.page(query);
    if (count > 0) yield { text: Buffer.from(text), count, lastId };
  }

  #part(from: FeedPosition, { ruleId, limit }: { ruleId: number | null; limit: number }): Promise<HubFeedPart | null> {
    const { seq, listed } = from;
    if (listed !== null) return this.#events.changesAfter(seq, { changes: STEP, listed, ruleId, limit });
    // Streams that have everything wake together: they read the same changes.
    const known = this.#shared.get(seq);
    if (known) return known;
    const part = this.#events.changesAfter(seq, { changes: limit, listed: null, ruleId: null, limit: 0 });
    this.#shared.set(seq, part);
    const forget = () => setTimeout(() => this.#shared.delete(seq), SHARED_MS);
    part.then(forget, forget);
    return part;
  }

  async #want(id: number, wanted: ConsumerChange['wanted']): Promise<HubEvent | null> {
    const { consumer = '', address = '' } = this.#parts.calls.getStore() ?? {};
    try {
      const changed = await this.#events.want({ id, wanted, consumer, address });
      this.#full = null;
      return changed;
    } catch (thrown) {
      if (thrown instanceof TagwrightError && thrown.code === 'STORAGE_FULL') this.#full = thrown.message;
      throw thrown;
    }
  }

  #shown(found: HubEvent | null): AggregationEvent | null {
    if (found?.pending) this.#parts.calls.getStore()?.response.setHeader(PENDING, 'true');
    return found?.event ?? null;
  }
}

/** As at a site: changes of events that the client has, then the next part of its list. */
function pageOf(
  part: HubFeedPart,
  from: FeedPosition,
  { ruleId, limit }: { ruleId: number | null; limit: number },
  isReset: boolean,
): FeedPage {
  const page: FeedPage = { isReset, changes: [], position: from, isEnd: false };
  const { listed } = from;
  let read = 0;
  for (const { seq, kind, event } of part.changes) {
    page.position = { seq, listed };
    const isListed = listed === null || event.AggregationEventId <= listed;
    if (isListed && (ruleId === null || event.RuleId === ruleId)) {
      page.changes.push({ kind, event, position: page.position });
    }
    read += 1;
    if (read >= STEP || page.changes.length >= limit) return page;
  }
  if (listed === null) {
    // A step of the mirror can take a number without an entry: with fewer changes than asked for, there are no others.
    if (part.changes.length < limit) page.position = { seq: part.last, listed };
    return { ...page, isEnd: page.position.seq >= part.last };
  }
  const rest = limit - page.changes.length;
  const some = part.listed.slice(0, rest);
  for (const event of some) {
    page.position = { seq: part.last, listed: event.AggregationEventId };
    page.changes.push({ kind: 'created', event, position: page.position });
  }
  // The feed continues where a list ends.
  if (some.length < rest) page.position = { seq: part.last, listed: null };
  return page;
}
