import styles from './kbd.module.css';

/** The keys of a shortcut, drawn as keys. */
export function Kbd({ keys }: { keys: string }) {
  return <kbd className={styles.kbd}>{keys}</kbd>;
}
