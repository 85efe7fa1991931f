import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { problemOf } from '../client/errors.ts';
import type { Problem } from '../client/errors.ts';
import type { Issues } from '../client/issues.ts';
import { useCommands, useWorkbench } from '../frame/workbench.ts';
import { Button, MessageBar, MessageBarActions, MessageBarBody } from '../ui/fluent.ts';
import { SaveRegular } from '../ui/icons.ts';
import { SavedElsewhereError } from './drafted-list.ts';
import { useSaveTurns } from './use-save-turns.ts';
import styles from './drafted-editor.module.css';

/** The actions of the editor on its item; a DraftedList. */
interface Model {
  readonly noun: string;
  save: (key: string) => Promise<{ name: string }>;
  isStale: (key: string) => boolean;
  keepMine: (key: string) => void;
}

interface Props<Form> {
  model: Model;
  /** The name of the view in the list of commands. */
  section: string;
  /** The prefix of its command ids: `rules`. */
  commands: string;
  row: { key: string; saved: { name: string } | null; isDraft: boolean };
  form: Form;
  keeps: boolean;
  active: boolean;
  /** The problems of the form that are known while typing. */
  issues: Issues;
  /** Fields that can't be parsed: with any, saving is disabled. */
  unreadable: Issues;
  /** The problems to show before the first attempt to save. */
  visibleIssues: (issues: Issues, tried: boolean) => Issues;
  /** The problems of fields that main reported. */
  refused: (problem: Problem) => Issues;
  onDiscard: () => void;
  /** The fields, given their problems. */
  children: (issues: Issues) => ReactNode;
}

/** A form of a saved item. Its changes are a draft until they are saved, even if another item is selected. */
export function DraftedEditor<Form>(props: Props<Form>) {
  const { model, section, commands, row, form, keeps, active, onDiscard } = props;
  const { notify } = useWorkbench();
  const formElement = useRef<HTMLFormElement>(null);
  const [tried, setTried] = useState(false);
  // The result of saving a form stays until the form changes.
  const [refusal, setRefusal] = useState<{ form: Form; issues: Issues } | null>(null);
  const all = new Map([...props.issues, ...(refusal?.form === form ? refusal.issues : [])]);
  const issues = props.visibleIssues(all, tried);
  const { key, saved, isDraft } = row;
  const { noun } = model;

  const refuse = (refused: Issues) => {
    setTried(true);
    setRefusal({ form, issues: refused });
    setTimeout(() => formElement.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), 0);
  };
  const put = async () => {
    if (props.unreadable.size > 0) return refuse(props.unreadable);
    try {
      const { name } = await model.save(key);
      setTried(false);
      notify({ intent: 'success', title: `Saved “${name}”` });
    } catch (error) {
      if (error instanceof SavedElsewhereError) {
        notify({ intent: 'warning', title: 'Not saved', body: error.message });
      } else {
        const problem = problemOf(error);
        const refused = props.refused(problem);
        if (refused.size > 0) refuse(refused);
        else notify({ intent: 'error', title: `The ${noun} is not saved; the draft is kept`, body: problem.message });
      }
    }
    return undefined;
  };
  // Pressing Enter twice saves once.
  const { saving, save } = useSaveTurns(put, isDraft);
  useCommands([
    {
      id: `${commands}.save`,
      section,
      title: `Save the ${noun}`,
      keys: 'Ctrl+S',
      enabled: active,
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
          {isDraft ? (keeps ? 'Not saved; draft kept' : 'Not saved; lost when you close the page') : 'Saved'}
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
      {model.isStale(key) && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>
            {saved ? `Another window saved this ${noun}.` : `Another window deleted this ${noun}.`} Your changes are
            still here.
          </MessageBarBody>
          <MessageBarActions>
            <Button size="small" onClick={() => model.keepMine(key)}>
              {saved ? 'Keep mine' : `Keep mine as a new ${noun}`}
            </Button>
            <Button size="small" onClick={onDiscard}>
              {saved ? 'Use theirs' : 'Discard mine'}
            </Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {props.children(issues)}
    </form>
  );
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
