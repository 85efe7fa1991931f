import { Field } from '@fluentui/react-components';
import { useState } from 'react';
import { problemOfName } from '#domain/run/script';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { SuggestField } from '../../../ui/fields/suggest-field.tsx';

interface Props {
  name: string;
  group: string;
  groups: readonly string[];
  onMove: (group: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the new group of a script; a new name creates a group. */
export function MoveDialog({ name, group, groups, onMove, onClose }: Props) {
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const others = groups.filter((other) => other !== group);
  const wanted = text.trim();
  const problem = problemOfName('group', wanted);
  const submit = () => {
    setTried(true);
    if (problem !== null) return;
    onClose();
    void onMove(wanted);
  };
  const shownProblem = problem !== null && (tried || wanted !== '') ? { validationMessage: problem } : {};
  return (
    <FormDialog title={`Move “${name}”`} action="Move" width={420} onSubmit={submit} onClose={onClose}>
      <Field label="To group" required {...shownProblem}>
        <SuggestField
          autoFocus
          placeholder="Choose a group, or name a new one"
          value={text}
          choices={others}
          onChange={setText}
        />
      </Field>
    </FormDialog>
  );
}
