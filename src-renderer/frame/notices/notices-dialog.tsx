import { PlainDialog } from '../../ui/dialogs/plain-dialog.tsx';
import { Button, Link } from '../../ui/fluent.ts';
import { Sentence } from '../../ui/text/sentence.tsx';
import { useStore } from '../../support/store.ts';
import type { KeptNotice, Notices } from './notices.ts';
import type { Notice } from '../workbench.ts';
import { clock } from '../../support/moment.ts';
import styles from '../frame.module.css';

const KINDS: Readonly<Record<Notice['intent'], string>> = {
  success: 'Done',
  info: 'Note',
  warning: 'Warning',
  error: 'Error',
};

interface Props {
  notices: Notices;
  onHelp: (place: string) => void;
  onClose: () => void;
}

/** The notices since the window was opened, newest first, with their available actions. */
export function NoticesDialog({ notices, onHelp, onClose }: Props) {
  const kept = useStore(notices);
  return (
    <PlainDialog
      title="Notices"
      width={620}
      before={
        <Button disabledFocusable={kept.length === 0} onClick={() => notices.set([])}>
          Clear
        </Button>
      }
      onClose={onClose}
    >
      {kept.length === 0 ? (
        <p>No notices yet. Messages of Tagwright are listed here.</p>
      ) : (
        <ul className={styles.notices}>
          {kept.map((notice) => (
            <Entry key={notice.id} notice={notice} onHelp={onHelp} onClose={onClose} />
          ))}
        </ul>
      )}
    </PlainDialog>
  );
}

interface EntryProps extends Omit<Props, 'notices'> {
  notice: KeptNotice;
}

function Entry({ notice: { intent, at, title, body, action, help }, onHelp, onClose }: EntryProps) {
  const closeAnd = (next: () => void | Promise<void>) => () => {
    onClose();
    void next();
  };
  return (
    <li>
      <span className={styles.noticeKind} data-intent={intent}>
        {KINDS[intent]}
      </span>
      <span>
        <strong>
          <Sentence text={title} />
        </strong>
        {body && (
          <span className={styles.noticeBody}>
            <Sentence text={body} />
          </span>
        )}
      </span>
      <span>
        {action && (
          <Link as="button" onClick={closeAnd(action.run)}>
            {action.label}
          </Link>
        )}
        {help !== null && (
          <Link as="button" onClick={closeAnd(() => onHelp(help))}>
            Help
          </Link>
        )}
      </span>
      <time dateTime={at.toISOString()}>{clock(at)}</time>
    </li>
  );
}
