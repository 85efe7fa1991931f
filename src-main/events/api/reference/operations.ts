import type { ProblemName } from '../problem.ts';

/** The responses of an operation besides its success and those of every call. */
export interface Operation {
  id: string;
  summary: string;
  description: string;
  /** The status of success; the reference adds its headers and body by id. */
  success: number;
  problems: readonly ProblemName[];
}

export type HttpMethod = 'GET' | 'HEAD' | 'PUT' | 'DELETE' | 'OPTIONS';

export const EVENT_PATH = '/api/events/{aggregationEventId}';

/** The errors that any call can get. */
export const COMMON_PROBLEMS: readonly ProblemName[] = [
  'malformed-request',
  'unauthorized',
  'foreign-origin',
  'request-timeout',
  'foreign-host',
  'headers-too-large',
];

const options = (id: string): Operation => ({
  id,
  summary: 'List the allowed methods',
  description: 'The `Allow` header lists them.',
  success: 204,
  problems: [],
});

const head = (id: string, of: Operation): Operation => ({
  ...of,
  id,
  summary: `${of.summary}: headers only`,
  description: 'The status and headers of GET, without a body.',
});

const listEvents: Operation = {
  id: 'listEvents',
  summary: 'List events',
  description:
    'All active events, oldest first, as one consistent snapshot, however many there are. `If-None-Match` with the ' +
    '`ETag` of the last response costs almost nothing while nothing has changed. With `Accept: text/event-stream`, a ' +
    'stream of the active events and of every change.',
  success: 200,
  problems: ['invalid-query', 'internal', 'busy'],
};
const getEvent: Operation = {
  id: 'getEvent',
  summary: 'Get one event',
  description: 'The event, active or not.',
  success: 200,
  problems: ['invalid-id', 'no-such-event', 'internal', 'busy'],
};
const health: Operation = {
  id: 'health',
  summary: 'Check whether the API responds',
  description: 'For monitoring.',
  success: 200,
  problems: [],
};
const openapi: Operation = {
  id: 'openapi',
  summary: 'Get this description',
  description: 'OpenAPI 3.1.',
  success: 200,
  problems: [],
};
const docs: Operation = {
  id: 'docs',
  summary: 'Get the reference as a page',
  description: 'Works offline and without scripts.',
  success: 200,
  problems: [],
};

/** Every path with its operations: routes, Allow headers and the reference follow from this table. */
export const OPERATIONS: Readonly<Record<string, Readonly<Partial<Record<HttpMethod, Operation>>>>> = {
  '/api/events': {
    GET: listEvents,
    HEAD: head('headEvents', listEvents),
    OPTIONS: options('optionsOfEvents'),
  },
  [EVENT_PATH]: {
    GET: getEvent,
    HEAD: head('headEvent', getEvent),
    PUT: {
      id: 'putEvent',
      summary: 'Disable or re-activate an event',
      description:
        'Changes only `Active`: other members of the body are ignored. Responds once the change is durable; ' +
        'sending it again changes nothing.',
      success: 200,
      problems: [
        'invalid-id',
        'invalid-body',
        'no-such-event',
        'body-too-large',
        'not-json',
        'internal',
        'busy',
        'storage-full',
      ],
    },
    DELETE: {
      id: 'deleteEvent',
      summary: 'Delete an event',
      description: 'Deletes the event permanently. The data row of the firing stays.',
      success: 204,
      problems: ['invalid-id', 'no-such-event', 'internal', 'busy', 'storage-full'],
    },
    OPTIONS: options('optionsOfEvent'),
  },
  '/api/health': { GET: health, HEAD: head('headHealth', health), OPTIONS: options('optionsOfHealth') },
  '/api/openapi.json': { GET: openapi, HEAD: head('headOpenapi', openapi), OPTIONS: options('optionsOfOpenapi') },
  '/api/docs': { GET: docs, HEAD: head('headDocs', docs), OPTIONS: options('optionsOfDocs') },
};

/** The Allow header of a path. */
export function allowOf(path: string): string {
  return Object.keys(OPERATIONS[path] ?? {}).join(', ');
}
