import type { TagDefinition } from '#domain/tag/tag';
import { useWorkbench } from '../../frame/workbench.ts';
import { TagEditor } from './edit/tag-editor.tsx';
import type { TagEdit, TagEdits } from './edit/tag-edits.ts';
import type { LiveValues, ViewScope } from '../../client/live-values.ts';
import { Button, MessageBar, MessageBarActions, MessageBarBody, MessageBarTitle } from '../../ui/fluent.ts';
import { TagPath } from '../../ui/text/tag-path.tsx';
import type { TagSelection } from './table/selection.ts';
import { TagDetails } from './tag-details.tsx';
import { useDefinition } from './use-definition.ts';
import styles from './tags.module.css';

interface Props {
  active: boolean;
  edit: TagEdit | null;
  edits: TagEdits;
  selection: TagSelection;
  values: LiveValues;
  scope: ViewScope;
  onEdit: (definition: TagDefinition) => void;
  onDuplicate: (definition: TagDefinition) => void;
  onDelete: (definition: TagDefinition) => void;
  onRecreate: (definition: TagDefinition) => void;
  onEnd: (path: string | null, saved?: TagDefinition) => void;
  onResume: (edit: TagEdit) => void;
}

/** The open editor, or the selected tag; a deleted one is shown with a message and can be saved again. */
export function RightPane(props: Props) {
  const { active, edit, edits, selection, values, scope, onRecreate, onEnd, onResume } = props;
  const { client } = useWorkbench();
  const known = useDefinition(client, edit ? null : selection.active, active);
  if (edit) {
    return (
      <TagEditor
        key={edit.id}
        edit={edit}
        edits={edits}
        values={values}
        scope={scope}
        active={active}
        onEnd={onEnd}
        onResume={onResume}
      />
    );
  }
  if (selection.active === null) {
    return <p className={styles.hint}>Select a tag to see its definition and to write it, or create a new one.</p>;
  }
  const definition = known?.definition;
  if (known?.gone) {
    return (
      <MessageBar intent="warning" layout="multiline">
        <MessageBarBody>
          <MessageBarTitle>This tag was deleted</MessageBarTitle>
          <TagPath path={known.path} breaks />
        </MessageBarBody>
        {definition && (
          <MessageBarActions>
            <Button size="small" onClick={() => onRecreate(definition)}>
              Save again…
            </Button>
          </MessageBarActions>
        )}
      </MessageBar>
    );
  }
  if (!definition) return null;
  return (
    // The former tag stays until the next one is known: without its actions, which are for the next one.
    <div className={styles.shown} inert={definition.path !== selection.active}>
      <TagDetails
        key={definition.path}
        tag={definition}
        values={values}
        scope={scope}
        active={active}
        onEdit={() => props.onEdit(definition)}
        onDuplicate={() => props.onDuplicate(definition)}
        onDelete={() => props.onDelete(definition)}
      />
    </div>
  );
}
