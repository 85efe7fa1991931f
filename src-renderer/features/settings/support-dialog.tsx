import { useEffect, useState } from 'react';
import type { SupportFile } from '#domain/workspace/diagnosis';
import { isAbort, problemOf } from '../../client/errors.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import { saveText } from '../../support/files.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { Spinner } from '../../ui/fluent.ts';
import styles from './settings.module.css';

/** Shows the complete support file before it is saved. */
export function SupportDialog({ onClose }: { onClose: () => void }) {
  const { client } = useWorkbench();
  const [file, setFile] = useState<SupportFile | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const end = new AbortController();
    client.diagnostics.support(undefined, { signal: end.signal }).then(setFile, (error: unknown) => {
      if (!isAbort(error) && !end.signal.aborted) setProblem(problemOf(error).message);
    });
    return () => end.abort();
  }, [client]);
  const save = () => {
    if (!file) return;
    saveText(file.name, file.text, 'application/json');
    onClose();
  };
  return (
    <FormDialog
      title="Save support file"
      action="Save"
      width={760}
      className={styles.support}
      disabled={file === null}
      onSubmit={save}
      onClose={onClose}
    >
      <p className={styles.note}>
        It contains the result of the checks, versions, changed settings, counts, and the end of the log. It does not
        contain secrets, keys, passwords, values, script bodies, or the names of tags, scripts, rules and hosts. Read it
        before you send it to anyone.
      </p>
      {file && (
        <pre className={styles.supportText} tabIndex={0} role="region" aria-label="Text of the support file">
          {file.text}
        </pre>
      )}
      {!file && problem === null && <Spinner size="tiny" label="Checking and collecting…" />}
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </FormDialog>
  );
}
