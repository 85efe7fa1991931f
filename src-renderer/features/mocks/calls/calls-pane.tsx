import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Group, Panel, useDefaultLayout } from 'react-resizable-panels';
import type { LoggedCall } from '#domain/mock/api-call';
import { matchesWords } from '../../../frame/palette/palette-filter.ts';
import { useCopyCurl } from '../../../frame/use-copy-curl.ts';
import { whyEntry } from '../../../frame/why/why-button.tsx';
import { useWhySubject } from '../../../frame/why/use-why.ts';
import { focusPane } from '../../../frame/panes/panes.ts';
import { useCommands, useWorkbench } from '../../../frame/workbench.ts';
import { FilterField } from '../../../ui/fields/filter-field.tsx';
import { Button } from '../../../ui/fluent.ts';
import { SidePane } from '../../../frame/panes/side-pane.tsx';
import { Splitter } from '../../../ui/split.tsx';
import { useKeptLook } from '../../../ui/lists/grid-look.ts';
import { type RowOrder, TIME_SORT, arrivalsHint, useSortedRows } from '../../../ui/lists/sorted-rows.ts';
import { type MenuEntry, RowMenu } from '../../../ui/lists/row-menu.tsx';
import { type GridColumn, VirtualGrid } from '../../../ui/lists/virtual-grid.tsx';
import { CallDetails } from './call-details.tsx';
import { Method } from '../../../ui/text/method.tsx';
import { PathCell } from '../../../ui/text/path-cell.tsx';
import { pathTracks } from '../../../ui/text/path-parts.ts';
import { TableTime, TIME_WIDTH } from '../../../ui/text/table-time.tsx';
import styles from '../mocks.module.css';
import { UrlCell } from '../url-cell.tsx';
import type { Client } from '../../../client/client.ts';
import { follow } from '../../../client/follow.ts';

const PANELS = ['calls-list', 'calls-details'];

interface Props {
  active: boolean;
  /** The number of the selected call. */
  chosen: number | null;
  onChoose: (seq: number | null) => void;
  onMakeMock: (seq: number) => void;
}

/** The API calls of scripts, live. */
export function CallsPane({ active, chosen, onChoose, onMakeMock }: Props) {
  const { client, notify, explain } = useWorkbench();
  const [menu, setMenu] = useState<{ x: number; y: number } | null>(null);
  const { calls, loaded, clear } = useCalls(client, active);
  const [filter, setFilter] = useState('');
  const kept = useKeptLook('calls', { name: 'Time', descending: true });
  const filterField = useRef<HTMLInputElement>(null);
  const layout = useDefaultLayout({ id: 'tagwright.mocks.calls', panelIds: PANELS, storage: localStorage });
  const sorted = useSortedRows(calls, kept, COLUMNS, ORDER);
  const rows = useMemo(() => sorted.filter((call) => matchesWords(searchText(call), filter.trim())), [sorted, filter]);
  const columns = useMemo(() => {
    const tags = calls.map(({ tag }) => tag).filter((tag) => tag !== '');
    return columnsOf(pathTracks(tags, { icon: false, least: '0%' }));
  }, [calls]);
  const rowAt = useCallback((index: number) => rows[index], [rows]);
  const call = calls.find(({ seq }) => seq === chosen) ?? null;

  const empty = async () => {
    try {
      await clear();
      onChoose(null);
    } catch (error) {
      notify({ intent: 'error', title: 'The log was not cleared', error });
    }
  };
  const copyCurl = useCopyCurl();
  const makeMock = () => call && onMakeMock(call.seq);
  useWhySubject(call && `call:${call.seq}`, active);
  const entriesOf = (one: LoggedCall): MenuEntry[] => [
    { title: 'Create mock', keys: 'Ctrl+M', run: () => onMakeMock(one.seq) },
    ...(one.method === '' ? [] : [{ title: 'Copy as curl', run: () => void copyCurl(one) }]),
    whyEntry(`call:${one.seq}`, explain),
  ];
  const section = 'API mocks';
  useCommands([
    { id: 'calls.clear', section, title: 'Clear the call log', enabled: active && calls.length > 0, run: empty },
    {
      id: 'calls.makeMock',
      section,
      title: 'Create a mock from the call',
      keys: 'Ctrl+M',
      enabled: active && call !== null,
      run: () => void makeMock(),
    },
    {
      id: 'calls.copyCurl',
      section,
      title: 'Copy the call as curl',
      enabled: active && call !== null && call.method !== '',
      run: () => (call ? copyCurl(call) : undefined),
    },
    {
      id: 'calls.filter',
      section,
      title: 'Filter the calls',
      keys: 'Ctrl+F',
      enabled: active,
      run: () => filterField.current?.focus(),
    },
  ]);
  return (
    <Group className={styles.fill} orientation="horizontal" {...layout}>
      <Panel id="calls-list" className={styles.panel} minSize={400}>
        <section className={styles.list} aria-label="Calls of scripts" data-pane="mocks-calls" data-help="callLog">
          <header className={styles.bar}>
            <FilterField
              field={filterField}
              className={styles.filter}
              label="Filter calls"
              placeholder="Filter by tag, URL, status or mock"
              value={filter}
              onChange={setFilter}
            />
            <Button
              size="small"
              appearance="subtle"
              disabledFocusable={calls.length === 0}
              onClick={() => void empty()}
            >
              Clear
            </Button>
            <span className={styles.count} role="status">
              {loaded ? `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}` : ''}
            </span>
          </header>
          {loaded && rows.length === 0 ? (
            <p className={styles.hint}>
              {calls.length === 0
                ? 'No script has called an API since Tagwright started. Run a script with an API call to see it here.'
                : 'No calls match.'}
            </p>
          ) : (
            <VirtualGrid
              label="Calls"
              columns={columns}
              kept={kept}
              hintOf={arrivalsHint(kept, 'calls')}
              count={rows.length}
              rowAt={rowAt}
              activeIndex={rows.findIndex(({ seq }) => seq === chosen)}
              onChoose={(index) => onChoose(rows[index]?.seq ?? null)}
              onOpen={() => void focusPane('call-details')}
              onMenu={(index, at) => {
                onChoose(rows[index]?.seq ?? null);
                setMenu(rows[index] ? at : null);
              }}
            />
          )}
          {menu && call && <RowMenu at={menu} entries={entriesOf(call)} onClose={() => setMenu(null)} />}
        </section>
      </Panel>
      <Splitter label="Width of the details" />
      <SidePane
        id="calls-details"
        side="right"
        title="details"
        active={active}
        className={styles.panel}
        least={300}
        size={480}
      >
        <section className={styles.side} aria-label="Call details" data-pane="call-details" data-help="callLog">
          {call ? (
            <CallDetails
              key={call.seq}
              call={call}
              onMakeMock={() => void makeMock()}
              onCopyCurl={() => void copyCurl(call)}
            />
          ) : (
            <p className={styles.hint}>
              Select a call to see its request and its response, and to create a mock from it. The newest 1,000 calls
              are kept.
            </p>
          )}
        </section>
      </SidePane>
    </Group>
  );
}

const COLUMNS: readonly GridColumn<LoggedCall>[] = [
  {
    name: 'Time',
    width: TIME_WIDTH,
    cell: ({ at }) => <TableTime at={new Date(at)} />,
    sort: { ...TIME_SORT, by: ({ seq }) => seq },
  },
  {
    name: 'Tag',
    width: 'minmax(140px, 1.6fr)',
    // Drawn by `Caller`, with the tracks of all calls.
    cell: ({ tag }) => tag,
    hint: ({ tag, dryRun }) => `${tag === '' ? 'A script without a tag' : tag}${dryRun ? ', in a dry run' : ''}`,
    sort: { by: ({ tag }) => tag },
  },
  {
    name: 'Method',
    width: '58px',
    cell: ({ method }) => <Method name={method} />,
    look: 'code',
    sort: { by: ({ method }) => method },
  },
  {
    name: 'URL',
    keep: 'shown',
    width: 'minmax(140px, 2.4fr)',
    cell: ({ url }) => <UrlCell url={url} />,
    hint: ({ url }) => url,
    look: 'code',
    sort: { by: ({ url }) => url },
  },
  {
    name: 'Status',
    width: 'minmax(56px, 0.7fr)',
    cell: ({ statusCode, error }) => (
      <span className={isGood(statusCode) ? undefined : styles.badText}>{error ?? statusCode}</span>
    ),
    hint: ({ statusCode, error }) => (error === null ? statusCode : `0: ${error}`),
    // Without a response first, then by number: 500 before 404 before 200.
    sort: { descendingFirst: true, by: ({ statusCode, error }) => error ?? statusCode },
  },
  {
    name: 'ms',
    width: '56px',
    cell: ({ ms }) => ms.toFixed(ms < 100 ? 1 : 0),
    look: 'number',
    sort: { descendingFirst: true, by: ({ ms }) => ms },
  },
  {
    name: 'Source',
    width: 'minmax(80px, 1fr)',
    cell: sourceOf,
    hint: ({ source, mock }) => (source === 'mock' ? `The mock “${mock ?? ''}”` : source),
    sort: { by: sourceOf },
  },
];
const ORDER: RowOrder<LoggedCall> = { keyOf: ({ seq }) => String(seq), arrives: true };

/** `COLUMNS` with the grid tracks of all paths; the order by a column stays that of `COLUMNS`. */
function columnsOf(tracks: string): readonly GridColumn<LoggedCall>[] {
  return COLUMNS.map((column) =>
    column.name === 'Tag' ? { ...column, cell: (call) => <Caller call={call} tracks={tracks} /> } : column,
  );
}

/** The tag whose script sent a call; `tracks` are the grid tracks of all paths in the log. */
function Caller({ call: { tag, dryRun }, tracks }: { call: LoggedCall; tracks: string }) {
  return (
    <span className={styles.caller}>
      {tag === '' ? 'script' : <PathCell path={tag} tracks={tracks} />}
      {dryRun && <span>&nbsp;(dry run)</span>}
    </span>
  );
}

function sourceOf({ source, mock }: LoggedCall): string {
  return source === 'live' ? 'remote server' : (mock ?? source);
}

const isGood = (status: string): boolean => status.startsWith('2');

function searchText({ tag, method, url, statusCode, error, mock, source, dryRun, operation }: LoggedCall): string {
  return [tag, method, url, statusCode, error, mock, source, dryRun ? 'dry run' : '', operation].join('\n');
}

const MOST_CALLS = 1_000;

/** The API calls of scripts, newest first, while visible; and the function that clears the log. */
function useCalls(client: Pick<Client, 'calls'>, active: boolean) {
  const [calls, setCalls] = useState<readonly LoggedCall[]>([]);
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    let first = true;
    void follow(
      (signal) => {
        first = true;
        return client.calls.watch(undefined, { signal });
      },
      (batch) => {
        // The first batch is the complete log: another window may have cleared it, or it is another instance.
        const begins = first;
        first = false;
        setLoaded(true);
        setCalls((before) => {
          const known = begins ? [] : before;
          const last = known[0]?.seq ?? 0;
          const added = batch.filter(({ seq }) => begins || seq > last).toReversed();
          return added.length === 0 && !begins ? before : [...added, ...known].slice(0, MOST_CALLS);
        });
      },
      end.signal,
    );
    return () => end.abort();
  }, [client, active]);
  const clear = useCallback(async () => {
    await client.calls.clear();
    setCalls([]);
  }, [client]);
  return { calls, loaded, clear };
}
