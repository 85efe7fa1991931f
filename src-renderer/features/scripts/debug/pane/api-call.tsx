import { useState } from 'react';
import { useWorkbench } from '../../../../frame/workbench.ts';
import { useStore } from '../../../../support/store.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { CodeField } from '../../../../ui/fields/code-field.tsx';
import { Button, Field, Input } from '../../../../ui/fluent.ts';
import { GlobeRegular } from '../../../../ui/icons.ts';
import { useScripts } from '../../scripts-context.ts';
import styles from './debug.module.css';

/** The call of an API before which the run is paused: it can be answered by hand, and is not sent then. */
export function PendingCall() {
  const { debug } = useScripts();
  const { notify } = useWorkbench();
  const { debugger: session } = debug;
  const call = useStore(session.shown, (state) => state.call);
  const [answers, setAnswers] = useState(false);
  if (!call) return null;
  const [url] = call.arguments;
  const answer = async (status: number, body: string) => {
    try {
      await session.ask('tagwright/api', { answer: { status, headers: { 'content-type': 'application/json' }, body } });
      setAnswers(false);
      session.step('next');
    } catch (error) {
      notify({ intent: 'error', title: 'The call was not answered', error });
    }
  };
  return (
    <div className={styles.call}>
      <GlobeRegular aria-hidden />
      <span className={styles.callText} title={JSON.stringify(call.arguments, null, 2)}>
        {call.operation} {typeof url === 'string' ? url : ''}
      </span>
      <Button size="small" onClick={() => setAnswers(true)}>
        Answer by hand…
      </Button>
      {answers && <AnswerDialog onAnswer={answer} onClose={() => setAnswers(false)} />}
    </div>
  );
}

interface DialogProps {
  onAnswer: (status: number, body: string) => Promise<void>;
  onClose: () => void;
}

function AnswerDialog({ onAnswer, onClose }: DialogProps) {
  const [status, setStatus] = useState('200');
  const [body, setBody] = useState('{}');
  const code = Number(status);
  const problem = /^\d{3}$/.test(status) && code >= 100 && code <= 599 ? null : 'A status from 100 to 599';
  return (
    <FormDialog
      title="Answer the API call"
      action="Answer and continue to the next line"
      disabled={problem !== null}
      changed={status !== '200' || body !== '{}'}
      className={styles.form}
      onSubmit={() => onAnswer(code, body)}
      onClose={onClose}
    >
      <Field label="Status" {...(problem === null ? {} : { validationMessage: problem })}>
        <Input value={status} inputMode="numeric" onChange={(_event, { value }) => setStatus(value)} />
      </Field>
      <Field label="Body" hint="The call is not sent.">
        <CodeField language="json" value={body} rows={6} onChange={setBody} />
      </Field>
    </FormDialog>
  );
}
