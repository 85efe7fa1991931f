import type { ReactNode } from 'react';
import { Button, Dialog, DialogActions, DialogBody, DialogContent, DialogSurface, DialogTitle } from '../fluent.ts';

interface Props {
  title: ReactNode;
  /** In px, or as CSS. */
  width: number | string;
  /** For the content. */
  className?: string | undefined;
  /** The buttons at the end; by default one that closes. */
  actions?: ReactNode;
  /** The buttons at the start. */
  before?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog for text or progress; Escape closes it. */
export function PlainDialog({ title, width, className, actions, before, onClose, children }: Props) {
  return (
    <Dialog open onOpenChange={(_event, { open }) => !open && onClose()}>
      <DialogSurface style={{ maxWidth: width }}>
        <DialogBody>
          <DialogTitle>{title}</DialogTitle>
          <DialogContent className={className}>{children}</DialogContent>
          <DialogActions>
            {actions ?? (
              <Button appearance="primary" onClick={onClose}>
                Close
              </Button>
            )}
          </DialogActions>
          {before && <DialogActions position="start">{before}</DialogActions>}
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
