import { MAX_ANSWERS, type Mock, nextAnswer } from '#domain/mock/mock';
import type { Issues } from '../../../client/issues.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import { Button, Field, Select, Tab, TabList } from '../../../ui/fluent.ts';
import { AddRegular, ErrorCircleFilled } from '../../../ui/icons.ts';
import { type AnswerForm, answerOfField, fieldOfAnswer } from '../model/answer-form.ts';
import { type MockForm, answersIn, withAnswers } from '../model/mock-form.ts';
import { AnswerFields } from './answer-fields.tsx';
import styles from './editor.module.css';

/** A changed part of a form; a function gets the form as it is then. */
export type FormChange = Partial<MockForm> | ((form: MockForm) => Partial<MockForm>);

interface Props {
  form: MockForm;
  /** As saved. */
  mock: Mock | null;
  issues: Issues;
  /** The index of the response in the editor. */
  shown: number;
  onShow: (index: number) => void;
  onChange: (change: FormChange) => void;
  onRestart: () => void;
}

/** The response of a mock, or its sequence of responses. */
export function Responses({ form, mock, issues, shown, onShow, onChange, onRestart }: Props) {
  const { notify } = useWorkbench();
  const answers = answersIn(form);
  const index = Math.min(shown, answers.length - 1);
  const answer = answers[index] ?? form;
  const several = answers.length > 1;
  const put = (changed: readonly AnswerForm[], show: number) => {
    onChange(withAnswers(changed));
    onShow(show);
  };
  const add = () => put([...answers, answers.at(-1) ?? answer], answers.length);
  const move = (by: -1 | 1) => {
    const next = answers.toSpliced(index, 1);
    put(next.toSpliced(index + by, 0, answer), index + by);
  };
  const restore = () => {
    onChange((now) => withAnswers(answersIn(now).toSpliced(index, 0, answer)));
    onShow(index);
  };
  const remove = () => {
    put(answers.toSpliced(index, 1), Math.max(0, index - 1));
    notify({
      intent: 'info',
      title: `Removed response ${index + 1}`,
      action: { label: 'Undo', run: restore },
    });
  };
  const bad = new Set([...issues.keys()].filter((field) => /^(?:answer|sequence)\./.test(field)).map(answerOfField));
  return (
    <fieldset>
      <legend>{several ? 'Responses' : 'Response'}</legend>
      <div className={styles.responses}>
        {several && (
          <TabList
            size="small"
            aria-label="Responses in order"
            selectedValue={index}
            onTabSelect={(_event, { value }) => onShow(Number(value))}
          >
            {answers.map(({ status, fault }, place) => (
              <Tab
                // oxlint-disable-next-line react/no-array-index-key -- a response is its place in the sequence
                key={place}
                value={place}
                {...(bad.has(place) && { icon: <ErrorCircleFilled aria-label="Invalid" /> })}
              >
                {place + 1}: {fault === '' ? status : fault}
              </Tab>
            ))}
          </TabList>
        )}
        <Button
          size="small"
          appearance="subtle"
          icon={<AddRegular />}
          title="Each call gets the next response"
          disabledFocusable={answers.length >= MAX_ANSWERS}
          onClick={add}
        >
          Add response
        </Button>
        {several && (
          <span className={styles.responseActions}>
            <Button size="small" appearance="subtle" disabledFocusable={index === 0} onClick={() => move(-1)}>
              Earlier
            </Button>
            <Button
              size="small"
              appearance="subtle"
              disabledFocusable={index === answers.length - 1}
              onClick={() => move(1)}
            >
              Later
            </Button>
            <Button size="small" appearance="subtle" onClick={remove}>
              Remove
            </Button>
          </span>
        )}
      </div>
      {several && (
        <div className={styles.sequence}>
          <Field label="After the last" size="small" orientation="horizontal" className={styles.choice}>
            <Select
              size="small"
              value={form.end ?? 'repeat'}
              onChange={(_event, { value }) => onChange({ end: value === 'restart' ? 'restart' : 'repeat' })}
            >
              <option value="repeat">repeat the last response</option>
              <option value="restart">start again with the first</option>
            </Select>
          </Field>
          {mock?.sequence && (
            <span className={styles.position}>
              <span role="status">
                Next call: response {nextAnswer(mock, mock.position) + 1} of {mock.sequence.answers.length + 1}
              </span>
              <Button size="small" disabledFocusable={mock.position === 0} onClick={onRestart}>
                Restart
              </Button>
            </span>
          )}
        </div>
      )}
      <AnswerFields
        key={index}
        form={answer}
        field={fieldOfAnswer(index)}
        issues={issues}
        onChange={(part) => onChange(withAnswers(answers.with(index, { ...answer, ...part })))}
      />
    </fieldset>
  );
}
