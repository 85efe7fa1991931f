import type { ReactNode } from 'react';
import { Panel, Separator } from 'react-resizable-panels';
import styles from './split.module.css';

/** The handle between two panes; arrow keys move it. */
export function Splitter({ label }: { label: string }) {
  return <Separator className={styles.splitter} aria-label={label} />;
}

interface SidePanelProps {
  id: string;
  className: string | undefined;
  /** In px. */
  least: number;
  /** Initial size: in px, or as a fraction of the whole. */
  size: number | `${number}%`;
  children: ReactNode;
}

/** A pane next to another one: it keeps its size when the window is resized. */
export function SidePanel({ id, className, least, size, children }: SidePanelProps) {
  return (
    <Panel id={id} className={className} minSize={least} defaultSize={size} groupResizeBehavior="preserve-pixel-size">
      {children}
    </Panel>
  );
}
