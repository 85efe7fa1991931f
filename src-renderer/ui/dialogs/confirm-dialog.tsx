import type { ReactNode } from 'react';
import { FormDialog } from './form-dialog.tsx';

interface Props {
  title: string;
  /** The label of the button: the verb of the action. */
  action: string;
  onConfirm: () => void | Promise<void>;
  onClose: () => void;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
}

/** Asks for confirmation before an irreversible action; closes before it runs. */
export function ConfirmDialog({ title, action, onConfirm, onClose, children }: Props) {
  const confirm = () => {
    onClose();
    return onConfirm();
  };
  return (
    <FormDialog title={title} action={action} width={440} onSubmit={confirm} onClose={onClose}>
      {children}
    </FormDialog>
  );
}
