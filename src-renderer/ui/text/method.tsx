import styles from './method.module.css';

/** An HTTP method in its color. */
export function Method({ name }: { name: string }) {
  return (
    <span className={styles.method} data-method={name}>
      {name}
    </span>
  );
}
