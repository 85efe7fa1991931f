import {
  Button,
  Field,
  Input,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  Switch,
  Textarea,
} from '@fluentui/react-components';
import { useRef, useState } from 'react';
import { RULE_LIMITS } from '#domain/rule';
import type { Rule } from '#domain/rule';
import { problemOf } from '../../client/errors.ts';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import { SaveRegular } from '../../ui/icons.ts';
import type { RuleDraft } from './model/draft-memory.ts';
import { nameIssue, placedIssues, worthSaying } from './model/issues.ts';
import type { Issues } from '../../client/issues.ts';
import { readForm } from './model/rule-form.ts';
import type { RuleForm } from './model/rule-form.ts';
import { SavedMeanwhileError } from './model/rules-model.ts';
import type { RulesModel } from './model/rules-model.ts';
import { OutputFields } from './output-fields.tsx';
import { said } from './said.ts';
import { TagFields, WindowFields } from './source-fields.tsx';
import type { RuleActions } from './use-rule-actions.ts';
import styles from './editor.module.css';

interface Props {
  model: RulesModel;
  actions: RuleActions;
  rowKey: string;
  rule: Rule | undefined;
  draft: RuleDraft | undefined;
  form: RuleForm;
  /** What is wrong with the form, from the check that goes on while it is typed. */
  issues: Issues;
  keeps: boolean;
  /** Names of the other rules. */
  names: readonly string[];
  active: boolean;
}

/** A rule as it is typed. What is typed is a draft until it is saved, whatever else is chosen meanwhile. */
export function RuleEditor(props: Props) {
  const { model, actions, rowKey, rule, draft, form, issues: found, keeps, names, active } = props;
  const { notify } = useWorkbench();
  const formElement = useRef<HTMLFormElement>(null);
  const [tried, setTried] = useState(false);
  const [saving, setSaving] = useState(false);
  // What saving said of a form stays until the form is another one.
  const [refusal, setRefusal] = useState<{ form: RuleForm; issues: Issues } | null>(null);
  const taken = nameIssue(form, names);
  const all = new Map([...found, ...taken, ...(refusal?.form === form ? refusal.issues : [])]);
  const issues = worthSaying(all, form, tried);
  const change = (next: RuleForm) => model.edit(rowKey, next);
  const set = (part: Partial<RuleForm>) => change({ ...form, ...part });
  const meanwhile = draft && draft.ruleId !== null && (rule?.savedAt ?? null) !== draft.base;

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
      const saved = await model.save(rowKey);
      setTried(false);
      notify({ intent: 'success', title: `Saved “${saved.name}”` });
    } catch (error) {
      if (error instanceof SavedMeanwhileError) {
        notify({ intent: 'warning', title: 'Not saved', body: error.message });
      } else {
        const { code, message, data } = problemOf(error);
        const refused = code === 'CONFLICT' ? new Map([['name', message]]) : placedIssues(data, read);
        if (refused.size > 0) refuse(refused);
        else notify({ intent: 'error', title: 'The rule is not saved; it is kept as a draft', body: message });
      }
    } finally {
      setSaving(false);
    }
    return undefined;
  };
  const section = 'Aggregations';
  useCommands([
    { id: 'rules.save', section, title: 'Save the rule', keys: 'Ctrl+S', enabled: active && !saving, run: save },
    {
      id: 'rules.discard',
      section,
      title: 'Discard the changes of the rule',
      enabled: active && draft !== undefined,
      run: () => actions.discard(rowKey),
    },
  ]);

  return (
    <form
      ref={formElement}
      className={styles.editor}
      aria-label="Rule"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <header className={styles.bar}>
        <strong className={styles.title}>{rule?.name ?? 'New rule'}</strong>
        <span className={styles.quiet} role="status">
          {draft ? (keeps ? 'Not saved; kept as a draft' : 'Not saved; ends with this page') : 'Saved'}
        </span>
        {draft && (
          <Button size="small" appearance="subtle" onClick={() => actions.discard(rowKey)}>
            Discard
          </Button>
        )}
        <Button
          size="small"
          appearance="primary"
          icon={<SaveRegular />}
          aria-keyshortcuts="Control+S"
          disabledFocusable={saving || (rule !== undefined && draft === undefined)}
          onClick={() => void save()}
        >
          Save
        </Button>
      </header>
      {meanwhile && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            {rule ? 'Another window saved this rule meanwhile.' : 'This rule was deleted meanwhile.'} What you typed is
            still here.
          </MessageBarBody>
          <MessageBarActions>
            <Button size="small" onClick={() => model.keepMine(rowKey)}>
              {rule ? 'Keep mine' : 'Keep mine as a new rule'}
            </Button>
            <Button size="small" onClick={() => actions.discard(rowKey)}>
              {rule ? 'Take theirs' : 'Discard mine'}
            </Button>
          </MessageBarActions>
        </MessageBar>
      )}
      <div className={styles.fields}>
        <Field label="Name" size="small" required {...said(issues.get('name'))}>
          <Input
            size="small"
            data-pane-focus
            maxLength={RULE_LIMITS.name}
            value={form.name}
            onChange={(_event, { value }) => set({ name: value })}
          />
        </Field>
        <Field label="Description" size="small" {...said(issues.get('description'))}>
          <Textarea
            size="small"
            rows={2}
            resize="vertical"
            value={form.description}
            onChange={(_event, { value }) => set({ description: value })}
          />
        </Field>
        <div className={styles.switches}>
          <Switch
            label="Enabled"
            checked={form.enabled}
            onChange={(_event, { checked }) => set({ enabled: checked })}
          />
          <Switch
            label="Triggers Events"
            checked={form.triggersEvents}
            onChange={(_event, { checked }) => set({ triggersEvents: checked })}
          />
        </div>
        <TagFields form={form} issues={issues} onChange={change} />
        <WindowFields form={form} issues={issues} onChange={change} />
        <OutputFields form={form} issues={issues} onChange={change} />
        <Field
          label="Condition"
          size="small"
          hint="A JavaScript expression over the outputs, such as average > 490; empty: it always fires"
          {...said(issues.get('condition'))}
        >
          <Textarea
            size="small"
            className={styles.code}
            rows={2}
            resize="vertical"
            spellCheck={false}
            value={form.condition}
            onChange={(_event, { value }) => set({ condition: value })}
          />
        </Field>
      </div>
    </form>
  );
}
