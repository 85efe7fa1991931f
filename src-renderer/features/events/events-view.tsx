import { type KeyboardEvent, memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Group, Panel, useDefaultLayout } from 'react-resizable-panels';
import type { AggregationEvent } from '#domain/event/event';
import type { ApiRequest } from '#domain/mock/api-request';
import type { Rule } from '#domain/rule/rule';
import type { Client } from '../../client/client.ts';
import { useTagFormats } from '../../client/tag-formats.ts';
import { useQuery } from '../../client/use-query.ts';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import { whyEntry } from '../../frame/why/why-button.tsx';
import { useWhySubject } from '../../frame/why/use-why.ts';
import type { ViewProps } from '../../frame/view.ts';
import { Tab, TabList } from '../../ui/fluent.ts';
import { SidePane } from '../../frame/panes/side-pane.tsx';
import { Splitter } from '../../ui/split.tsx';
import { useStore } from '../../support/store.ts';
import { useKeptLook } from '../../ui/lists/grid-look.ts';
import { RowMenu } from '../../ui/lists/row-menu.tsx';
import type { RowChoice } from '../../ui/lists/row-events.ts';
import { type GridColumn, VirtualGrid } from '../../ui/lists/virtual-grid.tsx';
import { TableTime, TIME_WITH_MS_WIDTH } from '../../ui/text/table-time.tsx';
import { BulkActions } from './bulk.tsx';
import { CheckButton } from './check/check-button.tsx';
import { ConsumerDetails } from './consumer-details.tsx';
import { ConsumersPane, FaultBanner, useConsumers } from './consumers-pane.tsx';
import { EventDetails } from './event-details.tsx';
import { Filters } from './filters.tsx';
import { EventFeed, type EventsFilter } from './model/event-feed.ts';
import { NOTHING_SELECTED, between, isSelected, onlyThis, sizeOf, toggled } from './model/selection.ts';
import { RequestDetails } from './request-details.tsx';
import { RequestsPane, useRequests } from './requests-pane.tsx';
import { TestEvents } from './test-events.tsx';
import { useWebhooksTab } from './webhooks/use-webhooks-tab.tsx';
import styles from './events.module.css';

/** Columns that don't change are not redrawn when rows change. */
const StillFilters = memo(Filters);
const StillBulkActions = memo(BulkActions);
const StillTestEvents = memo(TestEvents);
const StillDetails = memo(EventDetails);
const PANELS = ['events-list', 'events-details'];

/** The keys of the list, and their commands. */
const LIST_KEYS: Readonly<Record<string, string>> = {
  d: 'events.disable',
  r: 'events.activate',
  delete: 'events.delete',
};

const TABS = ['events', 'requests', 'webhooks', 'consumers'] as const;
type EventsTab = (typeof TABS)[number];

/** The target of the requests for an event: `requests:12`. */
const REQUESTS = 'requests:';

/** The anchor of keyboard navigation. */
interface Current {
  event: AggregationEvent;
  /** Its position when it was selected. */
  place: number;
  /** The anchor of a selection with Shift. */
  anchor: { id: number; place: number };
}

/** The inspector: events as external tools see them, and the requests of these tools. */
export function EventsView({ active, target }: ViewProps) {
  const { client, commands, explain } = useWorkbench();
  const [list] = useState(() => new EventFeed(client));
  const { filter, newestFirst, rows, total, revision, loaded, counts, problem } = useStore(list.store);
  const rules = useRules(client, active);
  const requests = useRequests(client, active);
  const formats = useTagFormats(client, active);
  const consumers = useConsumers(client, active);
  const [chosenConsumer, setChosenConsumer] = useState<string | null>(null);
  const [tab, setTab] = useState<EventsTab>('events');
  const [chosenRequest, setChosenRequest] = useState<ApiRequest | null>(null);
  const [current, setCurrent] = useState<Current | null>(null);
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  /** The number of requests from other views: each one replaces the filters of this view. */
  const [targets, setTargets] = useState(0);
  const [menu, setMenu] = useState<{ x: number; y: number } | null>(null);
  useWhySubject(current && `event:${current.event.AggregationEventId}`, active && tab === 'events');
  const webhooks = useWebhooksTab(rules, active && tab === 'webhooks');
  const layout = useDefaultLayout({ id: 'tagwright.events', panelIds: PANELS, storage: localStorage });

  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    list.start(end.signal);
    return () => end.abort();
  }, [list, active]);
  // `rule:3` shows the events of that rule.
  useEffect(() => {
    if (target?.what === 'consumers') setTab('consumers');
    if (target?.what.startsWith(REQUESTS)) setTab('requests');
    const ruleId = /^rule:(\d+)$/.exec(target?.what ?? '')?.[1];
    if (ruleId === undefined) return;
    setTargets((count) => count + 1);
    setSelection(NOTHING_SELECTED);
    setCurrent(null);
    list.setFilter({ active: null, ruleId: Number(ruleId), from: null, to: null });
  }, [list, target]);

  const ruleNames = useMemo(() => new Map(rules.map(({ id, name }) => [id, name])), [rules]);
  const kept = useKeptLook('events');
  const columns = useMemo(() => columnsWith(ruleNames), [ruleNames]);
  // A new function when rows change, so that the grid redraws them.
  // oxlint-disable-next-line react/exhaustive-deps -- `revision` stands for what the list holds
  const rowAt = useCallback((index: number) => list.rowAt(index), [list, revision]);
  const onRange = useCallback((first: number, last: number) => list.show(first, last), [list]);
  const found = current ? list.placeOf(current.event.AggregationEventId) : -1;
  const activeIndex = current ? (found >= 0 ? found : Math.min(current.place, rows - 1)) : -1;
  // The current version in the list; else the version at selection.
  const chosen = found >= 0 ? list.rowAt(found) : current?.event;
  const consumer = consumers.find(({ name }) => name === chosenConsumer);
  const choose = async (index: number, { extend, toggle }: RowChoice) => {
    const event = await list.fetchAt(index);
    if (!event) return;
    const id = event.AggregationEventId;
    const anchor = extend && current ? current.anchor : { id, place: index };
    if (extend) setSelection(between(anchor.id, id, Math.abs(index - anchor.place) + 1));
    else setSelection(toggle ? toggled(selection, id) : onlyThis(id));
    setCurrent({ event, place: index, anchor });
  };
  const latest = useRef(choose);
  latest.current = choose;
  const onChoose = useCallback((index: number, how: RowChoice) => void latest.current(index, how), []);
  const chooseNothing = useCallback(() => {
    setSelection(NOTHING_SELECTED);
    setCurrent(null);
  }, []);
  const onFilter = useCallback(
    (next: EventsFilter) => {
      chooseNothing();
      list.setFilter(next);
    },
    [list, chooseNothing],
  );
  const onOrder = useCallback(
    (order: boolean) => {
      chooseNothing();
      list.setNewestFirst(order);
    },
    [list, chooseNothing],
  );
  const chooseAll = async () => {
    // The number of events is known when any page is loaded.
    await list.fetchAt(0);
    const { total: all, newestFirst: isDescending } = list.store.get();
    const newest = await list.fetchAt(isDescending ? 0 : all - 1);
    if (newest) setSelection(between(0, newest.AggregationEventId, all));
  };
  const onKey = (event: KeyboardEvent) => {
    const id = LIST_KEYS[event.key.toLowerCase()];
    if (id === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    commands.run(id);
  };
  const bar = useRef<HTMLDivElement>(null);
  const section = 'Events';
  useCommands([
    {
      id: 'events.list',
      section,
      title: 'Show the events',
      keys: 'Alt+1',
      enabled: active,
      run: () => setTab('events'),
    },
    {
      id: 'events.requests',
      section,
      title: 'Show the requests',
      keys: 'Alt+2',
      enabled: active,
      run: () => setTab('requests'),
    },
    {
      id: 'events.consumers',
      section,
      title: 'Show the consumers',
      keys: 'Alt+4',
      enabled: active,
      run: () => setTab('consumers'),
    },
    {
      id: 'events.webhooks',
      section,
      title: 'Show the webhooks',
      keys: 'Alt+3',
      enabled: active,
      run: () => setTab('webhooks'),
    },
    {
      id: 'events.filter',
      section,
      title: 'Filter the events',
      keys: 'Ctrl+F',
      enabled: active && tab === 'events',
      run: () => bar.current?.querySelector<HTMLElement>('[role="combobox"]')?.focus(),
    },
  ]);

  return (
    <Group className={styles.view} orientation="horizontal" {...layout}>
      <Panel id="events-list" className={styles.pane} minSize={400}>
        <section className={styles.list} aria-label="Event list" data-pane="event-list">
          <header className={styles.bar}>
            <TabList
              size="small"
              selectedValue={tab}
              onTabSelect={(_event, { value }) => setTab(TABS.find((one) => one === value) ?? 'events')}
            >
              <Tab value="events">Events</Tab>
              <Tab value="requests">Requests</Tab>
              <Tab value="webhooks">Webhooks</Tab>
              <Tab value="consumers">Consumers</Tab>
            </TabList>
            <div className={styles.actions}>
              <StillBulkActions
                active={active}
                shown={tab === 'events'}
                filter={filter}
                selection={selection}
                onGone={chooseNothing}
              />
              <div className={styles.testing} hidden={tab !== 'events'}>
                <StillTestEvents active={active && tab === 'events'} ruleId={filter.ruleId} />
              </div>
              <CheckButton active={active} shown={tab === 'consumers'} consumers={consumers} chosen={chosenConsumer} />
            </div>
          </header>
          <FaultBanner consumers={consumers} />
          <div hidden={tab !== 'events'}>
            <StillFilters
              key={targets}
              filter={filter}
              newestFirst={newestFirst}
              rules={rules}
              bar={bar}
              onFilter={onFilter}
              onOrder={onOrder}
            />
          </div>
          <RequestsPane
            requests={requests}
            address="the address in the status bar"
            target={target}
            active={active}
            shown={tab === 'requests'}
            chosen={chosenRequest?.seq ?? null}
            onChoose={setChosenRequest}
          />
          <ConsumersPane
            consumers={consumers}
            shown={tab === 'consumers'}
            chosen={chosenConsumer}
            onChoose={setChosenConsumer}
          />
          {tab === 'webhooks' && webhooks.list}
          {tab !== 'events' ? null : problem !== null ? (
            <p className={styles.hint} role="alert">
              The events could not be loaded: {problem}
            </p>
          ) : loaded && rows === 0 ? (
            <p className={styles.hint}>
              No events match. Rules that trigger events create them when they fire. Choose Create test events to fire
              one.
            </p>
          ) : (
            <VirtualGrid
              label="Events"
              columns={columns}
              kept={kept}
              count={rows}
              loading={!loaded}
              rowAt={rowAt}
              activeIndex={activeIndex}
              activeKey={current?.event.AggregationEventId}
              isSelected={(index) => isSelected(selection, list.rowAt(index)?.AggregationEventId ?? 0)}
              onChoose={onChoose}
              onChooseAll={() => void chooseAll()}
              onKey={onKey}
              onMenu={(index, at) => {
                if (!isSelected(selection, list.rowAt(index)?.AggregationEventId ?? 0))
                  onChoose(index, { extend: false, toggle: false });
                setMenu(at);
              }}
              onRange={onRange}
            />
          )}
          {menu && current && tab === 'events' && (
            <RowMenu
              at={menu}
              onClose={() => setMenu(null)}
              entries={[
                { title: 'Disable', keys: 'D', run: () => void commands.run('events.disable') },
                { title: 'Re-activate', keys: 'R', run: () => void commands.run('events.activate') },
                { title: 'Delete', keys: 'Delete', run: () => void commands.run('events.delete') },
                whyEntry(`event:${current.event.AggregationEventId}`, explain),
              ]}
            />
          )}
          <div className={styles.foot} role="status">
            {tab === 'webhooks' ? (
              webhooks.foot
            ) : tab === 'consumers' ? (
              countText(consumers.length, 'consumer')
            ) : tab === 'requests' ? (
              countText(requests.length, 'request')
            ) : (
              <>
                {sizeOf(selection) > 1 && `${sizeOf(selection).toLocaleString('en')} selected of `}
                {total.toLocaleString('en')} listed; {counts.active.toLocaleString('en')} active,{' '}
                {counts.disabled.toLocaleString('en')} disabled
              </>
            )}
          </div>
        </section>
      </Panel>
      <Splitter label="Width of the details" />
      <SidePane
        id="events-details"
        side="right"
        title="details"
        active={active}
        className={styles.pane}
        least={280}
        size={380}
      >
        <section className={styles.side} aria-label="Event details" data-pane="event-details">
          {tab === 'webhooks' ? (
            webhooks.details
          ) : tab === 'requests' && chosenRequest ? (
            <RequestDetails key={chosenRequest.seq} request={chosenRequest} />
          ) : tab === 'consumers' && consumer ? (
            <ConsumerDetails key={consumer.name} consumer={consumer} requests={requests} active={active} />
          ) : tab === 'events' && chosen ? (
            <StillDetails
              event={chosen}
              rule={rules.find(({ id }) => id === chosen.RuleId)}
              formats={formats}
              ruleName={ruleNames.get(chosen.RuleId) ?? `Rule ${chosen.RuleId}, deleted`}
              requests={requests}
            />
          ) : (
            <p className={styles.hint}>
              {tab === 'events'
                ? 'Select an event to see its data row and the requests for it.'
                : tab === 'requests'
                  ? 'Select a request to see its headers and bodies.'
                  : 'Select a consumer to see what it does, and to inject faults.'}
            </p>
          )}
        </section>
      </SidePane>
    </Group>
  );
}

/** The cells of an event in the list, given the rule names by id. */
function columnsWith(ruleNames: ReadonlyMap<number, string>): GridColumn<AggregationEvent>[] {
  return [
    { name: 'Id', keep: 'shown', width: '66px', cell: (event) => event.AggregationEventId, look: 'number' },
    { name: 'Time', width: TIME_WITH_MS_WIDTH, cell: (event) => <TableTime at={new Date(event.EventDateTime)} ms /> },
    {
      name: 'Rule',
      width: 'minmax(100px, 360px)',
      cell: (event) => ruleNames.get(event.RuleId) ?? `Rule ${event.RuleId}`,
      hint: (event) => ruleNames.get(event.RuleId) ?? '',
    },
    {
      name: 'State',
      width: '76px',
      cell: (event) => <State active={event.Active} />,
      hint: (event) => (event.Active ? 'active' : 'disabled'),
    },
    {
      name: 'Row',
      width: 'minmax(64px, 1fr)',
      cell: (event) => `${event.ResultTableName} ${event.ResultTableRecordId}`,
      look: 'code',
    },
  ];
}

const countText = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

/** By color and shape, so that it is seen at a glance. */
function State({ active }: { active: boolean }) {
  return (
    <span className={styles.state} data-state={active ? 'active' : 'disabled'}>
      {active ? 'active' : 'disabled'}
    </span>
  );
}

const NO_RULES: readonly Rule[] = [];

/** All rules, kept current. */
function useRules(client: Pick<Client, 'rules'>, active: boolean): readonly Rule[] {
  const query = useMemo(
    () => ({
      read: (signal: AbortSignal) => client.rules.list(undefined, { signal }),
      changes: [(signal: AbortSignal) => client.rules.changes(undefined, { signal })],
    }),
    [client],
  );
  return useQuery(query, active).data ?? NO_RULES;
}
