import { useState } from 'react';
import { problemOf } from '../../../client/errors.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { pickText } from '../../../support/files.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Button, Checkbox, Field, Input, Select, Text } from '../../../ui/fluent.ts';
import type { MocksModel } from '../model/mocks-model.ts';
import styles from '../mocks.module.css';

const FORMATS = {
  auto: 'Detect from the file',
  openapi: 'OpenAPI document (JSON or YAML)',
  har: 'HAR file from a browser',
  tagwright: 'Mocks exported from Tagwright',
} as const;
type Format = keyof typeof FORMATS;

interface Props {
  model: MocksModel;
  onClose: () => void;
}

/** Asks for a file of mocks; reports the imported and the skipped parts. */
export function ImportDialog({ model, onClose }: Props) {
  const { notify } = useWorkbench();
  const [file, setFile] = useState<{ name: string; text: string } | null>(null);
  const [format, setFormat] = useState<Format>('auto');
  const [baseUrl, setBaseUrl] = useState('');
  const [replace, setReplace] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [skipped, setSkipped] = useState<readonly string[] | null>(null);

  const pick = async () => {
    try {
      const picked = await pickText('.json,.yaml,.yml,.har');
      if (picked) setFile(picked);
      setProblem(null);
    } catch (error) {
      setProblem(problemOf(error).message);
    }
  };
  const submit = async () => {
    if (skipped !== null) return onClose();
    if (!file) return setProblem('Choose a file first.');
    setBusy(true);
    setProblem(null);
    const before = model.store.get().mocks;
    try {
      const url = baseUrl.trim();
      const done = await model.import({ format, text: file.text, replace, ...(url !== '' && { baseUrl: url }) });
      const undo = async () => {
        try {
          await model.restore(replace ? before : [], done.ids);
        } catch (error) {
          notify({ intent: 'error', title: 'The import was not undone', body: problemOf(error).message });
        }
      };
      const parts = [
        `${done.added} ${done.added === 1 ? 'mock' : 'mocks'} from “${file.name}”`,
        ...(done.removed > 0 ? [`${done.removed} replaced`] : []),
        ...(done.skipped.length > 0 ? [`${done.skipped.length} skipped`] : []),
      ];
      notify({ intent: 'success', title: 'Imported', body: parts.join(', '), action: { label: 'Undo', run: undo } });
      if (done.skipped.length === 0) onClose();
      else setSkipped(done.skipped);
    } catch (error) {
      setProblem(problemOf(error).message);
    } finally {
      setBusy(false);
    }
    return undefined;
  };

  if (skipped !== null) {
    return (
      <FormDialog title="Imported with exceptions" action="Close" onSubmit={onClose} onClose={onClose}>
        <Text>These parts of “{file?.name}” were skipped:</Text>
        <ul className={styles.skipped} aria-label="Skipped" tabIndex={0}>
          {skipped.map((text, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- they never change
            <li key={index}>{text}</li>
          ))}
        </ul>
      </FormDialog>
    );
  }
  return (
    <FormDialog
      title="Import mocks"
      action={busy ? 'Importing…' : 'Import'}
      disabled={busy}
      className={styles.form}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="File" {...(problem === null ? {} : { validationMessage: problem })}>
        <div className={styles.buttons}>
          <Button onClick={() => void pick()}>Choose a file…</Button>
          <Text className={styles.cut}>{file ? file.name : 'none chosen'}</Text>
        </div>
      </Field>
      <Field label="Format">
        <Select
          value={format}
          onChange={(_event, { value }) => {
            if (value === 'auto' || value === 'openapi' || value === 'har' || value === 'tagwright') setFormat(value);
          }}
        >
          {Object.entries(FORMATS).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </Select>
      </Field>
      {(format === 'auto' || format === 'openapi') && (
        <Field label="Base URL" hint="Address of the API in an OpenAPI document; leave empty to use its servers">
          <Input
            placeholder="https://erp.example/api"
            value={baseUrl}
            onChange={(_event, { value }) => setBaseUrl(value)}
          />
        </Field>
      )}
      <Checkbox
        label="Replace all existing mocks"
        checked={replace}
        onChange={(_event, { checked }) => setReplace(checked === true)}
      />
    </FormDialog>
  );
}
