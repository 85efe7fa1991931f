import { useState } from 'react';
import type { ScriptTestText } from '#domain/run/script-test';
import { TEST_LIMITS, compactTest } from '#domain/run/script-test';
import { problemOf } from '../../../client/errors.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Field, Input, Textarea } from '../../../ui/fluent.ts';
import { problemOfJson } from '../model/run-context.ts';
import styles from './tests.module.css';

interface Props {
  test: ScriptTestText;
  title: string;
  /** Rejects with its problem. */
  onSave: (test: ScriptTestText) => Promise<unknown>;
  onClose: () => void;
}

const HINT = 'context, tags (fixtures), mocks, and expect: status, error, result, writes, events';

/** A test as text: its name, and all other members as JSON. */
export function TestDialog({ test, title, onSave, onClose }: Props) {
  const [name, setName] = useState(test.name);
  const [text, setText] = useState(() => {
    const { name: _name, ...rest } = compactTest(test);
    return JSON.stringify(rest, null, 2);
  });
  const [problem, setProblem] = useState<{ at: 'name' | 'text'; message: string } | null>(null);

  const tooLong = name.trim().length > TEST_LIMITS.name;

  const save = async () => {
    if (name.trim() === '') return setProblem({ at: 'name', message: 'Enter a name for the test' });
    if (tooLong) return undefined;
    try {
      // Main checks every member and names the invalid one.
      const given: ScriptTestText = JSON.parse(text);
      if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new Error('enter an object { … }');
      await onSave({ ...given, name: name.trim() });
      onClose();
    } catch (error) {
      const { code, message } = problemOf(error);
      if (error instanceof SyntaxError) setProblem({ at: 'text', message: problemOfJson(text, error) });
      else setProblem({ at: code === 'CONFLICT' ? 'name' : 'text', message });
    }
  };

  const shownProblem = (at: 'name' | 'text') => (problem?.at === at ? { validationMessage: problem.message } : {});
  const limit = tooLong ? { validationMessage: `At most ${TEST_LIMITS.name} characters` } : {};
  return (
    <FormDialog title={title} action="Save" width={720} className={styles.form} onSubmit={save} onClose={onClose}>
      <Field label="Name" required {...shownProblem('name')} {...limit}>
        <Input
          autoFocus
          value={name}
          onChange={(_event, { value }) => {
            setName(value);
            setProblem(null);
          }}
        />
      </Field>
      <Field label="Inputs and expected results" hint={HINT} {...shownProblem('text')}>
        <Textarea
          className={styles.json}
          resize="vertical"
          rows={18}
          spellCheck={false}
          value={text}
          onChange={(_event, { value }) => {
            setText(value);
            setProblem(null);
          }}
        />
      </Field>
    </FormDialog>
  );
}
