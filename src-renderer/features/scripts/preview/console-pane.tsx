import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { ConsoleLevel, RunReport } from '#domain/run/run';
import { BugRegular, ChevronRightRegular, ErrorCircleFilled, InfoRegular, WarningFilled } from '../../../ui/icons.ts';
import styles from './outcomes.module.css';

const LEVEL_ICONS: Readonly<Record<ConsoleLevel, typeof BugRegular>> = {
  log: ChevronRightRegular,
  info: InfoRegular,
  warn: WarningFilled,
  error: ErrorCircleFilled,
  debug: BugRegular,
};

/** The console output of the script. */
export function ConsolePane({ report }: { report: RunReport | null }) {
  const scroller = useRef<HTMLDivElement>(null);
  const entries = report?.console ?? [];
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 24,
    overscan: 20,
    initialRect: { width: 400, height: 600 },
  });
  if (!report) return <p className={styles.hint}>This run has no console output.</p>;
  if (entries.length === 0) return <p className={styles.hint}>The script wrote nothing to the console.</p>;
  return (
    <>
      <div ref={scroller} className={styles.console} role="log" aria-label="Console" tabIndex={0}>
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const entry = entries[index];
            if (!entry) return null;
            const Icon = LEVEL_ICONS[entry.level];
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                data-level={entry.level}
                className={styles.entry}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span className={styles.level}>
                  <Icon aria-hidden />
                  {entry.level}
                </span>
                <span className={styles.entryText}>{entry.text}</span>
                <span className={styles.at}>{entry.at.toFixed(1)} ms</span>
              </div>
            );
          })}
        </div>
      </div>
      {report.dropped.console > 0 && (
        <p className={styles.dropped}>{report.dropped.console} more entries dropped (limits.consoleEntries).</p>
      )}
    </>
  );
}
