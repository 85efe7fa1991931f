import { useState } from 'react';
import { problemOfFolder, tidyFolder } from '#domain/mock/mock-folder';
import { sentence } from '../../../client/issues.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { SuggestField } from '../../../ui/fields/suggest-field.tsx';
import { Field } from '../../../ui/fluent.ts';
import type { MockListRow } from '../model/list-rows.ts';

interface Props {
  rows: readonly MockListRow[];
  folders: readonly string[];
  onMove: (folder: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the folder of mocks; a new name creates a folder. */
export function MoveDialog({ rows, folders, onMove, onClose }: Props) {
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const [first] = rows;
  const wanted = tidyFolder(text);
  const inFolder = rows.some(({ folder }) => folder !== '');
  const why = wanted === '' && inFolder ? null : problemOfFolder(wanted);
  const shown = why !== null && (tried || wanted !== '') ? { validationMessage: sentence(why) } : {};
  const submit = () => {
    setTried(true);
    if (why !== null) return;
    onClose();
    void onMove(wanted);
  };
  return (
    <FormDialog
      title={first && rows.length === 1 ? `Move “${first.name || 'New mock'}”` : `Move ${rows.length} mocks`}
      action="Move"
      width={420}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="To folder"
        hint={inFolder ? 'ERP/Orders is Orders in ERP. Empty: in no folder' : 'ERP/Orders is Orders in ERP'}
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
