import { useState } from 'react';
import type { Webhook, WebhookDelivery } from '#domain/event/webhook';
import { EVENT_CHANGE_KINDS } from '#domain/event/event-change';
import { WEBHOOK_LIMITS } from '#domain/event/webhook';
import type { Rule } from '#domain/rule/rule';
import { useWorkbench } from '../../../frame/workbench.ts';
import { moment } from '../../../support/moment.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Button, Link, MessageBar, MessageBarBody } from '../../../ui/fluent.ts';
import { MessageView } from '../../../ui/text/message-view.tsx';
import events from '../events.module.css';
import { useDelivery } from './use-webhooks.ts';
import { CHANGE_NAMES } from './webhook-form.tsx';
import { DeliveryMark } from './webhooks-pane.tsx';
import styles from './webhooks.module.css';

interface WebhookProps {
  webhook: Webhook;
  rules: readonly Rule[];
  onEdit: () => void;
  onSecret: (secret: string) => void;
  onSent: (delivery: WebhookDelivery) => void;
}

/** One webhook: what it sends, how it does, and its actions. */
export function WebhookDetails({ webhook, rules, onEdit, onSecret, onSent }: WebhookProps) {
  const { client, notify } = useWorkbench();
  const [busy, setBusy] = useState(false);
  const [asks, setAsks] = useState<'rotate' | 'delete' | null>(null);
  const { id, name, url, ruleIds, changes, content, format, pending, problem, enabled } = webhook;
  const nameOf = (rule: number) => rules.find((one) => one.id === rule)?.name ?? `Rule ${rule}, deleted`;
  const act = async (failed: string, action: () => Promise<void>) => {
    setBusy(true);
    try {
      await action();
    } catch (error) {
      notify({ intent: 'error', title: failed, error });
    }
    setBusy(false);
  };
  const test = () =>
    act('No test message was sent', async () => {
      const delivery = await client.webhooks.test({ id });
      reportOutcome(notify, delivery);
      onSent(delivery);
    });
  const rotate = () =>
    act('The secret was not rotated', async () => {
      const { secret } = await client.webhooks.rotate({ id });
      onSecret(secret);
    });
  const remove = () =>
    act('The webhook was not deleted', async () => {
      await client.webhooks.delete({ id });
      notify({ intent: 'info', title: `Deleted the webhook ${name}` });
    });
  const toggle = () =>
    act(`The webhook was not ${enabled ? 'disabled' : 'enabled'}`, async () => {
      await client.webhooks.save({ ...textOf(webhook), enabled: !enabled });
    });
  return (
    <div className={events.details}>
      <header className={events.detailsHead}>
        <h2>
          <bdi>{name}</bdi>
        </h2>
      </header>
      {problem !== null && (
        <MessageBar intent={enabled ? 'warning' : 'error'} layout="multiline" className={styles.problem ?? ''}>
          <MessageBarBody>{problem}</MessageBarBody>
        </MessageBar>
      )}
      <div className={styles.actions}>
        <Button size="small" onClick={onEdit}>
          Edit
        </Button>
        <Button size="small" disabledFocusable={busy} onClick={() => void toggle()}>
          {enabled ? 'Disable' : 'Enable'}
        </Button>
        <Button size="small" disabledFocusable={busy} onClick={() => void test()}>
          Send a test message
        </Button>
        <Button size="small" disabledFocusable={busy} onClick={() => setAsks('rotate')}>
          Rotate secret
        </Button>
        <Button size="small" disabledFocusable={busy} onClick={() => setAsks('delete')}>
          Delete
        </Button>
      </div>
      <dl className={events.fields} aria-label="Webhook">
        <Fact name="URL" text={url} />
        <Fact name="Rules" text={ruleIds === null ? 'all' : ruleIds.map(nameOf).join(', ')} />
        <Fact
          name="Changes"
          text={
            changes.length === EVENT_CHANGE_KINDS.length
              ? 'all'
              : changes.map((kind) => CHANGE_NAMES[kind].toLowerCase()).join(', ')
          }
        />
        <Fact name="Contents" text={content === 'thin' ? 'ids only' : 'the event and its data row'} />
        <Fact name="Format" text={format === 'plain' ? 'plain JSON' : 'CloudEvents 1.0'} />
        <Fact name="Waiting" text={`${pending.toLocaleString('en')} ${pending === 1 ? 'delivery' : 'deliveries'}`} />
        <Fact name="Last delivered" text={timeOf(webhook.lastDeliveredAt) ?? 'never'} />
        {webhook.oldSecretUntil !== null && (
          <Fact name="Previous secret" text={`valid until ${timeOf(webhook.oldSecretUntil) ?? ''}`} />
        )}
      </dl>
      {asks === 'rotate' && (
        <ConfirmDialog title="Rotate the secret" action="Rotate" onConfirm={rotate} onClose={() => setAsks(null)}>
          Messages are signed with a new secret. For {WEBHOOK_LIMITS.overlapHours.usual} hours, they are signed with the
          current one too, so that the receiver can change it.
        </ConfirmDialog>
      )}
      {asks === 'delete' && (
        <ConfirmDialog title="Delete the webhook" action="Delete" onConfirm={remove} onClose={() => setAsks(null)}>
          Its log and its secret are deleted, and pending messages are not sent. You can't undo this.
        </ConfirmDialog>
      )}
    </div>
  );
}

interface DeliveryProps {
  delivery: WebhookDelivery;
  active: boolean;
  onBack: () => void;
}

/** One delivery: its outcome, and the messages of its last attempt. */
export function DeliveryDetails({ delivery, active, onBack }: DeliveryProps) {
  const { client, notify } = useWorkbench();
  const [busy, setBusy] = useState(false);
  const { details, problem } = useDelivery(client, delivery.id, active);
  const shown = details ?? delivery;
  const { id, type, messageId, attempts, error } = shown;
  const resend = async () => {
    setBusy(true);
    try {
      reportOutcome(notify, await client.webhooks.resend({ id }));
    } catch (thrown) {
      notify({ intent: 'error', title: 'The delivery was not sent', error: thrown });
    }
    setBusy(false);
  };
  const isGap = shown.state === 'gap';
  return (
    <div className={events.details}>
      <header className={events.detailsHead}>
        <h2>
          {type} <DeliveryMark delivery={shown} />
        </h2>
        <Link as="button" onClick={onBack}>
          Show the webhook
        </Link>
      </header>
      {!isGap && (
        <div className={styles.actions}>
          <Button size="small" disabledFocusable={busy} onClick={() => void resend()}>
            Resend
          </Button>
        </div>
      )}
      {error !== null && (
        <MessageBar intent={isGap ? 'error' : 'warning'} layout="multiline" className={styles.problem ?? ''}>
          <MessageBarBody>{error}</MessageBarBody>
        </MessageBar>
      )}
      <dl className={events.fields} aria-label="Delivery">
        <Fact name="Time" text={timeOf(shown.at) ?? ''} />
        {!isGap && (
          <>
            <Fact name="Message id" text={messageId} />
            <Fact name="Attempts" text={String(attempts)} />
            <Fact name="Last attempt" text={timeOf(shown.lastAttemptAt) ?? 'none'} />
            {shown.nextAttemptAt !== null && <Fact name="Next attempt" text={timeOf(shown.nextAttemptAt) ?? ''} />}
            {shown.status !== null && <Fact name="Status" text={String(shown.status)} />}
            {shown.ms !== null && <Fact name="Duration" text={`${shown.ms.toFixed(1)} ms`} />}
          </>
        )}
      </dl>
      {problem !== null && <p role="alert">{problem}</p>}
      {details && !isGap && (
        <MessageView
          label="Request"
          headers={details.request.headers}
          text={details.request.body}
          image={null}
          bytes={new TextEncoder().encode(details.request.body).length}
        />
      )}
      {details?.response && (
        <MessageView
          label="Response"
          headers={details.response.headers}
          text={details.response.body}
          image={null}
          bytes={details.response.bytes}
        />
      )}
    </div>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt title={name}>{name}</dt>
      <dd title={text}>{text}</dd>
    </div>
  );
}

function reportOutcome(notify: ReturnType<typeof useWorkbench>['notify'], delivery: WebhookDelivery): void {
  const { state, status, error } = delivery;
  if (state === 'delivered')
    notify({ intent: 'success', title: 'Delivered', body: `The response has status ${status}.` });
  else notify({ intent: 'warning', title: 'Not delivered', body: error ?? `The response has status ${status}.` });
}

const timeOf = (iso: string | null): string | null => (iso === null ? null : moment(new Date(iso)));

function textOf({ id, savedAt, name, url, ruleIds, changes, content, format }: Webhook) {
  return { id, baseSavedAt: savedAt, name, url, ruleIds, changes, content, format };
}
