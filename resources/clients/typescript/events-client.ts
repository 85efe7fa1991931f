import type { AggregationEvent, Health, ListEventsQuery, Problem, ProblemName } from './types.ts';

export type * from './types.ts';

/**
 * A client of the events API of Tagwright, without dependencies, for Node 20.3 or later and browsers. The types of the
 * API are generated from the OpenAPI document that the server serves.
 */

export interface ClientOptions {
  /** The base URL; `http://127.0.0.1:4860` by default. */
  url?: string;
  /** The API key, if the setting events.apiKey has one. A function is called for each request. */
  apiKey?: string | (() => string);
  /** Name of your program, sent as User-Agent: Tagwright lists consumers by it. Browsers send their own. */
  name?: string;
  /** How long a response may take, ms; 30,000 by default. Long polls may take the time that they wait in addition. */
  timeoutMs?: number;
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
}

export interface PageOptions extends ListEventsQuery, CallOptions {
  /** The ETag of the last response to the same query: the page is `unchanged` if nothing has changed. */
  etag?: string | null;
  /** Waits up to this many seconds (at most 60) for news: long polling. */
  waitSeconds?: number;
}

export type Page =
  | { state: 'unchanged'; etag: string | null }
  | { state: 'events'; events: AggregationEvent[]; etag: string | null; next: ListEventsQuery | null };

export type StreamMessage =
  | { kind: 'created' | 'disabled' | 'reactivated' | 'deleted'; id: string; event: AggregationEvent }
  /** Forget all events: a new list follows as `created`. */
  | { kind: 'reset'; id: null; event: null };

export interface StreamOptions extends CallOptions {
  /** Only events of this rule. */
  ruleId?: number;
  /** The place to continue after, as `onPlace` reported it last; otherwise the stream begins with the active events. */
  lastEventId?: string;
  /** Called with the place to continue after, when your loop has processed everything before it. */
  onPlace?: (id: string) => void;
  /** Called before each reconnect. */
  onProblem?: (problem: unknown) => void;
}

export interface ConsumeOptions extends CallOptions {
  /** Only events of this rule. */
  ruleId?: number;
  /** How a processed event is acknowledged; `disable` by default. */
  acknowledge?: 'disable' | 'delete';
  /** Events on a page, 500 by default. */
  pageSize?: number;
  /** How long a poll waits for the next event, s; 30 by default. */
  waitSeconds?: number;
  /** Called with every failure before it is retried. */
  onProblem?: (problem: unknown) => void;
}

/** An error response of the API (RFC 9457). */
export class EventsApiError extends Error {
  override readonly name = 'EventsApiError';
  readonly status: number;
  readonly problem: Problem;
  /** The problem as a word, such as `no-such-event`; null if the response has no type of this API. */
  readonly code: ProblemName | null;
  /** How long to wait before the next call, from `Retry-After`. */
  readonly retryAfterMs: number | null;

  constructor(problem: Problem, retryAfterMs: number | null) {
    super(`${problem.status} ${problem.title}: ${problem.detail}`);
    this.status = problem.status;
    this.problem = problem;
    this.code = codeOf(problem.type);
    this.retryAfterMs = retryAfterMs;
  }
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** Between two polls without news, if the server did not wait. */
const MIN_POLL_MS = 1_000;
/** The server sends something every 15 s. */
const SILENCE_MS = 30_000;
const PAGE = 500;

export class EventsClient {
  readonly #url: string;
  readonly #apiKey: ClientOptions['apiKey'];
  readonly #name: string | undefined;
  readonly #timeoutMs: number;
  readonly #fetch: typeof fetch;

  constructor(options: ClientOptions = {}) {
    this.#url = (options.url ?? 'http://127.0.0.1:4860').replace(/\/+$/, '');
    this.#apiKey = options.apiKey;
    this.#name = options.name;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    // Browsers reject a call of `fetch` on another object.
    this.#fetch = options.fetch ?? ((...given) => fetch(...given));
  }

  /** One page of the list. Without `limit`, the whole list in one response. */
  async page({ etag, waitSeconds, signal, ...query }: PageOptions = {}): Promise<Page> {
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (etag) headers['If-None-Match'] = etag;
    if (waitSeconds) headers['Prefer'] = `wait=${waitSeconds}`;
    const waitMs = 1_000 * (waitSeconds ?? 0);
    const response = await this.#call(`/api/events${queryText(query)}`, { headers }, signal, waitMs);
    const received = response.headers.get('ETag');
    if (response.status === 304) return { state: 'unchanged', etag: received ?? etag ?? null };
    const events: AggregationEvent[] = await response.json();
    return { state: 'events', events, etag: received, next: nextOf(response.headers.get('Link')) };
  }

  /** Every event that matches, oldest first and each once, read in pages of `limit` (500). */
  async *list({ signal, ...query }: ListEventsQuery & CallOptions = {}): AsyncGenerator<AggregationEvent> {
    let wanted: ListEventsQuery | null = { limit: PAGE, ...query };
    while (wanted) {
      const page: Page = await this.page({ ...wanted, ...(signal && { signal }) });
      if (page.state === 'unchanged') return;
      yield* once(page.events, wanted.after ?? 0);
      wanted = page.next;
    }
  }

  /** The event, active or not; null if there is none. */
  async get(id: number, { signal }: CallOptions = {}): Promise<AggregationEvent | null> {
    const response = await this.#call(`/api/events/${id}`, {}, signal).catch(nullIfMissing);
    return response && (await response.json());
  }

  /** Sets `Active` to false: the event is processed. Null if there is no such event. */
  disable(id: number, options: CallOptions = {}): Promise<AggregationEvent | null> {
    return this.#setActive(id, false, options);
  }

  /** Sets `Active` to true. Null if there is no such event. */
  reactivate(id: number, options: CallOptions = {}): Promise<AggregationEvent | null> {
    return this.#setActive(id, true, options);
  }

  /** Deletes the event; its data row stays. False if there was none. */
  async delete(id: number, { signal }: CallOptions = {}): Promise<boolean> {
    return (await this.#call(`/api/events/${id}`, { method: 'DELETE' }, signal).catch(nullIfMissing)) !== null;
  }

  async health({ signal }: CallOptions = {}): Promise<Health> {
    return await (await this.#call('/api/health', {}, signal)).json();
  }

  /**
   * The active events, then every change as it is committed. Reconnects after a lost connection, and continues where it
   * was: no change is missing, and none comes twice. Ends when `signal` aborts or your loop ends; throws EventsApiError
   * if the server rejects the request, which repeating would not change.
   */
  async *stream(options: StreamOptions = {}): AsyncGenerator<StreamMessage> {
    const { signal, onProblem, onPlace, ruleId } = options;
    let place = options.lastEventId;
    let failures = 0;
    for (;;) {
      if (signal?.aborted) return;
      try {
        for await (const { id, kind, data } of this.#messages(ruleId, place, signal)) {
          failures = 0;
          if (kind === 'reset') yield { kind, id: null, event: null };
          else if (isChange(kind)) yield { kind, id: id ?? '', event: JSON.parse(data) };
          if (id === null) continue;
          place = id;
          onPlace?.(id);
        }
      } catch (problem) {
        if (signal?.aborted) return;
        if (isFinal(problem)) throw problem;
        onProblem?.(problem);
        await pause(pauseAfter(problem, failures), signal);
        failures += 1;
      }
    }
  }

  /**
   * Processes every active event once, oldest first, and then disables or deletes it; waits for further ones until
   * `signal` aborts. An event whose `handle` throws stays active and comes again later; if only the acknowledgement
   * fails, that is repeated alone. After a crash in between, the event comes again: make `handle` idempotent.
   */
  async consume(handle: (event: AggregationEvent) => unknown, options: ConsumeOptions = {}): Promise<void> {
    const { signal, onProblem, ruleId, pageSize = PAGE, waitSeconds = 30 } = options;
    const first: ListEventsQuery = { limit: pageSize, ...(ruleId !== undefined && { ruleId }) };
    /** Events that were processed, but not acknowledged yet. */
    const handled = new Set<number>();
    let failures = 0;
    let settled: string | null = null;
    for (;;) {
      if (signal?.aborted) return;
      const began = Date.now();
      let problem: unknown = null;
      let hasNews = false;
      try {
        let wanted: ListEventsQuery | null = first;
        while (wanted) {
          const polling = wanted === first ? { etag: settled, waitSeconds } : {};
          const page: Page = await this.page({ ...wanted, ...polling, ...(signal && { signal }) });
          if (page.state === 'unchanged') break;
          // Only the ETag of an empty list is useful: a list with events changes as they are acknowledged.
          settled = wanted === first && page.events.length === 0 ? page.etag : null;
          for (const event of once(page.events, wanted.after ?? 0)) {
            hasNews = true;
            try {
              await this.#process(event, handle, handled, options);
            } catch (failed) {
              if (signal?.aborted) return;
              problem = failed;
              onProblem?.(failed);
              // The server is unavailable: the other events wait too.
              if (handled.has(event.AggregationEventId)) await pause(pauseAfter(failed, failures), signal);
            }
          }
          wanted = page.next;
        }
      } catch (failed) {
        if (signal?.aborted) return;
        if (isFinal(failed) && !isUnauthorized(failed)) throw failed;
        problem = failed;
        onProblem?.(failed);
      }
      if (problem !== null) await pause(pauseAfter(problem, failures), signal);
      else if (!hasNews) await pause(began + MIN_POLL_MS - Date.now(), signal);
      failures = problem === null ? 0 : failures + 1;
    }
  }

  async #process(
    event: AggregationEvent,
    handle: (event: AggregationEvent) => unknown,
    handled: Set<number>,
    { acknowledge = 'disable', signal }: ConsumeOptions,
  ): Promise<void> {
    const id = event.AggregationEventId;
    if (!handled.has(id)) await handle(event);
    handled.add(id);
    const options = signal ? { signal } : {};
    // False and null: another program deleted it, so nothing is left to do.
    await (acknowledge === 'delete' ? this.delete(id, options) : this.disable(id, options));
    handled.delete(id);
  }

  async #setActive(id: number, active: boolean, { signal }: CallOptions): Promise<AggregationEvent | null> {
    const headers = { 'Content-Type': 'application/json' };
    const init = { method: 'PUT', headers, body: JSON.stringify({ Active: active }) };
    const response = await this.#call(`/api/events/${id}`, init, signal).catch(nullIfMissing);
    return response && (await response.json());
  }

  /** The messages of one connection. */
  async *#messages(ruleId: number | undefined, place: string | undefined, signal: AbortSignal | undefined) {
    const silence = new AbortController();
    const silent = () => silence.abort(new Error(`The event stream sent nothing for ${SILENCE_MS / 1_000} s`));
    let timer = setTimeout(silent, SILENCE_MS);
    try {
      const headers: Record<string, string> = { Accept: 'text/event-stream', ...this.#headers() };
      if (place !== undefined && place !== '') headers['Last-Event-ID'] = place;
      const query = queryText(ruleId === undefined ? {} : { ruleId });
      const response = await this.#fetch(`${this.#url}/api/events${query}`, {
        headers,
        cache: 'no-store',
        signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
      });
      if (!response.ok || !response.body) throw await errorOf(response);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const message = new MessageParser();
      try {
        for (;;) {
          const { value, done } = await reader.read();
          if (done) throw new Error('The event stream ended');
          clearTimeout(timer);
          timer = setTimeout(silent, SILENCE_MS);
          yield* message.add(value);
        }
      } finally {
        await reader.cancel().catch(() => undefined);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #headers(): Record<string, string> {
    const key = typeof this.#apiKey === 'function' ? this.#apiKey() : this.#apiKey;
    return { ...(key ? { 'X-API-Key': key } : {}), ...(this.#name ? { 'User-Agent': this.#name } : {}) };
  }

  /** A successful response, or 304. The time limit includes its body. */
  async #call(path: string, init: CallInit, signal: AbortSignal | undefined, waitMs = 0): Promise<Response> {
    const late = AbortSignal.timeout(this.#timeoutMs + waitMs);
    const response = await this.#fetch(`${this.#url}${path}`, {
      ...init,
      headers: { ...init.headers, ...this.#headers() },
      // The caller sends ETags; a cache of a browser would answer with the old list.
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    if (response.ok || response.status === 304) return response;
    throw await errorOf(response);
  }
}

type CallInit = Pick<RequestInit, 'method' | 'body'> & { headers?: Record<string, string> };

interface RawMessage {
  kind: string;
  /** Null if the message has none. */
  id: string | null;
  data: string;
}

/** Reads server-sent events (WHATWG HTML 9.2.6). */
class MessageParser {
  #rest = '';
  #message: RawMessage = { kind: '', id: null, data: '' };

  *add(text: string): Generator<RawMessage> {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const whole of lines) {
      const line = whole.replace(/\r$/, '');
      if (line === '') {
        const message = this.#message;
        this.#message = { kind: '', id: null, data: '' };
        if (message.id !== null || message.data !== '') yield message;
        continue;
      }
      const colon = line.indexOf(':');
      // A comment.
      if (colon === 0) continue;
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'event') this.#message.kind = value;
      else if (field === 'id') this.#message.id = value;
      else if (field === 'data') this.#message.data += this.#message.data === '' ? value : `\n${value}`;
    }
  }
}

const CHANGES = ['created', 'disabled', 'reactivated', 'deleted'] as const;
const isChange = (kind: string): kind is (typeof CHANGES)[number] => CHANGES.some((one) => one === kind);

/** The events of a page after an id, each once, in the order of their ids. */
function once(events: readonly AggregationEvent[], after: number): AggregationEvent[] {
  const byId = new Map(events.map((event) => [event.AggregationEventId, event]));
  return [...byId.values()]
    .filter(({ AggregationEventId }) => AggregationEventId > after)
    .toSorted((a, b) => a.AggregationEventId - b.AggregationEventId);
}

function queryText(query: ListEventsQuery): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

/** The query of the next page in a Link header. */
function nextOf(link: string | null): ListEventsQuery | null {
  const path = /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1];
  if (path === undefined) return null;
  const { limit, after, ruleId, ...others } = Object.fromEntries(new URL(path, 'http://localhost').searchParams);
  return {
    ...others,
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(after !== undefined && { after: Number(after) }),
    ...(ruleId !== undefined && { ruleId: Number(ruleId) }),
  };
}

async function errorOf(response: Response): Promise<EventsApiError> {
  const { status, statusText } = response;
  const body: Partial<Problem> | null = await response.json().catch(() => null);
  const problem = { type: 'about:blank', title: statusText, detail: 'The response has no problem.', ...body, status };
  const seconds = response.headers.get('Retry-After');
  return new EventsApiError(problem, seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) * 1_000 : null);
}

function codeOf(type: string): ProblemName | null {
  const [, name] = /#problem-([a-z-]+)$/.exec(type) ?? [];
  // A later version of the server may have further ones: compare `status` too.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server sends no others
  return name === undefined ? null : (name as ProblemName);
}

function nullIfMissing(error: unknown): null {
  if (error instanceof EventsApiError && error.code === 'no-such-event') return null;
  throw error;
}

/** Whether repeating the same request cannot help. */
function isFinal(problem: unknown): boolean {
  if (!(problem instanceof EventsApiError)) return false;
  return problem.status < 500 && problem.status !== 408 && problem.status !== 429;
}

const isUnauthorized = (problem: unknown): boolean => problem instanceof EventsApiError && problem.status === 401;

/** The pause before the next attempt: what the server asks for, otherwise twice as long each time. */
function pauseAfter(problem: unknown, failures: number): number {
  const asked = problem instanceof EventsApiError ? problem.retryAfterMs : null;
  return asked ?? Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 10), MAX_PAUSE_MS);
}

/** Resolves after a time, or when the signal aborts. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted || ms <= 0) return resolve();
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', settle);
      resolve();
    };
    const timer = setTimeout(settle, ms);
    signal?.addEventListener('abort', settle);
  });
}
