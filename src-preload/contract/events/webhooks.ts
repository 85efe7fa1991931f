import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { EVENT_CHANGE_KINDS } from '#domain/event/event-change';
import type { Webhook, WebhookDelivery, WebhookDeliveryDetails } from '#domain/event/webhook';
import {
  DELIVERY_STATES,
  problemOfWebhookUrl,
  WEBHOOK_CONTENTS,
  WEBHOOK_FORMATS,
  WEBHOOK_LIMITS,
} from '#domain/event/webhook';
import { procedure } from '../procedure.ts';

const id = z.int().positive();
const kinds = z.array(z.enum(EVENT_CHANGE_KINDS));
const rules = z.array(id).max(WEBHOOK_LIMITS.rules).nullable();
const options = { enabled: z.boolean(), content: z.enum(WEBHOOK_CONTENTS), format: z.enum(WEBHOOK_FORMATS) };
const webhookUrl = z
  .string()
  .trim()
  .max(WEBHOOK_LIMITS.url)
  .superRefine((text, context) => {
    const message = problemOfWebhookUrl(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

/** A webhook as written by the user: omitted members have their defaults. */
const webhookText = {
  name: z.string().trim().max(WEBHOOK_LIMITS.name).default(''),
  url: webhookUrl,
  enabled: options.enabled.default(true),
  ruleIds: rules.default(null),
  changes: kinds
    .min(1, 'Choose at least one change')
    .max(EVENT_CHANGE_KINDS.length)
    .default([...EVENT_CHANGE_KINDS]),
  content: options.content.default('full'),
  format: options.format.default('plain'),
};

const webhook: z.ZodType<Webhook, Webhook> = z.object({
  id,
  name: z.string(),
  url: z.string(),
  ...options,
  ruleIds: rules,
  changes: kinds,
  savedAt: z.string(),
  seq: z.int(),
  pending: z.int(),
  problem: z.string().nullable(),
  lastDeliveredAt: z.string().nullable(),
  oldSecretUntil: z.string().nullable(),
});

const summary = {
  id,
  webhookId: id,
  messageId: z.string(),
  type: z.string(),
  eventId: id.nullable(),
  state: z.enum(DELIVERY_STATES),
  at: z.string(),
  attempts: z.int(),
  nextAttemptAt: z.string().nullable(),
  lastAttemptAt: z.string().nullable(),
  status: z.int().nullable(),
  ms: z.number().nullable(),
  error: z.string().nullable(),
};
const delivery: z.ZodType<WebhookDelivery, WebhookDelivery> = z.object(summary);
const headers = z.array(z.tuple([z.string(), z.string()]));
const details: z.ZodType<WebhookDeliveryDetails, WebhookDeliveryDetails> = z.object({
  ...summary,
  request: z.object({ headers, body: z.string() }),
  response: z.object({ headers, body: z.string().nullable(), bytes: z.int() }).nullable(),
});

/** Webhooks, which send changes of events to other systems, and the log of their deliveries. */
export const webhooks = {
  /** Oldest first. */
  list: procedure.read.output(z.object({ webhooks: z.array(webhook) })),
  /**
   * Adds a webhook, which gets all changes from now on, or replaces that of `id`. A new one gets a secret, which is only
   * in this response; `secret` is one that the receiver already has: `whsec_` and the Base64 of 24 to 64 bytes. CONFLICT
   * if it was saved since `baseSavedAt`.
   */
  save: procedure.write
    .input(
      z.object({
        ...webhookText,
        id: id.optional(),
        baseSavedAt: z.string().optional(),
        secret: z.string().max(200).optional(),
      }),
    )
    .output(z.object({ webhook, secret: z.string().nullable() })),
  /** With its log. */
  delete: procedure.write.input(z.object({ id })).output(z.object({})),
  /** A new secret, which is only in this response. For some hours, messages are signed with the previous one, too. */
  rotate: procedure.write
    .input(
      z.object({
        id,
        overlapHours: z
          .number()
          .min(WEBHOOK_LIMITS.overlapHours.min)
          .max(WEBHOOK_LIMITS.overlapHours.max)
          .default(WEBHOOK_LIMITS.overlapHours.usual),
      }),
    )
    .output(z.object({ webhook, secret: z.string() })),
  /** Sends a test message once, and responds with its outcome. */
  test: procedure.write.input(z.object({ id })).output(details),
  /** Deliveries with ids below `before`, newest first; of one webhook, or of all. */
  log: procedure.read
    .input(
      z.object({
        webhookId: id.nullable().optional(),
        before: id.optional(),
        limit: z.int().min(1).max(WEBHOOK_LIMITS.log).optional(),
      }),
    )
    .output(z.object({ deliveries: z.array(delivery) })),
  /** A delivery with the request and the response of its last attempt. NOT_FOUND if the log has dropped it. */
  delivery: procedure.read.input(z.object({ id })).output(details),
  /** Sends a delivery again at once, with the same id, and responds with its outcome. */
  resend: procedure.write.input(z.object({ id })).output(details),
  /** Sent when webhooks or their logs have changed, at most five times a second; null for several webhooks. */
  changes: procedure.changes.output(eventIterator(z.object({ webhookId: id.nullable() }))),
};
