import { Button, MessageBar, MessageBarActions, MessageBarBody } from '@fluentui/react-components';
import type { OpenState } from './model/open-diagram.ts';
import styles from './diagrams.module.css';

interface Props {
  elsewhere: OpenState['elsewhere'];
  /** Whether what is not saved outlives the window. */
  keeps: boolean;
  /** Whether the page could be made anew as it is. */
  canMake: boolean;
  onSaveOver: () => void;
  onShowTheirs: () => void;
  onMakeAnew: () => void;
  onLetGo: () => void;
}

/** What another window did with the Diagram that is open, and what can be done about it. */
export function WarningBars({ elsewhere, keeps, canMake, ...on }: Props) {
  return (
    <>
      {elsewhere === 'saved' && (
        <MessageBar intent="warning" className={styles.message}>
          <MessageBarBody>This Diagram was saved by another window meanwhile. Your work is kept here.</MessageBarBody>
          <MessageBarActions>
            <Button size="small" title="Saves it over theirs" onClick={on.onSaveOver}>
              Keep mine
            </Button>
            <Button size="small" title="Undo brings yours back" onClick={on.onShowTheirs}>
              Take theirs
            </Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {elsewhere === 'deleted' && (
        <MessageBar intent="warning" className={styles.message}>
          <MessageBarBody>This Diagram was deleted by another window. What you see is kept here.</MessageBarBody>
          <MessageBarActions>
            <Button size="small" disabledFocusable={!canMake} onClick={on.onMakeAnew}>
              Keep mine as a new Diagram
            </Button>
            <Button size="small" onClick={on.onLetGo}>
              Discard mine
            </Button>
          </MessageBarActions>
        </MessageBar>
      )}
      {!keeps && (
        <MessageBar intent="warning" className={styles.message}>
          <MessageBarBody>This browser keeps no unsaved work: save before you close the window.</MessageBarBody>
        </MessageBar>
      )}
    </>
  );
}
