import { useState } from 'react';
import type { TagType } from '#domain/tag/tag';
import type { Client } from '../../../client/client.ts';
import { problemOf } from '../../../client/errors.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { shownValue } from '../../../support/shown-value.ts';
import type { ViewScope } from '../../../client/live-values.ts';
import { typedValue } from '../../../support/typed-value.ts';
import { Button, Field, Input } from '../../../ui/fluent.ts';
import styles from './edit.module.css';

type Outcome = { shown: Awaited<ReturnType<Client['db']['try']>>; write: boolean } | { problem: string };

interface Props {
  path: string;
  type: TagType;
  readSql: string;
  writeSql: string;
  scope: ViewScope;
}

/** Runs the statements of a DB tag in the form; a write is rolled back. */
export function TrySql({ path, type, readSql, writeSql, scope }: Props) {
  const { client } = useWorkbench();
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [busy, setBusy] = useState(false);
  const value = typedValue(text, type);

  const attempt = async (mode: 'read' | 'write') => {
    if (mode === 'write' && !value.ok) return setOutcome({ problem: value.reason });
    setBusy(true);
    try {
      const shown = await client.db.try({
        mode,
        sql: mode === 'read' ? readSql : writeSql,
        tagName: path,
        ...scope,
        ...(mode === 'write' && value.ok ? { value: value.value } : {}),
      });
      setOutcome({ shown, write: mode === 'write' });
    } catch (error) {
      setOutcome({ problem: problemOf(error).message });
    } finally {
      setBusy(false);
    }
    return undefined;
  };

  return (
    <div className={styles.try} role="group" aria-label="Try the SQL">
      <div className={styles.tryBar}>
        <Button size="small" disabledFocusable={busy || readSql.trim() === ''} onClick={() => void attempt('read')}>
          Try the read
        </Button>
        <Field label="Value to write" size="small">
          <Input size="small" value={text} onChange={(_event, { value: next }) => setText(next)} />
        </Field>
        <Button
          size="small"
          title="The write is rolled back: nothing is saved"
          disabledFocusable={busy || writeSql.trim() === ''}
          onClick={() => void attempt('write')}
        >
          Try the write
        </Button>
      </div>
      <div role="status">{outcome && <Shown outcome={outcome} />}</div>
    </div>
  );
}

function Shown({ outcome }: { outcome: Outcome }) {
  if ('problem' in outcome) return <p className={styles.problem}>{outcome.problem}</p>;
  const { shown, write } = outcome;
  const took = `${shown.ms.toFixed(1)} ms`;
  if (write) {
    return (
      <p className={styles.hint}>
        Would change {shown.changes} {shown.changes === 1 ? 'row' : 'rows'} ({took}); it was rolled back.
      </p>
    );
  }
  return (
    <>
      <p className={styles.hint}>
        {shown.rows.length}
        {shown.more ? ' or more rows' : shown.rows.length === 1 ? ' row' : ' rows'} ({took})
      </p>
      {shown.rows.length > 0 && (
        <div className={styles.rows} tabIndex={0} role="region" aria-label="Rows">
          <table>
            <thead>
              <tr>
                {shown.columns.map((name, index) => (
                  // oxlint-disable-next-line react/no-array-index-key -- rows and columns of a result have no other name
                  <th key={index}>{name}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.rows.slice(0, 50).map((row, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- rows and columns of a result have no other name
                <tr key={index}>
                  {row.map((cell, column) => (
                    // oxlint-disable-next-line react/no-array-index-key -- rows and columns of a result have no other name
                    <td key={column}>{shownValue(cell, 80)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
