import type { ReactNode } from 'react';
import { FormDialog } from './form-dialog.tsx';

interface Props {
  title: string;
  /** What the button says: the verb of what will be done. */
  action: string;
  onConfirm: () => void | Promise<void>;
  onClose: () => void;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
}

/** Asks before something that cannot be undone; closes before it is done. */
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
