import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Webhook, WebhookDelivery } from '#domain/event/webhook';
import type { Rule } from '#domain/rule/rule';
import { useWorkbench } from '../../../frame/workbench.ts';
import { SecretShown } from './secret-shown.tsx';
import { useWebhooks } from './use-webhooks.ts';
import { DeliveryDetails, WebhookDetails } from './webhook-details.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhooksPane } from './webhooks-pane.tsx';
import events from '../events.module.css';

interface Tab {
  list: ReactNode;
  details: ReactNode;
  /** For the foot of the list. */
  foot: string;
}

/** The tab Webhooks of the view: its list with the log, and the details of the selected entry. */
export function useWebhooksTab(rules: readonly Rule[], active: boolean): Tab {
  const { client } = useWorkbench();
  const [chosen, setChosen] = useState<number | null>(null);
  const [chosenDelivery, setChosenDelivery] = useState<WebhookDelivery | null>(null);
  /** null for a new webhook. */
  const [editing, setEditing] = useState<{ webhook: Webhook | null } | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { webhooks, deliveries, problem } = useWebhooks(client, chosen, active);
  const webhook = webhooks?.find(({ id }) => id === chosen) ?? null;
  // As it is in the log now; the log may have dropped it.
  const delivery = deliveries.find(({ id }) => id === chosenDelivery?.id) ?? chosenDelivery;
  const choose = (id: number) => {
    setChosen(id);
    setChosenDelivery(null);
  };
  const list = (
    <>
      <WebhooksPane
        webhooks={webhooks}
        deliveries={deliveries}
        problem={problem}
        chosen={chosen}
        chosenDelivery={chosenDelivery?.id ?? null}
        active={active}
        onChoose={choose}
        onChooseDelivery={setChosenDelivery}
        onNew={() => setEditing({ webhook: null })}
        onEdit={(one) => setEditing({ webhook: one })}
      />
      {editing && (
        <WebhookForm
          webhook={editing.webhook}
          rules={rules}
          onSaved={(saved, created) => {
            choose(saved.id);
            setSecret(created);
          }}
          onClose={() => setEditing(null)}
        />
      )}
      {secret !== null && <SecretShown secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
  const details =
    delivery && (webhook === null || delivery.webhookId === webhook.id) ? (
      <DeliveryDetails
        key={delivery.id}
        delivery={delivery}
        active={active}
        onBack={() => {
          setChosen(delivery.webhookId);
          setChosenDelivery(null);
        }}
      />
    ) : webhook ? (
      <WebhookDetails
        key={webhook.id}
        webhook={webhook}
        rules={rules}
        onEdit={() => setEditing({ webhook })}
        onSecret={setSecret}
        onSent={setChosenDelivery}
      />
    ) : (
      <p className={events.hint}>Select a webhook to see what it sends, or a delivery to see its messages.</p>
    );
  const count = webhooks?.length ?? 0;
  return { list, details, foot: `${count} ${count === 1 ? 'webhook' : 'webhooks'}` };
}
