import { useState } from 'react';
import { CONFORMANCE_LIMITS } from '#domain/event/conformance';
import type { Consumer } from '#domain/event/consumer';
import { typedWhole } from '#domain/text/typed-number';
import { validationOf } from '../../../drafted/validation.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { SuggestField } from '../../../ui/fields/suggest-field.tsx';
import { Field, Input, MessageBar, MessageBarBody, Switch } from '../../../ui/fluent.ts';
import type { CheckChoice } from './consumer-check.ts';
import styles from './check.module.css';

const NUMBERS = {
  port: { label: 'Port', hint: '0 picks a free one', range: { min: 0, max: 65_535 } },
  ruleId: { label: 'RuleId', hint: 'Rule of the test events', range: { min: 1, max: CONFORMANCE_LIMITS.ruleId } },
  seconds: {
    label: 'Patience (s)',
    hint: 'Maximum time without progress',
    range: { min: 1, max: CONFORMANCE_LIMITS.seconds },
  },
  waitSeconds: {
    label: 'Wait for it (s)',
    hint: 'Maximum time until its first request',
    range: { min: 1, max: CONFORMANCE_LIMITS.waitSeconds },
  },
} as const;
type CheckNumber = keyof typeof NUMBERS;
const NAMES: readonly CheckNumber[] = ['port', 'ruleId', 'waitSeconds', 'seconds'];
/** A person needs more time to set up a consumer than a command that starts it. */
const FIRST: Readonly<Record<CheckNumber, string>> = { port: '0', ruleId: '1', waitSeconds: '300', seconds: '20' };

const textsOf = ({ port, ruleId, waitSeconds, seconds }: CheckChoice) => ({
  port: String(port),
  ruleId: String(ruleId),
  waitSeconds: String(waitSeconds),
  seconds: String(seconds),
});

interface Props {
  consumers: readonly Consumer[];
  /** The name of the consumer that is selected in the list. */
  chosen: string | null;
  /** What was chosen for the last check. */
  before: CheckChoice | null;
  /** Why the last check could not be made. */
  problem: string | null;
  onStart: (choice: CheckChoice) => void;
  onClose: () => void;
}

/** Chooses a consumer, and says what the check will do. */
export function CheckForm({ consumers, chosen, before, problem, onStart, onClose }: Props) {
  const [name, setName] = useState(chosen ?? before?.client ?? '');
  const [needsKey, setNeedsKey] = useState(before?.isOpen !== true);
  const [texts, setTexts] = useState(before ? textsOf(before) : FIRST);
  const read = (field: CheckNumber) => typedWhole(texts[field], NUMBERS[field].range);
  const values = NAMES.map((field) => read(field));
  const submit = () => {
    const [port, ruleId, waitSeconds, seconds] = values.map((value) => (value.ok ? value.value : null));
    if (port == null || ruleId == null || waitSeconds == null || seconds == null) return;
    onStart({ client: name.trim() || null, port, ruleId, waitSeconds, seconds, isOpen: !needsKey, seed: 1 });
  };
  return (
    <FormDialog
      title="Check a consumer"
      action="Start"
      width={600}
      className={styles.form}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        Tagwright starts a separate events API with 1,000 test events in memory, and takes the consumer through 20
        situations, such as slow responses, errors, lost connections, an expired key and an outage. When the check shows
        its address, start the consumer with it. Nothing in this workspace is read or changed.
      </p>
      {problem !== null && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>The check did not run: {problem}</MessageBarBody>
        </MessageBar>
      )}
      <Field
        label="Consumer"
        hint="A consumer of the list, a User-Agent or its first part, or an address. Empty: every request is checked."
      >
        <SuggestField
          autoFocus
          value={name}
          choices={consumers.map((one) => one.name)}
          placeholder="every request"
          isOftenNew
          onChange={setName}
        />
      </Field>
      <div className={styles.numbers}>
        {NAMES.map((field, index) => {
          const value = values[index];
          return (
            <Field
              key={field}
              label={NUMBERS[field].label}
              hint={NUMBERS[field].hint}
              {...validationOf(value?.ok === false ? value.reason : undefined)}
            >
              <Input
                inputMode="numeric"
                value={texts[field]}
                onChange={(_event, { value: text }) => setTexts({ ...texts, [field]: text })}
              />
            </Field>
          );
        })}
      </div>
      <Switch
        label="Requests need an API key, which is created for this check"
        checked={needsKey}
        onChange={(_event, { checked }) => setNeedsKey(checked)}
      />
    </FormDialog>
  );
}
