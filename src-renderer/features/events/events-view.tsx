import { Dropdown, Option, Tab, TabList } from '@fluentui/react-components';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Group, Panel, useDefaultLayout } from 'react-resizable-panels';
import type { AggregationEvent } from '#domain/event';
import { useWorkbench } from '../../frame/workbench.ts';
import type { ViewProps } from '../../frame/view.ts';
import { Splitter } from '../../ui/split.tsx';
import { useStore } from '../../ui/store.ts';
import { VirtualGrid } from '../../ui/virtual-grid.tsx';
import type { GridColumn, RowChoice } from '../../ui/virtual-grid.tsx';
import { BulkActions } from './bulk.tsx';
import { EventDetails } from './event-details.tsx';
import { EventList } from './model/event-list.ts';
import { RequestsPane } from './requests-pane.tsx';
import { TestEvents } from './test-events.tsx';
import { useRequests, useRules } from './use-stream.ts';
import styles from './events.module.css';

const PANELS = ['list', 'details'];
const ACTIVE_NAMES = { all: 'All', active: 'Active', disabled: 'Disabled' } as const;
const NOTHING: ReadonlySet<number> = new Set();
const ALL_RULES = 'All rules';

/** The inspector: the events as external tools see them, and what these tools did. */
export function EventsView({ active, target }: ViewProps) {
  const { client } = useWorkbench();
  const [list] = useState(() => new EventList(client));
  const { filter, events, more, loaded, counts, problem } = useStore(list.store);
  const rules = useRules(client, active);
  const requests = useRequests(client, active);
  const [tab, setTab] = useState<'events' | 'requests'>('events');
  const [activeId, setActiveId] = useState<number | null>(null);
  const [selected, setSelected] = useState(NOTHING);
  const layout = useDefaultLayout({ id: 'tagwright.events', panelIds: PANELS, storage: localStorage });

  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    list.start(end.signal);
    return () => end.abort();
  }, [list, active]);
  // `rule:3` shows the events of that rule.
  useEffect(() => {
    const ruleId = /^rule:(\d+)$/.exec(target?.what ?? '')?.[1];
    if (ruleId !== undefined) list.setFilter({ active: null, ruleId: Number(ruleId) });
  }, [list, target]);

  const ruleNames = useMemo(() => new Map(rules.map(({ id, name }) => [id, name])), [rules]);
  const columns = useMemo(() => columnsWith(ruleNames), [ruleNames]);
  const rowAt = useCallback((index: number) => events[index], [events]);
  const onRange = useCallback(
    (_first: number, last: number) => {
      if (last >= list.store.get().events.length - 1) void list.fetchMore();
    },
    [list],
  );
  const activeIndex = events.findIndex(({ AggregationEventId: id }) => id === activeId);
  const chosen = events[activeIndex];
  const ids = events.map(({ AggregationEventId: id }) => id).filter((id) => selected.has(id));
  const choose = (index: number, { extend, toggle }: RowChoice) => {
    const event = events[Math.min(index, events.length - 1)];
    if (!event) return;
    const id = event.AggregationEventId;
    if (extend && activeIndex >= 0) {
      const [from, to] = [Math.min(activeIndex, index), Math.max(activeIndex, index)];
      setSelected(new Set([...selected, ...events.slice(from, to + 1).map((one) => one.AggregationEventId)]));
    } else if (toggle) {
      const next = new Set(selected);
      if (!next.delete(id)) next.add(id);
      setSelected(next);
    } else setSelected(new Set([id]));
    setActiveId(id);
  };
  const ruleName = filter.ruleId === null ? ALL_RULES : (ruleNames.get(filter.ruleId) ?? `Rule ${filter.ruleId}`);
  const which = filter.active === null ? 'all' : filter.active ? 'active' : 'disabled';

  return (
    <Group className={styles.view} orientation="horizontal" {...layout}>
      <Panel id="list" className={styles.pane} minSize={400}>
        <section className={styles.list} aria-label="Event list" data-pane="event-list">
          <header className={styles.bar}>
            <TabList
              size="small"
              selectedValue={tab}
              onTabSelect={(_event, { value }) => setTab(value === 'requests' ? 'requests' : 'events')}
            >
              <Tab value="events">Events</Tab>
              <Tab value="requests">Requests</Tab>
            </TabList>
            <span className={styles.count} role="status">
              {counts.active} active, {counts.disabled} disabled
            </span>
          </header>
          {tab === 'requests' ? (
            <RequestsPane requests={requests} address="the address in the status bar" />
          ) : (
            <>
              <header className={styles.bar}>
                <Dropdown
                  size="small"
                  className={styles.narrow ?? ''}
                  aria-label="Which events"
                  value={ACTIVE_NAMES[which]}
                  selectedOptions={[which]}
                  onOptionSelect={(_event, { optionValue }) =>
                    list.setFilter({ ...filter, active: optionValue === 'all' ? null : optionValue === 'active' })
                  }
                >
                  {Object.entries(ACTIVE_NAMES).map(([value, name]) => (
                    <Option key={value} value={value}>
                      {name}
                    </Option>
                  ))}
                </Dropdown>
                <Dropdown
                  size="small"
                  aria-label="Of which rule"
                  value={ruleName}
                  selectedOptions={[String(filter.ruleId ?? '')]}
                  onOptionSelect={(_event, { optionValue }) =>
                    list.setFilter({ ...filter, ruleId: optionValue ? Number(optionValue) : null })
                  }
                >
                  <Option value="">{ALL_RULES}</Option>
                  {rules.map(({ id, name }) => (
                    <Option key={id} value={String(id)}>
                      {name}
                    </Option>
                  ))}
                </Dropdown>
                <span className={styles.push} />
                <BulkActions ids={ids} />
                <TestEvents ruleId={filter.ruleId} />
              </header>
              {problem !== null ? (
                <p className={styles.hint} role="alert">
                  The events could not be read: {problem}
                </p>
              ) : loaded && events.length === 0 ? (
                <p className={styles.hint}>
                  No event fits. Rules that trigger events make them when they fire; Make test events fires one.
                </p>
              ) : (
                <VirtualGrid
                  label="Events"
                  columns={columns}
                  count={more ? events.length + 1 : events.length}
                  rowAt={rowAt}
                  activeIndex={activeIndex}
                  isSelected={(index) => selected.has(events[index]?.AggregationEventId ?? 0)}
                  onChoose={choose}
                  onChooseAll={() => setSelected(new Set(events.map(({ AggregationEventId: id }) => id)))}
                  onRange={onRange}
                />
              )}
            </>
          )}
        </section>
      </Panel>
      <Splitter label="Width of the details" />
      <Panel
        id="details"
        className={styles.pane}
        minSize={280}
        defaultSize={380}
        groupResizeBehavior="preserve-pixel-size"
      >
        <section className={styles.side} aria-label="Event details" data-pane="event-details">
          {chosen ? (
            <EventDetails
              event={chosen}
              ruleName={ruleNames.get(chosen.RuleId) ?? `Rule ${chosen.RuleId}, deleted`}
              requests={requests}
            />
          ) : (
            <p className={styles.hint}>Choose an event to see its data row and what has called it since.</p>
          )}
        </section>
      </Panel>
    </Group>
  );
}

function columnsWith(ruleNames: ReadonlyMap<number, string>): GridColumn<AggregationEvent>[] {
  return [
    { name: 'Id', width: '90px', cell: (event) => event.AggregationEventId, look: 'number' },
    { name: 'Time', width: '230px', cell: (event) => event.EventDateTime, look: 'code' },
    {
      name: 'Rule',
      width: 'minmax(120px, 2fr)',
      cell: (event) => ruleNames.get(event.RuleId) ?? `Rule ${event.RuleId}`,
      hint: (event) => ruleNames.get(event.RuleId) ?? '',
    },
    { name: 'State', width: '90px', cell: (event) => (event.Active ? 'active' : 'disabled') },
    {
      name: 'Row',
      width: 'minmax(170px, 1.6fr)',
      cell: (event) => `${event.ResultTableName} ${event.ResultTableRecordId}`,
      look: 'code',
    },
  ];
}
