import type { Doc } from '../model/doc.ts';
import styles from './editor.module.css';

const MOST_LINES = 100;

/** The body as plain text, in the position and metrics of the editor, until the editor is loaded. */
export function PlainText({ doc }: { doc: Doc }) {
  const lines = doc.text.body.split('\n', MOST_LINES);
  return (
    <div className={styles.plain} aria-busy="true" data-plain-text>
      <div className={styles.plainNumbers} aria-hidden="true">
        {lines.map((_line, index) => `${index + 1}\n`)}
      </div>
      <div className={styles.plainLines}>{lines.join('\n')}</div>
    </div>
  );
}
