import { useMemo } from 'react';
import type { Webhook, WebhookDelivery, WebhookDeliveryDetails } from '#domain/event/webhook';
import type { Client } from '../../../client/client.ts';
import { useQuery } from '../../../client/use-query.ts';

/** Deliveries that the log shows. */
export const LISTED = 200;

interface Webhooks {
  /** null while they load. */
  webhooks: readonly Webhook[] | null;
  /** The newest deliveries of the chosen webhook, newest first. */
  deliveries: readonly WebhookDelivery[];
  problem: string | null;
}

/** The webhooks, and the log of one of them, or of all; kept current. */
export function useWebhooks(client: Pick<Client, 'webhooks'>, webhookId: number | null, active: boolean): Webhooks {
  const query = useMemo(
    () => ({
      read: async (signal: AbortSignal) => {
        const [{ webhooks }, { deliveries }] = await Promise.all([
          client.webhooks.list(undefined, { signal }),
          client.webhooks.log({ webhookId, limit: LISTED }, { signal }),
        ]);
        return { webhooks, deliveries, webhookId };
      },
      changes: [(signal: AbortSignal) => client.webhooks.changes(undefined, { signal })],
    }),
    [client, webhookId],
  );
  const { data, problem } = useQuery(query, active);
  return {
    webhooks: data?.webhooks ?? null,
    deliveries: data && data.webhookId === webhookId ? data.deliveries : NONE,
    problem: problem?.message ?? null,
  };
}

const NONE: readonly WebhookDelivery[] = [];

/** A delivery with its messages, kept current; null while it loads. */
export function useDelivery(
  client: Pick<Client, 'webhooks'>,
  id: number,
  active: boolean,
): { details: WebhookDeliveryDetails | null; problem: string | null } {
  const query = useMemo(
    () => ({
      read: (signal: AbortSignal) => client.webhooks.delivery({ id }, { signal }),
      changes: [(signal: AbortSignal) => client.webhooks.changes(undefined, { signal })],
    }),
    [client, id],
  );
  const { data, problem } = useQuery(query, active);
  return { details: data, problem: problem?.message ?? null };
}
