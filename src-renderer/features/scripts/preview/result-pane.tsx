import { Button } from '@fluentui/react-components';
import { useMemo, useState } from 'react';
import type { Json } from '#domain/json';
import type { RunError } from '#domain/run';
import { useWorkbench } from '../../../frame/workbench.ts';
import { CopyRegular } from '../../../ui/icons.ts';
import { JsonLines } from '../../../ui/lines.tsx';
import type { Outcome } from '../model/runs.ts';
import { tableOf } from '../model/table.ts';
import { useScripts } from '../scripts-context.ts';
import { RecordTable } from './record-table.tsx';
import styles from './preview.module.css';

/** What the script returned, or why it did not. */
export function ResultPane({ outcome }: { outcome: Outcome }) {
  if (outcome.kind === 'failed') return <p className={styles.hint}>{outcome.problem.message}</p>;
  if (outcome.kind === 'stopped') {
    return (
      <p className={styles.hint}>
        You stopped this run, so it has no result.{' '}
        {outcome.dryRun
          ? 'It was a dry run: nothing was kept.'
          : 'What it had written before stays written; the view Tags shows the values.'}
      </p>
    );
  }
  const { report } = outcome;
  if (report.status === 'cancelled') {
    return (
      <p className={styles.hint}>
        You stopped this run, so it has no result. The trace and the console show what it did until then
        {report.writes.length > 0 && !report.dryRun ? '; what it wrote stays written' : ''}.
      </p>
    );
  }
  return (
    <>
      {report.error && <ErrorPanel error={report.error} />}
      {report.status === 'ok' && <Result result={report.result} />}
    </>
  );
}

function Result({ result }: { result: Json }) {
  const { notify } = useWorkbench();
  const text = useMemo(() => JSON.stringify(result, null, 2), [result]);
  const table = useMemo(() => tableOf(result), [result]);
  const [asJson, setAsJson] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      notify({ intent: 'success', title: 'Result copied as JSON' });
    } catch {
      notify({ intent: 'error', title: 'The clipboard cannot be used', body: 'Select the text and press Ctrl+C.' });
    }
  };
  return (
    <div className={styles.result}>
      <div className={styles.resultBar}>
        <span className={styles.quiet}>{sortOf(result)}</span>
        {table && (
          <Button size="small" appearance="subtle" onClick={() => setAsJson(!asJson)}>
            {asJson ? 'Show as table' : 'Show as JSON'}
          </Button>
        )}
        <Button size="small" appearance="subtle" icon={<CopyRegular />} onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      {table && !asJson ? <RecordTable table={table} /> : <JsonLines text={text} label="Result as JSON" />}
    </div>
  );
}

function sortOf(result: Json): string {
  if (result === null) return 'null (a script without return gives null)';
  if (Array.isArray(result)) return result.length === 1 ? 'Array of 1 element' : `Array of ${result.length} elements`;
  if (typeof result === 'object') return 'Object';
  if (typeof result === 'string') return `Text of ${result.length} characters`;
  return typeof result === 'number' ? 'Number' : 'Boolean';
}

/** What was thrown, where, and by which calls it came there. */
function ErrorPanel({ error }: { error: RunError }) {
  const { editor } = useScripts();
  const goTo = (line: number, column: number) => editor.get()?.goTo(line, column);
  const frames =
    error.stack.length > 0
      ? error.stack
      : error.line === null
        ? []
        : [{ function: null, line: error.line, column: error.column ?? 1 }];
  return (
    <div className={styles.error} role="group" aria-label="Error">
      <p className={styles.errorText}>
        <strong>{error.name}</strong>: {error.message}
      </p>
      {error.failures && error.failures.length > 0 && (
        <ul className={styles.failures}>
          {error.failures.map(({ tag, reason }) => (
            <li key={`${tag} ${reason}`}>
              <code>{tag}</code> {reason}
            </li>
          ))}
        </ul>
      )}
      {frames.length > 0 && (
        <ol className={styles.frames}>
          {frames.map((frame) => (
            <li key={`${frame.function} ${frame.line} ${frame.column}`}>
              <button type="button" className={styles.link} onClick={() => goTo(frame.line, frame.column)}>
                {frame.function ?? 'script'}, line {frame.line}, column {frame.column}
              </button>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
