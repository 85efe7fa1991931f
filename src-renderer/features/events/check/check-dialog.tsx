import { situationCount } from '#domain/event/conformance';
import { useCopy } from '../../../frame/use-copy.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { saveText } from '../../../support/files.ts';
import { PlainDialog } from '../../../ui/dialogs/plain-dialog.tsx';
import { Button, Field, Input, ProgressBar } from '../../../ui/fluent.ts';
import { CopyRegular, SaveRegular } from '../../../ui/icons.ts';
import type { CheckRun, FinishedCheck, RunningCheck } from './consumer-check.ts';
import { outcomeText, progressText } from './consumer-check.ts';
import { SituationList } from './situation-list.tsx';
import styles from './check.module.css';

const WIDTH = 760;

/** The check in progress. Closing the dialog hides it only. */
export function RunningDialog({
  check,
  running,
  onClose,
}: {
  check: CheckRun;
  running: RunningCheck;
  onClose: () => void;
}) {
  const { notify } = useWorkbench();
  const { address, situations, isEnding } = running;
  const done = situations.filter(({ report }) => report !== null).length;
  const end = () => {
    check.end().catch((error: unknown) => notify({ intent: 'error', title: 'The check was not ended', error }));
  };
  return (
    <PlainDialog
      title="Checking a consumer"
      width={WIDTH}
      className={styles.content}
      actions={
        <>
          <Button disabledFocusable={isEnding} onClick={end}>
            End the check
          </Button>
          <Button appearance="primary" onClick={onClose}>
            Hide
          </Button>
        </>
      }
      onClose={onClose}
    >
      {address && done === 0 && (
        <p>
          Start the consumer with this address{address.apiKey === null ? '' : ' and API key'}, or change its settings.
        </p>
      )}
      {address && (
        <div className={styles.address}>
          <Copied label="Address of the test API" text={address.url} />
          {address.apiKey !== null && <Copied label="API key" text={address.apiKey} />}
        </div>
      )}
      <p className={styles.status} role="status">
        {progressText(running)}
      </p>
      <ProgressBar
        aria-label="Situations done"
        {...(situations.some(({ isCurrent, report }) => isCurrent || report) && {
          value: done,
          max: situations.length,
        })}
      />
      <SituationList situations={situations} />
    </PlainDialog>
  );
}

/** The report of a check. */
export function ReportDialog({
  finished: { report, junit, page },
  onAgain,
  onClose,
}: {
  finished: FinishedCheck;
  onAgain: () => void;
  onClose: () => void;
}) {
  const { startedAt, consumers, others, situations, events, ms, lost, twice, hammered } = report;
  const file = `consumer-check-${startedAt.slice(0, 19).replaceAll(/[:T]/g, '-')}`;
  const counts: [number, string, boolean][] = [
    [situationCount(report, 'passed'), 'passed', false],
    [situationCount(report, 'failed'), 'failed', true],
    [situationCount(report, 'unmet'), 'not met', false],
    [lost, 'events lost', true],
    [twice, 'acknowledged twice', true],
    [hammered, 'hammering requests', true],
  ];
  return (
    <PlainDialog
      title={outcomeText(report)}
      width={WIDTH}
      className={styles.content}
      before={
        <>
          <Button icon={<SaveRegular />} onClick={() => saveText(`${file}.xml`, junit, 'application/xml')}>
            Save as JUnit
          </Button>
          <Button icon={<SaveRegular />} onClick={() => saveText(`${file}.html`, page, 'text/html')}>
            Save as page
          </Button>
        </>
      }
      actions={
        <>
          <Button onClick={onAgain}>Check again</Button>
          <Button appearance="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
      onClose={onClose}
    >
      <ul className={styles.counts} aria-label="Summary">
        {counts.map(([count, what, isBad]) => (
          <li key={what} data-bad={isBad && count > 0}>
            <b>{count.toLocaleString('en')}</b> {what}
          </li>
        ))}
      </ul>
      <p className={styles.about}>
        {events.toLocaleString('en')} test events in {Math.round(ms / 1_000)} s.
        {consumers.length > 0 && ` Requests came from ${consumers.join(', ')}.`}
        {others.length > 0 && ` Not checked: ${others.join(', ')}.`}
      </p>
      <SituationList situations={situations.map((one) => ({ ...one, isCurrent: false, report: one }))} />
    </PlainDialog>
  );
}

function Copied({ label, text }: { label: string; text: string }) {
  const toClipboard = useCopy();
  return (
    <Field label={label}>
      <Input
        readOnly
        value={text}
        onFocus={({ target }) => target.select()}
        contentAfter={
          <Button
            size="small"
            appearance="transparent"
            icon={<CopyRegular />}
            aria-label={`Copy: ${label}`}
            title="Copy"
            onClick={() => void toClipboard(text, `Copied: ${label}`)}
          />
        }
      />
    </Field>
  );
}
