import { useEffect, useState } from 'react';
import type { Client } from '../../../client/client.ts';
import { isAbort, problemOf } from '../../../client/errors.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { saveText } from '../../../support/files.ts';
import { PlainDialog } from '../../../ui/dialogs/plain-dialog.tsx';
import { Button, ProgressBar } from '../../../ui/fluent.ts';
import { TagPath } from '../../../ui/text/tag-path.tsx';
import styles from './actions.module.css';

type ImportResult = Awaited<ReturnType<Client['tags']['import']>>;

interface Props {
  file: { name: string; text: string };
  onClose: () => void;
}

const SHOWN = 200;

/** Imports a file, all or nothing, and reports the result: the rejected rows with their reasons. */
export function ImportDialog({ file, onClose }: Props) {
  const { client } = useWorkbench();
  const [outcome, setOutcome] = useState<ImportResult | { problem: string } | null>(null);
  const [far, setFar] = useState({ checked: 0, total: 0 });
  useEffect(() => {
    const end = new AbortController();
    const format = file.name.toLowerCase().endsWith('.json') ? 'json' : 'csv';
    const run = async () => {
      try {
        const steps = await client.tags.importing({ format, text: file.text }, { signal: end.signal });
        for await (const { done, ...step } of steps) {
          if (end.signal.aborted) return;
          if (done) setOutcome(done);
          else setFar(step);
        }
      } catch (error) {
        if (!isAbort(error) && !end.signal.aborted) setOutcome({ problem: problemOf(error).message });
      }
    };
    void run();
    // Nothing is imported then, unless everything was already being stored.
    return () => end.abort();
  }, [client, file]);
  const refused = outcome && 'refused' in outcome ? outcome.refused : [];

  return (
    <PlainDialog
      title="Import tags"
      width={720}
      className={styles.column}
      actions={
        <>
          {refused.length > 0 && (
            <Button onClick={() => saveText('refused-tags.json', JSON.stringify(refused, null, 2), 'application/json')}>
              Save the report
            </Button>
          )}
          <Button appearance={outcome === null ? 'secondary' : 'primary'} onClick={onClose}>
            {outcome === null ? 'Cancel' : 'Close'}
          </Button>
        </>
      }
      onClose={onClose}
    >
      <p className={styles.hint}>
        <bdi>{file.name}</bdi>, {(file.text.length / 1_000).toFixed(0)} kB
      </p>
      {outcome === null && (
        <ProgressBar aria-label="Importing" {...(far.total > 0 && { value: far.checked, max: far.total })} />
      )}
      <div role="status">{outcome === null ? <Far {...far} /> : <Said outcome={outcome} />}</div>
      {refused.length > 0 && (
        <div className={styles.refused} tabIndex={0} role="group" aria-label="Rejected rows">
          <table>
            <thead>
              <tr>
                <th>Row</th>
                <th>Path</th>
                <th>Reason</th>
              </tr>
            </thead>
            <tbody>
              {refused.slice(0, SHOWN).map(({ row, path, reason }) => (
                <tr key={`${row} ${path}`}>
                  <td>{row}</td>
                  <td>
                    <TagPath path={path} />
                  </td>
                  <td>{reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {refused.length > SHOWN && <p className={styles.hint}>and {refused.length - SHOWN} more</p>}
        </div>
      )}
    </PlainDialog>
  );
}

function Far({ checked, total }: { checked: number; total: number }) {
  if (total === 0) return <>Reading the file…</>;
  if (checked === total) return <>Storing {total.toLocaleString('en')} tags…</>;
  return (
    <>
      {checked.toLocaleString('en')} of {total.toLocaleString('en')} checked
    </>
  );
}

function Said({ outcome }: { outcome: ImportResult | { problem: string } }) {
  if ('problem' in outcome) return <>{outcome.problem}</>;
  const { created, updated, refused } = outcome;
  if (refused.length > 0) {
    return (
      <>
        Nothing was imported: {refused.length} {refused.length === 1 ? 'row' : 'rows'} rejected.
      </>
    );
  }
  return (
    <>
      {created} created, {updated} replaced.
    </>
  );
}
