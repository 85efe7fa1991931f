import { useWorkbench } from '../../../frame/workbench.ts';
import { PlainDialog } from '../../../ui/dialogs/plain-dialog.tsx';
import { Button, Spinner } from '../../../ui/fluent.ts';
import { moment } from '../../../support/moment.ts';
import { ReadOnlyText } from '../editor/read-only-text.tsx';
import { useVersion } from './use-history.ts';
import styles from './history.module.css';

/** A version of a script, and a line of it. */
export interface ShownVersion {
  scriptId: number;
  version: number;
  line: number | null;
}

interface Props {
  shown: ShownVersion;
  /** Opens the script as it is now. */
  onOpen: () => void;
  onClose: () => void;
}

/** The text of one version of a script as it was saved, with a line of it. */
export function VersionDialog({ shown: { scriptId, version, line }, onOpen, onClose }: Props) {
  const { client } = useWorkbench();
  const found = useVersion(client, scriptId, version);
  const saved = found.state === 'there' && found.value.version === version ? found.value : null;
  const name = saved ? `${saved.group}/${saved.name}` : '';
  return (
    <PlainDialog
      title={saved ? `Version ${version} of “${name}”` : `Version ${version}`}
      width="min(960px, calc(100vw - 48px))"
      className={styles.version}
      onClose={onClose}
      before={<Button onClick={onOpen}>Open the current version</Button>}
    >
      {found.state === 'failed' ? (
        <p role="alert">The version could not be read: {found.reason}</p>
      ) : saved ? (
        <>
          <p className={styles.hint}>
            Saved {moment(new Date(saved.savedAt))}. Read-only
            {line !== null && `, line ${line} is highlighted`}.
          </p>
          <ReadOnlyText
            className={styles.versionText}
            text={saved.body}
            line={line}
            label={`Version ${version} of ${name}`}
          />
        </>
      ) : (
        <Spinner size="tiny" label="Reading the version…" />
      )}
    </PlainDialog>
  );
}
