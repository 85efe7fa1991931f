import { type ReactNode, useId, useState } from 'react';
import { EVENT_CHANGE_KINDS, type EventChangeKind } from '#domain/event/event-change';
import type { Webhook, WebhookText } from '#domain/event/webhook';
import { NEW_WEBHOOK, problemOfWebhookUrl, WEBHOOK_LIMITS } from '#domain/event/webhook';
import type { Rule } from '#domain/rule/rule';
import { problemOf } from '../../../client/errors.ts';
import { validationOf } from '../../../drafted/validation.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Checkbox, Field, Input, Radio, RadioGroup, Switch } from '../../../ui/fluent.ts';
import { ErrorCircleFilled } from '../../../ui/icons.ts';
import styles from './webhooks.module.css';

/** The changes in words. */
export const CHANGE_NAMES: Readonly<Record<EventChangeKind, string>> = {
  created: 'Created',
  disabled: 'Disabled',
  reactivated: 'Re-activated',
  deleted: 'Deleted or expired',
};

interface Props {
  /** null for a new one. */
  webhook: Webhook | null;
  rules: readonly Rule[];
  /** With the secret of a new one. */
  onSaved: (webhook: Webhook, secret: string | null) => void;
  onClose: () => void;
}

/** Adds a webhook, or changes one. */
export function WebhookForm({ webhook, rules, onSaved, onClose }: Props) {
  const { client, notify } = useWorkbench();
  const [text, setText] = useState<WebhookText>(() => textOf(webhook ?? NEW_WEBHOOK));
  const [tried, setTried] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const change = (more: Partial<WebhookText>) => {
    setText({ ...text, ...more });
    setRefusal(null);
  };
  const problem = problemOfWebhookUrl(text.url.trim());
  const urlIssue = refusal ?? (tried && problem !== null ? `${problem}.` : undefined);
  const changesIssue = tried && text.changes.length === 0 ? 'Choose at least one change.' : undefined;
  const rulesIssue = tried && text.ruleIds?.length === 0 ? 'Choose at least one rule.' : undefined;
  const submit = async () => {
    setTried(true);
    if (problem !== null || text.changes.length === 0 || text.ruleIds?.length === 0) return;
    try {
      const base = webhook ? { id: webhook.id, baseSavedAt: webhook.savedAt } : {};
      const { webhook: saved, secret } = await client.webhooks.save({ ...text, ...base });
      notify({
        intent: 'success',
        title: webhook ? `Saved the webhook ${saved.name}` : `Added the webhook ${saved.name}`,
      });
      onClose();
      onSaved(saved, secret);
    } catch (error) {
      setRefusal(problemOf(error).message);
    }
  };
  return (
    <FormDialog
      title={webhook ? 'Edit the webhook' : 'New webhook'}
      action={webhook ? 'Save' : 'Add'}
      changed={JSON.stringify(text) !== JSON.stringify(textOf(webhook ?? NEW_WEBHOOK))}
      width={560}
      className={styles.form}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="URL of the receiver" required {...validationOf(urlIssue)}>
        <Input
          autoFocus
          type="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://erp.example/hooks/tagwright"
          maxLength={WEBHOOK_LIMITS.url}
          value={text.url}
          onChange={(_event, { value }) => change({ url: value })}
        />
      </Field>
      <Field label="Name" hint="Leave empty to use the host.">
        <Input
          autoComplete="off"
          maxLength={WEBHOOK_LIMITS.name}
          value={text.name}
          onChange={(_event, { value }) => change({ name: value })}
        />
      </Field>
      <RuleFields rules={rules} ruleIds={text.ruleIds} issue={rulesIssue} onChange={(ruleIds) => change({ ruleIds })} />
      <Group label="Changes" issue={changesIssue}>
        {EVENT_CHANGE_KINDS.map((kind) => (
          <Checkbox
            key={kind}
            label={CHANGE_NAMES[kind]}
            checked={text.changes.includes(kind)}
            onChange={(_event, { checked }) =>
              change({
                changes: EVENT_CHANGE_KINDS.filter((one) => (one === kind ? checked : text.changes.includes(one))),
              })
            }
          />
        ))}
      </Group>
      <Field label="Contents">
        <RadioGroup
          layout="horizontal"
          value={text.content}
          onChange={(_event, { value }) => change({ content: value === 'thin' ? 'thin' : 'full' })}
        >
          <Radio value="full" label="The event and its data row" />
          <Radio value="thin" label="Ids only" />
        </RadioGroup>
      </Field>
      <Field label="Format">
        <RadioGroup
          layout="horizontal"
          value={text.format}
          onChange={(_event, { value }) => change({ format: value === 'cloudevents' ? 'cloudevents' : 'plain' })}
        >
          <Radio value="plain" label="Plain JSON" />
          <Radio value="cloudevents" label="CloudEvents 1.0" />
        </RadioGroup>
      </Field>
      <Switch label="Enabled" checked={text.enabled} onChange={(_event, { checked }) => change({ enabled: checked })} />
    </FormDialog>
  );
}

interface RuleFieldsProps {
  rules: readonly Rule[];
  ruleIds: number[] | null;
  issue: string | undefined;
  onChange: (ruleIds: number[] | null) => void;
}

/** All rules, or chosen ones. */
function RuleFields({ rules, ruleIds, issue, onChange }: RuleFieldsProps) {
  return (
    <>
      <Field label="Rules">
        <RadioGroup
          layout="horizontal"
          value={ruleIds === null ? 'all' : 'chosen'}
          onChange={(_event, { value }) => onChange(value === 'all' ? null : [])}
        >
          <Radio value="all" label="All rules" />
          <Radio value="chosen" label="Chosen rules" />
        </RadioGroup>
      </Field>
      {ruleIds !== null && (
        <Group label="Chosen rules" issue={issue} scrolls>
          {rules.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={<bdi>{name}</bdi>}
              checked={ruleIds.includes(id)}
              onChange={(_event, { checked }) =>
                onChange(checked ? [...ruleIds, id] : ruleIds.filter((one) => one !== id))
              }
            />
          ))}
        </Group>
      )}
    </>
  );
}

interface GroupProps {
  label: string;
  issue: string | undefined;
  scrolls?: boolean;
  children: ReactNode;
}

/** Checkboxes with a label and a message: in a field of Fluent, each would have the name of the field. */
function Group({ label, issue, scrolls = false, children }: GroupProps) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <div id={id} className={styles.label}>
        {label}
      </div>
      <div className={scrolls ? styles.rules : styles.choices}>{children}</div>
      {issue !== undefined && (
        <p className={styles.issue} role="alert">
          <ErrorCircleFilled aria-hidden /> {issue}
        </p>
      )}
    </div>
  );
}

function textOf({ name, url, enabled, ruleIds, changes, content, format }: WebhookText): WebhookText {
  return { name, url, enabled, ruleIds, changes, content, format };
}
