import type { IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { AggregationEvent } from '#domain/event/event';
import type { Consumer, InjectedFaults } from '#domain/event/consumer';
import { consumerName } from '#domain/event/consumer';
import type { ApiRequest } from '#domain/mock/api-request';
import type { Clock } from '../../../platform/clock.ts';
import { Listeners } from '../../../platform/events.ts';
import type { ActiveAfter, SentPart } from './sent-events.ts';
import { SentEvents } from './sent-events.ts';

/** Consumers that are kept. */
const MAX_CONSUMERS = 100;
/** Consumers with fewer requests are forgotten first, so that endless new names don't displace active consumers. */
const ESTABLISHED = 10;
const MAX_GAPS = 16;
const MAX_PROGRAM = 300;

/** What handlers of the API report about the client of a request. */
export interface ConsumerReports {
  /** A list, a page or a part of a stream was sent completely. `isFull`: a page that another one follows. */
  sent(request: IncomingMessage, part: SentPart, isFull: boolean): void;
  /** A stream was opened; the returned function closes it. */
  opened(request: IncomingMessage): () => void;
  /** The body of a PUT named these fields with other values. */
  triedReadOnly(request: IncomingMessage, eventId: number, fields: readonly string[]): void;
  /** It disabled or deleted an event. */
  acknowledged(request: IncomingMessage): void;
}

type Entry = Omit<Consumer, 'unacknowledged' | 'faults' | 'intervalMs'> & {
  sent: SentEvents;
  /** Times between the newest polls, ms. */
  gaps: number[];
  lastPollMs: number;
  /** Whether its last list was a full page: the next one continues it. */
  continues: boolean;
};

/** The consumers of the events API, in memory: what each did, and what it has been sent. */
export class ConsumerLog implements ConsumerReports {
  readonly #clock: Clock;
  readonly #readActive: ActiveAfter;
  readonly #entries = new Map<string, Entry>();
  readonly changed = new Listeners<void>();

  constructor({ clock, activeAfter }: { clock: Clock; activeAfter: ActiveAfter }) {
    this.#clock = clock;
    this.#readActive = activeAfter;
  }

  /** A request that has ended. */
  add({ at, method, path, status, userAgent, client, outcome }: Omit<ApiRequest, 'seq'>): void {
    if (!path.startsWith('/api/events')) return;
    const entry = this.#entryOf(userAgent, client.slice(0, client.lastIndexOf(':')));
    entry.requests += 1;
    entry.lastAt = at;
    const isList = method === 'GET' && /^\/api\/events(?:\?|$)/.test(path);
    if (isList) this.#polled(entry, at);
    if (status >= 400 || outcome === 'aborted') {
      entry.errors += 1;
      entry.lastError = { at, method, path, status };
    }
    this.changed.emit();
  }

  sent(request: IncomingMessage, part: SentPart, isFull: boolean): void {
    const entry = this.#entryOfRequest(request);
    entry.sent.add(part, this.#clock.now());
    entry.continues = isFull;
    this.changed.emit();
  }

  opened(request: IncomingMessage): () => void {
    const entry = this.#entryOfRequest(request);
    entry.streams += 1;
    entry.lastPollAt = this.#clock.iso();
    this.changed.emit();
    return () => {
      entry.streams -= 1;
      this.changed.emit();
    };
  }

  triedReadOnly(request: IncomingMessage, eventId: number, fields: readonly string[]): void {
    const entry = this.#entryOfRequest(request);
    entry.readOnlyAttempts += 1;
    entry.lastReadOnlyAttempt = { at: this.#clock.iso(), eventId, fields };
  }

  acknowledged(request: IncomingMessage): void {
    this.#entryOfRequest(request).acknowledged += 1;
  }

  /** All of them, the last one that was active first. */
  async list(faultsOf: (name: string) => InjectedFaults | null): Promise<Consumer[]> {
    const read = sharedReads(this.#readActive);
    const consumers: Consumer[] = [];
    for (const { sent, gaps, lastPollMs: _, continues: _continues, ...entry } of this.#entries.values()) {
      const open = sent.unacknowledged(read);
      const unacknowledged = open && {
        count: open.count,
        oldestId: open.oldestId,
        sentAt: new Date(open.at).toISOString(),
      };
      consumers.push({ ...entry, intervalMs: medianOf(gaps), unacknowledged, faults: faultsOf(entry.name) });
      // Requests get their turns.
      await turn();
    }
    return consumers.toSorted((a, b) => (a.lastAt < b.lastAt ? 1 : -1));
  }

  /** The consumers that have been sent an event, if it was active, and when they first were: ms since 1970. */
  sentTo(event: { id: number; ruleId: number }): { consumer: string; at: number }[] {
    return [...this.#entries.values()].flatMap(({ name, sent }) => {
      const at = sent.sentAt(event);
      return at === null ? [] : [{ consumer: name, at }];
    });
  }

  /** The one of this name, else all of this program. */
  namesOf(nameOrProgram: string): string[] {
    if (this.#entries.has(nameOrProgram)) return [nameOrProgram];
    return [...this.#entries.values()].filter(({ program }) => program === nameOrProgram).map(({ name }) => name);
  }

  #polled(entry: Entry, at: string): void {
    const isPoll = !entry.continues;
    entry.continues = false;
    if (!isPoll) return;
    const ms = Date.parse(at);
    if (entry.polls > 0) entry.gaps.push(ms - entry.lastPollMs);
    if (entry.gaps.length > MAX_GAPS) entry.gaps.shift();
    entry.polls += 1;
    entry.lastPollMs = ms;
    entry.lastPollAt = at;
  }

  #entryOfRequest(request: IncomingMessage): Entry {
    return this.#entryOf(programOf(request), request.socket.remoteAddress ?? '');
  }

  #entryOf(program: string, address: string): Entry {
    const name = consumerName(program, address);
    const known = this.#entries.get(name);
    if (known) return known;
    if (this.#entries.size >= MAX_CONSUMERS) this.#makeRoom();
    const now = this.#clock.iso();
    const entry: Entry = {
      name,
      program,
      address,
      firstAt: now,
      lastAt: now,
      requests: 0,
      polls: 0,
      lastPollAt: null,
      streams: 0,
      acknowledged: 0,
      errors: 0,
      lastError: null,
      readOnlyAttempts: 0,
      lastReadOnlyAttempt: null,
      sent: new SentEvents(),
      gaps: [],
      lastPollMs: 0,
      continues: false,
    };
    this.#entries.set(name, entry);
    return entry;
  }

  /** Forgets the consumer that was active longest ago, if possible one with few requests. */
  #makeRoom(): void {
    const all = [...this.#entries.values()].filter(({ streams }) => streams === 0);
    const few = all.filter(({ requests }) => requests < ESTABLISHED);
    const candidates = few.length > 0 ? few : all.length > 0 ? all : [...this.#entries.values()];
    const oldest = candidates.reduce((a, b) => (b.lastAt < a.lastAt ? b : a));
    this.#entries.delete(oldest.name);
  }
}

/** The program of a request, as the log of requests has it. */
export const programOf = ({ headers }: IncomingMessage): string => (headers['user-agent'] ?? '').slice(0, MAX_PROGRAM);

/** Consumers mostly get the same events: each part is read once. */
function sharedReads(read: ActiveAfter): ActiveAfter {
  const known = new Map<string, AggregationEvent[]>();
  return (query) => {
    const key = `${query.ruleId} ${query.after}`;
    const events = known.get(key) ?? read(query);
    known.set(key, events);
    return events;
  };
}

function medianOf(gaps: readonly number[]): number | null {
  return gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? null;
}
