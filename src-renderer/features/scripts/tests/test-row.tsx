import type { ScriptTest } from '#domain/run/script-test';
import { Button } from '../../../ui/fluent.ts';
import {
  ArrowSyncRegular,
  CheckmarkCircleFilled,
  DeleteRegular,
  DismissCircleFilled,
  EditRegular,
  PlayFilled,
} from '../../../ui/icons.ts';
import type { RanTest } from '../model/script-tests.ts';
import styles from './tests.module.css';

interface Props {
  test: ScriptTest;
  ran: RanTest | undefined;
  /** Whether the text in the editor has changed since. */
  stale: boolean;
  running: boolean;
  onRun: () => void;
  onEdit: () => void;
  onAccept: () => void;
  onDelete: () => void;
}

/** A test, its result, and its failures. */
export function TestRow({ test, ran, stale, running, onRun, onEdit, onAccept, onDelete }: Props) {
  const { name } = test;
  const failures = ran?.outcome.failures ?? [];
  return (
    <li className={styles.test}>
      <div className={styles.row} data-stale={stale}>
        <Mark ran={ran} running={running} />
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
          {failures.map(({ check, message }) => (
            <pre key={`${check}${message}`}>{message}</pre>
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

function Mark({ ran, running }: Pick<Props, 'ran' | 'running'>) {
  const [state, icon] = running
    ? (['running', <ArrowSyncRegular key="icon" />] as const)
    : !ran
      ? (['not run', null] as const)
      : ran.outcome.passed
        ? (['passed', <CheckmarkCircleFilled key="icon" />] as const)
        : (['failed', <DismissCircleFilled key="icon" />] as const);
  return (
    <span className={styles.mark} data-state={state} role="img" aria-label={state}>
      {icon}
    </span>
  );
}
