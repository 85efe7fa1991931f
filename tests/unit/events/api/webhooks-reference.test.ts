import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { EVENT_CHANGE_KINDS } from '#domain/event/event-change';
import { openApiDocument } from '../../../../src-main/events/api/reference/openapi.ts';
import { changeMessage } from '../../../../src-main/events/webhooks/message.ts';

const event = {
  AggregationEventId: 7,
  RuleId: 3,
  EventDateTime: '2026-01-31T06:00:00.000+01:00',
  Active: true,
  ResultTableName: 'agg_3_level',
  ResultTableRecordId: 9,
};
const { components, webhooks } = openApiDocument('1.0.0');

test('the reference has a webhook for each change', () => {
  expect(Object.keys(webhooks)).toEqual(EVENT_CHANGE_KINDS.map((kind) => `event.${kind}`));
  for (const { post } of Object.values(webhooks)) {
    expect(post.parameters.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
  }
});

test('messages match their schemas in the reference', () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'api', components });
  const checks = {
    plain: ajv.compile({ $ref: 'api#/components/schemas/WebhookMessage', unevaluatedProperties: false }),
    cloudevents: ajv.compile({ $ref: 'api#/components/schemas/CloudEvent', unevaluatedProperties: false }),
  };
  for (const kind of EVENT_CHANGE_KINDS) {
    for (const content of ['thin', 'full'] as const) {
      for (const format of ['plain', 'cloudevents'] as const) {
        for (const row of [{ id: 9, mean: 1.5 }, null, { id: 9, text: 'x'.repeat(300_000) }]) {
          const body = changeMessage({ seq: 4, kind, event, at: 0 }, 'msg_1', { content, format }, () => row);
          const message: unknown = JSON.parse(body);
          const check = checks[format];
          expect({ message, isValid: check(message), errors: check.errors }).toMatchObject({ isValid: true });
          expect(body.length).toBeLessThan(2_000);
        }
      }
    }
  }
  expect(checks.plain({ type: 'event.made', timestamp: 'now', data: {} })).toBe(false);
});
