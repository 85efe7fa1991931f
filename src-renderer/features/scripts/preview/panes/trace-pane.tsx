import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import type { ApiCallEntry, RunReport } from '#domain/run/run';
import { isFailed } from '#domain/run/trace';
import { commonGroupOf } from '#domain/tag/tag-path';
import { type TraceItem, ownersOf, pathsOf } from '../../model/trace.ts';
import { TraceMenu, type TraceMenuPlace, subjectOf } from './trace-menu.tsx';
import { NestedRunRow, TraceRow, sourceOf } from './trace-rows.tsx';
import styles from './trace.module.css';
import type { ApiMessage } from '#domain/mock/api-call';
import { useCopyCurl } from '../../../../frame/use-copy-curl.ts';
import { subjectAttributes } from '../../../../frame/why/why-button.tsx';
import { useWorkbench } from '../../../../frame/workbench.ts';
import { Button } from '../../../../ui/fluent.ts';
import { pathTracks } from '../../../../ui/text/path-parts.ts';
import { TagPath } from '../../../../ui/text/tag-path.tsx';
import { Method } from '../../../../ui/text/method.tsx';
import { MessageView } from '../../../../ui/text/message-view.tsx';
import { PlainDialog } from '../../../../ui/dialogs/plain-dialog.tsx';

const ROW = 46;

/** Every read, write and API call of the run in order, each with a link to its line, including nested runs. */
export function TracePane({ trace, report }: { trace: TraceItem[]; report: RunReport | null }) {
  const scroller = useRef<HTMLDivElement>(null);
  const owners = useMemo(() => ownersOf(trace), [trace]);
  const [group, tracks] = useMemo(() => {
    const paths = pathsOf(trace);
    const below = commonGroupOf(paths);
    return [below, pathTracks(paths, { below, icon: false })];
  }, [trace]);
  const [call, setCall] = useState<ApiCallEntry | null>(null);
  const [menu, setMenu] = useState<TraceMenuPlace | null>(null);
  const virtual = useVirtualizer({
    count: trace.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 15,
    initialRect: { width: 400, height: 600 },
  });
  if (!report) return <p className={styles.hint}>This run has no trace.</p>;
  if (trace.length === 0) return <p className={styles.hint}>The script read and wrote no tags, and called no APIs.</p>;
  const { reads, writes, apiCalls = 0, rejected = 0, nested = 0 } = report.dropped;
  const left = reads + writes + apiCalls + rejected + nested;
  return (
    <>
      {group !== '' && (
        <p className={styles.group} title={`The tags of this run are in ${group}`}>
          Tags in <TagPath path={group} />
        </p>
      )}
      <div ref={scroller} className={styles.trace} role="region" aria-label="Trace" tabIndex={0}>
        <ol style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const item = trace[index];
            if (!item) return null;
            const owner = owners[index] ?? null;
            const subject = subjectOf(item);
            return (
              <li
                key={index}
                className={styles.traceItem}
                data-failed={isFailed(item)}
                style={{ transform: `translateY(${start}px)`, paddingInlineStart: indentOf(item.depth) }}
                aria-setsize={trace.length}
                aria-posinset={index + 1}
                {...(subject && subjectAttributes(subject))}
                onContextMenu={(event) => {
                  event.preventDefault();
                  const box = event.currentTarget.getBoundingClientRect();
                  // A key has no position.
                  const at =
                    event.button === 2 ? { x: event.clientX, y: event.clientY } : { x: box.left + 24, y: box.bottom };
                  setMenu({ ...at, item, owner });
                }}
              >
                {item.what === 'run' ? (
                  <NestedRunRow item={item} owner={owner} group={group} tracks={tracks} />
                ) : (
                  <TraceRow
                    item={item}
                    owner={owner}
                    group={group}
                    tracks={tracks}
                    dryRun={report.dryRun}
                    onCall={setCall}
                  />
                )}
              </li>
            );
          })}
        </ol>
      </div>
      {left > 0 && (
        <p className={styles.dropped}>
          {left} more were dropped: a report has at most {trace.length} of them.
        </p>
      )}
      {menu && <TraceMenu place={menu} onClose={() => setMenu(null)} />}
      {call && <CallDialog call={call} onClose={() => setCall(null)} />}
    </>
  );
}

/** Deep levels share an indentation, to leave space for their paths. */
const indentOf = (depth: number): string | undefined => (depth > 0 ? `${12 + Math.min(depth, 8) * 14}px` : undefined);

/** An API call of a run: its request and its response, with secrets masked. */
function CallDialog({ call, onClose }: { call: ApiCallEntry; onClose: () => void }) {
  const { operation, method, url, statusCode, ms, error, request, response } = call;
  const { show, explain } = useWorkbench();
  const why = (logged?: number) => {
    onClose();
    explain({ thing: `call:${logged}` });
  };
  const copyCurl = useCopyCurl();
  const makeMock = (logged?: number) => {
    onClose();
    show('mocks', `mock-of-call:${logged}`);
  };
  return (
    <PlainDialog
      title={`${operation}: ${error ?? `status ${statusCode}`}`}
      width="min(900px, calc(100vw - 48px))"
      className={styles.call}
      onClose={onClose}
      before={
        <>
          {call.logged !== undefined && <Button onClick={() => makeMock(call.logged)}>Create mock</Button>}
          {method !== '' && <Button onClick={() => void copyCurl(call)}>Copy as curl</Button>}
          {call.logged !== undefined && <Button onClick={() => why(call.logged)}>Why?</Button>}
        </>
      }
    >
      <p className={styles.callUrl}>
        <Method name={method} /> {url}
      </p>
      <p className={styles.quiet}>
        {sourceOf(call)} · {ms.toFixed(0)} ms · secrets are masked
      </p>
      <Message label="Request" message={request} />
      {response ? <Message label="Response" message={response} /> : <p>No response.</p>}
    </PlainDialog>
  );
}

function Message({ label, message: { headers, body, bytes } }: { label: string; message: ApiMessage }) {
  return <MessageView label={label} headers={headers} text={body} image={null} bytes={bytes} />;
}
