import { useEffect, useState } from 'react';
import type { Consumer } from '#domain/event/consumer';
import type { Client } from '../../client/client.ts';
import { follow } from '../../client/follow.ts';
import { useWorkbench } from '../../frame/workbench.ts';
import { clock } from '../../support/moment.ts';
import { Button, MessageBar, MessageBarActions, MessageBarBody, MessageBarTitle } from '../../ui/fluent.ts';
import { useKeptLook } from '../../ui/lists/grid-look.ts';
import { type RowOrder, TIME_SORT, useSortedRows } from '../../ui/lists/sorted-rows.ts';
import { type GridColumn, VirtualGrid } from '../../ui/lists/virtual-grid.tsx';
import { TableTime, TIME_WIDTH } from '../../ui/text/table-time.tsx';
import { intervalText } from './model/consumer-texts.ts';
import styles from './events.module.css';

const COLUMNS: readonly GridColumn<Consumer>[] = [
  {
    name: 'Program',
    keep: 'shown',
    width: 'minmax(120px, 2fr)',
    cell: ({ program }) => program || 'not named',
    hint: ({ name }) => name,
    sort: { by: ({ program }) => program },
  },
  {
    name: 'Address',
    width: 'minmax(80px, 120px)',
    cell: ({ address }) => address,
    look: 'code',
    sort: { by: ({ address }) => address },
  },
  {
    name: 'Last poll',
    width: TIME_WIDTH,
    cell: ({ lastPollAt }) => lastPollAt !== null && <TableTime at={new Date(lastPollAt)} />,
    sort: { ...TIME_SORT, by: ({ lastPollAt }) => lastPollAt ?? '' },
  },
  {
    name: 'Interval',
    width: '80px',
    cell: intervalText,
    look: 'number',
    sort: { by: ({ intervalMs }) => intervalMs ?? 0 },
  },
  {
    name: 'Open',
    width: '64px',
    cell: ({ unacknowledged }) => unacknowledged?.count.toLocaleString('en') ?? '',
    hint: () => 'Active events that were sent to it and not acknowledged',
    look: 'number',
    sort: { descendingFirst: true, by: ({ unacknowledged }) => unacknowledged?.count ?? 0 },
  },
  {
    name: 'Errors',
    width: '64px',
    cell: ({ errors }) => errors.toLocaleString('en'),
    look: 'number',
    sort: { descendingFirst: true, by: ({ errors }) => errors },
  },
  {
    name: 'Faults',
    width: 'minmax(70px, 1fr)',
    cell: ({ faults }) => faults && <span className={styles.faults}>{faults.faults.join(', ')}</span>,
    hint: ({ faults }) => (faults === null ? '' : `${faults.injected} injected`),
    sort: { by: ({ faults }) => faults?.faults.join() ?? '' },
  },
];
const ORDER: RowOrder<Consumer> = { keyOf: ({ name }) => name };

interface Props {
  consumers: readonly Consumer[];
  shown: boolean;
  /** The name of the selected one. */
  chosen: string | null;
  onChoose: (name: string | null) => void;
}

/** The programs that use the events API. */
export function ConsumersPane({ consumers, shown: isShown, chosen, onChoose }: Props) {
  const kept = useKeptLook('consumers', { name: 'Last poll', descending: true });
  const shown = useSortedRows(consumers, kept, COLUMNS, ORDER);
  if (!isShown) return null;
  if (shown.length === 0) {
    return <p className={styles.hint}>No program has used the events API since Tagwright was started.</p>;
  }
  return (
    <VirtualGrid
      label="Consumers"
      columns={COLUMNS}
      kept={kept}
      count={shown.length}
      rowAt={(index) => shown[index]}
      activeIndex={shown.findIndex(({ name }) => name === chosen)}
      activeKey={chosen ?? undefined}
      onChoose={(index) => onChoose(shown[index]?.name ?? null)}
    />
  );
}

/** Says for which consumers faults are injected, in all tabs of the view. */
export function FaultBanner({ consumers }: { consumers: readonly Consumer[] }) {
  const { client, notify } = useWorkbench();
  const affected = consumers.flatMap(({ name, faults }) => (faults ? { name, faults } : []));
  const [first] = affected;
  if (!first) return null;
  const end = () => {
    client.consumers.endFaults({}).catch((error: unknown) => {
      notify({ intent: 'error', title: 'The faults were not ended', error });
    });
  };
  return (
    <MessageBar intent="warning" className={styles.banner ?? ''}>
      <MessageBarBody>
        <MessageBarTitle>Faults are injected</MessageBarTitle>
        for {affected.length === 1 ? <bdi>{first.name}</bdi> : `${affected.length} consumers`}, until{' '}
        {clock(new Date(Math.max(...affected.map(({ faults }) => Date.parse(faults.endsAt)))))} at the latest.
      </MessageBarBody>
      <MessageBarActions>
        <Button size="small" onClick={end}>
          End all
        </Button>
      </MessageBarActions>
    </MessageBar>
  );
}

/** The consumers, kept current while the view is visible. */
export function useConsumers(client: Pick<Client, 'consumers'>, active: boolean): readonly Consumer[] {
  const [consumers, setConsumers] = useState<readonly Consumer[]>([]);
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    void follow((signal) => client.consumers.watch(undefined, { signal }), setConsumers, end.signal);
    return () => end.abort();
  }, [client, active]);
  return consumers;
}
