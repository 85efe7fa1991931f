import type { Request, Response } from 'express';
import type { Checked } from './checked.ts';
import { accept, bounded, positiveInteger, refuse, shown } from './checked.ts';
import { duplicateMember } from '#domain/text/json-members';
import { readBody } from './read-body.ts';
import type { AggregationEvent } from '#domain/event/event';
import type { EventSource } from './list/event-source.ts';
import type { ApiLimits } from './limits.ts';
import { sendProblem } from './problem.ts';

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const WANTED = 'Send a JSON object with a boolean Active, such as {"Active": false}.';

export interface OneEventParts {
  source: Pick<EventSource, 'get' | 'setActive' | 'delete'>;
  limits: ApiLimits;
}

/** `GET`, `PUT` and `DELETE /api/events/{id}`. */
export function createOneEventHandlers({ source, limits }: OneEventParts) {
  return {
    get: async (request: Request, response: Response): Promise<void> => {
      const id = idOf(request);
      if (!id.ok) return sendProblem(response, 'invalid-id', id.detail);
      const event = await source.get(id.value);
      if (!event) return noSuchEvent(response, id.value);
      sendEvent(response, event);
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
      const event = await source.setActive(id.value, active.value);
      if (!event) return noSuchEvent(response, id.value);
      sendEvent(response, event);
    },

    delete: async (request: Request, response: Response): Promise<void> => {
      const id = idOf(request);
      if (!id.ok) return sendProblem(response, 'invalid-id', id.detail);
      if (!(await source.delete(id.value))) return noSuchEvent(response, id.value);
      response.status(204).end();
    },
  };
}

/** The id in the path, before decoding. */
function idOf(request: Request): Checked<number> {
  return positiveInteger(request.path.slice('/api/events/'.length), 'The id of an event');
}

function activeOf(body: Buffer): Checked<boolean> {
  let value: unknown;
  let twice: string | null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
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
  if (typeof active === 'boolean') return accept(active);
  if (active === undefined) return refuse(`The body has no member Active (names are case-sensitive). ${WANTED}`);
  return refuse(`Active is true or false, not ${bounded(JSON.stringify(active))}. ${WANTED}`);
}

function noSuchEvent(response: Response, id: number): void {
  const detail = `Event ${id} does not exist; it may have been deleted. GET /api/events lists the active ones.`;
  sendProblem(response, 'no-such-event', detail);
}

function sendEvent(response: Response, event: AggregationEvent): void {
  response.status(200).set('Cache-Control', 'no-store').json(event);
}
