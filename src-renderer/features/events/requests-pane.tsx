import { useEffect, useMemo, useRef, useState } from 'react';
import type { ApiRequest } from '#domain/mock/api-request';
import type { Client } from '../../client/client.ts';
import { follow } from '../../client/follow.ts';
import type { ViewTarget } from '../../frame/view.ts';
import { useCopy } from '../../frame/use-copy.ts';
import { whyEntry } from '../../frame/why/why-button.tsx';
import { useWhySubject } from '../../frame/why/use-why.ts';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { ToggleButton } from '../../ui/fluent.ts';
import { PauseRegular } from '../../ui/icons.ts';
import { useKeptLook } from '../../ui/lists/grid-look.ts';
import { type RowOrder, TIME_SORT, arrivalsHint, useSortedRows } from '../../ui/lists/sorted-rows.ts';
import { RowMenu } from '../../ui/lists/row-menu.tsx';
import { type GridColumn, VirtualGrid } from '../../ui/lists/virtual-grid.tsx';
import { TableTime, TIME_WIDTH } from '../../ui/text/table-time.tsx';
import { matchingRequests, sortOf, statusText } from './model/requests.ts';
import styles from './events.module.css';

const COLUMNS: readonly GridColumn<ApiRequest>[] = [
  {
    name: 'Time',
    width: TIME_WIDTH,
    cell: ({ at }) => <TableTime at={new Date(at)} />,
    sort: { ...TIME_SORT, by: ({ seq }) => seq },
  },
  { name: 'Method', width: '60px', cell: ({ method }) => method, sort: { by: ({ method }) => method } },
  {
    name: 'Path',
    keep: 'shown',
    width: 'minmax(110px, 2fr)',
    cell: ({ path }) => path,
    hint: ({ path }) => path,
    look: 'code',
    sort: { by: ({ path }) => path },
  },
  {
    name: 'Status',
    width: 'minmax(64px, 120px)',
    cell: (request) => <StatusMark request={request} />,
    hint: statusText,
    sort: { descendingFirst: true, by: statusText },
  },
  {
    name: 'ms',
    width: '56px',
    cell: ({ ms }) => ms.toFixed(1),
    look: 'number',
    sort: { descendingFirst: true, by: ({ ms }) => ms },
  },
  {
    name: 'Bytes',
    width: '64px',
    cell: ({ bytes }) => bytes.toLocaleString('en'),
    look: 'number',
    sort: { descendingFirst: true, by: ({ bytes }) => bytes },
  },
  {
    name: 'Program',
    width: 'minmax(80px, 1fr)',
    cell: programOf,
    hint: ({ userAgent, client }) => `${client}\n${userAgent}`,
    sort: { by: programOf },
  },
];
const ORDER: RowOrder<ApiRequest> = { keyOf: ({ seq }) => String(seq), arrives: true };

function programOf({ userAgent, client }: ApiRequest): string {
  return userAgent === '' ? client : userAgent;
}

/** The status of a response by number and color. */
export function StatusMark({ request }: { request: ApiRequest }) {
  return (
    <span className={styles.status} data-sort={sortOf(request)}>
      {statusText(request)}
    </span>
  );
}

interface Props {
  requests: readonly ApiRequest[];
  address: string;
  /** `requests:12` filters by the event 12. */
  target?: ViewTarget | null;
  active: boolean;
  /** Whether its tab is selected. Hidden, it keeps the filter and the paused list. */
  shown: boolean;
  /** The number of the selected request. */
  chosen: number | null;
  onChoose: (request: ApiRequest | null) => void;
}

/** The requests of external tools, newest first. */
export function RequestsPane({ requests, address, target = null, active, shown: isShown, chosen, onChoose }: Props) {
  const { explain } = useWorkbench();
  const copy = useCopy();
  const [menu, setMenu] = useState<{ x: number; y: number; request: ApiRequest } | null>(null);
  const [text, setText] = useState('');
  const [followed, setFollowed] = useState<ViewTarget | null>(null);
  if (target !== followed) {
    setFollowed(target);
    const event = /^requests:(\d*)$/.exec(target?.what ?? '')?.[1];
    if (event !== undefined) setText(event === '' ? '' : `/api/events/${event}`);
  }
  /** The list as it was when it was paused. */
  const [paused, setPaused] = useState<readonly ApiRequest[] | null>(null);
  const kept = useKeptLook('requests', { name: 'Time', descending: true });
  const field = useRef<HTMLInputElement>(null);
  const listed = useSortedRows(paused ?? requests, kept, COLUMNS, ORDER);
  const shown = useMemo(() => matchingRequests(listed, text), [listed, text]);
  const missed = paused ? requests.findIndex(({ seq }) => seq <= (paused[0]?.seq ?? 0)) : 0;
  const pause = () => setPaused(paused ? null : requests);
  useCommands([
    {
      id: 'events.pauseRequests',
      section: 'Events',
      title: paused ? 'Resume the list of requests' : 'Pause the list of requests',
      enabled: active && isShown,
      run: pause,
    },
    {
      id: 'events.filterRequests',
      section: 'Events',
      title: 'Filter the requests',
      keys: 'Ctrl+F',
      enabled: active && isShown,
      run: () => field.current?.focus(),
    },
  ]);
  useWhySubject(chosen === null ? null : `request:${chosen}`, active && isShown);
  if (!isShown) return null;
  return (
    <>
      <div className={styles.bar}>
        <FilterField
          label="Filter requests"
          placeholder="Filter by path, id, status or program"
          className={styles.filter}
          value={text}
          onChange={setText}
          field={field}
        />
        <ToggleButton
          size="small"
          appearance="subtle"
          icon={<PauseRegular />}
          checked={paused !== null}
          onClick={pause}
        >
          Pause
        </ToggleButton>
        <span className={styles.count} role="status">
          {paused && `Paused; ${(missed < 0 ? requests.length : missed).toLocaleString('en')} new`}
        </span>
      </div>
      {requests.length === 0 ? (
        <p className={styles.hint}>No requests from external tools yet. The events API listens at {address}.</p>
      ) : shown.length === 0 ? (
        <p className={styles.hint}>No requests match.</p>
      ) : (
        <VirtualGrid
          label="Requests"
          columns={COLUMNS}
          kept={kept}
          hintOf={arrivalsHint(kept, 'requests')}
          count={shown.length}
          rowAt={(index) => shown[index]}
          activeIndex={shown.findIndex(({ seq }) => seq === chosen)}
          onChoose={(index) => onChoose(shown[index] ?? null)}
          onMenu={(index, at) => {
            const request = shown[index];
            onChoose(request ?? null);
            setMenu(request ? { ...at, request } : null);
          }}
        />
      )}
      {menu && (
        <RowMenu
          at={menu}
          onClose={() => setMenu(null)}
          entries={[
            { title: 'Copy the path', run: () => void copy(menu.request.path, 'Path copied') },
            whyEntry(`request:${menu.request.seq}`, explain),
          ]}
        />
      )}
    </>
  );
}

const MOST_REQUESTS = 1_000;

/** The requests of external tools, newest first, while the view is visible. */
export function useRequests(client: Pick<Client, 'eventsApi'>, active: boolean): readonly ApiRequest[] {
  const [requests, setRequests] = useState<readonly ApiRequest[]>([]);
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    void follow(
      (signal) => client.eventsApi.watchRequests(undefined, { signal }),
      (batch) =>
        setRequests((before) => {
          const known = before[0]?.seq ?? 0;
          const added = batch.filter(({ seq }) => seq > known).toReversed();
          return [...added, ...before].slice(0, MOST_REQUESTS);
        }),
      end.signal,
    );
    return () => end.abort();
  }, [client, active]);
  return requests;
}
