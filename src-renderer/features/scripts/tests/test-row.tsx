import type { ScriptTest, TestFailure } from '#domain/run/script-test';
import { Button } from '../../../ui/fluent.ts';
import { BugRegular, DeleteRegular, EditRegular, PlayFilled } from '../../../ui/icons.ts';
import { TagPath } from '../../../ui/text/tag-path.tsx';
import type { RanTest } from '../model/script-tests.ts';
import { TestMark } from './test-mark.tsx';
import styles from './tests.module.css';

interface Props {
  test: ScriptTest;
  ran: RanTest | undefined;
  /** Whether the text in the editor has changed since. */
  stale: boolean;
  running: boolean;
  onRun: () => void;
  /** Null while a run is debugged. */
  onDebug: (() => void) | null;
  onEdit: () => void;
  onAccept: () => void;
  onDelete: () => void;
}

/** A test, its result, and its failures. */
export function TestRow({ test, ran, stale, running, onRun, onDebug, onEdit, onAccept, onDelete }: Props) {
  const { name } = test;
  const failures = ran?.outcome.failures ?? [];
  return (
    <li className={styles.test}>
      <div className={styles.row} data-stale={stale}>
        <TestMark state={running ? 'running' : !ran ? 'not run' : ran.outcome.passed ? 'passed' : 'failed'} />
        <span className={styles.name} title={name}>
          {name}
        </span>
        <span className={styles.quiet}>
          {stale ? 'changed since · ' : ''}
          {ran ? `${Math.round(ran.ms)} ms` : ''}
        </span>
        <Button
          size="small"
          appearance="subtle"
          icon={<PlayFilled />}
          aria-label={`Run the test ${name}`}
          title="Run"
          onClick={onRun}
        />
        <Button
          size="small"
          appearance="subtle"
          icon={<BugRegular />}
          aria-label={`Debug the test ${name}`}
          title="Debug: pause at breakpoints and exceptions"
          disabledFocusable={onDebug === null}
          onClick={() => onDebug?.()}
        />
        <Button
          size="small"
          appearance="subtle"
          icon={<EditRegular />}
          aria-label={`Edit the test ${name}`}
          title="Edit"
          onClick={onEdit}
        />
        <Button
          size="small"
          appearance="subtle"
          icon={<DeleteRegular />}
          aria-label={`Delete the test ${name}`}
          title="Delete"
          onClick={onDelete}
        />
      </div>
      {failures.length > 0 && (
        <div className={styles.failures}>
          {failures.map((failure) => (
            <Failure key={`${failure.check}${failure.message}`} failure={failure} />
          ))}
          {ran?.outcome.report && (
            <Button size="small" onClick={onAccept}>
              Accept as expected
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

/** The differences by tag or place, or the message if it is about something else. */
function Failure({ failure: { message, differences } }: { failure: TestFailure }) {
  if (!differences) return <pre>{message}</pre>;
  const more = message.split('\n').slice(differences.length);
  return (
    <>
      <table className={styles.differences}>
        <thead>
          <tr>
            <th>Difference</th>
            <th>Expected</th>
            <th>Actual</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ tag, place, expected, actual }) => (
            <tr key={place}>
              <th scope="row">
                {place}
                {tag !== null && (
                  <div>
                    <TagPath path={tag} />
                  </div>
                )}
              </th>
              <td>{expected ?? <em>nothing</em>}</td>
              <td>{actual ?? <em>nothing</em>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more.length > 0 && <pre>{more.join('\n')}</pre>}
    </>
  );
}
