import type { FaultKind } from '#domain/event/consumer';

/** Faults that begin when the consumer has acknowledged some events of the situation. */
export interface FaultStep {
  afterAcknowledged: number;
  kind: FaultKind;
  /** The number of requests that get it, one by one. */
  requests: number;
}

/** What a consumer is confronted with for a limited time. */
export interface Situation {
  /** Its name on the command line. */
  name: string;
  title: string;
  /** What a consumer should do in it. */
  expected: string;
  /** Test events at its start. */
  events: number;
  /** It has one page more than the consumer asks for at once. */
  isPaged?: true;
  steps?: readonly FaultStep[];
  /** For latency and jitter. */
  latencyMs?: number;
  /** Number of changes that are made, but whose response is lost. */
  lostResponses?: number;
  /** Further events, and when they are created. */
  later?: { events: number; when: 'first list' | 'unchanged' | 'outage' };
  /** After the first list, another client deletes this many of its events. */
  deletedByOther?: number;
  /** Open streams end at its start, so that they meet its faults when they reconnect. */
  endsStreams?: true;
  /** Streams cannot continue where they were. */
  resetsStream?: true;
  /** Nothing happens for this time. */
  idleMs?: number;
  /** For this time after some events, no request gets a response. */
  outage?: { afterAcknowledged: number; ms: number };
}

const at = (afterAcknowledged: number, kind: FaultKind, requests: number): FaultStep => ({
  afterAcknowledged,
  kind,
  requests,
});

/** How often a consumer may poll while nothing happens. */
export const MOST_POLLS_A_SECOND = 2;

/** The situations of a run, in order. */
export const SITUATIONS: readonly Situation[] = [
  {
    name: 'list',
    title: 'A plain list',
    expected: 'Process every active event, and then disable or delete it.',
    events: 100,
  },
  {
    name: 'paging',
    title: 'More than one page',
    expected: 'Follow the Link to the next page until there is none.',
    events: 50,
    isPaged: true,
  },
  {
    name: 'latency',
    title: 'Slow responses',
    expected: 'Wait for responses that take 0.3 s, instead of repeating the request.',
    events: 50,
    steps: [at(0, 'latency', 3), at(10, 'latency', 3)],
    latencyMs: 300,
    endsStreams: true,
  },
  {
    name: 'jitter',
    title: 'Responses of varying speed',
    expected: 'Work with responses that take up to 0.4 s, each a different time.',
    events: 50,
    steps: [at(0, 'jitter', 3), at(10, 'jitter', 4)],
    latencyMs: 400,
    endsStreams: true,
  },
  {
    name: '429',
    title: 'Too many requests (429)',
    expected: 'Wait for the time of Retry-After, then repeat the request.',
    events: 50,
    steps: [at(0, '429', 1), at(10, '429', 1)],
    endsStreams: true,
  },
  {
    name: '500',
    title: 'Internal errors (500)',
    expected: 'Retry with growing pauses. The change was not made.',
    events: 50,
    steps: [at(0, '500', 2), at(10, '500', 1)],
    endsStreams: true,
  },
  {
    name: '503',
    title: 'Server busy (503)',
    expected: 'Wait for the time of Retry-After, then repeat the request.',
    events: 50,
    steps: [at(0, '503', 1), at(10, '503', 1)],
    endsStreams: true,
  },
  {
    name: 'cut',
    title: 'Connection cut in the middle of a list',
    expected: 'Discard the incomplete list, and read it again.',
    events: 50,
    steps: [at(0, 'cut', 2)],
    endsStreams: true,
  },
  {
    name: 'lost-response',
    title: 'Connection cut after a change was made',
    expected: 'Repeat the PUT or DELETE, or read the list again, without processing the event again.',
    events: 50,
    lostResponses: 3,
  },
  {
    name: 'duplicates',
    title: 'Events that come twice in a list',
    expected: 'Process and acknowledge each of them once.',
    events: 50,
    steps: [at(0, 'duplicates', 3)],
  },
  {
    name: 'reordering',
    title: 'A list in another order',
    expected: 'Process all events, whatever their order. The last one in the list need not be the newest.',
    events: 50,
    steps: [at(0, 'reordering', 3)],
  },
  {
    name: 'restart',
    title: 'Restart between two pages',
    expected: 'Read the page again, or begin again with the first one.',
    events: 50,
    isPaged: true,
    steps: [at(0, 'restart', 1)],
  },
  {
    name: 'slow',
    title: 'Bodies that come slowly',
    expected: 'Wait for the end of the body, and do not time out within 2 s.',
    events: 50,
    steps: [at(0, 'slow', 1), at(10, 'slow', 1)],
  },
  {
    name: 'key',
    title: 'Expired API key (401)',
    expected: 'Retry with pauses, and continue when the key is valid again.',
    events: 50,
    steps: [at(0, 'key', 2)],
    endsStreams: true,
  },
  {
    name: 'new-events',
    title: 'New events while pages are read',
    expected: 'Also process the events that are created after the first page.',
    events: 40,
    isPaged: true,
    later: { events: 10, when: 'first list' },
  },
  {
    name: 'deleted',
    title: 'Events deleted by another client',
    expected: 'Take 404 as an event that needs no acknowledgement, and continue with the others.',
    events: 50,
    deletedByOther: 5,
  },
  {
    name: 'unchanged',
    title: 'Nothing new (304)',
    expected: 'Send If-None-Match, take 304 as no news, and process events that come later.',
    events: 10,
    later: { events: 40, when: 'unchanged' },
  },
  {
    name: 'reset',
    title: 'Reset of an event stream',
    expected: 'After the message reset, forget all events and process the new list.',
    events: 50,
    endsStreams: true,
    resetsStream: true,
  },
  {
    name: 'idle',
    title: 'Nothing to do',
    expected: `Poll at most ${MOST_POLLS_A_SECOND} times a second, wait with Prefer: wait, or keep a stream open.`,
    events: 0,
    idleMs: 5_000,
  },
  {
    name: 'outage',
    title: 'Outage of 3 seconds',
    expected: 'Retry with growing pauses, and then process what happened during the outage.',
    events: 25,
    later: { events: 25, when: 'outage' },
    outage: { afterAcknowledged: 10, ms: 3_000 },
  },
];
