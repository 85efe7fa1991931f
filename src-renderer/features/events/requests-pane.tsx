import { useEffect, useState } from 'react';
import type { ApiRequest } from '#domain/mock/api-request';
import { type GridColumn, VirtualGrid } from '../../ui/lists/virtual-grid.tsx';
import { clock } from '../../support/moment.ts';
import styles from './events.module.css';
import type { Client } from '../../client/client.ts';
import { follow } from '../../client/follow.ts';

const COLUMNS: readonly GridColumn<ApiRequest>[] = [
  { name: 'Time', width: '100px', cell: ({ at }) => clock(new Date(at)) },
  { name: 'Method', width: '80px', cell: ({ method }) => method },
  { name: 'Path', width: 'minmax(160px, 2fr)', cell: ({ path }) => path, hint: ({ path }) => path, look: 'code' },
  {
    name: 'Status',
    width: '110px',
    cell: ({ status, outcome }) => (outcome === 'aborted' ? `${status} aborted` : status),
  },
  { name: 'ms', width: '80px', cell: ({ ms }) => ms.toFixed(1), look: 'number' },
  { name: 'Bytes', width: '90px', cell: ({ bytes }) => bytes.toLocaleString('en'), look: 'number' },
  {
    name: 'Program',
    width: 'minmax(120px, 1fr)',
    cell: ({ userAgent, client }) => (userAgent === '' ? client : userAgent),
    hint: ({ userAgent, client }) => `${client}\n${userAgent}`,
  },
];

/** The requests of external tools, newest first. */
export function RequestsPane({ requests, address }: { requests: readonly ApiRequest[]; address: string }) {
  const [chosen, setChosen] = useState<number | null>(null);
  if (requests.length === 0) {
    return <p className={styles.hint}>No requests from external tools yet. The events API listens at {address}.</p>;
  }
  return (
    <VirtualGrid
      label="Requests"
      columns={COLUMNS}
      count={requests.length}
      rowAt={(index) => requests[index]}
      activeIndex={requests.findIndex(({ seq }) => seq === chosen)}
      onChoose={(index) => setChosen(requests[index]?.seq ?? null)}
    />
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
