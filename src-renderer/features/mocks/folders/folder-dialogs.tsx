import { useState } from 'react';
import { problemOfFolder, tidyFolder } from '#domain/mock/mock-folder';
import { sentence } from '../../../client/issues.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { SuggestField } from '../../../ui/fields/suggest-field.tsx';
import { Field } from '../../../ui/fluent.ts';
import type { MockListRow } from '../model/list-rows.ts';

interface FolderDialogProps {
  title: string;
  action: string;
  label: string;
  /** Before the explanation of a path. */
  hint?: string;
  initial?: string;
  /** Whether the field may be empty, for no folder. */
  mayBeNone: boolean;
  folders: readonly string[];
  /** '' for none. */
  onChoose: (folder: string) => void;
  onClose: () => void;
}

/** Asks for a folder of mocks: one of the existing ones, or a new one. */
function FolderDialog(props: FolderDialogProps) {
  const { title, action, label, hint = '', initial = '', mayBeNone, folders, onChoose, onClose } = props;
  const [text, setText] = useState(initial);
  const [tried, setTried] = useState(false);
  const wanted = tidyFolder(text);
  const problem = wanted === '' && mayBeNone ? null : problemOfFolder(wanted);
  const shown = problem !== null && (tried || wanted !== '') ? { validationMessage: sentence(problem) } : {};
  const submit = () => {
    setTried(true);
    if (problem !== null) return;
    onClose();
    onChoose(wanted);
  };
  return (
    <FormDialog title={title} action={action} width={420} onSubmit={submit} onClose={onClose}>
      <Field
        label={label}
        hint={`${hint}ERP/Orders is Orders in ERP${mayBeNone ? '. Leave empty for no folder' : ''}`}
        {...shown}
      >
        <SuggestField
          isOftenNew
          autoFocus
          placeholder="Choose a folder, or name a new one"
          value={text}
          choices={folders}
          onChange={setText}
        />
      </Field>
    </FormDialog>
  );
}

interface MoveProps {
  rows: readonly MockListRow[];
  folders: readonly string[];
  onMove: (folder: string) => Promise<void>;
  onClose: () => void;
}

/** Asks where mocks are moved to. */
export function MoveDialog({ rows, folders, onMove, onClose }: MoveProps) {
  const [first] = rows;
  return (
    <FolderDialog
      title={first && rows.length === 1 ? `Move “${first.name || 'New mock'}”` : `Move ${rows.length} mocks`}
      action="Move"
      label="To folder"
      mayBeNone={rows.some(({ folder }) => folder !== '')}
      folders={folders}
      onChoose={(folder) => void onMove(folder)}
      onClose={onClose}
    />
  );
}

interface RecordProps {
  /** '' for none. */
  initial: string;
  folders: readonly string[];
  /** With another one than before; '' for none. */
  onChoose: (folder: string) => void;
  onClose: () => void;
}

/** Asks for the folder of recorded mocks. */
export function RecordFolderDialog({ initial, folders, onChoose, onClose }: RecordProps) {
  return (
    <FolderDialog
      title="Folder for recorded mocks"
      action="Choose"
      label="Folder"
      hint="New recorded mocks go into it. "
      initial={initial}
      mayBeNone
      folders={folders}
      onChoose={(folder) => folder !== initial && onChoose(folder)}
      onClose={onClose}
    />
  );
}
