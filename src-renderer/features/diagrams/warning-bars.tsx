import { Button, MessageBar, MessageBarActions, MessageBarBody } from '../../ui/fluent.ts';
import type { OpenState } from './model/open-diagram.ts';
import styles from './diagrams.module.css';

interface Props {
  elsewhere: OpenState['elsewhere'];
  /** Whether unsaved changes outlive the window. */
  keeps: boolean;
  /** Whether the page can be recreated as it is. */
  canMake: boolean;
  onSaveOver: () => void;
  onShowTheirs: () => void;
  onRecreate: () => void;
  onDiscard: () => void;
}

/** What another window did to the open Diagram, and the choices. */
export function WarningBars({ elsewhere, keeps, canMake, ...on }: Props) {
  return (
    <>
      {elsewhere === 'saved' && (
        <MessageBar intent="warning" className={styles.message}>
          <MessageBarBody>Another window saved this Diagram. Your changes are kept here.</MessageBarBody>
          <MessageBarActions>
            <Button size="small" title="Overwrite their version" onClick={on.onSaveOver}>
              Keep mine
            </Button>
            <Button size="small" title="Undo restores your version" onClick={on.onShowTheirs}>
              Use theirs
            </Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {elsewhere === 'deleted' && (
        <MessageBar intent="warning" className={styles.message}>
          <MessageBarBody>Another window deleted this Diagram. What you see is kept here.</MessageBarBody>
          <MessageBarActions>
            <Button size="small" disabledFocusable={!canMake} onClick={on.onRecreate}>
              Keep mine as a new Diagram
            </Button>
            <Button size="small" onClick={on.onDiscard}>
              Discard mine
            </Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {!keeps && (
        <MessageBar intent="warning" className={styles.message}>
          <MessageBarBody>This browser can't store unsaved changes: save before you close the window.</MessageBarBody>
        </MessageBar>
      )}
    </>
  );
}
