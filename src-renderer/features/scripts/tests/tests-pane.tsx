import { useEffect, useState } from 'react';
import type { RunContext, RunReport } from '#domain/run/run';
import type { ScriptTest, ScriptTestText } from '#domain/run/script-test';
import { testOfRun } from '#domain/run/script-test';
import { problemOf } from '../../../client/errors.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { Button, Tooltip } from '../../../ui/fluent.ts';
import { AddRegular, PlayFilled, SaveRegular, StopFilled } from '../../../ui/icons.ts';
import { useStore } from '../../../support/store.ts';
import { ScriptTests, expecting, newTest, textOfTest } from '../model/script-tests.ts';
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
  active: boolean;
}

/** The tests of the open script: run, save from a run, write, edit. */
export function TestsPane({ scriptId, ...rest }: Props) {
  if (scriptId === null) {
    return <p className={styles.hint}>Save the script first: tests belong to saved scripts.</p>;
  }
  return <Tests key={scriptId} scriptId={scriptId} {...rest} />;
}

type Editing = { test: ScriptTestText; id?: number };

function Tests({ scriptId, body, context, last, active }: Props & { scriptId: number }) {
  const { client, notify } = useWorkbench();
  const [model] = useState(() => new ScriptTests(client, scriptId));
  const { tests, ran, running, problem } = useStore(model.store);
  const [editing, setEditing] = useState<Editing | null>(null);

  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    void model.follow(end.signal);
    return () => end.abort();
  }, [model, active]);
  useEffect(() => () => model.cancel(), [model]);

  const failed = (title: string) => (error: unknown) =>
    notify({ intent: 'error', title, body: problemOf(error).message });
  const undo = (work: () => Promise<unknown>) => ({
    label: 'Undo',
    run: async () => {
      await work().catch(failed('Undo failed'));
    },
  });
  const saveRun = () => {
    if (last) setEditing({ test: testOfRun(model.freeName('Name of the run'), last.context, last.report) });
  };
  const remove = async (test: ScriptTest) => {
    try {
      await model.delete(test.id);
      notify({
        intent: 'info',
        title: `Deleted the test "${test.name}"`,
        action: undo(() => model.save(textOfTest(test))),
      });
    } catch (error) {
      failed('The test was not deleted')(error);
    }
  };
  const accept = async (test: ScriptTest) => {
    const done = ran.get(test.id);
    if (!done?.outcome.report) return;
    try {
      await model.save(expecting(textOfTest(test), done.outcome.report, done.outcome), test.id);
      notify({
        intent: 'success',
        title: `"${test.name}" expects the current results now`,
        action: undo(() => model.save(textOfTest(test), test.id)),
      });
      await model.run([test.id], body);
    } catch (error) {
      failed('The test was not changed')(error);
    }
  };

  const all = tests ?? [];
  const passed = all.filter(({ id }) => ran.get(id)?.outcome.passed).length;
  return (
    <div className={styles.pane}>
      <div className={styles.bar}>
        {running === null ? (
          <Button
            size="small"
            appearance="subtle"
            icon={<PlayFilled />}
            disabledFocusable={all.length === 0}
            onClick={() =>
              void model.run(
                all.map(({ id }) => id),
                body,
              )
            }
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
          onClick={() => context && setEditing({ test: newTest(model.freeName('New test'), context) })}
        >
          New
        </Button>
        <span className={styles.count} role="status">
          {ran.size > 0 ? `${passed} of ${all.length} passed` : ''}
        </span>
      </div>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {tests?.length === 0 && (
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
            stale={ran.has(test.id) && ran.get(test.id)?.body !== body}
            running={running === test.id}
            onRun={() => void model.run([test.id], body)}
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
          onSave={(test) => model.save(test, editing.id)}
          onClose={() => setEditing(null)}
        />
      )}
    </div>
  );
}
