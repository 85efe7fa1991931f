import type { Script } from '#domain/run/script';
import { PlainDialog } from '../../../ui/dialogs/plain-dialog.tsx';
import { Button } from '../../../ui/fluent.ts';
import { Difference } from './difference.tsx';
import styles from './editor.module.css';

interface Props {
  theirs: Script;
  mine: string;
  onTheirs: () => void;
  onMine: () => void;
  onClose: () => void;
}

/** The other window's version and the current text, side by side. */
export function CompareDialog({ theirs, mine, onTheirs, onMine, onClose }: Props) {
  return (
    <PlainDialog
      title={`Version ${theirs.version} of the other window (left) and your version (right)`}
      width="min(1200px, calc(100vw - 48px))"
      actions={
        <>
          <Button onClick={onClose}>Back to the editor</Button>
          <Button onClick={onTheirs}>Use theirs</Button>
          <Button appearance="primary" onClick={onMine}>
            Keep mine as a new version
          </Button>
        </>
      }
      onClose={onClose}
    >
      <Difference
        className={styles.difference}
        left={{ text: theirs.body, label: 'Version of the other window' }}
        right={{ text: mine, label: 'Yours' }}
      />
    </PlainDialog>
  );
}
