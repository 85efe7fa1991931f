import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import type { Script } from '#domain/script';
import { Difference } from './difference.tsx';
import styles from './editor.module.css';

interface Props {
  theirs: Script;
  mine: string;
  onTheirs: () => void;
  onMine: () => void;
  onClose: () => void;
}

/** Their version and what stands here, side by side. */
export function CompareDialog({ theirs, mine, onTheirs, onMine, onClose }: Props) {
  return (
    <Dialog open onOpenChange={(_event, { open }) => !open && onClose()}>
      <DialogSurface style={{ maxWidth: 'min(1200px, calc(100vw - 48px))' }}>
        <DialogBody>
          <DialogTitle>Version {theirs.version} of the other window (left) and yours (right)</DialogTitle>
          <DialogContent>
            <Difference
              className={styles.difference}
              left={{ text: theirs.body, label: 'Version of the other window' }}
              right={{ text: mine, label: 'Yours' }}
            />
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>Back to the editor</Button>
            <Button onClick={onTheirs}>Take theirs</Button>
            <Button appearance="primary" onClick={onMine}>
              Keep mine as a new version
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
