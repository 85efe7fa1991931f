import type { Request, Response } from 'express';
import type { Checked } from './checked.ts';
import { accept, bounded, positiveInteger, refuse, shown } from './checked.ts';
import { duplicateMember } from '#domain/text/json-members';
import { readBody } from './read-body.ts';
import type { AggregationEvent, EventClient } from '#domain/event/event';
import type { MaybePromise } from '../../platform/maybe-promise.ts';
import type { EventSource } from './list/event-source.ts';
import type { ApiLimits } from './limits.ts';
import { sendProblem } from './problem.ts';
import type { ConsumerReports } from './consumers/consumer-log.ts';

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const UTF_8 = new TextDecoder('utf-8', { fatal: true });
const WANTED = 'Send a JSON object with a boolean Active, such as {"Active": false}.';
/** As in the request log. */
const LONGEST_AGENT = 300;

export interface OneEventParts {
  source: Pick<EventSource, 'get' | 'setActive' | 'delete'>;
  limits: ApiLimits;
  consumers?: ConsumerReports | undefined;
}

/** `GET`, `PUT` and `DELETE /api/events/{id}`. */
export function createOneEventHandlers({ source, limits, consumers }: OneEventParts) {
  return {
    get: (request: Request, response: Response): MaybePromise<void> => {
      const id = idOf(request);
      if (!id.ok) return sendProblem(response, 'invalid-id', id.detail);
      const send = (event: AggregationEvent | null) =>
        event ? sendEvent(response, event) : noSuchEvent(response, id.value);
      const found = source.get(id.value);
      return found instanceof Promise ? found.then(send) : send(found);
    },

    put: async (request: Request, response: Response): Promise<void> => {
      const id = idOf(request);
      if (!id.ok) return sendProblem(response, 'invalid-id', id.detail);
      const type = request.headers['content-type'];
      if (type === undefined || !JSON_TYPE.test(type)) {
        const detail = `Send the body as JSON in UTF-8, with "Content-Type: application/json"${type === undefined ? '' : `, not ${shown(type)}`}.`;
        return sendProblem(response, 'not-json', detail, { Accept: 'application/json' });
      }
      const encoding = request.headers['content-encoding'];
      if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
        return sendProblem(response, 'not-json', 'Send the body uncompressed, without Content-Encoding.', {
          Accept: 'application/json',
        });
      }
      const body = await readBody(request, limits.bodyBytes);
      if (!body)
        return sendProblem(response, 'body-too-large', `${WANTED} At most ${limits.bodyBytes} bytes are read.`);
      const active = activeOf(body);
      if (!active.ok) return sendProblem(response, 'invalid-body', active.detail);
      const event = await source.setActive(id.value, active.value.Active, clientOf(request));
      if (!event) return noSuchEvent(response, id.value);
      if (!event.Active) consumers?.acknowledged(request);
      const fields = readOnlyChanges(active.value, event);
      if (fields.length > 0) consumers?.triedReadOnly(request, id.value, fields);
      sendEvent(response, event);
    },

    delete: async (request: Request, response: Response): Promise<void> => {
      const id = idOf(request);
      if (!id.ok) return sendProblem(response, 'invalid-id', id.detail);
      if (!(await source.delete(id.value, clientOf(request)))) return noSuchEvent(response, id.value);
      consumers?.acknowledged(request);
      response.status(204).end();
    },
  };
}

/** Who asks, for the journal: as in the request log. */
const clientOf = ({ method, socket, headers }: Request): EventClient => {
  const userAgent = (headers['user-agent'] ?? '').slice(0, LONGEST_AGENT);
  return {
    method,
    address: `${socket.remoteAddress ?? ''}:${socket.remotePort ?? ''}`,
    ...(userAgent !== '' && { userAgent }),
  };
};

/** The id in the path, before decoding. */
function idOf(request: Request): Checked<number> {
  return positiveInteger(request.path.slice('/api/events/'.length), 'The id of an event');
}

/** The body of a PUT: Active, and members that are ignored. */
type ChangeBody = Readonly<Record<string, unknown>> & { readonly Active: boolean };

function activeOf(body: Buffer): Checked<ChangeBody> {
  let value: unknown;
  let twice: string | null;
  try {
    const text = UTF_8.decode(body);
    value = JSON.parse(text);
    twice = duplicateMember(text);
  } catch {
    return refuse(`The body is ${body.length === 0 ? 'empty' : 'not valid JSON in UTF-8'}. ${WANTED}`);
  }
  if (twice === 'Active') return refuse(`The body has Active more than once. Send Active once: {"Active": false}.`);
  if (twice !== null) return refuse(`The body has the member ${shown(twice)} more than once. ${WANTED}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(`The body is JSON, but not an object. ${WANTED}`);
  }
  // Own members only: a prototype in the body is ignored.
  const active: unknown = Object.hasOwn(value, 'Active') && 'Active' in value ? value.Active : undefined;
  if (typeof active === 'boolean') return accept({ ...value, Active: active });
  if (active === undefined) return refuse(`The body has no member Active (names are case-sensitive). ${WANTED}`);
  return refuse(`Active is true or false, not ${bounded(JSON.stringify(active))}. ${WANTED}`);
}

/** The other fields of an event that the body has with other values. */
function readOnlyChanges(body: ChangeBody, event: AggregationEvent): string[] {
  return Object.entries(event).flatMap(([name, value]) => {
    const sent = Object.hasOwn(body, name) ? body[name] : value;
    if (name === 'Active' || sent === value) return [];
    // Some parsers write the same moment in another form.
    if (name === 'EventDateTime' && Date.parse(String(sent)) === Date.parse(String(value))) return [];
    return [name];
  });
}

function noSuchEvent(response: Response, id: number): void {
  const detail = `Event ${id} does not exist; it may have been deleted. GET /api/events lists the active ones.`;
  sendProblem(response, 'no-such-event', detail);
}

/** As `response.json` of Express, which looks for settings, types and validators first: a tenth of the whole request. */
function sendEvent(response: Response, event: AggregationEvent): void {
  const { method, headers } = response.req;
  response.setHeader('Cache-Control', 'no-store');
  // Express knows when a condition of the client is met.
  if (headers['if-none-match'] !== undefined) return void response.json(event);
  const body = JSON.stringify(event);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  if (method === 'HEAD') response.end();
  else response.end(body, 'utf8');
}
