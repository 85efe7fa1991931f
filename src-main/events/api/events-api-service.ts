import type { RequestListener } from 'node:http';
import type { ApiMessages, ApiRequest, EventsApiStatus } from '#domain/mock/api-request';
import type { Settings } from '#domain/workspace/settings';
import type { Clock } from '../../platform/clock.ts';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import { Listeners } from '../../platform/events.ts';
import type { OnRefused } from '../../platform/http/request-guard.ts';
import type { KeyCheck } from '../../platform/key-check.ts';
import type { Log } from '../../platform/log.ts';
import type { createEventsApp } from './app.ts';
import type { HealthReason } from './event-shape.ts';
import type { EventSource } from './list/event-source.ts';
import { freePortNear } from '../../platform/http/free-port.ts';
import type { ApiLimits } from './limits.ts';
import { LIMITS } from './limits.ts';
import type { Listener } from './listener.ts';
import { startListener } from './listener.ts';
import { StoredRequests } from './requests/stored-requests.ts';
import { ConsumerChecks } from './conformance/consumer-checks.ts';
import { ConsumerLog } from './consumers/consumer-log.ts';
import { ConsumerService } from './consumers/consumer-service.ts';
import { FaultPlans } from './faults/fault-plans.ts';
import { RequestLog } from './requests/request-log.ts';

export interface EventsApiParts {
  source: EventSource;
  settings: { get(): Settings; onChange(listener: (settings: Settings) => void): () => void };
  /** The key that every call must have. */
  apiKey: Pick<KeyCheck, 'check' | 'onChange'>;
  version: string;
  clock: Clock;
  log: Log;
  /** The port regardless of the settings, until the setting is changed; 0 picks a free one. */
  port?: number | undefined;
  /**
   * Its port before the workspace was reopened: takes precedence over `port`, which may have picked a free one, and
   * over the settings while they have the API on. If another process has taken it, the status reports that.
   */
  portBefore?: number | null | undefined;
  /** Stores the requests for the next start; without one they are only kept in memory. */
  requestsFile?: string | undefined;
  /** Why nothing can be stored at present; [] otherwise. */
  problems?: (() => readonly HealthReason[]) | undefined;
  limits?: ApiLimits;
  /** Called with every request that is rejected for its Host, target, Origin or key. */
  onRefused?: OnRefused | undefined;
  /** Counts and traces requests. */
  observe?: ((handler: RequestListener) => RequestListener) | undefined;
}

/** Where the API should listen; null: nowhere. */
type WantedPort = number | null;

/**
 * The events API of an instance: listens while the setting is on, at the address in the settings, and follows them at
 * once. A port that is taken does not keep the application from starting: the status reports it with a free one.
 */
export class EventsApiService {
  readonly #parts: EventsApiParts;
  readonly #stored: StoredRequests | null;
  readonly #requests: RequestLog;
  readonly #consumers: ConsumerLog;
  readonly #faults: FaultPlans;
  readonly #checks: ConsumerChecks;
  /** The consumers, and the faults for them. */
  readonly consumers: ConsumerService;
  readonly #changes = new Listeners<EventsApiStatus>();
  #handler: ReturnType<typeof createEventsApp> | null = null;
  #status: EventsApiStatus = { url: null, problem: null, freePort: null, faults: 0 };
  #listener: Listener | null = null;
  /** Changes of the listener, one at a time. */
  #work: Promise<void> = Promise.resolve();
  #unsubscribe: (() => void) | null = null;

  constructor(parts: EventsApiParts) {
    this.#parts = parts;
    this.#stored = parts.requestsFile === undefined ? null : new StoredRequests(parts.requestsFile);
    this.#requests = new RequestLog(this.#stored);
    const { source, clock } = parts;
    this.#consumers = new ConsumerLog({ clock, activeAfter: (query) => source.activeAfter(query) });
    this.#faults = new FaultPlans(clock);
    this.#checks = new ConsumerChecks({ version: parts.version, clock, log: parts.log });
    this.consumers = new ConsumerService({ log: this.#consumers, plans: this.#faults, checks: this.#checks });
    this.#faults.changed.add(() => {
      if (this.#faults.size !== this.#status.faults) this.#notify(this.#status);
    });
  }

  /** @throws TagwrightError PORT_TAKEN if the port that was passed to the constructor cannot be used */
  async start(): Promise<void> {
    const { settings, port, portBefore = null } = this.#parts;
    await this.#requests.restore();
    let last = wantedPort(settings.get());
    this.#unsubscribe = settings.onChange((now) => {
      const wanted = wantedPort(now);
      if (wanted === last) return;
      last = wanted;
      this.#work = this.#work.then(() => this.#listen(wanted));
    });
    if (portBefore !== null && (port !== undefined || last !== null)) this.#work = this.#listen(portBefore);
    else if (port === undefined) this.#work = this.#listen(last);
    else this.#work = this.#open(port);
    await this.#work;
  }

  status(): EventsApiStatus {
    return { ...this.#status };
  }

  /** Called with the status after every change; the returned function removes the listener. */
  onStatus(listener: (status: EventsApiStatus) => void): () => void {
    return this.#changes.add(listener);
  }

  /** Why nothing can be stored at present; [] otherwise. */
  problems(): readonly HealthReason[] {
    return this.#parts.problems?.() ?? [];
  }

  /** The newest requests, oldest first. */
  requests({ after }: { after?: number | undefined }): ApiRequest[] {
    return this.#requests.list(after);
  }

  /** A request by its number, also before the start; null if it is no longer stored. */
  async storedRequest(seq: number): Promise<ApiRequest | null> {
    await this.#requests.restore();
    return this.#requests.get(seq);
  }

  /** The consumers that have been sent an event since the start, and the stored requests that read it alone. */
  async readsOf(event: { id: number; ruleId: number }) {
    await this.#requests.restore();
    const path = new RegExp(`^/api/events/${event.id}(?:[?/]|$)`);
    const requests = this.#requests.list().filter((one) => one.method === 'GET' && path.test(one.path));
    return { sentTo: this.#consumers.sentTo(event), requests };
  }

  /** Headers and bodies of a request, if they are still kept. */
  request({ seq }: { seq: number }): { messages: ApiMessages | null } {
    return { messages: this.#requests.messages(seq) };
  }

  /** The newest requests at once, then new ones in batches, until the signal aborts. */
  watchRequests(signal: AbortSignal): AsyncGenerator<ApiRequest[]> {
    return this.#requests.follow(signal);
  }

  /** Closes open connections and frees the port. */
  async close(): Promise<void> {
    this.#unsubscribe?.();
    await this.#work.catch(() => {});
    await this.#listener?.close();
    this.#listener = null;
    this.#handler?.close();
    this.#faults.stopAll();
    this.#checks.close();
    await this.#stored?.flush();
    this.#changes.clear();
  }

  /** Moves the listener to where it should be now; a failure becomes the status. */
  async #listen(wanted: WantedPort): Promise<void> {
    await this.#listener?.close();
    this.#listener = null;
    if (wanted === null) return this.#notify({ url: null, problem: null, freePort: null });
    try {
      await this.#open(wanted);
    } catch (thrown) {
      const freePort = await freePortNear(wanted);
      const why = thrown instanceof TagwrightError ? thrown.message : `It cannot listen: ${messageOf(thrown)}.`;
      const problem = `The events API is not available. ${why} Port ${freePort} is free: "tagwright settings set events.port=${freePort}" moves the API there at once.`;
      this.#parts.log.warn(problem);
      this.#notify({ url: null, problem, freePort });
    }
  }

  async #open(port: number): Promise<void> {
    const { clock, limits = LIMITS, observe = (handler: RequestListener) => handler } = this.#parts;
    const app = (this.#handler ??= await this.#createHandler());
    const handler = observe(app);
    const requests: Pick<RequestLog, 'add'> = {
      add: (request, messages) => {
        this.#requests.add(request, messages);
        this.#consumers.add(request);
      },
    };
    this.#listener = await startListener({ port, handler, messages: app.messages, limits, requests, clock });
    this.#notify({ url: this.#listener.url, problem: null, freePort: null });
  }

  /** Loaded when it is needed: short commands never need it. */
  async #createHandler() {
    const { source, version, clock, log, limits = LIMITS, onRefused, apiKey, problems } = this.#parts;
    const { createEventsApp: create } = await import('./app.ts');
    return create({
      source,
      version,
      apiKey,
      limits,
      clock,
      onRefused,
      problems,
      consumers: this.#consumers,
      faults: this.#faults,
      logFault: (where, fault) => log.error(`${where} failed`, fault),
    });
  }

  #notify(status: Omit<EventsApiStatus, 'faults'>): void {
    this.#status = { ...status, faults: this.#faults.size };
    this.#changes.emit(this.status());
  }
}

function wantedPort(settings: Settings): WantedPort {
  return settings['events.enabled'] ? settings['events.port'] : null;
}
