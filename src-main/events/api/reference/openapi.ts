import { z } from 'zod';
import { eventChangeShape, eventShape, healthShape } from '../event-shape.ts';
import { LIST_PARAMETERS } from '../list/list-query.ts';
import type { HttpMethod, Operation } from './operations.ts';
import { COMMON_PROBLEMS, EVENT_PATH, OPERATIONS } from './operations.ts';
import type { ProblemName } from '../problem.ts';
import { PROBLEM_TYPE, problemShape, PROBLEMS } from '../problem.ts';
import { STREAM_TYPE } from '../stream/stream-events.ts';
import { cloudEventShape, webhookDataShape, webhookMessageShape, WEBHOOKS } from './webhooks.ts';

interface OpenApiResponse {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: unknown }>;
}

/** Components that others contain. */
const SHARED = new Map<unknown, string>([
  [eventShape, 'AggregationEvent'],
  [webhookDataShape, 'WebhookData'],
]);
const event = { $ref: '#/components/schemas/AggregationEvent' };
const header = (description: string) => ({ description, schema: { type: 'string' } });
const etag = { ETag: header('Changes with every change of any event; send it as If-None-Match.') };
const listHeaders = {
  ...etag,
  'Preference-Applied': header('With `Prefer: wait=…`: how long it would have waited.'),
  Link: header('With `limit`: `<…>; rel="next"` if there is a next page.'),
};
const listContent = {
  'application/json': { schema: { type: 'array', items: event } },
  'application/x-ndjson': { schema: { ...event, description: 'One event per line.' } },
  [STREAM_TYPE]: {
    schema: {
      type: 'string',
      description:
        'Server-sent events: the active events as `created`, then every change as it is made. `event` is `created`, ' +
        '`disabled`, `reactivated`, `deleted` (expired events too) or `reset` (forget all events, a new list follows). ' +
        '`id` is the place in the change feed, to send as `Last-Event-ID`; `data` is the event, a deleted one as it was last.',
    },
  },
};

/** The successful response of each operation, by its id; other operations respond without a body. */
const SUCCESSES: Readonly<Record<string, OpenApiResponse>> = {
  listEvents: { description: 'The events.', headers: listHeaders, content: listContent },
  headEvents: { description: 'The headers of the list.', headers: listHeaders },
  getEvent: { description: 'The event.', content: { 'application/json': { schema: event } } },
  putEvent: { description: 'The stored event.', content: { 'application/json': { schema: event } } },
  deleteEvent: { description: 'The event is deleted.' },
  health: {
    description: 'The API responds; `status` is whether changes work too.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Health' } } },
  },
  openapi: { description: 'This document.', content: { 'application/json': { schema: { type: 'object' } } } },
  docs: { description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } },
};

/** OpenAPI 3.1 of the API, generated from the tables that the server uses. */
export function openApiDocument(version: string, base = '') {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tagwright events API',
      version,
      description:
        'Events announce rows that aggregation rules have written. Poll the list, handle each event, and set its ' +
        `\`Active\` to false or delete it.${base === '' ? ' For programs on this machine only.' : ''}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: base === '' ? '/' : base, description: base === '' ? 'This instance' : 'This site at the gateway' },
    ],
    security: [...(base === '' ? [{}] : []), { apiKey: [] }, { bearer: [] }],
    paths: Object.fromEntries(
      Object.entries(OPERATIONS).map(([path, operations]) => [path, pathItem(path, operations)]),
    ),
    webhooks: WEBHOOKS,
    components: {
      schemas: {
        AggregationEvent: schemaOf(eventShape),
        CloudEvent: schemaOf(cloudEventShape),
        EventChange: schemaOf(eventChangeShape),
        Health: schemaOf(healthShape),
        Problem: schemaOf(problemShape),
        WebhookData: schemaOf(webhookDataShape),
        WebhookMessage: schemaOf(webhookMessageShape),
      },
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'If the setting events.apiKey is not empty, every call needs it.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
      },
    },
  };
}

function pathItem(path: string, operations: Readonly<Partial<Record<HttpMethod, Operation>>>) {
  const methods = Object.entries(operations).map(([method, operation]) => [
    method.toLowerCase(),
    operationOf(method, operation),
  ]);
  return { ...(path === EVENT_PATH ? { parameters: [idParameter] } : {}), ...Object.fromEntries(methods) };
}

const idParameter = {
  name: 'aggregationEventId',
  in: 'path',
  required: true,
  description: 'The AggregationEventId of the event, in plain digits.',
  schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
};

const listParameters = [
  ...Object.entries(LIST_PARAMETERS).map(([name, { description, schema }]) => ({
    name,
    in: 'query',
    description,
    schema,
  })),
  {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of the last response: 304 if nothing has changed.',
    schema: { type: 'string' },
  },
  {
    name: 'Prefer',
    in: 'header',
    description:
      '`wait=30` waits up to 30 s (at most 60) for a change if the response would be 304, or, without `If-None-Match`, ' +
      'an empty list.',
    schema: { type: 'string' },
  },
  {
    name: 'Last-Event-ID',
    in: 'header',
    description: `Of a stream (\`Accept: ${STREAM_TYPE}\`): the id of the last message, to continue after it.`,
    schema: { type: 'string' },
  },
];

function operationOf(method: string, { id, summary, description, success, problems }: Operation) {
  const isList = id === 'listEvents' || id === 'headEvents';
  const responses: Record<string, OpenApiResponse> = {
    [success]: SUCCESSES[id] ?? (method === 'OPTIONS' ? optionsResponse : { description: 'The headers.' }),
  };
  if (isList) responses['304'] = { description: 'Nothing has changed since that ETag.', headers: etag };
  for (const name of [...COMMON_PROBLEMS, ...problems]) addProblem(responses, name, method);
  return {
    operationId: id,
    summary,
    description,
    ...(isList ? { parameters: listParameters } : {}),
    ...(id === 'putEvent'
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/EventChange' } } },
          },
        }
      : {}),
    responses,
  };
}

const optionsResponse: OpenApiResponse = {
  description: 'The methods, in the Allow header.',
  headers: { Allow: header('The methods that are allowed.') },
};

/** Problems with the same status share an entry. */
function addProblem(responses: Record<string, OpenApiResponse>, name: ProblemName, method: string): void {
  const { status, title } = PROBLEMS[name];
  const known = responses[status];
  responses[status] = {
    description: known ? `${known.description}; ${title.toLowerCase()}` : title,
    ...(method === 'HEAD' ? {} : { content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } } }),
  };
}

/** The schema of a shape. Shapes that are components are references inside others, as `event` in WebhookMessage. */
function schemaOf(shape: z.ZodType) {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, {
    target: 'draft-2020-12',
    override: ({ zodSchema, jsonSchema }) => {
      const name = Object.is(zodSchema, shape) ? undefined : SHARED.get(zodSchema);
      if (name === undefined) return;
      for (const member of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, member);
      jsonSchema.$ref = `#/components/schemas/${name}`;
    },
  });
  return schema;
}
