import { useEffect, useRef } from 'react';
import { useStore } from '../../../../support/store.ts';
import { useScripts } from '../../scripts-context.ts';
import styles from './source-view.module.css';

const MOST_LINES = 5_000;

/** The text of a frame that no tab has, such as the expression of a calculation: read only, with its line marked. */
export function SourceView() {
  const { debug } = useScripts();
  const source = useStore(debug.source);
  const current = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (source) current.current?.scrollIntoView({ block: 'center' });
  }, [source]);
  if (!source) return null;
  return (
    <section className={styles.source} aria-label={`Source of ${source.name}`}>
      <p className={styles.head}>
        {source.name} <span className={styles.note}>read only</span>
      </p>
      <div className={styles.lines} role="region" aria-label="Text of the frame" tabIndex={0}>
        {source.text
          .split('\n', MOST_LINES)
          .map((text, index) => ({ text, number: index + 1 }))
          .map(({ text, number }) => (
            <div
              key={number}
              ref={number === source.line ? current : undefined}
              className={styles.line}
              aria-current={number === source.line ? 'step' : undefined}
            >
              <span className={styles.number} aria-hidden="true">
                {number}
              </span>
              <span className={styles.text}>{text}</span>
            </div>
          ))}
      </div>
    </section>
  );
}
