import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from '@fluentui/react-components';
import { useEffect, useRef } from 'react';
import type { Script } from '#domain/script';
import { monaco } from './monaco.ts';
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
            <Difference original={theirs.body} modified={mine} />
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>Back to the editor</Button>
            <Button onClick={onTheirs}>Show theirs</Button>
            <Button appearance="primary" onClick={onMine}>
              Keep mine as a new version
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}

function Difference({ original, modified }: { original: string; modified: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return undefined;
    const editor = monaco.editor.createDiffEditor(host.current, {
      automaticLayout: true,
      readOnly: true,
      originalAriaLabel: 'Version of the other window',
      modifiedAriaLabel: 'Yours',
      scrollBeyondLastLine: false,
      minimap: { enabled: false },
      fontSize: 13,
      lineHeight: 20,
    });
    // Plain names: as JavaScript files they would be checked beside the open scripts.
    const models = [original, modified].map((text) => monaco.editor.createModel(text, 'javascript'));
    const [left, right] = models;
    if (left && right) editor.setModel({ original: left, modified: right });
    return () => {
      editor.dispose();
      for (const model of models) model.dispose();
    };
  }, [original, modified]);
  return <div ref={host} className={styles.difference} />;
}
