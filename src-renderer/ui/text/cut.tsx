import styles from './cut.module.css';

/** A name on one line: cut off if it does not fit, with the full name in the tooltip. */
export function Cut({ text }: { text: string }) {
  return (
    <span className={styles.cut} title={text}>
      {text}
    </span>
  );
}
