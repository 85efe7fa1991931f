import { Separator } from 'react-resizable-panels';
import styles from './split.module.css';

/** The handle between two panes; arrow keys move it. */
export function Splitter({ label }: { label: string }) {
  return <Separator className={styles.splitter} aria-label={label} />;
}
