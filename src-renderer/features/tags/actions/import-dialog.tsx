import { useEffect, useState } from 'react';
import type { TagLoss } from '#domain/tag/tag';
import { lossesSummary } from '#domain/tag/tag';
import type { Client } from '../../../client/client.ts';
import { isAbort, problemOf } from '../../../client/errors.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { saveText } from '../../../support/files.ts';
import { PlainDialog } from '../../../ui/dialogs/plain-dialog.tsx';
import { Button, ProgressBar } from '../../../ui/fluent.ts';
import { Sentence } from '../../../ui/text/sentence.tsx';
import { TagPath } from '../../../ui/text/tag-path.tsx';
import styles from './actions.module.css';

type ImportResult = Awaited<ReturnType<Client['tags']['import']>>;

interface Props {
  file: { name: string; text: string };
  onClose: () => void;
}

const SHOWN = 200;
const SHOWN_LOSSES = 10;

/** Imports a file, all or nothing, and reports the result: the rejected rows with their reasons. */
export function ImportDialog({ file, onClose }: Props) {
  const { client } = useWorkbench();
  const [outcome, setOutcome] = useState<ImportResult | { problem: string } | null>(null);
  const [far, setFar] = useState({ checked: 0, total: 0 });
  const [losses, setLosses] = useState<readonly TagLoss[]>([]);
  const [accepted, setAccepted] = useState(false);
  const asks = losses.length > 0 && !accepted;
  useEffect(() => {
    const end = new AbortController();
    const format = file.name.toLowerCase().endsWith('.json') ? 'json' : 'csv';
    const run = async () => {
      try {
        const input = { format, text: file.text, keepValues: !accepted } as const;
        const steps = await client.tags.importing(input, { signal: end.signal });
        for await (const { done, ...step } of steps) {
          if (end.signal.aborted) return;
          if (!done) setFar(step);
          else if (done.losses) setLosses(done.losses);
          else setOutcome(done);
        }
      } catch (error) {
        if (!isAbort(error) && !end.signal.aborted) setOutcome({ problem: problemOf(error).message });
      }
    };
    void run();
    // Nothing is imported then, unless everything was already being stored.
    return () => end.abort();
  }, [client, file, accepted]);
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
          {asks && (
            <Button
              appearance="primary"
              onClick={({ currentTarget: { nextElementSibling: next } }) => {
                // This button disappears: the next one gets the focus, so that Escape still closes the dialog.
                if (next instanceof HTMLElement) next.focus();
                setAccepted(true);
              }}
            >
              Import and drop them
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
      {outcome === null && !asks && (
        <ProgressBar aria-label="Importing" {...(far.total > 0 && { value: far.checked, max: far.total })} />
      )}
      <div role="status">
        {asks ? <Losses losses={losses} /> : outcome === null ? <Far {...far} /> : <ImportSummary outcome={outcome} />}
      </div>
      {refused.length > 0 && (
        <div className={styles.refused} tabIndex={0} role="region" aria-label="Rejected rows">
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

/** What the import would drop. */
function Losses({ losses }: { losses: readonly TagLoss[] }) {
  const shown = losses.slice(0, SHOWN_LOSSES);
  return (
    <>
      <p>
        The import changes types or kinds, and drops {lossesSummary(losses)}. You can&apos;t undo this. Nothing was
        imported yet.
      </p>
      <ul>
        {shown.map(({ path, from, to, values }) => (
          <li key={path}>
            <TagPath path={path} />: {from} → {to}, {values} {values === 1 ? 'value' : 'values'}
          </li>
        ))}
        {losses.length > shown.length && <li>and {losses.length - shown.length} more</li>}
      </ul>
    </>
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

function ImportSummary({ outcome }: { outcome: ImportResult | { problem: string } }) {
  if ('problem' in outcome) return <>{outcome.problem}</>;
  const { created, updated, unchanged = 0, refused, missing = [] } = outcome;
  const [first] = missing;
  if (refused.length > 0) {
    return (
      <>
        Nothing was imported: {refused.length.toLocaleString('en')} {refused.length === 1 ? 'row' : 'rows'} rejected.
      </>
    );
  }
  return (
    <>
      {created.toLocaleString('en')} created, {updated.toLocaleString('en')} replaced
      {unchanged > 0 && `, ${unchanged.toLocaleString('en')} unchanged`}.
      {first && (
        <>
          {' '}
          Kept, although the target is missing: <Sentence text={`${first.path}, ${first.member}: "${first.name}"`} />
          {missing.length > 1 && ` (and ${missing.length - 1} more)`}.
        </>
      )}
    </>
  );
}
