import { useState } from 'react';
import { SECRET_LENGTH, SECRET_NAME } from '#domain/mock/api-secret';
import { problemOf } from '../../../client/errors.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Field, Input } from '../../../ui/fluent.ts';
import { validationOf } from '../../../drafted/validation.ts';
import styles from '../mocks.module.css';

interface Props {
  /** The secret to change; '' for a new one. */
  name: string;
  taken: readonly string[];
  onSaved: (name: string) => void;
  onClose: () => void;
}

/** Asks for a secret; the typed value is hidden. */
export function SecretDialog({ name: given, taken, onSaved, onClose }: Props) {
  const { client, notify } = useWorkbench();
  const [name, setName] = useState(given);
  const [value, setValue] = useState('');
  const [tried, setTried] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const isNew = given === '';
  const nameIssue = !SECRET_NAME.test(name)
    ? 'Enter a letter, then letters, digits, points, _ or -; at most 64 characters in total.'
    : isNew && taken.includes(name)
      ? 'A secret with this name exists. Choose another name, or replace its value.'
      : undefined;
  const tooShort = value.length < SECRET_LENGTH.min ? `Enter at least ${SECRET_LENGTH.min} characters.` : undefined;
  const submit = async () => {
    setTried(true);
    if (nameIssue !== undefined || tooShort !== undefined) return;
    try {
      await client.secrets.set({ name, value });
      notify({ intent: 'success', title: isNew ? `Saved the secret ${name}` : `Replaced the value of ${name}` });
      onSaved(name);
      onClose();
    } catch (error) {
      setRefusal(problemOf(error).message);
    }
  };
  return (
    <FormDialog
      title={isNew ? 'New secret' : `Replace the value of ${given}`}
      action={isNew ? 'Save' : 'Replace'}
      changed={name !== given || value !== ''}
      className={styles.form}
      onSubmit={submit}
      onClose={onClose}
    >
      {isNew && (
        <Field label="Name" required {...validationOf(tried || name !== '' ? nameIssue : undefined)}>
          <Input
            autoFocus
            autoComplete="off"
            placeholder="ERP_KEY"
            value={name}
            onChange={(_event, { value: text }) => setName(text)}
          />
        </Field>
      )}
      <Field label="Value" required {...validationOf(refusal ?? (tried ? tooShort : undefined))}>
        <Input
          autoFocus={!isNew}
          type="password"
          autoComplete="new-password"
          value={value}
          onChange={(_event, { value: text }) => {
            setValue(text);
            setRefusal(null);
          }}
        />
      </Field>
    </FormDialog>
  );
}
