import { useState } from 'react';
import type { Json } from '#domain/text/json';
import { useCopy } from '../../frame/use-copy.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { Button, Field, Input } from '../../ui/fluent.ts';
import { CopyRegular } from '../../ui/icons.ts';
import styles from './settings.module.css';

interface Props {
  /** Whether a key is set: the key itself is not stored, so it can't be shown. */
  isSet: boolean;
  onChange: (value: Json) => Promise<void>;
}

/** A key that is stored as a hash: generated and shown once, or typed. */
export function KeyField({ isSet, onChange }: Props) {
  /** The generated key, '' to type one; null without a dialog. */
  const [offered, setOffered] = useState<string | null>(null);
  return (
    <div className={styles.key}>
      <span className={styles.keyState}>{isSet ? 'set' : 'none'}</span>
      <Button size="small" onClick={() => setOffered(randomKey())}>
        Generate…
      </Button>
      <Button size="small" onClick={() => setOffered('')}>
        Set…
      </Button>
      {offered !== null && (
        <KeyDialog offered={offered} isSet={isSet} onChange={onChange} onClose={() => setOffered(null)} />
      )}
    </div>
  );
}

function KeyDialog({ offered, isSet, onChange, onClose }: Props & { offered: string; onClose: () => void }) {
  const [text, setText] = useState(offered);
  const [problem, setProblem] = useState<string | null>(null);
  const copy = useCopy();
  const isGenerated = offered !== '';
  const save = async () => {
    if (!/^[!-~]{8,200}$/.test(text)) {
      return setProblem('Enter 8 to 200 letters, digits and signs, without spaces');
    }
    try {
      await onChange(text);
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <FormDialog
      title="Key of the events API"
      action={isGenerated ? 'Use this key' : 'Set'}
      width={isGenerated ? 560 : 420}
      className={styles.keyDialog}
      onSubmit={save}
      onClose={onClose}
    >
      <Field label="Key" required={!isGenerated} {...(problem === null ? {} : { validationMessage: problem })}>
        <Input
          autoFocus
          type={isGenerated ? 'text' : 'password'}
          readOnly={isGenerated}
          className={styles.keyText}
          autoComplete="off"
          value={text}
          contentAfter={
            isGenerated ? (
              <Button
                size="small"
                appearance="transparent"
                icon={<CopyRegular />}
                aria-label="Copy the key"
                title="Copy"
                onClick={() => void copy(text, 'Copied the key of the events API')}
              />
            ) : null
          }
          onFocus={({ target }) => isGenerated && target.select()}
          onChange={(_event, { value }) => {
            setText(value);
            setProblem(null);
          }}
        />
      </Field>
      <p className={styles.keyNote}>
        {isGenerated && 'Copy the key now: it is not shown again. '}
        {isSet
          ? 'Requests with the current key are rejected until the programs send the new one.'
          : 'Requests without a key are rejected from then on.'}
      </p>
    </FormDialog>
  );
}

function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
