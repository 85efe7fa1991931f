import { useEffect, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { RunReport, RunStatus } from '#domain/run/run';
import { isFailed } from '#domain/run/trace';
import type { TraceItem } from '#domain/run/trace';
import {
  ArrowSyncRegular,
  CheckmarkCircleFilled,
  ClockRegular,
  DismissCircleFilled,
  ErrorCircleFilled,
  FlashRegular,
  StorageRegular,
} from '../../../ui/icons.ts';
import type { RunOutcome, RunState } from '../model/runs.ts';
import { useScripts } from '../scripts-context.ts';
import styles from './outcomes.module.css';

const STATUSES: Readonly<Record<RunStatus, { text: string; icon: ReactNode; sort: 'good' | 'bad' | 'plain' }>> = {
  ok: { text: 'OK', icon: <CheckmarkCircleFilled aria-hidden />, sort: 'good' },
  error: { text: 'Error', icon: <ErrorCircleFilled aria-hidden />, sort: 'bad' },
  timeout: { text: 'Timed out', icon: <ClockRegular aria-hidden />, sort: 'bad' },
  memory: { text: 'Out of memory', icon: <StorageRegular aria-hidden />, sort: 'bad' },
  crashed: { text: 'Crashed its host', icon: <FlashRegular aria-hidden />, sort: 'bad' },
  cancelled: { text: 'Stopped', icon: <DismissCircleFilled aria-hidden />, sort: 'plain' },
};

interface HeadProps {
  outcome: RunOutcome;
  trace: readonly TraceItem[];
  live: boolean;
  /** A live run that a changed tag started. */
  rerun: boolean;
  stale: boolean;
}

/** The outcome of the run, in one line. */
export function OutcomeHead({ outcome, trace, live, rerun, stale }: HeadProps) {
  const failed = useMemo(() => trace.filter(isFailed).length, [trace]);
  const after = stale ? <span className={styles.quiet}>The text has changed since</span> : null;
  if (outcome.kind === 'failed') {
    return (
      <>
        <span className={styles.badge} data-sort="bad">
          <ErrorCircleFilled aria-hidden /> Not run
        </span>
        {after}
      </>
    );
  }
  if (outcome.kind === 'stopped') {
    return (
      <>
        <Badge status="cancelled" />
        <span>after {shownTime(outcome.afterMs)}</span>
        {outcome.dryRun && <DryRun />}
        {after}
      </>
    );
  }
  const { report } = outcome;
  return (
    <>
      <Badge status={report.status} />
      <span title={timingOf(report)}>{shownTime(report.timing.totalMs)}</span>
      {live ? <LiveRun report={report} rerun={rerun} /> : report.dryRun && <DryRun />}
      <span className={styles.quiet} title={countsOf(report)}>
        {countsOf(report)}
      </span>
      {failed > 0 && (
        <span
          className={styles.badge}
          data-sort="bad"
          title="Rejected and failed reads, writes and calls: see the trace"
        >
          <ErrorCircleFilled aria-hidden /> {failed.toLocaleString('en')} failed
        </span>
      )}
      {after}
    </>
  );
}

/** Why a run has no result, for panes that do not show the error itself: the error, and a link to its line. */
export function WhyLine({ outcome }: { outcome: RunOutcome }) {
  const { editor } = useScripts();
  if (outcome.kind === 'failed') return <p className={styles.why}>{outcome.problem.message}</p>;
  const error = outcome.kind === 'report' ? outcome.report.error : null;
  if (!error) return null;
  const { line, column } = error;
  return (
    <p className={styles.why}>
      <strong>{error.name}</strong>: {error.message}{' '}
      {line !== null && (
        <button type="button" className={styles.link} onClick={() => editor.get()?.goTo(line, column ?? 1)}>
          line {line}
          {column === null ? '' : `, column ${column}`}
        </button>
      )}
    </p>
  );
}

/** The current run, with its elapsed time. */
export function RunningHead({ startedAt, dryRun, stopping }: NonNullable<RunState['running']>) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <span className={styles.badge} data-sort="running">
        <ArrowSyncRegular aria-hidden /> {stopping ? 'Stopping' : 'Running'}
      </span>
      <span aria-hidden="true">{(Math.max(0, now - startedAt) / 1_000).toFixed(1)} s</span>
      {dryRun && <DryRun />}
    </>
  );
}

export function Badge({ status }: { status: RunStatus }) {
  const { text, icon, sort } = STATUSES[status];
  return (
    <span className={styles.badge} data-sort={sort} data-status={status}>
      {icon} {text}
    </span>
  );
}

function DryRun() {
  return (
    <span className={styles.chip} title="A dry run saves nothing, and uses mocks for API calls">
      Dry run<span className={styles.chipEnd}>, nothing saved</span>
    </span>
  );
}

function LiveRun({ report: { apiCalls }, rerun }: { report: RunReport; rerun: boolean }) {
  return (
    <span
      className={styles.chip}
      data-live
      title={`${rerun ? 'A rerun' : 'Auto-run'} saves nothing, and uses mocks for API calls`}
    >
      {rerun ? 'Rerun' : 'Auto-run'}
      <span className={styles.chipEnd}>, nothing saved{apiCalls.length > 0 ? ', API calls to mocks only' : ''}</span>
    </span>
  );
}

/** The outcome in words, with the reason if the run did not end well. */
export function outcomeText(outcome: RunOutcome): { text: string; reason: string | null } {
  if (outcome.kind === 'failed') return { text: 'Not run', reason: outcome.problem.message };
  if (outcome.kind === 'stopped') return { text: `Stopped after ${shownTime(outcome.afterMs)}`, reason: null };
  const { status, error, timing, dryRun } = outcome.report;
  const saved = dryRun ? ', nothing saved' : '';
  return {
    text: `${STATUSES[status].text} after ${shownTime(timing.totalMs)}${saved}`,
    reason: error?.message ?? null,
  };
}

export function shownTime(ms: number): string {
  return ms < 1_000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}

function countsOf({ reads, writes, dropped }: RunReport): string {
  const [read, written] = [reads.length + dropped.reads, writes.length + dropped.writes];
  return `${read} read, ${written} written`;
}

function timingOf({ timing }: RunReport): string {
  return [
    `Script ${shownTime(timing.scriptMs)}`,
    `tags and calls ${shownTime(timing.hostCallMs)}`,
    `waiting for a host ${shownTime(timing.queuedMs)}`,
  ].join(', ');
}
