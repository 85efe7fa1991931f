import { Button, MessageBar, MessageBarActions, MessageBarBody } from '@fluentui/react-components';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { problemOf } from '../client/errors.ts';
import type { Problem } from '../client/errors.ts';
import type { Issues } from '../client/issues.ts';
import { useCommands, useWorkbench } from '../frame/workbench.ts';
import { SaveRegular } from '../ui/icons.ts';
import { SavedMeanwhileError } from './drafted-list.ts';
import styles from './drafted-editor.module.css';

/** What the editor does with what it shows; a DraftedList. */
interface Model {
  readonly noun: string;
  save: (key: string) => Promise<{ name: string }>;
  isOvertaken: (key: string) => boolean;
  keepMine: (key: string) => void;
}

interface Props<Form> {
  model: Model;
  /** The view, as it is named among the commands. */
  section: string;
  /** What begins the names of its commands: `rules`. */
  commands: string;
  row: { key: string; saved: { name: string } | null; isDraft: boolean };
  form: Form;
  keeps: boolean;
  active: boolean;
  /** What is wrong with the form, as far as is known while it is typed. */
  issues: Issues;
  /** What cannot be read of it: with any, nothing is asked to be saved. */
  unreadable: Issues;
  /** What is worth saying of it before anybody tried to save. */
  worthSaying: (issues: Issues, tried: boolean) => Issues;
  /** What main refused about fields. */
  refused: (problem: Problem) => Issues;
  onDiscard: () => void;
  /** The fields, given what is wrong with them. */
  children: (issues: Issues) => ReactNode;
}

/** A form of something that is saved. What is typed is a draft until then, whatever else is chosen meanwhile. */
export function DraftedEditor<Form>(props: Props<Form>) {
  const { model, section, commands, row, form, keeps, active, onDiscard } = props;
  const { notify } = useWorkbench();
  const formElement = useRef<HTMLFormElement>(null);
  const underWay = useRef(false);
  const [tried, setTried] = useState(false);
  const [saving, setSaving] = useState(false);
  // What saving said of a form stays until the form is another one.
  const [refusal, setRefusal] = useState<{ form: Form; issues: Issues } | null>(null);
  const all = new Map([...props.issues, ...(refusal?.form === form ? refusal.issues : [])]);
  const issues = props.worthSaying(all, tried);
  const { key, saved, isDraft } = row;
  const { noun } = model;

  const refuse = (refused: Issues) => {
    setTried(true);
    setRefusal({ form, issues: refused });
    setTimeout(() => formElement.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), 0);
  };
  const save = async () => {
    // Enter twice is one save.
    if (underWay.current) return undefined;
    if (props.unreadable.size > 0) return refuse(props.unreadable);
    underWay.current = true;
    setSaving(true);
    try {
      const { name } = await model.save(key);
      setTried(false);
      notify({ intent: 'success', title: `Saved “${name}”` });
    } catch (error) {
      if (error instanceof SavedMeanwhileError) {
        notify({ intent: 'warning', title: 'Not saved', body: error.message });
      } else {
        const problem = problemOf(error);
        const refused = props.refused(problem);
        if (refused.size > 0) refuse(refused);
        else
          notify({ intent: 'error', title: `The ${noun} is not saved; it is kept as a draft`, body: problem.message });
      }
    } finally {
      underWay.current = false;
      setSaving(false);
    }
    return undefined;
  };
  useCommands([
    {
      id: `${commands}.save`,
      section,
      title: `Save the ${noun}`,
      keys: 'Ctrl+S',
      enabled: active && !saving,
      run: save,
    },
    {
      id: `${commands}.discard`,
      section,
      title: `Discard the changes of the ${noun}`,
      enabled: active && isDraft,
      run: onDiscard,
    },
  ]);

  return (
    <form
      ref={formElement}
      className={styles.editor}
      aria-label={capitalized(noun)}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <header className={styles.bar}>
        <strong className={styles.title} title={saved?.name}>
          {saved?.name ?? `New ${noun}`}
        </strong>
        <span className={styles.quiet} role="status">
          {isDraft ? (keeps ? 'Not saved; kept as a draft' : 'Not saved; ends with this page') : 'Saved'}
        </span>
        {isDraft && (
          <Button size="small" appearance="subtle" onClick={onDiscard}>
            Discard
          </Button>
        )}
        <Button
          size="small"
          appearance="primary"
          icon={<SaveRegular />}
          aria-keyshortcuts="Control+S"
          disabledFocusable={saving || (saved !== null && !isDraft)}
          onClick={() => void save()}
        >
          Save
        </Button>
      </header>
      {model.isOvertaken(key) && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            {saved ? `Another window saved this ${noun} meanwhile.` : `This ${noun} was deleted meanwhile.`} What you
            typed is still here.
          </MessageBarBody>
          <MessageBarActions>
            <Button size="small" onClick={() => model.keepMine(key)}>
              {saved ? 'Keep mine' : `Keep mine as a new ${noun}`}
            </Button>
            <Button size="small" onClick={onDiscard}>
              {saved ? 'Take theirs' : 'Discard mine'}
            </Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {props.children(issues)}
    </form>
  );
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
