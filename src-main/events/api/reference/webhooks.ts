import { z } from 'zod';
import { EVENT_CHANGE_KINDS, type EventChangeKind } from '#domain/event/event-change';
import { eventShape } from '../event-shape.ts';

/** The messages that webhooks send: the section `webhooks` of OpenAPI 3.1. */

const time = z.iso.datetime().meta({ description: 'When the change was made, RFC 3339 in UTC.' });
export const webhookDataShape = z
  .object({
    sequence: z.int().positive().meta({ description: 'The place in the change feed: higher is newer.' }),
    AggregationEventId: z.int().positive(),
    RuleId: z.int().positive(),
    event: eventShape.optional().meta({
      description: 'The event after the change, a deleted one as it was last. Not in thin messages.',
    }),
    row: z.record(z.string(), z.unknown()).nullable().optional().meta({
      description: 'The data row by its columns; null if it no longer exists. Not in thin messages.',
    }),
    rowOmitted: z.literal(true).optional().meta({ description: 'The data row is larger than 256 KiB.' }),
  })
  .meta({ description: 'The change that a webhook sends.' });
const types = EVENT_CHANGE_KINDS.map((kind) => `event.${kind}` as const);

export const webhookMessageShape = z
  .object({ type: z.enum(types), timestamp: time, data: webhookDataShape })
  .meta({ description: 'A message in the format plain (Standard Webhooks).' });

export const cloudEventShape = z
  .object({
    specversion: z.literal('1.0'),
    id: z.string().meta({ description: 'The same as the header webhook-id.' }),
    source: z.string(),
    type: z.enum(types.map((type) => `tagwright.${type}` as const)),
    subject: z.string().meta({ description: 'The AggregationEventId.' }),
    time,
    datacontenttype: z.literal('application/json'),
    data: webhookDataShape,
  })
  .meta({ description: 'A message in the format cloudevents (CloudEvents 1.0, structured mode).' });

const SUMMARIES: Readonly<Record<EventChangeKind, string>> = {
  created: 'A rule has fired',
  disabled: 'An event was disabled',
  reactivated: 'An event was re-activated',
  deleted: 'An event was deleted, or expired',
};

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});
const headers = [
  header('webhook-id', 'The id of the message: the same in every attempt. Ignore a message that was processed.'),
  header('webhook-timestamp', 'When this attempt was sent, Unix time in seconds. Reject old ones.'),
  header(
    'webhook-signature',
    '`v1,` and the Base64 of HMAC-SHA256 of `id.timestamp.body` with the secret; several, separated by spaces, after a rotation.',
  ),
];

/** One entry for each change. */
export const WEBHOOKS = Object.fromEntries(
  EVENT_CHANGE_KINDS.map((kind) => [
    `event.${kind}`,
    {
      post: {
        operationId: `on${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
        summary: SUMMARIES[kind],
        description: 'Sent to each webhook that wants it, at least once, until it is confirmed.',
        security: [],
        parameters: headers,
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/WebhookMessage' } },
            'application/cloudevents+json': { schema: { $ref: '#/components/schemas/CloudEvent' } },
          },
        },
        responses: {
          '2XX': { description: 'Received.' },
          '410': { description: 'No longer wanted: the webhook is disabled.' },
          '429': { description: 'Later, after `Retry-After`; also 503.' },
          default: { description: 'Retried up to nine times within 76 hours.' },
        },
      },
    },
  ]),
);
