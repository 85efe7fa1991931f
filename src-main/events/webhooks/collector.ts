import type { EventChangeKind } from '#domain/event/event-change';
import { WEBHOOK_LIMITS } from '#domain/event/webhook';
import type { Clock } from '../../platform/clock.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { WantedChanges, WantedQuery } from '../../storage/events/event-change-reader.ts';
import type { WebhookRepository, WebhookRow } from '../../storage/events/webhook-repository.ts';
import { changeMessage, type RowSource, typeOf } from './message.ts';

export interface CollectorParts {
  webhooks: WebhookRepository;
  events: { wantedAfter(seq: number, query: WantedQuery): WantedChanges };
  commits: CommitQueue;
  clock: Clock;
  rowOf: RowSource;
}

/** Deliveries that one transaction writes: a few ms. */
const WRITTEN = 100;

/**
 * The id of the message about a change: the same after any crash, and different for each webhook of any workspace.
 * @param key of the webhook
 */
export const messageIdOf = (key: string, seq: number): string => `msg_${key}_${seq}`;

/**
 * Makes deliveries of the next changes of the feed for a webhook, and moves its place behind them in the same
 * transaction: a crash at any moment neither loses a change nor makes a second delivery of it. Changes beyond the
 * waiting deliveries that a webhook can have stay in the feed. Resolves with whether there is more.
 */
export async function collect(
  webhookId: number,
  { webhooks, events, commits, clock, rowOf }: CollectorParts,
): Promise<boolean> {
  const webhook = webhooks.get(webhookId);
  if (webhook?.enabled !== 1) return false;
  const room = Math.min(WRITTEN, WEBHOOK_LIMITS.pending - webhooks.pending(webhookId));
  // From another connection: in a transaction of this one, events may be deleted whose change is not in the feed yet.
  const found = events.wantedAfter(webhook.seq, { isWanted: wantedBy(webhook), limit: Math.max(room, 0) });
  const gap = gapOf(webhook.seq, found);
  if (gap === null && found.seq === webhook.seq) return false;
  return commits.run(() => {
    const current = webhooks.get(webhookId);
    if (current?.enabled !== 1) return false;
    // It was saved in the meantime.
    if (current.seq !== webhook.seq || current.savedAt !== webhook.savedAt) return true;
    const now = clock.now();
    const common = { webhookId, atMs: now };
    if (gap !== null) {
      const { error, next } = gap;
      const none = { messageId: '', eventId: null, nextMs: null, requestBody: '' };
      webhooks.addDelivery({ ...common, ...none, type: 'gap', state: 'gap', error });
      webhooks.moveTo(webhookId, next);
      return next < found.last;
    }
    for (const change of found.changes) {
      const messageId = messageIdOf(webhook.key, change.seq);
      webhooks.addDelivery({
        ...common,
        messageId,
        type: typeOf(change),
        eventId: change.event.AggregationEventId,
        state: 'pending',
        nextMs: now,
        error: null,
        requestBody: changeMessage(change, messageId, webhook, rowOf),
      });
    }
    webhooks.moveTo(webhookId, found.seq);
    return found.seq < found.last;
  });
}

function wantedBy({ changes, ruleIds }: WebhookRow): WantedQuery['isWanted'] {
  const kinds = new Set<EventChangeKind>(JSON.parse(changes));
  const rules = ruleIds === null ? null : new Set<number>(JSON.parse(ruleIds));
  return ({ kind, event }) => kinds.has(kind) && (rules === null || rules.has(event.RuleId));
}

/** The changes after a place that the feed no longer has, and its next change; null if it has all. */
function gapOf(seq: number, { first, last }: WantedChanges): { error: string; next: number } | null {
  if (seq > last) {
    return {
      next: last,
      error: `The change feed ends at ${last}, before the place of this webhook, ${seq}: another database replaced it. Changes may be missing.`,
    };
  }
  if (seq >= first - 1) return null;
  return {
    next: first - 1,
    error:
      `Changes ${seq + 1} to ${first - 1} were not sent: they were no longer in the change feed (settings ` +
      'retention.changes and retention.changeDays, or a restored backup). Read the list of events to get their state.',
  };
}
