import { Button, Tab, TabList, Tooltip } from '@fluentui/react-components';
import { useEffect, useMemo, useState } from 'react';
import type { RunContext } from '#domain/run';
import { useCommands } from '../../../frame/workbench.ts';
import { BeakerRegular, PlayFilled, StopFilled } from '../../../ui/icons.ts';
import { remember, remembered } from '../../../ui/local-storage.ts';
import { useStore } from '../../../ui/store.ts';
import { EMPTY_CONTEXT, contextOf } from '../model/run-context.ts';
import type { ContextForm } from '../model/run-context.ts';
import { traceOf } from '../model/trace.ts';
import type { Doc } from '../model/doc.ts';
import { shownRun } from '../model/live.ts';
import type { LiveState } from '../model/live.ts';
import type { RunState } from '../model/runs.ts';
import { useScripts } from '../scripts-context.ts';
import { TestsPane } from '../tests/tests-pane.tsx';
import { ConsolePane } from './console-pane.tsx';
import { ContextFields } from './context-fields.tsx';
import { LiveSwitch, NotRunLine, WhichRun } from './live-bar.tsx';
import { OutcomeHead, RunningHead, WhyLine } from './outcome-head.tsx';
import { ResultPane } from './result-pane.tsx';
import { TracePane } from './trace-pane.tsx';
import { useLive } from './use-live.ts';
import styles from './preview.module.css';

const NEVER_RAN: RunState = { running: null, last: null };

/** The context of a run of the open script, and what the run did. */
export function Preview({ active }: { active: boolean }) {
  const { model } = useScripts();
  const doc = useStore(model.store, (state) => (state.active === null ? undefined : state.docs.get(state.active)));
  const workspace = useStore(model.store, (state) => state.workspace);
  return (
    <section className={styles.preview} aria-label="Preview" data-pane="preview">
      {doc ? (
        <DocPreview key={doc.editor} doc={doc} workspace={workspace} active={active} />
      ) : (
        <p className={styles.hint}>Open a script to run it here.</p>
      )}
    </section>
  );
}

function DocPreview({ doc, workspace, active }: { doc: Doc; workspace: string; active: boolean }) {
  const { runs, live } = useScripts();
  const state = useStore(runs.store, (all) => all.get(doc.editor) ?? NEVER_RAN);
  const [form, setForm] = useContextForm(workspace, doc.key);
  const context = contextOf(form);
  const { running } = state;
  const { on: liveOn, turn: turnLive, state: liveState } = useLive(doc, context);

  const run = async (dryRun: boolean) => {
    if (!context || running) return;
    live.hush(doc.editor);
    await runs.run(doc.editor, doc.text.body, context, dryRun);
    live.show(doc.editor, false);
  };
  const stop = () => runs.stop(doc.editor);
  const canRun = active && context !== null && running === null;
  const section = 'Run';
  useCommands([
    { id: 'run.run', section, title: 'Run the script', keys: 'F5', enabled: canRun, run: () => run(false) },
    {
      id: 'run.dry',
      section,
      title: 'Dry run (keeps nothing)',
      keys: 'Shift+F5',
      enabled: canRun,
      run: () => run(true),
    },
    { id: 'run.stop', section, title: 'Stop the run', keys: 'Ctrl+F5', enabled: active && running !== null, run: stop },
    {
      id: 'run.live',
      section,
      title: liveOn ? 'Stop running while typing' : 'Dry-run while typing',
      keys: 'Alt+L',
      enabled: active,
      run: () => turnLive(!liveOn),
    },
  ]);

  return (
    <>
      <ContextFields form={form} onChange={setForm} />
      <div className={styles.actions}>
        <Tooltip content="Run the text in the editor, saved or not; what it writes is kept" relationship="description">
          <Button
            size="small"
            appearance="primary"
            icon={<PlayFilled />}
            disabledFocusable={!context || running !== null}
            aria-keyshortcuts="F5"
            onClick={() => void run(false)}
          >
            Run <span className={styles.keys}>F5</span>
          </Button>
        </Tooltip>
        <Tooltip content="Run without keeping anything: reads see the run's own writes" relationship="description">
          <Button
            size="small"
            icon={<BeakerRegular />}
            disabledFocusable={!context || running !== null}
            aria-keyshortcuts="Shift+F5"
            onClick={() => void run(true)}
          >
            Dry run <span className={styles.keys}>⇧F5</span>
          </Button>
        </Tooltip>
        <Button
          size="small"
          icon={<StopFilled />}
          disabledFocusable={running === null}
          aria-keyshortcuts="Control+F5"
          title="Stop the run (Ctrl+F5)"
          onClick={stop}
        >
          Stop
        </Button>
        <LiveSwitch on={liveOn} onTurn={turnLive} />
      </div>
      <Outcomes
        docKey={doc.editor}
        state={state}
        live={liveState}
        scriptId={doc.scriptId}
        body={doc.text.body}
        context={context}
        active={active}
      />
    </>
  );
}

const PANES = ['result', 'trace', 'console', 'tests'] as const;
type Pane = (typeof PANES)[number];

interface OutcomesProps {
  docKey: string;
  state: RunState;
  live: LiveState;
  scriptId: number | null;
  body: string;
  context: RunContext | null;
  active: boolean;
}

function Outcomes({ docKey, state, live, scriptId, body, context, active }: OutcomesProps) {
  const { live: liveRuns } = useScripts();
  const [pane, setPane] = useState<Pane>(() => remembered<Pane>('preview.pane', 'result'));
  const { running } = state;
  const last = shownRun(state, live);
  const outcome = last?.outcome;
  const report = outcome?.kind === 'report' ? outcome.report : null;
  const trace = useMemo(() => (report ? traceOf(report) : []), [report]);
  const choose = (next: Pane) => {
    remember('preview.pane', next);
    setPane(next);
  };
  const section = 'Run';
  useCommands([
    {
      id: 'run.result',
      section,
      title: 'Show the result',
      keys: 'Alt+1',
      enabled: active,
      run: () => choose('result'),
    },
    { id: 'run.trace', section, title: 'Show the trace', keys: 'Alt+2', enabled: active, run: () => choose('trace') },
    {
      id: 'run.console',
      section,
      title: 'Show the console',
      keys: 'Alt+3',
      enabled: active,
      run: () => choose('console'),
    },
    { id: 'run.tests', section, title: 'Show the tests', keys: 'Alt+4', enabled: active, run: () => choose('tests') },
  ]);

  return (
    <>
      {/* A live run ends after every few keys: too often to be read out. */}
      <div role="status" aria-live={last?.live ? 'off' : 'polite'} className={styles.head}>
        {running ? (
          <RunningHead key={running.startedAt} {...running} />
        ) : last ? (
          <OutcomeHead outcome={last.outcome} live={last.live} stale={!last.live && last.body !== body} />
        ) : (
          <span className={styles.quiet}>Not run yet</span>
        )}
        {live.last && state.last && !running && (
          <WhichRun live={last?.live === true} onChoose={(shown) => liveRuns.show(docKey, shown)} />
        )}
        {outcome && !running && pane !== 'result' && <WhyLine outcome={outcome} />}
        {live.notRun && <NotRunLine notRun={live.notRun} />}
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
          Trace{report ? ` (${trace.length})` : ''}
        </Tab>
        <Tab value="console" id="tab-console">
          Console{report ? ` (${report.console.length})` : ''}
        </Tab>
        <Tab value="tests" id="tab-tests">
          Tests
        </Tab>
      </TabList>
      <div
        key={pane === 'tests' ? 'tests' : last?.live ? 'live' : (last?.seq ?? 0)}
        className={styles.body}
        role="tabpanel"
        aria-labelledby={`tab-${pane}`}
        data-running={running !== null}
      >
        {pane === 'tests' ? (
          <TestsPane
            scriptId={scriptId}
            body={body}
            context={context}
            last={last && report && { report, context: last.context }}
            active={active}
          />
        ) : !outcome ? (
          <Hint pane={pane} />
        ) : pane === 'result' ? (
          <ResultPane outcome={outcome} />
        ) : pane === 'trace' ? (
          <TracePane trace={trace} report={report} />
        ) : (
          <ConsolePane report={report} />
        )}
      </div>
    </>
  );
}

const HINTS: Readonly<Record<Exclude<Pane, 'tests'>, string>> = {
  result: 'Type, or press F5: what the text in the editor returns is shown here. Runs while you type keep nothing.',
  trace: 'After a run: every tag that the script read or wrote, in order, with its value before and after.',
  console: 'After a run: what the script wrote with console.log, info, warn, error and debug.',
};

function Hint({ pane }: { pane: keyof typeof HINTS }) {
  return <p className={styles.hint}>{HINTS[pane]}</p>;
}

/** The context last used with a script, remembered in this browser. */
function useContextForm(workspace: string, key: string): [ContextForm, (form: ContextForm) => void] {
  const name = `${workspace}.context.${key}`;
  const [form, setForm] = useState<ContextForm>(() => ({ ...EMPTY_CONTEXT, ...remembered(name, EMPTY_CONTEXT) }));
  useEffect(() => {
    remember(name, form);
  }, [name, form]);
  return [form, setForm];
}
