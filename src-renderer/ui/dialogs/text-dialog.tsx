import { useState } from 'react';
import { Field, Input } from '../fluent.ts';
import { FormDialog } from './form-dialog.tsx';

interface Props {
  title: string;
  label: string;
  initial?: string;
  action: string;
  /** The problem of the trimmed text, or null. */
  problemOf: (text: string) => string | null;
  /** Runs the action; rejects with an Error whose message has the reason. */
  onDone: (text: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for one line of text. */
export function TextDialog({ title, label, initial = '', action, problemOf, onDone, onClose }: Props) {
  const [text, setText] = useState(initial);
  const [tried, setTried] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const wanted = text.trim();
  // An empty field is not a problem yet.
  const problem = refusal ?? (tried || wanted !== '' ? problemOf(wanted) : null);
  const submit = async () => {
    setTried(true);
    if (problemOf(wanted) !== null) return;
    try {
      await onDone(wanted);
      onClose();
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <FormDialog title={title} action={action} width={420} onSubmit={submit} onClose={onClose}>
      <Field label={label} required {...(problem ? { validationMessage: problem } : {})}>
        <Input
          autoFocus
          value={text}
          onChange={(_event, { value }) => {
            setText(value);
            setRefusal(null);
          }}
        />
      </Field>
    </FormDialog>
  );
}
