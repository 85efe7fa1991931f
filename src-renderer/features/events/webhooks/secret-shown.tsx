import { useCopy } from '../../../frame/use-copy.ts';
import { PlainDialog } from '../../../ui/dialogs/plain-dialog.tsx';
import { Button, Field, Input } from '../../../ui/fluent.ts';
import { CopyRegular } from '../../../ui/icons.ts';
import styles from './webhooks.module.css';

interface Props {
  secret: string;
  onClose: () => void;
}

/** Shows a new secret, this once. It stays open after a copy, because the browser may have denied it. */
export function SecretShown({ secret, onClose }: Props) {
  const toClipboard = useCopy();
  return (
    <PlainDialog
      title="Secret of the webhook"
      width={560}
      className={styles.secret}
      actions={
        <>
          <Button
            appearance="primary"
            icon={<CopyRegular />}
            onClick={() => void toClipboard(secret, 'Copied the secret')}
          >
            Copy
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
      onClose={onClose}
    >
      <p>The receiver verifies messages with it. Copy it now: it is not shown again.</p>
      <Field label="Secret">
        <Input readOnly autoFocus value={secret} onFocus={({ target }) => target.select()} />
      </Field>
    </PlainDialog>
  );
}
