import { type ReactNode, useEffect, useRef, useState } from 'react';
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
  /** Whether closing it would lose input: Escape and a click outside ask first. */
  changed?: boolean;
  /** In px. */
  width?: number;
  /** For the content, usually a column of fields. */
  className?: string | undefined;
  /** Does not close itself: a rejected form stays open. */
  onSubmit: () => void | Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog: Enter submits it, Escape closes it. After a submit, the first invalid field has the focus. */
export function FormDialog(props: Props) {
  const { title, action, disabled = false, busy = false, changed = false, width = 480, className } = props;
  const { onSubmit, onClose, children } = props;
  const [asks, setAsks] = useState(false);
  const [submits, setSubmits] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (submits > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [submits]);
  const submit = async () => {
    if (disabled || busy) return;
    await onSubmit();
    setSubmits((count) => count + 1);
  };
  const focused = useRef<HTMLElement>(null);
  useEffect(() => (asks ? () => focused.current?.focus() : undefined), [asks]);
  const dismiss = () => {
    if (busy) return;
    if (changed) setAsks(true);
    else onClose();
  };
  const dialog = (
    <Dialog open onOpenChange={(_event, { open }) => !open && dismiss()}>
      <DialogSurface style={{ maxWidth: width }}>
        <form
          ref={form}
          noValidate
          onFocus={({ target }) => {
            focused.current = target;
          }}
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
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
  return (
    <>
      {dialog}
      {asks && (
        <FormDialog
          title="Discard the changes?"
          action="Discard"
          width={440}
          onSubmit={onClose}
          onClose={() => setAsks(false)}
        >
          The form has changes that are not saved.
        </FormDialog>
      )}
    </>
  );
}
