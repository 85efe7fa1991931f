import type { ReactNode } from 'react';
import { PlainDialog } from '../../../ui/dialogs/plain-dialog.tsx';
import { Button } from '../../../ui/fluent.ts';
import { type Compared, Difference } from './difference.tsx';
import styles from './editor.module.css';

interface Props {
  title: string;
  theirs: Compared;
  mine: Compared;
  /** The decisions, after the button that leaves everything as it is. */
  actions: ReactNode;
  onClose: () => void;
}

/** The other window's text and the current one, side by side. */
export function CompareDialog({ title, theirs, mine, actions, onClose }: Props) {
  return (
    <PlainDialog
      title={title}
      width="min(1200px, calc(100vw - 48px))"
      actions={
        <>
          <Button onClick={onClose}>Back to the editor</Button>
          {actions}
        </>
      }
      onClose={onClose}
    >
      <Difference className={styles.difference} left={theirs} right={mine} />
    </PlainDialog>
  );
}
