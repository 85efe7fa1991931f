import { useState } from 'react';
import { problemOfJson } from '#domain/run/saved-context';
import type { ScriptTestText } from '#domain/run/script-test';
import { TEST_LIMITS, compactTest } from '#domain/run/script-test';
import { problemOf } from '../../../client/errors.ts';
import { remember, remembered } from '../../../support/local-storage.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { CodeField } from '../../../ui/fields/code-field.tsx';
import { Field, Input, Switch } from '../../../ui/fluent.ts';
import { formOfTest, leftProblems, testOfForm, testOfJson } from './test-form.ts';
import type { FormProblems, TestForm } from './test-form.ts';
import { TestFields } from './test-fields.tsx';
import styles from './tests.module.css';

interface Props {
  test: ScriptTestText;
  title: string;
  /** Shows the JSON, in which another view selects a place. */
  asJson?: boolean;
  /** Rejects with its problem. */
  onSave: (test: ScriptTestText) => Promise<unknown>;
  onClose: () => void;
}

const HINT = 'context, tags (fixtures), mocks, and expect: status, error, result, writes, events';
/** A test with more rows is shown as JSON first. */
const MOST_ROWS = 200;
const NO_PROBLEMS: FormProblems = new Map();

/** The members of a test besides its name, while they are edited: as a form, or as JSON. */
type Edited = { as: 'form'; form: TestForm } | { as: 'json'; text: string };

const jsonOf = (test: Omit<ScriptTestText, 'name'>): string => {
  const { name: _name, ...rest } = compactTest({ ...test, name: '' });
  return JSON.stringify(rest, null, 2);
};

/** A test: its name, and all other members as a form or as JSON. */
export function TestDialog({ test, title, asJson = remembered('tests.json', false), onSave, onClose }: Props) {
  const isLong = test.tags.length + (test.expect.writes?.length ?? 0) + test.mocks.length > MOST_ROWS;
  const [name, setName] = useState(test.name);
  const [edited, setEdited] = useState<Edited>(() =>
    asJson || isLong ? { as: 'json', text: jsonOf(test) } : { as: 'form', form: formOfTest(test) },
  );
  const [changed, setChanged] = useState(false);
  const [problem, setProblem] = useState<{ at: 'name' | 'rest'; message: string } | null>(null);
  const [problems, setProblems] = useState(NO_PROBLEMS);

  const tooLong = name.trim().length > TEST_LIMITS.name;

  /** The members as they are typed; null while they are invalid, which is then shown. */
  const given = (): Omit<ScriptTestText, 'name'> | null => {
    if (edited.as === 'form') {
      const made = testOfForm(edited.form);
      if ('test' in made) return made.test;
      setProblems(made.problems);
      setProblem(null);
      return null;
    }
    try {
      return testOfJson(edited.text);
    } catch (error) {
      const message = error instanceof SyntaxError ? problemOfJson(edited.text, error) : problemOf(error).message;
      setProblem({ at: 'rest', message });
      return null;
    }
  };
  const change = (next: Edited) => {
    setEdited(next);
    setProblem(null);
    setProblems(next.as === 'form' ? leftProblems(next.form, problems) : NO_PROBLEMS);
  };
  const edit = (next: Edited) => {
    setChanged(true);
    change(next);
  };
  const turn = (json: boolean) => {
    const now = given();
    if (!now) return;
    remember('tests.json', json);
    change(json ? { as: 'json', text: jsonOf(now) } : { as: 'form', form: formOfTest(now) });
  };
  const save = async () => {
    if (name.trim() === '') return setProblem({ at: 'name', message: 'Enter a name for the test' });
    const now = tooLong ? null : given();
    if (!now) return undefined;
    try {
      // Main checks every member and names the invalid one.
      await onSave({ ...now, name: name.trim() });
      onClose();
    } catch (error) {
      const { code, message } = problemOf(error);
      setProblem({ at: code === 'CONFLICT' ? 'name' : 'rest', message });
    }
  };

  const shownProblem = (at: 'name' | 'rest') => (problem?.at === at ? { validationMessage: problem.message } : {});
  const wrong = problems.size > 0 ? `${problems.size} ${problems.size === 1 ? 'field is' : 'fields are'} invalid` : '';
  const restProblem = problem?.at === 'rest' ? problem.message : wrong;
  const limit = tooLong ? { validationMessage: `At most ${TEST_LIMITS.name} characters` } : {};
  return (
    <FormDialog
      title={title}
      action="Save"
      changed={changed}
      width={760}
      className={styles.form}
      onSubmit={save}
      onClose={onClose}
    >
      <Field label="Name" required {...shownProblem('name')} {...limit}>
        <Input
          autoFocus
          // A suggested name, which the next key replaces.
          onFocus={({ target }) => target.select()}
          value={name}
          onChange={(_event, { value }) => {
            setName(value);
            setChanged(true);
            setProblem(null);
          }}
        />
      </Field>
      <Switch
        className={styles.asJson}
        label="Edit as JSON"
        checked={edited.as === 'json'}
        onChange={(_event, { checked }) => turn(checked)}
      />
      {edited.as === 'json' ? (
        <Field label="Inputs and expected results" hint={HINT} {...shownProblem('rest')}>
          <CodeField
            name="test"
            language="json"
            rows={18}
            value={edited.text}
            problem={problem?.at === 'rest' ? problem.message : undefined}
            onChange={(text) => edit({ as: 'json', text })}
          />
        </Field>
      ) : (
        <>
          <TestFields form={edited.form} problems={problems} onChange={(form) => edit({ as: 'form', form })} />
          {restProblem !== '' && (
            <p className={styles.wrong} role="alert">
              {restProblem}
            </p>
          )}
        </>
      )}
    </FormDialog>
  );
}
