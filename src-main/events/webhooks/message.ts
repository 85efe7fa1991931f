import type { AggregationEvent } from '#domain/event/event';
import type { EventChange } from '#domain/event/event-change';
import type { WebhookContent, WebhookFormat } from '#domain/event/webhook';
import { WEBHOOK_LIMITS } from '#domain/event/webhook';
import type { JsonObject } from '#domain/text/json';

/** A data row by its columns; null if it no longer exists. */
export type RowSource = (event: AggregationEvent) => JsonObject | null;

interface MessageForm {
  content: WebhookContent;
  format: WebhookFormat;
}

interface MessageParts extends MessageForm {
  /** The `webhook-id`. */
  id: string;
  type: string;
  /** ms since 1970 in UTC. */
  at: number;
  subject: string | null;
  data: JsonObject;
}

export const typeOf = (change: Pick<EventChange, 'kind'>): string => `event.${change.kind}`;
export const TEST_TYPE = 'webhook.test';

const MEDIA_TYPES: Readonly<Record<WebhookFormat, string>> = {
  plain: 'application/json',
  cloudevents: 'application/cloudevents+json; charset=utf-8',
};

export const mediaTypeOf = (format: WebhookFormat): string => MEDIA_TYPES[format];

/** The body of the message about a change. */
export function changeMessage(
  change: EventChange & { at: number },
  id: string,
  form: MessageForm,
  rowOf: RowSource,
): string {
  const { seq, event, at } = change;
  const { AggregationEventId, RuleId } = event;
  const ids = { sequence: seq, AggregationEventId, RuleId };
  const data: JsonObject = form.content === 'thin' ? ids : { ...ids, event: { ...event }, ...rowPart(rowOf(event)) };
  return bodyOf({ ...form, id, type: typeOf(change), at, subject: String(AggregationEventId), data });
}

/** The body of a message that tests a webhook. */
export function testMessage(id: string, format: WebhookFormat, at: number): string {
  const data = { message: 'A test message of Tagwright. No event has changed.' };
  return bodyOf({ content: 'thin', format, id, type: TEST_TYPE, at, subject: null, data });
}

function rowPart(row: JsonObject | null): JsonObject {
  const isLarge = row !== null && Buffer.byteLength(JSON.stringify(row)) > WEBHOOK_LIMITS.row;
  return isLarge ? { row: null, rowOmitted: true } : { row };
}

function bodyOf({ format, id, type, at, subject, data }: MessageParts): string {
  const time = new Date(at).toISOString();
  if (format === 'plain') return JSON.stringify({ type, timestamp: time, data });
  return JSON.stringify({
    specversion: '1.0',
    id,
    source: '/api/events',
    type: `tagwright.${type}`,
    ...(subject !== null && { subject }),
    time,
    datacontenttype: 'application/json',
    data,
  });
}
