import type { ReactNode } from 'react';
import { Button, Dialog, DialogActions, DialogBody, DialogContent, DialogSurface, DialogTitle } from '../fluent.ts';
import { Sentence } from '../text/sentence.tsx';

interface Props {
  title: string;
  /** The label of the form's button: a verb. */
  action: string;
  /** Default: the form can be submitted. */
  disabled?: boolean;
  /** While true, the form is being submitted: it can be neither submitted nor closed. */
  busy?: boolean;
  /** In px. */
  width?: number;
  /** For the content, usually a column of fields. */
  className?: string | undefined;
  /** Does not close itself: a rejected form stays open. */
  onSubmit: () => void | Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog: Enter submits it, Escape closes it. */
export function FormDialog(props: Props) {
  const { title, action, disabled = false, busy = false, width = 480, className, onSubmit, onClose, children } = props;
  return (
    <Dialog open onOpenChange={(_event, { open }) => !open && !busy && onClose()}>
      <DialogSurface style={{ maxWidth: width }}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!disabled && !busy) void onSubmit();
          }}
        >
          <DialogBody>
            <DialogTitle>
              <Sentence text={title} />
            </DialogTitle>
            <DialogContent className={className}>{children}</DialogContent>
            <DialogActions>
              <Button disabledFocusable={busy} onClick={onClose}>
                Cancel
              </Button>
              <Button appearance="primary" type="submit" disabledFocusable={disabled || busy}>
                {action}
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  );
}
