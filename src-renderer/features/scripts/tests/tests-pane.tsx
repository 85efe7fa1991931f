import { useEffect, useMemo, useState } from 'react';
import type { Coverage } from '#domain/run/coverage';
import { coverageSummary, missedLines } from '#domain/run/coverage';
import type { RunContext, RunReport } from '#domain/run/run';
import type { ScriptTest, ScriptTestText } from '#domain/run/script-test';
import { testOfRun } from '#domain/run/script-test';
import { focusField } from '../../../frame/focus-field.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { remember } from '../../../support/local-storage.ts';
import { Button, Switch, Tooltip } from '../../../ui/fluent.ts';
import { AddRegular, PlayFilled, SaveRegular, StopFilled } from '../../../ui/icons.ts';
import { isActive } from '../debug/model/debugger-state.ts';
import { useStore } from '../../../support/store.ts';
import { keyOfScript } from '../model/script-document.ts';
import { coverageOf, expecting, isFresh, nameOfRun, newTest, textOfTest } from '../model/script-tests.ts';
import { useScripts } from '../scripts-context.ts';
import { TestDialog } from './test-dialog.tsx';
import { TestRow } from './test-row.tsx';
import styles from './tests.module.css';

interface Props {
  /** Null for a script that was never saved. */
  scriptId: number | null;
  /** The text in the editor, which tests run. */
  body: string;
  /** The context of the next run; null while it is invalid. */
  context: RunContext | null;
  /** The last run, and its context. */
  last: { report: RunReport; context: RunContext } | null;
}

/** The tests of the open script: run, save from a run, write, edit. */
export function TestsPane({ scriptId, ...rest }: Props) {
  if (scriptId === null) {
    return <p className={styles.hint}>Save the script first: tests belong to saved scripts.</p>;
  }
  return <Tests key={scriptId} scriptId={scriptId} {...rest} />;
}

type Editing = { test: ScriptTestText; id?: number; asJson?: boolean };

function Tests({ scriptId, body, context, last }: Props & { scriptId: number }) {
  const { notify } = useWorkbench();
  const { tests: model, testsOn, shownTest, debug } = useScripts();
  const isDebugging = useStore(debug.debugger.store, ({ phase }) => isActive(phase));
  const state = useStore(model.store);
  const { ran, running, problem } = state;
  const tests = state.tests?.get(scriptId);
  const rerun = useStore(testsOn);
  const coverage = useMemo(() => coverageOf(state, scriptId, body), [state, scriptId, body]);
  const [editing, setEditing] = useState<Editing | null>(null);
  const wanted = useStore(shownTest);

  // A test that another view asked for.
  useEffect(() => {
    const test = wanted && tests?.find(({ id }) => id === wanted.id);
    if (!test) return;
    shownTest.set(null);
    // oxlint-disable-next-line react/set-state-in-effect -- the dialog opens when its test is loaded
    setEditing({ test: textOfTest(test), id: test.id, ...(wanted.place && { asJson: true }) });
    if (wanted.place) focusField(null, wanted.place);
  }, [tests, wanted, shownTest]);

  const failed = (title: string) => (error: unknown) => notify({ intent: 'error', title, error });
  const undo = (work: () => Promise<unknown>) => ({
    label: 'Undo',
    run: async () => {
      await work().catch(failed('Undo failed'));
    },
  });
  const saveRun = () => {
    if (last)
      setEditing({ test: testOfRun(model.freeName(scriptId, nameOfRun(last.report)), last.context, last.report) });
  };
  const remove = async (test: ScriptTest) => {
    try {
      await model.delete(test.id);
      notify({
        intent: 'info',
        title: `Deleted the test "${test.name}"`,
        action: undo(() => model.save(scriptId, textOfTest(test))),
      });
    } catch (error) {
      failed('The test was not deleted')(error);
    }
  };
  const accept = async (test: ScriptTest) => {
    const done = ran.get(test.id);
    if (!done?.outcome.report) return;
    try {
      const next = expecting(textOfTest(test), done.outcome.report, done.outcome);
      const saved = await model.save(scriptId, next, test.id);
      notify({
        intent: 'success',
        title: `"${test.name}" expects the current results now`,
        action: undo(() => model.save(scriptId, textOfTest(test), test.id)),
      });
      await model.run([saved]);
    } catch (error) {
      failed('The test was not changed')(error);
    }
  };

  const debugTest = ({ id, name, context: given, savedAt }: ScriptTest) => {
    debug.pane.set('debug');
    const runs = { testId: id, savedAt };
    void debug.debugger.start({ key: keyOfScript(scriptId), scriptId, name, body, context: given, dryRun: true, runs });
  };
  const all = tests ?? [];
  const text = { body, version: null };
  const isStale = (test: ScriptTest): boolean => {
    const done = ran.get(test.id);
    return done !== undefined && !isFresh(done, test, text);
  };
  const done = all.filter(({ id }) => ran.has(id));
  const passed = done.filter(({ id }) => ran.get(id)?.outcome.passed).length;
  return (
    <div className={styles.pane} data-help="scriptTests">
      <div className={styles.bar}>
        {running === null ? (
          <Button
            size="small"
            appearance="subtle"
            icon={<PlayFilled />}
            disabledFocusable={all.length === 0}
            onClick={() => void model.run(all)}
          >
            Run all
          </Button>
        ) : (
          <Button size="small" appearance="subtle" icon={<StopFilled />} onClick={() => model.cancel()}>
            Stop
          </Button>
        )}
        <Tooltip
          content="Create a test from the reads, the result and the writes of the last run"
          relationship="description"
        >
          <Button size="small" appearance="subtle" icon={<SaveRegular />} disabledFocusable={!last} onClick={saveRun}>
            Save run as test
          </Button>
        </Tooltip>
        <Button
          size="small"
          appearance="subtle"
          icon={<AddRegular />}
          disabledFocusable={!context}
          onClick={() => context && setEditing({ test: newTest(model.freeName(scriptId, 'New test'), context) })}
        >
          New
        </Button>
        <Switch
          className={styles.rerun}
          label="Rerun on change"
          checked={rerun}
          title="Run the tests of the open script again after each change of its text or of a test"
          onChange={(_event, { checked }) => {
            remember('tests.rerun', checked);
            testsOn.set(checked);
          }}
        />
        <span className={styles.count} role="status">
          {done.length > 0 ? `${passed} of ${all.length} passed` : ''}
        </span>
      </div>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {coverage && <CoverageLine coverage={coverage} />}
      {state.tests && all.length === 0 && (
        <p className={styles.hint}>
          No tests yet. Run the script and choose “Save run as test”: the test fails when the results of the script
          change. “tagwright test” runs the same tests on a build server.
        </p>
      )}
      <ul className={styles.list} aria-label="Tests">
        {all.map((test) => (
          <TestRow
            key={test.id}
            test={test}
            ran={ran.get(test.id)}
            stale={isStale(test)}
            running={running === test.id}
            onRun={() => void model.run([test])}
            onDebug={isDebugging ? null : () => debugTest(test)}
            onEdit={() => setEditing({ test: textOfTest(test), id: test.id })}
            onAccept={() => void accept(test)}
            onDelete={() => void remove(test)}
          />
        ))}
      </ul>
      {editing && (
        <TestDialog
          title={editing.id === undefined ? 'New test' : 'Edit the test'}
          test={editing.test}
          {...(editing.asJson && { asJson: true })}
          onSave={(test) => model.save(scriptId, test, editing.id)}
          onClose={() => setEditing(null)}
        />
      )}
    </div>
  );
}

/** The most lines that are listed. */
const MOST_LINES = 20;

/** The part of the text that the tests ran, and links to the lines that they did not. */
function CoverageLine({ coverage }: { coverage: Coverage }) {
  const { editor } = useScripts();
  const { lines, executed, percent } = coverageSummary(coverage);
  const missed = missedLines(coverage);
  return (
    <p className={styles.coverage}>
      Coverage {percent}%: {executed} of {lines} {lines === 1 ? 'line' : 'lines'}
      {missed.length > 0 && '. Not run: '}
      {missed.slice(0, MOST_LINES).map((line, place) => (
        <span key={line}>
          {place > 0 && ', '}
          <button type="button" className={styles.link} onClick={() => editor.get()?.goTo(line, 1)}>
            line {line}
          </button>
        </span>
      ))}
      {missed.length > MOST_LINES && ` and ${missed.length - MOST_LINES} more`}
    </p>
  );
}
