import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { jsonTokens } from '../json/json-tokens.ts';
import styles from './lines.module.css';

const ROW = 18;

/** JSON as text with colors; only visible lines are in the document, so that megabytes can be shown. */
export function JsonLines({ text, label }: { text: string; label: string }) {
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => text.split('\n'), [text]);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 30,
    initialRect: { width: 400, height: 600 },
  });
  return (
    <div ref={scroller} className={styles.scroller} role="region" aria-label={label} tabIndex={0}>
      <div style={{ height: virtual.getTotalSize(), position: 'relative', minWidth: 'max-content' }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <div key={index} className={styles.line} style={{ transform: `translateY(${start}px)` }}>
            {jsonTokens(lines[index] ?? '').map(({ sort, text: token, at }) => (
              <span key={at} data-sort={sort}>
                {token}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
