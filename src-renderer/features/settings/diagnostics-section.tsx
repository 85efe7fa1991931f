import { useRef, useState } from 'react';
import type { CheckResult, CheckState } from '#domain/workspace/diagnosis';
import { checksText, summaryOf } from '#domain/workspace/diagnosis';
import { useCopy } from '../../frame/use-copy.ts';
import { useCommands } from '../../frame/workbench.ts';
import { Button, Checkbox, Spinner } from '../../ui/fluent.ts';
import {
  ArrowDownloadRegular,
  CheckmarkCircleFilled,
  CopyRegular,
  DismissRegular,
  ErrorCircleFilled,
  PlayFilled,
  QuestionCircleRegular,
  WarningFilled,
} from '../../ui/icons.ts';
import { moment } from '../../support/moment.ts';
import { SupportDialog } from './support-dialog.tsx';
import type { DiagnosisState, useDiagnosis } from './use-diagnosis.ts';
import styles from './settings.module.css';

const STATES: Readonly<Record<CheckState, { word: string; icon: React.ReactNode }>> = {
  ok: { word: 'OK', icon: <CheckmarkCircleFilled /> },
  warning: { word: 'Warning', icon: <WarningFilled /> },
  problem: { word: 'Problem', icon: <ErrorCircleFilled /> },
  'not-checked': { word: 'Not checked', icon: <QuestionCircleRegular /> },
};

interface Props extends ReturnType<typeof useDiagnosis> {
  active: boolean;
}

/** The findings of `tagwright doctor`, and the support file. */
export function DiagnosticsSection({ active, state, run, cancel }: Props) {
  const [full, setFull] = useState(false);
  const [saving, setSaving] = useState(false);
  const copy = useCopy();
  const section = useRef<HTMLElement>(null);
  const { doing, checks, diagnosis } = state;
  const running = doing !== null;
  const check = async () => {
    await run(full);
    // The section is at the end of a long page: its result would be below the window.
    section.current?.scrollIntoView({ block: 'start' });
  };
  useCommands([
    {
      id: 'settings.diagnostics',
      section: 'Settings',
      title: 'Run diagnostics',
      enabled: active && !running,
      run: check,
    },
  ]);
  const copyText = () => {
    const head = diagnosis ? `Tagwright ${diagnosis.version}, ${diagnosis.madeAt}\n\n` : '';
    return copy(`${head}${checksText(checks)}\n${summaryOf(checks)}\n`, 'Copied the result of the checks');
  };
  return (
    <section ref={section} className={styles.group} aria-labelledby="settings-diagnostics">
      <h2 id="settings-diagnostics">Diagnostics</h2>
      <p className={styles.note}>
        Checks versions, ports, files, the sandbox, disk, clock and both databases, and explains how to fix problems.
        Nothing is changed. On the command line: <code>npx tagwright doctor</code>
      </p>
      <div className={styles.buttons}>
        {running ? (
          <Button size="small" icon={<DismissRegular />} onClick={cancel}>
            Cancel checks
          </Button>
        ) : (
          <Button size="small" icon={<PlayFilled />} onClick={() => void check()}>
            {checks.length > 0 ? 'Run checks again' : 'Run checks'}
          </Button>
        )}
        <Button
          size="small"
          icon={<CopyRegular />}
          disabledFocusable={running || checks.length === 0}
          onClick={() => void copyText()}
        >
          Copy as text
        </Button>
        <Button
          size="small"
          icon={<ArrowDownloadRegular />}
          disabledFocusable={running}
          onClick={() => setSaving(true)}
        >
          Save support file…
        </Button>
        <Checkbox
          label="Every page of both databases (no time limit)"
          checked={full}
          disabled={running}
          onChange={(_event, { checked }) => setFull(checked === true)}
        />
      </div>
      <div className={styles.diagnosisState} role="status">
        <Progress {...state} />
      </div>
      {checks.length > 0 && <Checks checks={checks} />}
      {saving && <SupportDialog onClose={() => setSaving(false)} />}
    </section>
  );
}

function Progress({ doing, checks, diagnosis, ended }: DiagnosisState) {
  if (doing !== null) return <Spinner size="tiny" label={`${doing}…`} labelPosition="after" />;
  if (ended === 'cancelled') return <>Cancelled. {summaryOf(checks)}</>;
  if (ended) return <>The checks ended early: {ended.problem}</>;
  if (!diagnosis) return <>Not run yet.</>;
  return (
    <>
      {summaryOf(checks)} · {moment(new Date(diagnosis.madeAt))}
    </>
  );
}

function Checks({ checks }: { checks: readonly CheckResult[] }) {
  const isBad = ({ state }: CheckResult) => state === 'problem' || state === 'warning';
  const good = checks.filter((check) => !isBad(check));
  const groups = [
    // Problems are visible without scrolling.
    {
      name: 'To fix',
      members: checks.filter(isBad).toSorted((a, b) => Number(b.state === 'problem') - Number(a.state === 'problem')),
    },
    ...[...new Set(good.map(({ group }) => group))].map((name) => ({
      name,
      members: good.filter(({ group }) => group === name),
    })),
  ].filter(({ members }) => members.length > 0);
  return (
    <table className={`${styles.table} ${styles.checks}`} aria-label="Result of the checks">
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Check</th>
          <th scope="col">Result</th>
        </tr>
      </thead>
      {groups.map(({ name, members }) => (
        <tbody key={name}>
          <tr>
            <th scope="rowgroup" colSpan={3}>
              {name}
            </th>
          </tr>
          {members.map(({ id, title, state, detail, fix }) => (
            <tr key={id} data-state={state}>
              <td>
                <span className={styles.checkState}>
                  {STATES[state].icon}
                  {STATES[state].word}
                </span>
              </td>
              <td>{title}</td>
              <td>
                <bdi>{detail}</bdi>
                {fix !== null && (
                  <span className={styles.fix}>
                    <b>Fix:</b> <bdi>{fix}</bdi>
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}
