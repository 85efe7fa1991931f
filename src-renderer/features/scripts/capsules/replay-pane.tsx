import { useLayoutEffect, useMemo, useRef } from 'react';
import type { KeptRun } from '#domain/run/replay';
import { type Query, useQuery } from '../../../client/use-query.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { fullMoment, moment } from '../../../support/moment.ts';
import { useStore } from '../../../support/store.ts';
import { Button, Link } from '../../../ui/fluent.ts';
import {
  ArrowStepOverRegular,
  ArrowUploadRegular,
  HistoryRegular,
  NumberSymbolRegular,
  PlayFilled,
  SaveRegular,
  StopFilled,
} from '../../../ui/icons.ts';
import { type CapsuleState, NO_CAPSULE } from '../model/capsules.ts';
import { maskedText, runNote, scriptText } from '../model/replay-text.ts';
import type { Doc } from '../model/script-document.ts';
import { Badge, shownTime } from '../preview/outcome-head.tsx';
import { useScripts } from '../scripts-context.ts';
import { StepBar, STARTS_STEPS } from './step-bar.tsx';
import { CompareMenu } from './compare-menu.tsx';
import { CompareResult } from './compare-result.tsx';
import { ReplayResult } from './replay-result.tsx';
import { useCapsuleActions } from './use-capsule-actions.ts';
import { useOpenCapsule } from './use-open-capsule.ts';
import { MakeTestButton } from '../tests/make-test-button.tsx';
import styles from './capsules.module.css';

interface Props {
  doc: Doc;
  active: boolean;
  /** Counts the runs of the script in this window. */
  lastRun: number;
}

/** The recorded runs of the open script, or one of them, or the capsule of a file, with its replay. */
export function ReplayPane({ doc, active, lastRun }: Props) {
  const { capsules } = useScripts();
  const state = useStore(capsules.store, (all) => all.get(doc.editor) ?? NO_CAPSULE);
  useLayoutEffect(() => {
    capsules.isSeen.set(true);
    return () => capsules.isSeen.set(false);
  }, [capsules]);
  const keeping = useKeptFocus(state.opened?.capsule.key ?? null);
  return (
    <div className={styles.pane} data-help="capsules" {...keeping}>
      {state.opened ? (
        <OpenCapsule doc={doc} state={state} opened={state.opened} active={active} />
      ) : (
        <RunList key={doc.scriptId} doc={doc} state={state} active={active} lastRun={lastRun} />
      )}
    </div>
  );
}

/** The control that gets the focus of one that disappeared. */
const FIRST = { 'data-first-control': true } as const;

/** When the pane shows another capsule or the list, the focused control is removed: the first control gets the focus. */
function useKeptFocus(shown: string | null) {
  const pane = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (!hadFocus.current || document.activeElement !== document.body) return;
    pane.current?.querySelector<HTMLElement>('[data-first-control]')?.focus();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the shown capsule decides which controls there are
  }, [shown]);
  return {
    ref: pane,
    onFocus: () => {
      hadFocus.current = true;
    },
    // No event when the focused element is removed.
    onBlur: () => {
      hadFocus.current = false;
    },
  };
}

function RunList({ doc, state, active, lastRun }: Props & { state: CapsuleState }) {
  const { client } = useWorkbench();
  const { capsules } = useScripts();
  const { pick } = useOpenCapsule();
  const { save, isBusy } = useCapsuleActions(doc);
  const { saved, editor: key } = doc;
  const script = saved && `${saved.group}/${saved.name}`;
  const query = useMemo<Query<{ runs: KeptRun[]; after: number }>>(
    () => ({
      read: async (signal) => ({ ...(await client.capsules.runs({ script }, { signal })), after: lastRun }),
      // Another name, and a saved text.
      changes: [(signal) => client.scripts.changes(undefined, { signal })],
    }),
    [client, script, lastRun],
  );
  const { data, problem } = useQuery(query, active);
  const runs = data?.runs ?? [];
  const saveRun = async (run: KeptRun) => {
    if (!(await capsules.open(key, run))) return;
    const { opened } = capsules.of(key);
    if (opened) await save(opened.capsule, opened.source);
  };
  const replay = async (run: KeptRun) => {
    if (await capsules.open(key, run)) await capsules.replay(key, null);
  };
  const shown = state.problem ?? problem;
  const isWaiting = isBusy || state.busy !== null;
  return (
    <>
      <div className={styles.bar}>
        <Button size="small" appearance="subtle" icon={<ArrowUploadRegular />} onClick={pick} {...FIRST}>
          Open capsule…
        </Button>
        <span className={styles.state} role="status">
          {state.busy === 'open' ? 'Opening…' : data ? countText(runs.length) : ''}
        </span>
      </div>
      {shown && (
        <p className={styles.problem} role="alert">
          {shown.message}
        </p>
      )}
      {data && runs.length === 0 && !shown && (
        <p className={styles.hint}>
          Run the script (F5): its runs appear here. You can replay a run with everything that it saw, save it as a
          capsule (one file), or make a test of it. You can also open capsules from other people: drop the file here. A
          replay writes nothing and calls no API.
        </p>
      )}
      {runs.length > 0 && (
        <ul className={styles.runs} aria-label="Recorded runs">
          {runs.map((run) => (
            <li key={run.id} className={styles.run}>
              <div className={styles.head}>
                <Link
                  className={styles.when}
                  title={`Show what it saw (${fullMoment(new Date(run.at))})`}
                  onClick={() => void capsules.open(key, run)}
                >
                  {moment(new Date(run.at))}
                </Link>
                <Badge status={run.status} />
                <span className={styles.quiet}>{shownTime(run.ms)}</span>
                {run.pinned && <span className={styles.quiet}>Pinned</span>}
                <span className={styles.spring} />
                <Button
                  size="small"
                  appearance="subtle"
                  icon={<PlayFilled />}
                  disabledFocusable={isWaiting}
                  aria-label="Replay"
                  title="Replay: run it again with the recorded answers, and compare"
                  onClick={() => void replay(run)}
                />
                <Button
                  size="small"
                  appearance="subtle"
                  icon={<SaveRegular />}
                  disabledFocusable={isWaiting}
                  aria-label="Save as capsule"
                  title="Save as capsule: one file that replays on any machine"
                  onClick={() => void saveRun(run)}
                />
              </div>
              <p className={styles.note}>{runNote(run)}</p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const countText = (count: number): string =>
  count === 0 ? 'No recorded runs' : count === 1 ? '1 recorded run' : `${count} recorded runs`;

interface OpenProps {
  doc: Doc;
  state: CapsuleState;
  opened: NonNullable<CapsuleState['opened']>;
  active: boolean;
}

function OpenCapsule({ doc, state, opened: { capsule, source }, active }: OpenProps) {
  const { capsules } = useScripts();
  const { isBusy: isSaving, save, makeTest, showRun, showValues } = useCapsuleActions(doc);
  const { editor: key, text } = doc;
  const { busy, last, stepping, compared, problem } = state;
  const { report } = capsule;
  const isOther = text.body !== capsule.body;
  const isBusy = busy !== null;
  return (
    <>
      <div className={styles.bar}>
        {busy && (
          <Button size="small" appearance="subtle" icon={<StopFilled />} onClick={() => capsules.cancel(key)}>
            Stop
          </Button>
        )}
        {!busy && (
          <Button size="small" appearance="subtle" icon={<HistoryRegular />} onClick={() => capsules.close(key)}>
            All runs
          </Button>
        )}
        {/* They stay while one of them is busy, so that it keeps the focus. */}
        <Button
          size="small"
          appearance="subtle"
          icon={<PlayFilled />}
          disabledFocusable={isBusy}
          title="Run the recorded text with the recorded answers, and compare"
          onClick={() => void capsules.replay(key, null)}
          {...FIRST}
        >
          Replay
        </Button>
        <Button
          size="small"
          appearance="subtle"
          icon={<PlayFilled />}
          disabledFocusable={isBusy || !isOther}
          title={
            isOther
              ? 'Run the text in the editor with the recorded answers, and compare'
              : 'The text in the editor is the recorded one. Change it to try a fix'
          }
          onClick={() => void capsules.replay(key, text.body)}
        >
          Replay edited text
        </Button>
        <Button
          size="small"
          appearance="subtle"
          icon={<NumberSymbolRegular />}
          disabledFocusable={isBusy}
          aria-label="Show values of the replay"
          title="Replay the text in the editor, and show what each variable becomes next to its line"
          onClick={() => void showValues()}
        />
        <Button
          size="small"
          appearance="subtle"
          icon={<ArrowStepOverRegular />}
          disabledFocusable={isBusy}
          aria-label="Step through the replay"
          title="Replay the text in the editor, and step forward and back through it"
          onClick={() => void capsules.stepThrough(key, text.body)}
          {...STARTS_STEPS}
        />
        <span className={styles.spring} />
        {'run' in source && (
          <Button
            size="small"
            appearance="subtle"
            icon={<SaveRegular />}
            disabledFocusable={isSaving}
            aria-label="Save as capsule"
            title="Save as capsule: one file that replays on any machine"
            onClick={() => void save(capsule, source)}
          />
        )}
        <MakeTestButton
          expects="what the recorded run did"
          isSaved={doc.scriptId !== null}
          isBusy={isSaving}
          onClick={() => void makeTest(capsule)}
        />
      </div>
      <div className={styles.recorded}>
        <div className={styles.head}>
          <Badge status={report.status} />
          <span title={fullMoment(new Date(report.timing.startedAt))}>{moment(new Date(report.timing.startedAt))}</span>
          <span className={styles.spring} />
          <CompareMenu doc={doc} source={source} disabled={busy !== null} />
          <Link
            className={styles.show}
            title="Show its result, trace and console in the other tabs"
            onClick={() => showRun(report, capsule.body)}
          >
            Show this run
          </Link>
        </div>
        <p className={styles.note}>
          {'file' in source && `${source.file} · `}
          {scriptText(capsule.script)}
          {isOther && ' · the text in the editor differs'}
        </p>
        {!last && maskedText(capsule.masked) !== null && <p className={styles.note}>{maskedText(capsule.masked)}</p>}
        {!last && !capsule.intact && (
          <p className={styles.note}>
            The capsule was changed since it was written: its content does not match its hash.
          </p>
        )}
      </div>
      {stepping && <StepBar doc={doc} stepping={stepping} active={active} />}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem.message}
        </p>
      )}
      {busy === 'compare' && (
        <p className={styles.hint} role="status">
          Comparing…
        </p>
      )}
      {compared ? (
        <CompareResult doc={doc} source={source} body={capsule.body} compared={compared} />
      ) : (
        <ReplayResult
          doc={doc}
          capsule={capsule}
          last={last}
          busy={busy === 'replay'}
          onShow={(ended) => showRun(ended.replay.report, ended.body)}
        />
      )}
    </>
  );
}
