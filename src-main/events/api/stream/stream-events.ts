import { setImmediate as turn } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { AggregationEvent } from '#domain/event/event';
import type { FeedPage, FeedPosition } from '#domain/event/event-change';
import { accept, positiveInteger, refuse, shown } from '../checked.ts';
import type { Checked } from '../checked.ts';
import type { ApiLimits } from '../limits.ts';
import type { EventSource } from '../list/event-source.ts';
import { drained, JSON_FORM, NDJSON_FORM, SlowClient } from '../list/list-stream.ts';
import type { Places } from '../places.ts';
import { sendProblem } from '../problem.ts';
import { queryOf } from '../list/list-query.ts';
import { parsePlace, placeText } from './feed-place.ts';
import { Wakes } from '../list/wakes.ts';
import type { ConsumerReports } from '../consumers/consumer-log.ts';

export const STREAM_TYPE = 'text/event-stream';

interface StreamParts {
  source: Pick<EventSource, 'changesAfter' | 'onFeed'>;
  limits: Pick<ApiLimits, 'heartbeatMs' | 'stallMs'>;
  places: Places;
  consumers?: ConsumerReports | undefined;
  /** Takes a function that ends the open streams: their clients may have a key that is no longer valid. */
  onKeyChange: (endStreams: () => void) => void;
  /** Ends the listeners of the handler. */
  closing: DisposableStack;
}

/** Changes that one step sends at most. */
const STEP = 500;

/** Whether a request for the list asks for a stream: only if it names that type, and prefers it. */
export const wantsStream = (request: Request): boolean =>
  request.headers.accept?.includes(STREAM_TYPE) === true &&
  request.accepts([JSON_FORM.type, NDJSON_FORM.type, STREAM_TYPE]) === STREAM_TYPE;

/**
 * `GET /api/events` with `Accept: text/event-stream`: the active events, or the changes after `Last-Event-ID`, and then
 * every change as it is committed (server-sent events, WHATWG HTML 9.2). Ends when the client disconnects, or if it
 * reads too slowly.
 */
export function createStreamHandler({ source, limits, places, consumers, onKeyChange, closing }: StreamParts) {
  onKeyChange(() => places.endAll());
  const wakes = new Wakes(source, closing);

  return async (request: Request, response: Response): Promise<void> => {
    const wanted = parseStreamQuery(queryOf(request.url));
    if (!wanted.ok) return sendProblem(response, 'invalid-query', wanted.detail);
    const from = positionOf(request.headers['last-event-id']);
    if (!from.ok) return sendProblem(response, 'invalid-query', from.detail);
    response.set({ 'Cache-Control': 'no-store', Vary: 'Accept' });
    const release = places.take(() => response.destroy());
    if (!release) {
      const detail = `${places.size} event streams are already open. Close some, or poll the list.`;
      return sendProblem(response, 'busy', detail, { 'Retry-After': '10' });
    }
    const close = consumers?.opened(request);
    try {
      response.status(200).set('Content-Type', STREAM_TYPE).flushHeaders();
      if (request.method === 'HEAD') response.end();
      else await send(request, response, from.value, wanted.value);
    } catch (thrown) {
      if (!(thrown instanceof SlowClient)) throw thrown;
      response.destroy();
    } finally {
      close?.();
      release();
    }
  };

  async function send(
    request: Request,
    response: Response,
    from: FeedPosition | null,
    ruleId: number | null,
  ): Promise<void> {
    let position = from;
    for (;;) {
      // Before the feed is read: a change in between wakes at once.
      const woken = wakes.next();
      const next = source.changesAfter(position, { ruleId, limit: STEP });
      const page = next instanceof Promise ? await next : next;
      const text = textOf(page, position);
      position = page.position;
      if (text !== '' && !response.write(text)) await drained(response, limits.stallMs);
      if (response.destroyed) return;
      const sent = page.changes.flatMap(({ kind, event }) => (kind === 'created' ? event.AggregationEventId : []));
      if (sent.length > 0) {
        // In the order of their ids. A client that continues was sent those before.
        const [first = 1, last = 0] = [sent[0], sent.at(-1)];
        consumers?.sent(request, { ruleId, after: from === null ? 0 : first - 1, last }, false);
      }
      if (!page.isEnd) await turn();
      else if (!(await woken.within(limits.heartbeatMs, response))) response.write(`id: ${placeText(position)}\n:\n\n`);
      if (response.destroyed) return;
    }
  }
}

/** The messages of a part of the feed, and the position at its end if it is after the last of them. */
function textOf(page: FeedPage, before: FeedPosition | null): string {
  let text = page.isReset ? 'event: reset\ndata: {}\n\n' : '';
  let place = before && placeText(before);
  for (const { kind, event, position } of page.changes) {
    place = placeText(position);
    text += `event: ${kind}\nid: ${place}\ndata: ${jsonOf(event)}\n\n`;
  }
  const end = placeText(page.position);
  // A message without data only sets the id that the client sends when it reconnects.
  return place === end ? text : `${text}id: ${end}\n\n`;
}

/** Many streams send the same recent changes. */
const texts = new WeakMap<AggregationEvent, string>();

function jsonOf(event: AggregationEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = JSON.stringify(event);
  texts.set(event, text);
  return text;
}

/** A stream can be limited to a rule, and nothing else: a change can make an event match any other filter or not. */
function parseStreamQuery(query: string): Checked<number | null> {
  let ruleId: number | null = null;
  for (const [name, text] of new URLSearchParams(query)) {
    if (name !== 'ruleId') {
      return refuse(`An event stream has no parameter ${shown(name)}, only ruleId. Use the list for other filters.`);
    }
    if (ruleId !== null) return refuse('ruleId occurs more than once in the query. Send it once.');
    const read = positiveInteger(text, 'ruleId');
    if (!read.ok) return read;
    ruleId = read.value;
  }
  return accept(ruleId);
}

function positionOf(header: string | string[] | undefined): Checked<FeedPosition | null> {
  if (header === undefined || header === '') return accept(null);
  const text = String(header);
  const position = parsePlace(text);
  if (position) return accept(position);
  return refuse(
    `Last-Event-ID is the id of the last message that you received, not ${shown(text)}. Omit it for a new list.`,
  );
}
