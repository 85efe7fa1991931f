import { useEffect, useMemo, useState } from 'react';
import type { RunContext, RunReport } from '#domain/run/run';
import { openPane } from '../../../frame/panes/panes.ts';
import { useCommands } from '../../../frame/workbench.ts';
import { WhyButton } from '../../../frame/why/why-button.tsx';
import { useWhySubject } from '../../../frame/why/use-why.ts';
import { Tab, TabList } from '../../../ui/fluent.ts';
import type { Folds } from '../../../ui/json/json-tree.tsx';
import { remember, remembered } from '../../../support/local-storage.ts';
import { shownRun } from '../model/live.ts';
import { WHOLE_CONSOLE } from './panes/console-view.ts';
import type { LiveState } from '../model/live.ts';
import type { RunState } from '../model/runs.ts';
import type { Doc } from '../model/script-document.ts';
import { traceOf } from '../model/trace.ts';
import { useStore } from '../../../support/store.ts';
import { useScripts } from '../scripts-context.ts';
import { useTestReruns } from '../tests/use-test-reruns.ts';
import { ReplayPane } from '../capsules/replay-pane.tsx';
import { LensPane } from '../lens/lens-pane.tsx';
import { FailuresPane } from '../failures/failures-pane.tsx';
import { TestsPane } from '../tests/tests-pane.tsx';
import { ConsolePane } from './panes/console-pane.tsx';
import { DiagramPane } from './panes/diagram-pane.tsx';
import { NotRunLine, WhichRun } from './live-bar.tsx';
import { OutcomeHead, RunningHead, WhyLine } from './outcome-head.tsx';
import { ResultPane } from './panes/result-pane.tsx';
import { TracePane } from './panes/trace-pane.tsx';
import styles from './outcomes.module.css';

const PANES = ['result', 'trace', 'console', 'diagram', 'tests', 'failures', 'replay', 'lens'] as const;
type OutcomePane = (typeof PANES)[number];

const COMMANDS: Readonly<Record<OutcomePane, { title: string; keys: string }>> = {
  result: { title: 'Show the result', keys: 'Alt+1' },
  trace: { title: 'Show the trace', keys: 'Alt+2' },
  console: { title: 'Show the console', keys: 'Alt+3' },
  diagram: { title: 'Show what a Diagram shows', keys: 'Alt+4' },
  tests: { title: 'Show the tests', keys: 'Alt+5' },
  failures: { title: 'Show what happens when calls fail', keys: 'Alt+7' },
  replay: { title: 'Show recorded runs and replays', keys: 'Alt+8' },
  lens: { title: 'Show the script in all scopes', keys: 'Alt+9' },
};

/** The commands that show a pane of the preview. */
export function usePaneCommands(active: boolean, choose: (pane: OutcomePane) => void): void {
  const { debug } = useScripts();
  useCommands(
    PANES.map((pane) => ({
      id: `run.${pane}`,
      section: 'Run',
      ...COMMANDS[pane],
      enabled: active,
      run: () => {
        choose(pane);
        debug.pane.set('preview');
        openPane('preview');
      },
    })),
  );
}

/** The pane that the next preview shows. */
export const rememberPane = (pane: OutcomePane): void => void remember('preview.pane', pane);

/** Panes with their own state, which the next run does not reset. */
const isLasting = (pane: OutcomePane): boolean => ['tests', 'diagram', 'failures', 'replay', 'lens'].includes(pane);

interface OutcomesProps {
  doc: Doc;
  state: RunState;
  live: LiveState;
  context: RunContext | null;
  /** As typed, even while the context has another error. */
  diagram: string;
  location: string;
  active: boolean;
}

/** The outcome of the shown run, and a tab for each kind of result. */
export function Outcomes(props: OutcomesProps) {
  const { doc, state, live, context, active } = props;
  const { editor: docKey, scriptId } = doc;
  const { body } = doc.text;
  const { live: liveRuns, shownTest } = useScripts();
  useTestReruns(scriptId, body, active);
  const wantsTest = useStore(shownTest) !== null;
  const [pane, setPane] = useState<OutcomePane>(() => remembered<OutcomePane>('preview.pane', 'result'));
  // Folded parts stay folded in the next result.
  const [folds, setFolds] = useState<Folds>(() => new Map());
  const [filter, setFilter] = useState(WHOLE_CONSOLE);
  /** The run whose console was cleared. */
  const [cleared, setCleared] = useState<RunReport | null>(null);
  const { running } = state;
  const last = shownRun(state, live);
  const outcome = last?.outcome;
  const report = outcome?.kind === 'report' ? outcome.report : null;
  const run = report?.entry === undefined ? null : `run:${report.entry}`;
  useWhySubject(run, active);
  const trace = useMemo(() => (report ? traceOf(report) : []), [report]);
  // A narrow pane has no space for all tabs.
  useEffect(() => {
    document.getElementById(`tab-${pane}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [pane]);
  // The tab follows a request from another view, before the next render.
  const [followed, setFollowed] = useState(false);
  if (wantsTest !== followed) {
    setFollowed(wantsTest);
    if (wantsTest) setPane('tests');
  }
  const choose = (next: OutcomePane) => {
    rememberPane(next);
    setPane(next);
  };
  usePaneCommands(active, choose);

  return (
    <>
      {/* A live run ends after every few keys: too often to announce. */}
      <div role="status" aria-live={last?.live ? 'off' : 'polite'} className={styles.head}>
        {running ? (
          <RunningHead key={running.startedAt} {...running} />
        ) : last ? (
          <OutcomeHead
            outcome={last.outcome}
            trace={trace}
            live={last.live}
            rerun={last.rerun === true}
            stale={!last.live && last.body !== body}
          />
        ) : (
          <span className={styles.quiet}>Not run yet</span>
        )}
        {run !== null && !running && <WhyButton thing={run} quiet />}
        {live.last && state.last && !running && (
          <WhichRun live={last?.live === true} onChoose={(shown) => liveRuns.show(docKey, shown)} />
        )}
      </div>
      <TabList
        size="small"
        className={styles.tabs}
        selectedValue={pane}
        onTabSelect={(_event, { value }) => choose(PANES.find((name) => name === value) ?? 'result')}
      >
        <Tab value="result" id="tab-result">
          Result
        </Tab>
        <Tab value="trace" id="tab-trace">
          Trace{report && <span className={styles.count}>{` (${trace.length})`}</span>}
        </Tab>
        <Tab value="console" id="tab-console">
          Console{report && <span className={styles.count}>{` (${report.console.length})`}</span>}
        </Tab>
        <Tab value="diagram" id="tab-diagram">
          Diagram
        </Tab>
        <Tab value="tests" id="tab-tests">
          Tests
        </Tab>
        <Tab value="failures" id="tab-failures">
          Failures
        </Tab>
        <Tab value="replay" id="tab-replay">
          Replay
        </Tab>
        <Tab value="lens" id="tab-lens">
          Scopes
        </Tab>
      </TabList>
      <div
        key={isLasting(pane) ? pane : last?.live ? 'live' : (last?.seq ?? 0)}
        className={styles.body}
        role="tabpanel"
        aria-labelledby={`tab-${pane}`}
        data-running={running !== null}
        data-run-by-hand={state.last?.seq ?? 0}
      >
        {pane === 'tests' ? (
          <TestsPane
            scriptId={scriptId}
            body={body}
            context={context}
            last={last && report && { report, context: last.context }}
          />
        ) : pane === 'failures' ? (
          <FailuresPane doc={doc} context={context} />
        ) : pane === 'replay' ? (
          <ReplayPane doc={doc} active={active} lastRun={state.last?.seq ?? 0} />
        ) : pane === 'lens' ? (
          <LensPane doc={doc} context={context} active={active} />
        ) : pane === 'diagram' ? (
          <DiagramPane name={props.diagram} location={props.location} report={report} trace={trace} active={active} />
        ) : !outcome ? (
          <Hint pane={pane} />
        ) : pane === 'result' ? (
          <ResultPane outcome={outcome} folds={folds} onFold={setFolds} />
        ) : pane === 'trace' ? (
          <TracePane trace={trace} report={report} />
        ) : (
          <ConsolePane
            report={report}
            filter={filter}
            cleared={report === cleared}
            onFilter={setFilter}
            onClear={() => setCleared(report)}
          />
        )}
      </div>
      {/* Below the result, so that nothing above moves while you type. */}
      <div aria-live={last?.live ? 'off' : 'polite'} className={styles.foot} data-foot>
        {outcome && !running && pane !== 'result' && <WhyLine outcome={outcome} />}
        {live.notRun && <NotRunLine notRun={live.notRun} />}
      </div>
    </>
  );
}

const HINTS: Readonly<Record<Exclude<OutcomePane, 'tests' | 'diagram' | 'failures' | 'replay' | 'lens'>, string>> = {
  result: "Type or press F5 to see the result. Runs while you type don't save anything.",
  trace: 'After a run: every tag that the script read or wrote, in order, with its value before and after.',
  console: 'After a run: the output of console.log, info, warn, error and debug.',
};

function Hint({ pane }: { pane: keyof typeof HINTS }) {
  return <p className={styles.hint}>{HINTS[pane]}</p>;
}
