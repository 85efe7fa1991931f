import { useMemo } from 'react';
import type { Issues } from '../../client/issues.ts';
import { DraftedEditor } from '../../drafted/drafted-editor.tsx';
import { validationOf } from '../../drafted/validation.ts';
import { CodeField } from '../../ui/fields/code-field.tsx';
import { Field, Input, Switch, Textarea } from '../../ui/fluent.ts';
import { nameIssue, placedIssues, visibleIssues } from './model/issues.ts';
import type { RuleListRow } from './model/list-rows.ts';
import { readForm } from './model/rule-form.ts';
import type { RuleForm } from './model/rule-form.ts';
import type { RulesModel } from './model/rules-model.ts';
import { OutputFields } from './output-fields.tsx';
import { TagFields, WindowFields } from './source-fields.tsx';
import type { RuleActions } from './use-rule-actions.ts';
import styles from './editor.module.css';

interface Props {
  model: RulesModel;
  actions: RuleActions;
  row: RuleListRow;
  form: RuleForm;
  /** The problems of the form, from the continuous check. */
  found: Issues;
  keeps: boolean;
  /** The names of the other rules. */
  names: readonly string[];
  active: boolean;
}

/** The editor of a rule. */
export function RuleEditor({ model, actions, row, form, found, keeps, names, active }: Props) {
  const { key, rule, draft } = row;
  const read = useMemo(() => readForm(form), [form]);
  const change = (next: RuleForm) => model.edit(key, next);
  const set = (part: Partial<RuleForm>) => change({ ...form, ...part });
  return (
    <DraftedEditor
      model={model}
      section="Aggregations"
      commands="rules"
      row={{ key, saved: rule, isDraft: draft !== null }}
      form={form}
      keeps={keeps}
      active={active}
      issues={new Map([...found, ...nameIssue(form, names)])}
      unreadable={read.issues}
      visibleIssues={(issues, tried) => visibleIssues(issues, form, tried)}
      refused={({ code, message, data }) =>
        code === 'CONFLICT' ? new Map([['name', message]]) : placedIssues(data, read)
      }
      onDiscard={() => actions.discard(key)}
    >
      {(issues) => (
        <div className={styles.fields}>
          <Field label="Name" size="small" required {...validationOf(issues.get('name'))}>
            <Input
              size="small"
              data-pane-focus
              value={form.name}
              onChange={(_event, { value }) => set({ name: value })}
            />
          </Field>
          <Field label="Description" size="small" {...validationOf(issues.get('description'))}>
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
            hint="JavaScript expression over the outputs, such as average > 490; leave empty to always fire"
            {...validationOf(issues.get('condition'))}
          >
            <CodeField
              name="condition"
              language="javascript"
              rows={2}
              value={form.condition}
              problem={issues.get('condition')}
              onChange={(condition) => set({ condition })}
            />
          </Field>
        </div>
      )}
    </DraftedEditor>
  );
}
