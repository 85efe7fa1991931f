import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import {
  type CallSite,
  FAILURE_TITLES,
  type FailureCell,
  type FailureOutcome,
  type FailureProgress,
  MAX_SITES,
  OUTCOMES,
} from '#domain/run/failures';
import type { RunContext } from '#domain/run/run';
import { roundedDuration } from '#domain/text/duration';
import { useWorkbench } from '../../../frame/workbench.ts';
import { useStore } from '../../../support/store.ts';
import { Button, Link, ProgressBar, ToggleButton, Tooltip } from '../../../ui/fluent.ts';
import { PlayFilled, StopFilled } from '../../../ui/icons.ts';
import { NOT_TRIED, type TriedFailures } from '../model/failures.ts';
import type { Doc } from '../model/script-document.ts';
import { scoreOf, summaryText } from './failure-scores.ts';
import { useScripts } from '../scripts-context.ts';
import { MakeTestButton } from '../tests/make-test-button.tsx';
import styles from './failures.module.css';

const ROW = 66;
const OUTCOME_TITLES: Readonly<Record<FailureOutcome, string>> = {
  writes: 'Writes anyway',
  hangs: 'Hangs',
  unknown: 'Unknown',
  returns: 'Returns',
  throws: 'Throws',
};
const EXPLAINED: Readonly<Record<FailureOutcome, string>> = {
  writes: 'The script wrote a tag, or sent data to an API, although a call had failed',
  hangs: 'The script exceeded its time or its memory',
  unknown: 'The script made a call that the recorded run did not make, so the response is unknown',
  returns: 'The script returned the same result, or another one',
  throws: 'The run failed, so the problem is noticed',
};

interface Props {
  doc: Doc;
  /** null while it is invalid. */
  context: RunContext | null;
}

/** What the open script does when its reads, writes and API calls fail, the riskiest outcome first. */
export function FailuresPane({ doc, context }: Props) {
  const { failures, scores } = useScripts();
  const { progress, last, problem } = useStore(failures.store, (all) => all.get(doc.editor) ?? NOT_TRIED);
  const isStale = last !== null && last.body !== doc.text.body;
  const start = (everyCall: boolean) => {
    const { saved } = doc;
    if (!context) return;
    const script = saved && { name: `${saved.group}/${saved.name}`, version: saved.version };
    const { scriptId } = doc;
    const keeps = saved && scriptId !== null && saved.body === doc.text.body;
    const request = { body: doc.text.body, context, everyCall, ...(script && { script }) };
    void failures.try(doc.editor, request, (matrix) => {
      if (keeps) scores.keep(scriptId, scoreOf(matrix, saved.version));
    });
  };
  return (
    <div className={styles.pane} data-help="failures">
      <div className={styles.bar}>
        {progress === null ? (
          <Tooltip
            content="Run the script without saving anything, then replay this run once for each failure of each call"
            relationship="description"
          >
            <Button
              size="small"
              appearance="subtle"
              icon={<PlayFilled />}
              disabledFocusable={!context}
              onClick={() => start(false)}
            >
              Try failures
            </Button>
          </Tooltip>
        ) : (
          <Button size="small" appearance="subtle" icon={<StopFilled />} onClick={() => failures.cancel(doc.editor)}>
            Stop
          </Button>
        )}
        <span className={styles.state} role="status">
          {progress ? progressText(progress) : last ? summaryText(last.matrix, isStale) : ''}
        </span>
      </div>
      {progress && (
        <ProgressBar
          aria-label="Failures tried"
          className={styles.progress}
          {...(progress.of > 0 && { value: progress.done / progress.of })}
        />
      )}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem.message}
        </p>
      )}
      {last ? (
        <Matrix
          key={last.key}
          doc={doc}
          last={last}
          stale={isStale}
          onEveryCall={progress || !context ? null : () => start(true)}
        />
      ) : (
        !problem &&
        !progress && (
          <p className={styles.hint}>
            Would this script survive a bad sensor, a rejected write, an API that does not respond? “Try failures” runs
            it without saving anything, and shows what it then does, the riskiest outcome first. Nothing is written, and
            no API is called.
          </p>
        )
      )}
    </div>
  );
}

/** A shorter time is not announced. */
const LONG_MS = 10_000;

function progressText({ done, of, leftMs }: FailureProgress): string {
  if (of === 0) return 'Running the script…';
  const left = leftMs < LONG_MS ? '' : `, about ${roundedDuration(leftMs)} left`;
  return `${done.toLocaleString('en')} of ${of.toLocaleString('en')}${left}`;
}

function Matrix({
  doc,
  last,
  stale,
  onEveryCall,
}: {
  doc: Doc;
  last: TriedFailures;
  stale: boolean;
  /** Tries the calls one by one; null while that is not possible. */
  onEveryCall: (() => void) | null;
}) {
  const { matrix } = last;
  const [hidden, setHidden] = useState<ReadonlySet<FailureOutcome>>(() => new Set());
  const counts = useMemo(() => Map.groupBy(matrix.cells, ({ outcome }) => outcome), [matrix]);
  const cells = useMemo(() => matrix.cells.filter(({ outcome }) => !hidden.has(outcome)), [matrix, hidden]);
  const turn = (outcome: FailureOutcome) => {
    const next = new Set(hidden);
    if (!next.delete(outcome)) next.add(outcome);
    setHidden(next);
  };
  return (
    <>
      <div className={styles.outcomes} role="group" aria-label="Shown outcomes">
        {OUTCOMES.map((outcome) => (
          <ToggleButton
            key={outcome}
            size="small"
            appearance="subtle"
            shape="circular"
            checked={!hidden.has(outcome)}
            disabledFocusable={!counts.has(outcome)}
            title={EXPLAINED[outcome]}
            onClick={() => turn(outcome)}
          >
            <span className={styles.dot} data-outcome={outcome} aria-hidden />
            {OUTCOME_TITLES[outcome]} {counts.get(outcome)?.length ?? 0}
          </ToggleButton>
        ))}
      </div>
      {matrix.warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
      {matrix.groups !== undefined && (
        <p className={styles.warning}>
          Calls of the same line with the same arguments are alike: of each such group, the first, one in the middle and
          the last are tried. {matrix.notTried.toLocaleString('en')} calls are not.{' '}
          {onEveryCall && (
            <Link className={styles.line} onClick={onEveryCall}>
              Try the first {MAX_SITES.toLocaleString('en')} calls instead
            </Link>
          )}
        </p>
      )}
      <Cells doc={doc} last={last} cells={cells} stale={stale} />
    </>
  );
}

function Cells({
  doc,
  last,
  cells,
  stale,
}: {
  doc: Doc;
  last: TriedFailures;
  cells: readonly FailureCell[];
  stale: boolean;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: cells.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
    initialRect: { width: 400, height: 600 },
  });
  if (last.matrix.cells.length === 0) {
    return <p className={styles.hint}>The script made no call that can fail.</p>;
  }
  return (
    <div ref={scroller} className={styles.cells} role="region" aria-label="Outcomes" tabIndex={0} data-stale={stale}>
      <ol style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const cell = cells[index];
          const site = cell && last.matrix.sites[cell.site];
          return (
            site && (
              <li
                key={`${cell.site} ${cell.failure}`}
                ref={virtual.measureElement}
                data-index={index}
                className={styles.cell}
                style={{ transform: `translateY(${start}px)` }}
                aria-setsize={cells.length}
                aria-posinset={index + 1}
              >
                <CellRow doc={doc} last={last} cell={cell} site={site} />
              </li>
            )
          );
        })}
      </ol>
    </div>
  );
}

function CellRow({ doc, last, cell, site }: { doc: Doc; last: TriedFailures; cell: FailureCell; site: CallSite }) {
  const { editor } = useScripts();
  const { open, makeTest, isBusy } = useCell(doc, last, cell, site);
  const { line, nth } = site;
  return (
    <>
      <div className={styles.head}>
        <span className={styles.outcome} data-outcome={cell.outcome} title={EXPLAINED[cell.outcome]}>
          {OUTCOME_TITLES[cell.outcome]}
        </span>
        <span className={styles.failure}>{FAILURE_TITLES[cell.failure]}</span>
        {line !== null && (
          <Link
            className={styles.line}
            title="Show the call in the editor"
            onClick={() => editor.get()?.goTo(line, 1, doc.editor)}
          >
            line {line}
            {nth > 1 && `, call ${nth}`}
          </Link>
        )}
        <span className={styles.spring} />
        <Button
          size="small"
          appearance="subtle"
          icon={<PlayFilled />}
          disabledFocusable={isBusy}
          aria-label="Show its run"
          title="Show the result, the trace and the console of this replay"
          onClick={open}
        />
        <MakeTestButton
          expects="what the script does now"
          isSaved={doc.scriptId !== null}
          isBusy={isBusy}
          onClick={makeTest}
        />
      </div>
      <p className={styles.problemText}>{cell.problem}</p>
    </>
  );
}

/** What a person can do with one outcome. */
function useCell(doc: Doc, { key, body, context }: TriedFailures, { failure }: FailureCell, { call, name }: CallSite) {
  const { client, notify } = useWorkbench();
  const { runs, live, tests, shownTest } = useScripts();
  const [isBusy, setBusy] = useState(false);
  const title = `${FAILURE_TITLES[failure]}: ${name}`;
  const ask = async (failed: string, use: (cell: Awaited<ReturnType<typeof client.failures.cell>>) => unknown) => {
    setBusy(true);
    try {
      await use(await client.failures.cell({ key, call, name, failure, title }));
    } catch (error) {
      notify({ intent: 'error', title: failed, error });
    } finally {
      setBusy(false);
    }
  };
  const open = () =>
    void ask('The run was not shown', ({ report }) => {
      runs.show(doc.editor, { outcome: { kind: 'report', report }, body, context });
      live.show(doc.editor, false);
    });
  const makeTest = () =>
    void ask('The test was not made', async ({ test, lost }) => {
      const { scriptId } = doc;
      if (scriptId === null) return;
      const saved = await tests.save(scriptId, { ...test, name: tests.freeName(scriptId, test.name) });
      notify({
        intent: 'success',
        title: `Added the test “${saved.name}”`,
        body:
          lost.length === 0
            ? 'It expects what the script does now. Change the expected results to what it should do.'
            : `It does not have: ${lost.join('; ')}.`,
        action: { label: 'Edit the test', run: () => shownTest.set({ id: saved.id, place: null }) },
      });
    });
  return { open, makeTest, isBusy };
}
