import { useState } from 'react';
import { QUALITIES } from '#domain/tag/quality';
import type { Quality } from '#domain/tag/quality';
import { problemOf } from '../../../client/errors.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Field, Select } from '../../../ui/fluent.ts';
import { forceAll } from './force-tags.ts';
import styles from './actions.module.css';

interface Props {
  /** Paths of machine tags. */
  paths: readonly string[];
  /** Their group, or `the selected tags`. */
  of: string;
  onClose: () => void;
}

/** Forces one quality of many machine tags, such as those of a PLC that is down; the notice has an undo. */
export function ForceDialog({ paths, of, onClose }: Props) {
  const { client, notify } = useWorkbench();
  const [quality, setQuality] = useState<Quality>('BadCommunicationError');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const count = `${paths.length.toLocaleString('en')} machine ${paths.length === 1 ? 'tag' : 'tags'}`;
  const submit = async () => {
    setBusy(true);
    try {
      await forceAll({ client, notify }, paths, quality);
      onClose();
    } catch (error) {
      setRefusal(problemOf(error).message);
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title={`Force the quality of ${count}`}
      action="Force"
      busy={busy}
      className={styles.column}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={styles.hint}>
        All machine tags in <bdi>{of}</bdi>, with or without a filter. Readers get this quality until you clear it.
      </p>
      <Field label="Quality" validationState={refusal === null ? 'none' : 'error'} validationMessage={refusal}>
        <Select
          value={quality}
          onChange={(_event, { value }) => setQuality(QUALITIES.find((name) => name === value) ?? quality)}
        >
          {QUALITIES.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
    </FormDialog>
  );
}
