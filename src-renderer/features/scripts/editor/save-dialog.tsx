import { useEffect, useRef, useState } from 'react';
import { problemOfName } from '#domain/run/script';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { useStore } from '../../../support/store.ts';
import { SuggestField } from '../../../ui/fields/suggest-field.tsx';
import { Field, Input } from '../../../ui/fluent.ts';
import type { SaveOutcome } from '../model/scripts-state.ts';
import { useScripts } from '../scripts-context.ts';
import styles from './editor.module.css';

interface Props {
  docKey: string;
  onSave: (key: string) => Promise<SaveOutcome>;
  onClose: () => void;
}

/** Asks for the group and the name of a new script, and saves it. */
export function SaveDialog({ docKey, onSave, onClose }: Props) {
  const { model } = useScripts();
  const groups = useStore(model.store, (state) => state.groups);
  const doc = useStore(model.store, (state) => state.docs.get(docKey));
  const [tried, setTried] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  // The dialog focuses its first field, which is usually filled.
  useEffect(() => {
    const timer = setTimeout(() => nameField.current?.focus(), 0);
    return () => clearTimeout(timer);
  }, []);
  if (!doc) return null;
  const { group, name, description } = doc.text;
  const [wantedGroup, wantedName] = [group.trim(), name.trim()];
  const problems = { group: problemOfName('group', wantedGroup), name: problemOfName('name', wantedName) };
  const submit = async () => {
    setTried(true);
    if (problems.group !== null || problems.name !== null) return;
    model.edit(docKey, { group: wantedGroup, name: wantedName });
    if ((await onSave(docKey)).kind === 'saved') onClose();
  };
  // An empty field is not a problem yet.
  const message = (problem: string | null, text: string) =>
    problem !== null && (tried || text !== '') ? { validationMessage: problem } : {};
  return (
    <FormDialog
      title="Save the new script"
      action="Save"
      className={styles.saveForm}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Script Group" required {...message(problems.group, wantedGroup)}>
        <SuggestField
          isOftenNew
          placeholder="Choose a group, or name a new one"
          value={group}
          choices={groups}
          onChange={(value) => model.edit(docKey, { group: value })}
        />
      </Field>
      <Field label="Name" required {...message(problems.name, wantedName)}>
        <Input
          input={{ ref: nameField }}
          value={name}
          onChange={(_event, { value }) => model.edit(docKey, { name: value })}
        />
      </Field>
      <Field label="Description">
        <Input value={description} onChange={(_event, { value }) => model.edit(docKey, { description: value })} />
      </Field>
    </FormDialog>
  );
}
