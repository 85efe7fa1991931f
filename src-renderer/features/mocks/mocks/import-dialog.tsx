import { useState } from 'react';
import { problemOf } from '../../../client/errors.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { pickTexts } from '../../../support/files.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Button, Checkbox, Field, Input, Select, Text, Textarea } from '../../../ui/fluent.ts';
import type { MocksModel } from '../model/mocks-model.ts';
import { ImportPreview, type ImportSource, usePreview } from './import-preview.tsx';
import styles from '../mocks.module.css';

const FORMATS = {
  auto: 'Detect from the file',
  openapi: 'OpenAPI document (JSON or YAML)',
  har: 'HAR file from a browser',
  postman: 'Postman collection',
  bruno: 'Bruno collection (JSON or .bru files)',
  curl: 'curl commands',
  tagwright: 'Mocks exported from Tagwright',
} as const;
type Format = keyof typeof FORMATS;
const isFormat = (value: string): value is Format => Object.hasOwn(FORMATS, value);

interface Chosen {
  name: string;
  text: string;
  /** Several .bru files, in place of the text. */
  files?: { path: string; text: string }[];
}

interface Props {
  model: MocksModel;
  onClose: () => void;
}

/** Asks for a file of mocks or a text; previews the import, and reports the imported and the skipped parts. */
export function ImportDialog({ model, onClose }: Props) {
  const { notify } = useWorkbench();
  const [file, setFile] = useState<Chosen | null>(null);
  const [pasted, setPasted] = useState('');
  const [format, setFormat] = useState<Format>('auto');
  const [baseUrl, setBaseUrl] = useState('');
  const [replace, setReplace] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [skipped, setSkipped] = useState<readonly string[] | null>(null);

  const given = file?.text ?? pasted;
  const url = baseUrl.trim();
  const source: ImportSource | null =
    file !== null || given.trim() !== ''
      ? { format, text: given, ...(file?.files && { files: file.files }), ...(url !== '' && { baseUrl: url }) }
      : null;
  const origin = file?.name ?? 'the pasted text';
  const read = usePreview(source);

  const pick = async () => {
    try {
      const [first, ...others] = await pickTexts('.json,.yaml,.yml,.har,.bru,.txt,.sh');
      setProblem(null);
      if (!first) return;
      setPasted('');
      if (others.length === 0) setFile(first);
      else {
        const files = [first, ...others].map(({ name, text }) => ({ path: name, text }));
        setFile({ name: `${files.length} files`, text: '', files });
      }
    } catch (error) {
      setProblem(problemOf(error).message);
    }
  };
  const submit = async () => {
    if (skipped !== null) return onClose();
    if (!source) return setProblem('Choose a file first.');
    setBusy(true);
    setProblem(null);
    const before = model.store.get().mocks;
    try {
      const done = await model.import({ ...source, replace });
      const undo = async () => {
        try {
          await model.restore(replace ? before : [], done.ids);
        } catch (error) {
          notify({ intent: 'error', title: 'The import was not undone', error });
        }
      };
      const parts = [
        `${done.added} ${done.added === 1 ? 'mock' : 'mocks'} from “${origin}”`,
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

  const shown = read && 'problem' in read ? read.problem : problem;
  if (skipped !== null) {
    return (
      <FormDialog title="Imported with exceptions" action="Close" onSubmit={onClose} onClose={onClose}>
        <Text>These parts of “{origin}” were skipped:</Text>
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
      <Field label="File" {...(shown === null ? {} : { validationMessage: shown })}>
        <div className={styles.buttons}>
          <Button onClick={() => void pick()}>Choose a file…</Button>
          <Text className={styles.cut}>{file ? file.name : 'none chosen'}</Text>
        </div>
      </Field>
      {file === null && (
        <Field label="Or paste the text">
          <Textarea
            rows={3}
            resize="vertical"
            spellCheck={false}
            className={styles.code}
            placeholder="curl 'https://erp.example/api/orders' -H 'Accept: application/json'"
            value={pasted}
            onChange={(_event, { value }) => setPasted(value)}
          />
        </Field>
      )}
      <Field label="Format">
        <Select
          value={format}
          onChange={(_event, { value }) => {
            if (isFormat(value)) setFormat(value);
          }}
        >
          {Object.entries(FORMATS).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </Select>
      </Field>
      {format !== 'har' && format !== 'tagwright' && format !== 'curl' && (
        <Field label="Base URL" hint="Address of the API, in place of that of the document or of an unknown variable">
          <Input
            placeholder="https://erp.example/api"
            value={baseUrl}
            onChange={(_event, { value }) => setBaseUrl(value)}
          />
        </Field>
      )}
      {read && 'preview' in read && <ImportPreview preview={read.preview} />}
      <Checkbox
        label="Replace all existing mocks"
        checked={replace}
        onChange={(_event, { checked }) => setReplace(checked === true)}
      />
    </FormDialog>
  );
}
