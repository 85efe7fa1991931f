import { useEffect, useMemo, useState } from 'react';
import { DraftedEditor } from '../../../drafted/drafted-editor.tsx';
import { validationOf } from '../../../drafted/validation.ts';
import { Field, Input, Switch } from '../../../ui/fluent.ts';
import { SuggestField } from '../../../ui/fields/suggest-field.tsx';
import { type FormChange, Responses } from './responses.tsx';
import { placedIssues, visibleIssues } from '../model/issues.ts';
import type { MockListRow } from '../model/list-rows.ts';
import { type MockForm, readForm } from '../model/mock-form.ts';
import type { MocksModel } from '../model/mocks-model.ts';
import { RequestFields } from './request-fields.tsx';
import type { MockActions } from './use-mock-actions.ts';
import styles from './editor.module.css';
import { isAbort, problemOf } from '../../../client/errors.ts';
import { useWorkbench } from '../../../frame/workbench.ts';
import type { Issues } from '../../../client/issues.ts';

interface Props {
  model: MocksModel;
  actions: MockActions;
  row: MockListRow;
  form: MockForm;
  /** The folders of all mocks. */
  folders: readonly string[];
  keeps: boolean;
  active: boolean;
  /** The index of the response in the editor. */
  shown: number;
  onShow: (index: number) => void;
}

/** The editor of a mock. */
export function MockEditor({ model, actions, row, form, folders, keeps, active, shown, onShow }: Props) {
  const { key, mock, draft } = row;
  const read = useMemo(() => readForm(form), [form]);
  const found = useCheck(form, active);
  const set = (change: FormChange) => {
    const now = model.form(key);
    if (now) model.edit(key, { ...now, ...(typeof change === 'function' ? change(now) : change) });
  };
  return (
    <DraftedEditor
      model={model}
      section="API mocks"
      commands="mocks"
      row={{ key, saved: mock, isDraft: draft !== null }}
      form={form}
      keeps={keeps}
      active={active}
      issues={found}
      unreadable={read.issues}
      visibleIssues={(issues, tried) => visibleIssues(issues, form, tried)}
      refused={({ data }) => placedIssues(data, read)}
      onDiscard={() => actions.discard(key)}
    >
      {(issues) => (
        <div className={styles.fields}>
          <div className={styles.nameLine}>
            <Field label="Name" size="small" required {...validationOf(issues.get('name'))}>
              <Input
                size="small"
                data-pane-focus
                value={form.name}
                onChange={(_event, { value }) => set({ name: value })}
              />
            </Field>
            <Field label="Folder" size="small" {...validationOf(issues.get('folder'))}>
              <SuggestField
                isOftenNew
                size="small"
                placeholder="none"
                value={form.folder ?? ''}
                choices={folders}
                onChange={(folder) => set({ folder })}
              />
            </Field>
            <Field label="Priority" size="small" {...validationOf(issues.get('priority'))}>
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
          <Responses
            form={form}
            mock={mock}
            issues={issues}
            shown={shown}
            onShow={onShow}
            onChange={set}
            onRestart={() => void (mock && actions.restart([mock]))}
          />
        </div>
      )}
    </DraftedEditor>
  );
}

/** Delay after the last key, ms. */
const TYPING_MS = 250;

/** The problems of a mock during editing: parse errors immediately, then the problems that main reports. */
function useCheck(form: MockForm, active: boolean): Issues {
  const { client } = useWorkbench();
  const read = useMemo(() => readForm(form), [form]);
  const [found, setFound] = useState<{ read: typeof read; issues: Issues } | null>(null);
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    const check = async () => {
      let data: unknown;
      try {
        data = await client.mocks.check(read.route, { signal: end.signal });
      } catch (error) {
        if (isAbort(error) || end.signal.aborted) return;
        // Only a rejection of the mock says something about the mock.
        data = problemOf(error).data;
      }
      setFound({ read, issues: placedIssues(data, read) });
    };
    const timer = setTimeout(() => void check(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, read, active]);
  return found?.read === read ? found.issues : read.issues;
}
