import { useEffect, useState } from 'react';
import type { BackupContents, BackupInfo, WorkspaceContents } from '#domain/workspace/backup';
import { CONTENT_SORTS } from '#domain/workspace/backup';
import { problemOf } from '../../client/errors.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { Spinner } from '../../ui/fluent.ts';
import { moment } from '../../support/moment.ts';
import { sizeOf, SORTS } from './backup-texts.ts';
import styles from './settings.module.css';

const NAMES: Readonly<Record<keyof WorkspaceContents, string>> = {
  scripts: 'Scripts',
  tests: 'Tests of scripts',
  tags: 'Tags',
  rules: 'Aggregation rules',
  events: 'Events',
  mocks: 'Mocks',
  diagrams: 'Diagrams',
  drafts: 'Unsaved drafts of scripts',
};

interface Props {
  backup: BackupInfo;
  onClose: () => void;
}

/** Compares the contents of a backup with the workspace, and restores it. */
export function RestoreDialog({ backup, onClose }: Props) {
  const { client, transport } = useWorkbench();
  const { name, madeAt, sort, bytes } = backup;
  const [contents, setContents] = useState<BackupContents | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [step, setStep] = useState<'checking' | 'replacing' | null>(null);
  useEffect(() => {
    const end = new AbortController();
    client.backups.contents({ name }, { signal: end.signal }).then(setContents, (error: unknown) => {
      if (!end.signal.aborted) setProblem(problemOf(error).message);
    });
    return () => end.abort();
  }, [client, name]);

  const restore = async () => {
    setProblem(null);
    setStep('checking');
    try {
      await client.backups.restore({ name });
      setStep('replacing');
    } catch (error) {
      // The instance may close the connection before its response; the page reloads when it is back.
      if (problemOf(error).code === 'CONNECTION_LOST') await transport.connected();
      setStep(null);
      setProblem(problemOf(error).message);
    }
  };
  return (
    <FormDialog
      title="Restore this backup?"
      action="Restore"
      width={520}
      className={styles.restore}
      disabled={contents === null}
      busy={step !== null}
      onSubmit={restore}
      onClose={onClose}
    >
      <p className={styles.note}>
        Created {moment(new Date(madeAt))}, {SORTS[sort]}, {sizeOf(bytes)} · <code>{name}</code>
      </p>
      {contents ? <Compared {...contents} /> : problem === null && <Spinner size="tiny" label="Reading the backup…" />}
      <p className={styles.note}>
        The backup replaces the workspace: runs and streams end, and all windows show it immediately. The replaced
        workspace
        {contents !== null && contents.now.drafts > 0 && ', including unsaved drafts of scripts,'} is kept as a manual
        backup. <code>plant.db</code>, mock files and keys are not changed.
      </p>
      <div role="status">
        {step === 'checking' && <Spinner size="tiny" label="Checking and copying the backup…" />}
        {step === 'replacing' && <Spinner size="tiny" label="Opening the restored workspace…" />}
      </div>
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </FormDialog>
  );
}

function Compared({ holds, now }: BackupContents) {
  return (
    <table className={styles.table} aria-label="Contents of the backup">
      <thead>
        <tr>
          <th scope="col">Contents</th>
          <th scope="col">Backup</th>
          <th scope="col">Now</th>
        </tr>
      </thead>
      <tbody>
        {CONTENT_SORTS.map((sort) => (
          <tr key={sort} data-differs={holds[sort] !== now[sort]}>
            <th scope="row">{NAMES[sort]}</th>
            <td className={styles.number}>{holds[sort].toLocaleString('en')}</td>
            <td className={styles.number}>{now[sort].toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
