import { useCallback, useEffect, useMemo, useState } from 'react';
import { problemOfFolder, tidyFolder } from '#domain/mock/mock-folder';
import { problemOf } from '../../../client/errors.ts';
import { sentence } from '../../../client/issues.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { type PlacedFile, droppedFiles, pickFolder, pickSeveral } from '../../../support/files.ts';
import { useFileDrop } from '../../../ui/file-drop.ts';
import { SuggestField } from '../../../ui/fields/suggest-field.tsx';
import { type ChosenFiles, FilesError, readChosen } from '../model/import-files.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Button, Checkbox, Field, Input, Select, Text, Textarea } from '../../../ui/fluent.ts';
import type { MocksModel } from '../model/mocks-model.ts';
import {
  type ImportProblem,
  ImportPreview,
  type ImportSource,
  importProblemOf,
  usePreview,
} from './import-preview.tsx';
import styles from '../mocks.module.css';

const FORMATS = {
  auto: 'Detect from the file',
  openapi: 'OpenAPI document (JSON or YAML)',
  har: 'HAR file from a browser',
  postman: 'Postman collection',
  bruno: 'Bruno collection (its folder, .bru files or JSON)',
  curl: 'curl commands',
  tagwright: 'Mocks exported from Tagwright',
} as const;
type Format = keyof typeof FORMATS;
const ACCEPT = '.json,.yaml,.yml,.har,.bru,.txt,.sh';
const isFormat = (value: string): value is Format => Object.hasOwn(FORMATS, value);

/** Files and folders that are dropped at once. */
export const MOST_DROPPED = 20_000;

interface Props {
  model: MocksModel;
  /** The folders of all mocks. */
  folders: readonly string[];
  /** Files that were dropped on the view; null if there are none. */
  dropped: Promise<readonly PlacedFile[]> | null;
  onClose: () => void;
}

/** Asks for files of mocks, a folder or a text; previews the import, and reports the imported and the skipped parts. */
export function ImportDialog({ model, folders, dropped, onClose }: Props) {
  const { notify } = useWorkbench();
  const [file, setFile] = useState<ChosenFiles | null>(null);
  const [pasted, setPasted] = useState('');
  const [format, setFormat] = useState<Format>('auto');
  const [baseUrl, setBaseUrl] = useState('');
  const [folder, setFolder] = useState('');
  const [replace, setReplace] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ImportProblem | null>(null);
  const [skipped, setSkipped] = useState<readonly string[] | null>(null);

  const given = file?.text ?? pasted;
  const url = baseUrl.trim();
  const into = tidyFolder(folder);
  const folderProblem = into === '' ? null : problemOfFolder(into);
  const source = useMemo((): ImportSource | null => {
    if (file === null && given.trim() === '') return null;
    return {
      format,
      text: given,
      ...(file?.files && { files: file.files }),
      ...(url !== '' && { baseUrl: url }),
      ...(into !== '' && folderProblem === null && { folder: into }),
    };
  }, [file, given, format, url, into, folderProblem]);
  const origin = file?.name ?? 'the pasted text';
  const { read, isReading } = usePreview(source);

  const choose = useCallback(async (files: () => Promise<readonly PlacedFile[]>) => {
    try {
      const chosen = await readChosen(await files());
      setProblem(null);
      if (chosen === null) return;
      setPasted('');
      setFile(chosen);
    } catch (error) {
      setFile(null);
      setProblem({ message: problemOf(error).message, files: error instanceof FilesError ? error.problems : [] });
    }
  }, []);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- it reads the files first
    if (dropped !== null) void choose(() => dropped);
  }, [dropped, choose]);
  const drop = useFileDrop((transfer) => void choose(() => droppedFiles(transfer, MOST_DROPPED)));
  const submit = async () => {
    if (skipped !== null) return onClose();
    if (!source) return setProblem({ message: 'Choose a file first.', files: [] });
    if (folderProblem !== null) return undefined;
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
      setProblem(importProblemOf(error));
    } finally {
      setBusy(false);
    }
    return undefined;
  };

  const shown = !isReading && read && 'problem' in read ? read.problem : problem;
  const preview = read && 'preview' in read ? read.preview : null;
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
      width={560}
      className={styles.form}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Files" {...(shown === null ? {} : { validationMessage: shown.message })}>
        <div className={styles.drop} {...drop}>
          <Button onClick={() => void choose(() => pickSeveral(ACCEPT))}>Choose files…</Button>
          <Button onClick={() => void choose(pickFolder)}>Choose a folder…</Button>
          <Text className={file ? styles.cut : styles.quiet}>{file ? file.name : 'or drop them here'}</Text>
        </div>
      </Field>
      {shown !== null && shown.files.length > 0 && (
        <ul className={styles.skipped} aria-label="Problems of files" tabIndex={0}>
          {shown.files.slice(0, 100).map(({ path, message }) => (
            <li key={path}>
              <strong>{path}</strong>: {message}
            </li>
          ))}
        </ul>
      )}
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
        <Field label="Base URL" hint="API base URL; replaces the one in the document, or an unknown variable">
          <Input
            placeholder="https://erp.example/api"
            value={baseUrl}
            onChange={(_event, { value }) => setBaseUrl(value)}
          />
        </Field>
      )}
      <Field
        label="Into folder"
        hint="Postman and Bruno folders are kept inside it"
        {...(folderProblem === null ? {} : { validationMessage: sentence(folderProblem) })}
      >
        <SuggestField isOftenNew placeholder="none" value={folder} choices={folders} onChange={setFolder} />
      </Field>
      {(preview !== null || isReading) && <ImportPreview preview={preview} isReading={isReading} />}
      <Checkbox
        label="Replace all existing mocks"
        checked={replace}
        onChange={(_event, { checked }) => setReplace(checked === true)}
      />
    </FormDialog>
  );
}
