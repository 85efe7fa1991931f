import type { SituationReport, SituationState } from '#domain/event/conformance';
import { Spinner } from '../../../ui/fluent.ts';
import { CheckmarkCircleFilled, ErrorCircleFilled, NextRegular, WarningFilled } from '../../../ui/icons.ts';
import type { ShownSituation } from './consumer-check.ts';
import styles from './check.module.css';

const STATES: Readonly<Record<SituationState, string>> = {
  passed: 'passed',
  failed: 'failed',
  unmet: 'not met',
  skipped: 'not run',
};
const KINDS = { lost: 'Lost', twice: 'Twice', hammered: 'Hammered', absent: 'Absent' } as const;

const counted = (count: number, noun: string) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** New browsers return a promise, which is no result of a ref. */
const intoView = (element: HTMLElement | null): void => {
  element?.scrollIntoView({ block: 'nearest' });
};

/** The situations of a check, with what the consumer did in the completed ones. */
export function SituationList({ situations }: { situations: readonly ShownSituation[] }) {
  return (
    <ol className={styles.situations} aria-label="Situations">
      {situations.map(({ name, title, isCurrent, report }) => (
        <li
          key={name}
          ref={isCurrent ? intoView : null}
          data-state={report?.state ?? (isCurrent ? 'current' : 'waiting')}
          aria-current={isCurrent || undefined}
        >
          <Mark state={report?.state ?? null} isCurrent={isCurrent} />
          <div className={styles.situation}>
            <div className={styles.title}>
              <span>{title}</span>
              <span className={styles.figures}>{report ? figuresText(report) : isCurrent ? 'in progress' : ''}</span>
            </div>
            {report && <Outcome report={report} />}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Outcome({ report: { state, expected, findings, notes } }: { report: SituationReport }) {
  const isPlain = state === 'skipped' || (findings.length === 0 && notes.length === 0);
  if (isPlain) return null;
  return (
    <ul className={styles.findings}>
      {findings.map(({ kind, message }) => (
        <li key={`${kind} ${message}`}>
          <strong>{KINDS[kind]}</strong> {message}
        </li>
      ))}
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
      {state !== 'passed' && <li>Expected: {expected}</li>}
    </ul>
  );
}

function Mark({ state, isCurrent }: { state: SituationState | null; isCurrent: boolean }) {
  if (isCurrent) {
    return (
      <span aria-hidden>
        <Spinner size="extra-tiny" />
      </span>
    );
  }
  if (state === 'passed') return <CheckmarkCircleFilled className={styles.mark ?? ''} aria-hidden />;
  if (state === 'failed') return <ErrorCircleFilled className={styles.mark ?? ''} aria-hidden />;
  if (state === 'unmet') return <WarningFilled className={styles.mark ?? ''} aria-hidden />;
  if (state === 'skipped') return <NextRegular className={styles.mark ?? ''} aria-hidden />;
  return <span className={styles.mark} aria-hidden />;
}

/** `passed · 50 of 50 events · 53 requests · 1.9 s` */
function figuresText({ state, acknowledged, events, requests, ms }: SituationReport): string {
  if (state === 'skipped') return STATES.skipped;
  const done = events === 0 ? [] : [`${acknowledged.toLocaleString('en')} of ${counted(events, 'event')}`];
  return [STATES[state], ...done, counted(requests, 'request'), `${(ms / 1_000).toFixed(1)} s`].join(' · ');
}
