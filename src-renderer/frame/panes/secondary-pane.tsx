import type { KeyboardEvent, ReactNode } from 'react';
import { Button, Tooltip } from '../../ui/fluent.ts';
import { ArrowUndoRegular, DismissRegular } from '../../ui/icons.ts';
import styles from './secondary-pane.module.css';

interface Props {
  /** Its area of the frame, and its name for keys that move between panes. */
  name: 'help' | 'why';
  label: string;
  /** The page of the manual about it. */
  helpId?: string;
  canGoBack: boolean;
  onBack: () => void;
  onClose: () => void;
  /** Returns whether it handled the key. */
  onKey?: (event: KeyboardEvent) => boolean;
  /** Between the buttons Back and Close. */
  head: ReactNode;
  children: ReactNode;
}

/** A pane next to the view that visits one place after another. Alt+Left goes back, Escape closes it. */
export function SecondaryPane(props: Props) {
  const { name, label, helpId, canGoBack, onBack, onClose, onKey, head, children } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    if (onKey?.(event)) return;
    if (event.key === 'Escape') onClose();
    else if (event.altKey && event.key === 'ArrowLeft') onBack();
  };
  return (
    <aside className={styles.pane} aria-label={label} data-pane={name} data-help={helpId} onKeyDown={onKeyDown}>
      <header className={styles.head}>
        <Tooltip content="Back (Alt+Left)" relationship="description">
          <Button
            size="small"
            appearance="subtle"
            icon={<ArrowUndoRegular />}
            aria-label="Back"
            disabledFocusable={!canGoBack}
            onClick={onBack}
          />
        </Tooltip>
        {head}
        <Tooltip content="Close (Esc)" relationship="description">
          <Button size="small" appearance="subtle" icon={<DismissRegular />} aria-label="Close" onClick={onClose} />
        </Tooltip>
      </header>
      {children}
    </aside>
  );
}

/** A pane whose code could not be loaded. */
export function EmptyPane(props: Pick<Props, 'name' | 'label' | 'onClose' | 'children'>) {
  const head = <h2 className={styles.title}>{props.label}</h2>;
  return <SecondaryPane {...props} head={head} canGoBack={false} onBack={() => undefined} />;
}
