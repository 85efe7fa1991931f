import styles from './cut.module.css';

/** A name in one line: cut where it finds no room, and whole in its tooltip. */
export function Cut({ text }: { text: string }) {
  return (
    <span className={styles.cut} title={text}>
      {text}
    </span>
  );
}
