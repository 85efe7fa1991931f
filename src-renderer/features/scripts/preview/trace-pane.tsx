import { Link } from '@fluentui/react-components';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { RunReport } from '#domain/run';
import { useWorkbench } from '../../../frame/workbench.ts';
import { ArrowDownRegular, CodeRegular, GlobeRegular, EditRegular } from '../../../ui/icons.ts';
import { QualityMark } from '../../../ui/quality.tsx';
import { shownValue } from '../../../ui/shown-value.ts';
import { shownScope } from '../model/trace.ts';
import type { TraceItem } from '../model/trace.ts';
import { useScripts } from '../scripts-context.ts';
import styles from './preview.module.css';

const ROW = 46;

/** Every read and write of the run in order, each leading to its line. */
export function TracePane({ trace, report }: { trace: TraceItem[]; report: RunReport | null }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: trace.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 15,
    initialRect: { width: 400, height: 600 },
  });
  if (!report) return <p className={styles.hint}>This run left no trace.</p>;
  if (trace.length === 0) return <p className={styles.hint}>The script read and wrote no tags.</p>;
  const left = report.dropped.reads + report.dropped.writes + (report.dropped.nested ?? 0);
  return (
    <>
      <div ref={scroller} className={styles.trace} role="region" aria-label="Trace" tabIndex={0}>
        <ol style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const item = trace[index];
            if (!item) return null;
            return (
              <li
                key={index}
                className={styles.traceItem}
                style={{ transform: `translateY(${start}px)`, paddingInlineStart: indentOf(item.depth) }}
                aria-setsize={trace.length}
                aria-posinset={index + 1}
              >
                {item.what === 'run' ? <NestedRunRow item={item} /> : <TraceRow item={item} dryRun={report.dryRun} />}
              </li>
            );
          })}
        </ol>
      </div>
      {left > 0 && (
        <p className={styles.dropped}>
          {left} more were left out: a report holds {trace.length} of them.
        </p>
      )}
    </>
  );
}

/** Deep levels share an indent, so that there is room for their paths. */
const indentOf = (depth: number): string | undefined => (depth > 0 ? `${12 + Math.min(depth, 8) * 14}px` : undefined);

/** The head of a nested run: whose script it was, how it ended, and what it said. */
function NestedRunRow({ item: { run, depth } }: { item: Extract<TraceItem, { what: 'run' }> }) {
  const { show } = useWorkbench();
  const said = run.console.map(({ text }) => text).join('\n');
  return (
    <>
      <div className={styles.traceLine}>
        <span className={styles.what} data-what="run">
          <CodeRegular aria-hidden />
          {run.access === 'read' ? 'Read script' : 'Write script'}
        </span>
        <button
          type="button"
          className={styles.path}
          title={`${[...run.through, run.tag].join(' → ')}\nShow the tag`}
          onClick={() => show('tags', run.tag)}
        >
          <bdi>{run.tag}</bdi>
        </button>
        {run.parent === null && <CallLine line={run.line} depth={depth} />}
      </div>
      <div className={styles.traceLine} data-second="true">
        <span className={styles.value} data-status={run.status} title={run.error?.message ?? said}>
          {run.error ? `${errorPlace(run.error.line)}${run.error.message}` : said || run.status}
        </span>
        <span className={styles.traceMeta}>
          {run.status} · {run.timing.totalMs.toFixed(1)} ms
        </span>
      </div>
    </>
  );
}

const errorPlace = (line: number | null): string => (line === null ? '' : `line ${line}: `);

/** Where a call was made: a link where that is in the script of the editor. */
function CallLine({ line, depth }: { line: number | null; depth: number }) {
  const { editor } = useScripts();
  if (line === null) return null;
  if (depth > 0) return <span className={styles.line}>line {line}</span>;
  return (
    <Link className={styles.line} onClick={() => editor.get()?.goTo(line, 1)}>
      line {line}
    </Link>
  );
}

function TraceRow({ item, dryRun }: { item: Exclude<TraceItem, { what: 'run' }>; dryRun: boolean }) {
  const { show } = useWorkbench();
  return (
    <>
      <div className={styles.traceLine}>
        <span className={styles.what} data-what={item.what}>
          {item.what === 'read' && <ArrowDownRegular aria-hidden />}
          {item.what === 'write' && <EditRegular aria-hidden />}
          {item.what === 'call' && <GlobeRegular aria-hidden />}
          {item.what === 'read' ? 'Read' : item.what === 'write' ? 'Write' : item.method}
        </span>
        {item.what === 'call' ? (
          <span className={styles.path}>{item.url}</span>
        ) : (
          <button
            type="button"
            className={styles.path}
            title={`${item.path}\nShow the tag`}
            onClick={() => show('tags', item.path)}
          >
            <bdi>{item.path}</bdi>
          </button>
        )}
        <CallLine line={item.line} depth={item.depth} />
      </div>
      <div className={styles.traceLine} data-second="true">
        {item.what === 'read' && (
          <>
            <span className={styles.value} title={shownValue(item.value, 2_000)}>
              {shownValue(item.value)}
            </span>
            <QualityMark quality={item.quality} reason={item.reason} />
          </>
        )}
        {item.what === 'write' && (
          <span
            className={styles.value}
            title={`${shownValue(item.before, 1_000)}\n→ ${shownValue(item.value, 1_000)}`}
          >
            <s>{shownValue(item.before, 60)}</s> → {shownValue(item.value)}
          </span>
        )}
        {item.what === 'call' && <span className={styles.value}>{item.statusCode}</span>}
        <span className={styles.traceMeta}>
          {item.what !== 'call' && `${item.type} · ${shownScope(item)} · `}
          {item.at.toFixed(1)} ms{item.what === 'write' && dryRun ? ' · not kept' : ''}
        </span>
      </div>
    </>
  );
}
