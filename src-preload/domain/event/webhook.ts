import type { ApiMessage, HeaderPair } from '../mock/api-call.ts';
import { EVENT_CHANGE_KINDS, type EventChangeKind } from './event-change.ts';

/** What a message contains: the ids of the event, or the event with its data row. */
export const WEBHOOK_CONTENTS = ['thin', 'full'] as const;
export type WebhookContent = (typeof WEBHOOK_CONTENTS)[number];

/** The format of its body: Standard Webhooks, or CloudEvents 1.0 in structured mode. */
export const WEBHOOK_FORMATS = ['plain', 'cloudevents'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

export const WEBHOOK_LIMITS = {
  webhooks: 50,
  name: 200,
  url: 2_000,
  rules: 1_000,
  /** Deliveries of a webhook that wait; further changes stay in the change feed. */
  pending: 1_000,
  /** Ended deliveries of a webhook in the log, and their age in days. */
  log: 1_000,
  logDays: 30,
  /** Bytes of a data row in a message; a larger one is omitted. */
  row: 262_144,
  /** Characters of the body of a response in the log. */
  response: 16_384,
  overlapHours: { min: 0, usual: 24, max: 720 },
} as const;

/** A webhook as users edit it. */
export interface WebhookText {
  name: string;
  /** http or https, without user and password. */
  url: string;
  enabled: boolean;
  /** The rules whose events are sent; null for all. */
  ruleIds: number[] | null;
  changes: EventChangeKind[];
  content: WebhookContent;
  format: WebhookFormat;
}

export const NEW_WEBHOOK: WebhookText = {
  name: '',
  url: '',
  enabled: true,
  ruleIds: null,
  changes: [...EVENT_CHANGE_KINDS],
  content: 'full',
  format: 'plain',
};

export interface Webhook extends WebhookText {
  id: number;
  savedAt: string;
  /** The place in the change feed up to which changes have become deliveries. */
  seq: number;
  /** Deliveries that wait for an attempt. */
  pending: number;
  /** Why Tagwright disabled it, or why its last attempt failed; null if it works. */
  problem: string | null;
  lastDeliveredAt: string | null;
  /** Until when messages are signed with the previous secret, too; null without one. */
  oldSecretUntil: string | null;
}

/** The outcome of a delivery; `gap` marks changes that were no longer in the change feed. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'gap'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** An entry of the delivery log. */
export interface WebhookDelivery {
  id: number;
  webhookId: number;
  /** The `webhook-id` header: the same in every attempt. Empty for a gap. */
  messageId: string;
  /** Such as `event.created`. */
  type: string;
  eventId: number | null;
  state: DeliveryState;
  at: string;
  attempts: number;
  nextAttemptAt: string | null;
  lastAttemptAt: string | null;
  /** The status of the last response; null without one. */
  status: number | null;
  ms: number | null;
  /** Why there was no response, or what the entry says; null otherwise. */
  error: string | null;
}

/** With the messages of the last attempt. */
export interface WebhookDeliveryDetails extends WebhookDelivery {
  request: { headers: HeaderPair[]; body: string };
  response: ApiMessage | null;
}

/** A message as it is posted. */
export interface PushMessage {
  url: string;
  headers: HeaderPair[];
  body: string;
}

/** The response to a message, or why there was none. */
export type PushOutcome =
  | { response: { status: number; retryAfter: string | null; message: ApiMessage }; error: null }
  | { response: null; error: string };

/** Why a URL can't be that of a webhook; null if it can. */
export function problemOfWebhookUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return 'Enter a URL that starts with https:// or http://';
  }
  if (url.username !== '' || url.password !== '') return 'Remove the user and the password from the URL';
  return null;
}
