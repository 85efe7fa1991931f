import {
  Button,
  Field,
  Input,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  Switch,
} from '@fluentui/react-components';
import { useRef, useState } from 'react';
import { problemOf } from '../../client/errors.ts';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import { SaveRegular } from '../../ui/icons.ts';
import { AnswerFields } from './answer-fields.tsx';
import { placedIssues, worthSaying } from './model/issues.ts';
import type { Issues } from '../../client/issues.ts';
import type { ListRow } from './model/list-rows.ts';
import { readForm } from './model/mock-form.ts';
import type { MockForm } from './model/mock-form.ts';
import { baseOf, SavedMeanwhileError } from './model/mocks-state.ts';
import type { MocksModel } from './model/mocks-model.ts';
import { RequestFields } from './request-fields.tsx';
import { said } from './said.ts';
import { useCheck } from './use-check.ts';
import type { MockActions } from './use-mock-actions.ts';
import styles from './editor.module.css';

interface Props {
  model: MocksModel;
  actions: MockActions;
  row: ListRow;
  form: MockForm;
  keeps: boolean;
  active: boolean;
}

/** A mock as it is typed. What is typed is a draft until it is saved, whatever else is chosen meanwhile. */
export function MockEditor({ model, actions, row, form, keeps, active }: Props) {
  const { key, mock, draft } = row;
  const { notify } = useWorkbench();
  const formElement = useRef<HTMLFormElement>(null);
  const [tried, setTried] = useState(false);
  const [saving, setSaving] = useState(false);
  // What saving said of a form stays until the form is another one.
  const [refusal, setRefusal] = useState<{ form: MockForm; issues: Issues } | null>(null);
  const found = useCheck(form, active);
  const all = new Map([...found, ...(refusal?.form === form ? refusal.issues : [])]);
  const issues = worthSaying(all, form, tried);
  const set = (part: Partial<MockForm>) => model.edit(key, { ...form, ...part });
  const meanwhile = draft && draft.mockId !== null && baseOf(mock ?? undefined) !== draft.base;

  const refuse = (refused: Issues) => {
    setTried(true);
    setRefusal({ form, issues: refused });
    setTimeout(() => formElement.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), 0);
  };
  const save = async () => {
    const read = readForm(form);
    if (read.issues.size > 0) return refuse(read.issues);
    setSaving(true);
    try {
      const saved = await model.save(key);
      setTried(false);
      notify({ intent: 'success', title: `Saved “${saved.name}”` });
    } catch (error) {
      if (error instanceof SavedMeanwhileError) {
        notify({ intent: 'warning', title: 'Not saved', body: error.message });
      } else {
        const { message, data } = problemOf(error);
        const refused = placedIssues(data, read);
        if (refused.size > 0) refuse(refused);
        else notify({ intent: 'error', title: 'The mock is not saved; it is kept as a draft', body: message });
      }
    } finally {
      setSaving(false);
    }
    return undefined;
  };
  const section = 'API mocks';
  useCommands([
    { id: 'mocks.save', section, title: 'Save the mock', keys: 'Ctrl+S', enabled: active && !saving, run: save },
    {
      id: 'mocks.discard',
      section,
      title: 'Discard the changes of the mock',
      enabled: active && draft !== null,
      run: () => actions.discard(key),
    },
  ]);

  return (
    <form
      ref={formElement}
      className={styles.editor}
      aria-label="Mock"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <header className={styles.bar}>
        <strong className={styles.title}>{mock?.name ?? 'New mock'}</strong>
        <span className={styles.quiet} role="status">
          {draft ? (keeps ? 'Not saved; kept as a draft' : 'Not saved; ends with this page') : 'Saved'}
        </span>
        {draft && (
          <Button size="small" appearance="subtle" onClick={() => actions.discard(key)}>
            Discard
          </Button>
        )}
        <Button
          size="small"
          appearance="primary"
          icon={<SaveRegular />}
          aria-keyshortcuts="Control+S"
          disabledFocusable={saving || (mock !== null && draft === null)}
          onClick={() => void save()}
        >
          Save
        </Button>
      </header>
      {meanwhile && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            {mock ? 'Another window saved this mock meanwhile.' : 'This mock was deleted meanwhile.'} What you typed is
            still here.
          </MessageBarBody>
          <MessageBarActions>
            <Button size="small" onClick={() => model.keepMine(key)}>
              {mock ? 'Keep mine' : 'Keep mine as a new mock'}
            </Button>
            <Button size="small" onClick={() => actions.discard(key)}>
              {mock ? 'Take theirs' : 'Discard mine'}
            </Button>
          </MessageBarActions>
        </MessageBar>
      )}
      <div className={styles.fields}>
        <div className={styles.nameLine}>
          <Field label="Name" size="small" required {...said(issues.get('name'))}>
            <Input
              size="small"
              data-pane-focus
              maxLength={200}
              value={form.name}
              onChange={(_event, { value }) => set({ name: value })}
            />
          </Field>
          <Field label="Priority" size="small" {...said(issues.get('priority'))}>
            <Input
              size="small"
              inputMode="numeric"
              value={form.priority}
              onChange={(_event, { value }) => set({ priority: value })}
            />
          </Field>
          <Switch
            label="Enabled"
            checked={form.enabled}
            onChange={(_event, { checked }) => set({ enabled: checked })}
          />
        </div>
        <RequestFields form={form} issues={issues} onChange={set} />
        <AnswerFields form={form} issues={issues} onChange={set} />
      </div>
    </form>
  );
}
