import { useEffect, useMemo, useRef, useState } from 'react';
import { isNumeric } from '#domain/tag/number-format';
import type { TagDefinition } from '#domain/tag/tag';
import { problemOf } from '../../../client/errors.ts';
import { sentence } from '../../../client/issues.ts';
import { useCommands, useWorkbench } from '../../../frame/workbench.ts';
import { type LiveValues, type ViewScope, useLiveValue } from '../../../client/live-values.ts';
import { useSaveTurns } from '../../../drafted/use-save-turns.ts';
import {
  Button,
  Field,
  Input,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  MessageBarTitle,
  Textarea,
} from '../../../ui/fluent.ts';
import { TagPath } from '../../../ui/text/tag-path.tsx';
import { useDefinition } from '../use-definition.ts';
import { FormatField } from './format-field.tsx';
import { KindAndType } from './kind-and-type.tsx';
import { SettingFields } from './setting-fields.tsx';
import { type TagEdit, type TagEdits, isDirty, titleOf } from './tag-edits.ts';
import { type TagForm, definitionOf, problemsByField } from './tag-form.ts';
import styles from './edit.module.css';

interface Props {
  edit: TagEdit;
  edits: TagEdits;
  values: LiveValues;
  scope: ViewScope;
  active: boolean;
  /** The tag was saved, or the edit ended; with the path to show now, if any. */
  onEnd: (path: string | null, saved?: TagDefinition) => void;
  /** Reopens a discarded edit. */
  onResume: (edit: TagEdit) => void;
}

const NO_PROBLEMS: Readonly<Record<string, string>> = {};
const EXPRESSION = 'expression';
/** Delay after the last key, ms. */
const TYPING_MS = 250;

/** Creates and edits a tag of any kind. Changes are kept until they are saved or discarded. */
export function TagEditor({ edit, edits, values, scope, active, onEnd, onResume }: Props) {
  const { client, notify } = useWorkbench();
  const { form, base } = edit;
  const [tried, setTried] = useState(false);
  const [refused, setRefused] = useState(NO_PROBLEMS);
  const known = useDefinition(client, base?.path ?? null, active);
  const live = useLiveValue(values, base?.path ?? '')?.value;
  const result = useMemo(() => definitionOf(form), [form]);
  const wrongExpression = useExpressionCheck(form);
  const formElement = useRef<HTMLFormElement>(null);
  const changed = base !== null && known?.definition && !known.gone ? differs(base, known.definition) : false;

  const change = (next: Partial<TagForm>) => {
    setRefused(NO_PROBLEMS);
    edits.update(edit.id, { ...form, ...next });
  };
  const problemAt = (name: string, text: string): string | undefined => {
    const typed = !result.ok && (tried || text !== '') ? result.problems[name] : undefined;
    const problem = refused[name] ?? typed ?? (name === EXPRESSION ? wrongExpression : undefined);
    return problem === undefined ? undefined : sentence(problem);
  };

  const isTaken = async (path: string): Promise<boolean> => {
    try {
      await client.tags.definition({ path });
      return true;
    } catch (error) {
      if (problemOf(error).code === 'NOT_FOUND') return false;
      throw error;
    }
  };
  const put = async () => {
    setTried(true);
    if (!result.ok) return;
    const { definition } = result;
    try {
      if (base === null && (await isTaken(definition.path))) {
        setRefused({ path: 'a tag with this path exists; choose another path' });
        return;
      }
      await client.tags.save(definition);
      edits.end(edit.id);
      notify({ intent: 'success', title: base === null ? 'Created' : 'Saved', body: definition.path });
      onEnd(definition.path, definition);
    } catch (error) {
      const { message, data } = problemOf(error);
      const problems = problemsByField(data, form);
      setRefused(Object.keys(problems).length > 0 ? problems : { '': message });
    }
  };
  const { saving, save } = useSaveTurns(put);
  const discard = () => {
    edits.end(edit.id);
    onEnd(base?.path ?? null);
    if (!isDirty(edit)) return;
    notify({
      intent: 'info',
      title: 'Changes discarded',
      body: titleOf(edit),
      action: { label: 'Undo', run: () => onResume(edit) },
    });
  };
  useCommands(
    active ? [{ id: 'tags.save', section: 'Tags', title: 'Save the tag', keys: 'Ctrl+S', run: () => void save() }] : [],
  );
  // The first invalid field, after an attempt to save.
  useEffect(() => {
    if (!tried) return;
    formElement.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each refusal leads to its field
  }, [tried, refused]);

  return (
    <form
      ref={formElement}
      className={styles.editor}
      noValidate
      aria-label={base === null ? 'New tag' : `Edit ${base.path}`}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <header className={styles.head}>
        <h2>
          {base === null ? 'New tag' : 'Edit '}
          {base !== null && <TagPath path={base.path} breaks />}
        </h2>
        <div className={styles.foot}>
          <Button size="small" appearance="primary" type="submit" disabledFocusable={saving}>
            {base === null ? 'Create' : 'Save'}
          </Button>
          <Button size="small" onClick={discard}>
            {isDirty(edit) ? 'Discard' : 'Close'}
          </Button>
        </div>
      </header>
      {base !== null && known?.gone && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            <MessageBarTitle>This tag was deleted</MessageBarTitle>
            Save to create it again, without its former values.
          </MessageBarBody>
        </MessageBar>
      )}
      {changed && known?.definition && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            <MessageBarTitle>The tag was changed in another window</MessageBarTitle>
            Saving replaces that version; your changes are kept until you decide.
          </MessageBarBody>
          <MessageBarActions>
            <Button size="small" onClick={() => edits.rebase(edit.id, known.definition)}>
              Keep mine
            </Button>
            <Button
              size="small"
              onClick={() => {
                if (!known.definition) return;
                const mine = edit;
                edits.end(edit.id);
                onEnd(known.definition.path);
                notify({
                  intent: 'info',
                  title: 'The saved version of the tag is shown',
                  action: { label: 'Restore mine', run: () => onResume(mine) },
                });
              }}
            >
              Use theirs
            </Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {refused[''] !== undefined && (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{refused['']}</MessageBarBody>
        </MessageBar>
      )}
      <div className={styles.fields} data-pane-focus>
        <Field
          label="Path"
          size="small"
          required
          className={styles.wide}
          {...validation(problemAt('path', form.path))}
          {...(base === null ? { hint: 'Root.Groups.TagName.TagProperty' } : {})}
        >
          <Input
            size="small"
            autoFocus={base === null}
            readOnly={base !== null}
            title={base === null ? '' : 'Rename the tag to change its path'}
            dir="auto"
            className={styles.path}
            value={form.path}
            onChange={(_event, { value }) => change({ path: value })}
          />
        </Field>
        <KindAndType form={form} refused={refused} onChange={change} />
        {base !== null && (form.kind !== base.kind || form.type !== base.type) && (
          <p className={`${styles.hint} ${styles.wide}`}>
            {form.kind === base.kind
              ? "Values that can't be converted to the new type are dropped."
              : 'A tag of another kind does not keep its values.'}
          </p>
        )}
        <SettingFields form={form} problemAt={problemAt} scope={scope} onChange={change} />
        <Field label="Unit" size="small" {...validation(problemAt('unit', form.unit))}>
          <Input
            size="small"
            value={form.unit}
            placeholder="bottles/min"
            onChange={(_event, { value }) => change({ unit: value })}
          />
        </Field>
        {isNumeric(form.type) && (
          <FormatField
            value={form.format}
            example={typeof live === 'number' ? live : null}
            problem={problemAt('format', form.format)}
            onChange={(format) => change({ format })}
          />
        )}
        <Field
          label="Description"
          size="small"
          className={styles.wide}
          {...validation(problemAt('description', form.description))}
        >
          <Textarea
            size="small"
            rows={2}
            resize="vertical"
            value={form.description}
            onChange={(_event, { value }) => change({ description: value })}
          />
        </Field>
      </div>
    </form>
  );
}

/** The problem of the expression of a calculation tag while it is typed, in the words of a save. */
function useExpressionCheck({ kind, type, path, texts }: TagForm): string | undefined {
  const { client } = useWorkbench();
  const [found, setFound] = useState<{ expression: string; problem: string | undefined } | null>(null);
  const expression = kind === 'calculation' ? (texts[EXPRESSION] ?? '') : '';
  useEffect(() => {
    if (expression.trim() === '') return undefined;
    const end = new AbortController();
    const check = async () => {
      // Without the parts that are not checked with the expression; the path shows whether it would depend on itself.
      const definition = { path: path.trim(), kind, type, unit: '', description: '', settings: { expression } };
      const { issues } = await client.tags.problems(definition, { signal: end.signal });
      const problem = issues.find((issue) => issue.path.join('.') === `settings.${EXPRESSION}`);
      if (!end.signal.aborted) setFound({ expression, problem: problem?.message });
    };
    // Without a connection there is no check; a save says so.
    const timer = setTimeout(() => void check().catch(() => undefined), TYPING_MS);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, kind, type, path, expression]);
  return found?.expression === expression ? found.problem : undefined;
}

const validation = (problem: string | undefined) => (problem === undefined ? {} : { validationMessage: problem });

/** Whether two definitions differ, ignoring the order of their members. */
function differs(one: TagDefinition, other: TagDefinition): boolean {
  return JSON.stringify(one, sorted) !== JSON.stringify(other, sorted);
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
