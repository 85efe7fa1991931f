import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Field,
} from '@fluentui/react-components';
import { useState } from 'react';
import { problemOfName } from '#domain/script';
import { SuggestField } from '../../../ui/suggest-field.tsx';

interface Props {
  name: string;
  group: string;
  groups: readonly string[];
  onMove: (group: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the group that a script moves to; a new name makes a new group. */
export function MoveDialog({ name, group, groups, onMove, onClose }: Props) {
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const others = groups.filter((other) => other !== group);
  const problem = problemOfName('group', text);
  const submit = () => {
    setTried(true);
    if (problem !== null) return;
    onClose();
    void onMove(text);
  };
  return (
    <Dialog open onOpenChange={(_event, { open }) => !open && onClose()}>
      <DialogSurface style={{ maxWidth: 420 }}>
        <DialogBody>
          <DialogTitle>Move “{name}”</DialogTitle>
          <DialogContent>
            <Field label="To group" required {...(tried && problem ? { validationMessage: problem } : {})}>
              <SuggestField
                autoFocus
                placeholder="Choose a group, or name a new one"
                value={text}
                choices={others}
                onChange={setText}
              />
            </Field>
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button appearance="primary" onClick={submit}>
              Move
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
