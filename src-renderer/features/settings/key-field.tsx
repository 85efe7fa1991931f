import { Button, Field, Input } from '@fluentui/react-components';
import { useState } from 'react';
import type { Json } from '#domain/json';
import { problemOf } from '../../client/errors.ts';
import { useCopy } from '../../frame/use-copy.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { CopyRegular } from '../../ui/icons.ts';
import styles from './settings.module.css';

/** A key that is never shown: made, set, copied, removed. */
export function KeyField({ value, onChange }: { value: string; onChange: (value: Json) => Promise<void> }) {
  const { notify } = useWorkbench();
  const [setting, setSetting] = useState(false);
  const copy = useCopy();
  const generate = async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(24));
    const told = (title: string) => (error: unknown) =>
      notify({ intent: 'error', title, body: problemOf(error).message });
    try {
      await onChange([...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
    } catch (error) {
      return told('The events API has no new key')(error);
    }
    const undo = { label: 'Undo', run: () => onChange(value).catch(told('It cannot be undone')) };
    return notify({
      intent: 'success',
      title: 'The events API has a new key',
      body: 'Give it to the programs that call.',
      ...(value !== '' && { action: undo }),
    });
  };
  return (
    <div className={styles.key}>
      <span className={styles.keyState}>{value === '' ? 'none' : 'set'}</span>
      <Button size="small" onClick={() => void generate()}>
        Generate
      </Button>
      <Button size="small" onClick={() => setSetting(true)}>
        Set…
      </Button>
      <Button
        size="small"
        icon={<CopyRegular />}
        aria-label="Copy the key"
        title="Copy"
        disabledFocusable={value === ''}
        onClick={() => void copy(value, 'Copied the key of the events API')}
      />
      {setting && <KeyDialog onChange={onChange} onClose={() => setSetting(false)} />}
    </div>
  );
}

function KeyDialog({ onChange, onClose }: { onChange: (value: Json) => Promise<void>; onClose: () => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const save = async () => {
    if (!/^[!-~]{8,200}$/.test(text)) {
      return setProblem('Write 8 to 200 letters, digits and signs, without spaces');
    }
    try {
      await onChange(text);
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <FormDialog title="Key of the events API" action="Set" width={420} onSubmit={save} onClose={onClose}>
      <Field label="Key" required {...(problem === null ? {} : { validationMessage: problem })}>
        <Input
          autoFocus
          type="password"
          autoComplete="off"
          value={text}
          onChange={(_event, { value }) => {
            setText(value);
            setProblem(null);
          }}
        />
      </Field>
    </FormDialog>
  );
}
