import type { RunReport } from '#domain/run/run';
import { helpForCode } from '../../../../frame/help/error-help.ts';
import { HelpLink } from '../../../../frame/help/help-link.tsx';
import type { Help } from '../../../../frame/help/places.ts';
import type { Folding } from '../../../../ui/json/json-tree.tsx';
import type { RunOutcome } from '../../model/runs.ts';
import { useScripts } from '../../scripts-context.ts';
import { ResultView } from './result-view.tsx';
import styles from './result.module.css';

/** The result of the script, or why it has none. */
export function ResultPane({ outcome, ...folding }: { outcome: RunOutcome } & Folding) {
  if (outcome.kind === 'failed') {
    const { code, message } = outcome.problem;
    return (
      <p className={styles.hint}>
        {message} <HelpLink to={helpForCode(code) ?? 'preview'} />
      </p>
    );
  }
  if (outcome.kind === 'stopped') {
    return (
      <p className={styles.hint}>
        You stopped this run, so it has no result.{' '}
        {outcome.dryRun
          ? 'It was a dry run: nothing was saved.'
          : 'Earlier writes were saved; the Tags view shows the values.'}
      </p>
    );
  }
  const { report } = outcome;
  // One that was stopped for another reason has it as its error.
  if (report.status === 'cancelled' && (report.error === null || report.error.line === null)) {
    return (
      <p className={styles.hint}>
        You stopped this run, so it has no result. The trace and the console show its progress until then
        {report.writes.length > 0 && !report.dryRun ? '; its writes were saved' : ''}.
      </p>
    );
  }
  return (
    <>
      {report.error && <ErrorPanel error={report.error} help={helpFor(report)} />}
      {report.status === 'ok' && <ResultView result={report.result} {...folding} />}
    </>
  );
}

/** Where the manual explains why a run failed. */
function helpFor({ status, error }: RunReport): Help {
  if (status === 'cancelled') return 'showValues';
  if (status !== 'error') return 'limits';
  if (error?.failures || error?.message.startsWith('TagValueManager.Set')) return 'writes';
  if (error?.message.startsWith('TagValueManager.Get')) return 'reads';
  return error?.message.startsWith('ApiValueManager.') ? 'apiErrors' : 'runs';
}

/** The error, its position and its stack. */
function ErrorPanel({ error, help }: { error: NonNullable<RunReport['error']>; help: Help }) {
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
        <strong>{error.name}</strong>: {error.message} <HelpLink to={help} />
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
