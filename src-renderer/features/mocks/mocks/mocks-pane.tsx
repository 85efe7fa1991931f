import { useEffect, useMemo, useRef, useState } from 'react';
import { Group, Panel, useDefaultLayout } from 'react-resizable-panels';
import { focusPane } from '../../../frame/panes.ts';
import type { ViewTarget } from '../../../frame/view.ts';
import { useCommands } from '../../../frame/workbench.ts';
import { FilterField } from '../../../ui/fields/filter-field.tsx';
import { Button, Menu, MenuItem, MenuList, MenuPopover, MenuTrigger, Text } from '../../../ui/fluent.ts';
import { AddRegular } from '../../../ui/icons.ts';
import { Splitter } from '../../../ui/split.tsx';
import { useStore } from '../../../support/store.ts';
import type { RowChoice } from '../../../ui/lists/virtual-grid.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { MockList } from './mock-list.tsx';
import { type MockListRow, listRows } from '../model/list-rows.ts';
import type { MocksModel } from '../model/mocks-model.ts';
import { type MockActions, useMockActions } from './use-mock-actions.ts';
import styles from '../mocks.module.css';
import { MockEditor } from './mock-editor.tsx';
import { answerOfField } from '../model/answer-form.ts';
import { formOf, newForm } from '../model/mock-form.ts';
import { TryPane } from './try-pane.tsx';

const PANELS = ['mocks-list', 'mocks-mock'];
const NONE: ReadonlySet<string> = new Set();

interface Props {
  model: MocksModel;
  active: boolean;
  target: ViewTarget | null;
}

/** The mocks and the selected one. */
export function MocksPane({ model, active, target }: Props) {
  const state = useStore(model.store);
  const actions = useMockActions(model);
  const [filter, setFilter] = useState('');
  const [also, setAlso] = useState(NONE);
  const [importing, setImporting] = useState(false);
  const filterField = useRef<HTMLInputElement>(null);
  const layout = useDefaultLayout({ id: 'tagwright.mocks', panelIds: PANELS, storage: localStorage });
  const rows = useMemo(() => listRows(state, filter), [state, filter]);
  const { selected } = state;
  const chosen = useMemo(() => listRows(state, '').find(({ key }) => key === selected) ?? null, [state, selected]);
  const marked = useMemo(() => new Set(selected === null ? also : [...also, selected]), [also, selected]);

  // A requested mock is shown even if the filter would hide it.
  const [followed, setFollowed] = useState<ViewTarget | null>(target);
  if (target !== followed) {
    setFollowed(target);
    setFilter('');
  }
  useEffect(() => {
    const first = rows[0];
    if (chosen === null && state.loaded && first) model.select(first.key);
  }, [model, chosen, rows, state.loaded]);

  const choose = (index: number, { extend, toggle }: RowChoice) => {
    const row = rows[index];
    if (!row) return;
    const from = rows.findIndex(({ key }) => key === selected);
    if (extend && from >= 0) {
      const between = rows.slice(Math.min(from, index), Math.max(from, index) + 1);
      setAlso(new Set([...also, ...between.map(({ key }) => key)]));
    } else if (toggle) {
      const next = new Set(marked);
      if (row.key !== selected && next.has(row.key)) {
        next.delete(row.key);
        setAlso(next);
        return;
      }
      setAlso(next.add(row.key));
    } else setAlso(NONE);
    model.select(row.key);
  };
  const create = () => {
    setFilter('');
    setAlso(NONE);
    model.create();
    setTimeout(() => focusPane('mock-editor'), 0);
  };
  const duplicate = () => {
    if (!chosen) return;
    model.duplicate(chosen.key);
    setTimeout(() => focusPane('mock-editor'), 0);
  };
  const remove = () => {
    const of = listRows(state, '').filter(({ key }) => marked.has(key));
    for (const row of of) if (!row.mock) actions.discard(row.key);
    const mocks = of.flatMap(({ mock }) => (mock ? [mock] : []));
    setAlso(NONE);
    if (mocks.length > 0) void actions.remove(mocks);
  };
  const mock = chosen?.mock ?? null;
  const move = (by: -1 | 1) => (mock ? actions.move(mock, by) : undefined);
  const sequences = state.mocks.some(({ sequence }) => sequence !== undefined);
  const section = 'API mocks';
  const any = active && mock !== null;
  useCommands([
    { id: 'mocks.new', section, title: 'New mock', keys: 'Alt+N', enabled: active, run: create },
    {
      id: 'mocks.filter',
      section,
      title: 'Filter the mocks',
      keys: 'Ctrl+F',
      enabled: active,
      run: () => filterField.current?.focus(),
    },
    {
      id: 'mocks.duplicate',
      section,
      title: 'Duplicate the mock',
      keys: 'Ctrl+D',
      enabled: active && chosen !== null,
      run: duplicate,
    },
    { id: 'mocks.delete', section, title: 'Delete the selected mocks', enabled: any, run: remove },
    {
      id: 'mocks.enable',
      section,
      title: mock?.enabled ? 'Disable the mock' : 'Enable the mock',
      enabled: any,
      run: () => (mock ? actions.toggle(mock) : undefined),
    },
    { id: 'mocks.up', section, title: 'Move the mock up', enabled: any, run: () => move(-1) },
    { id: 'mocks.down', section, title: 'Move the mock down', enabled: any, run: () => move(1) },
    { id: 'mocks.import', section, title: 'Import mocks', enabled: active, run: () => setImporting(true) },
    { id: 'mocks.export', section, title: 'Export the mocks', enabled: active, run: actions.exportAll },
    {
      id: 'mocks.restart',
      section,
      title: 'Restart all sequences of responses',
      enabled: active && sequences,
      run: () => actions.restart(null),
    },
    { id: 'mocks.resetHits', section, title: 'Reset the hits of all mocks', enabled: active, run: actions.resetHits },
  ]);

  const empty = state.loaded && state.mocks.length === 0 && state.drafts.size === 0;
  const total = state.mocks.length;
  // Known mocks stay visible while the server is disconnected.
  if (state.problem && total === 0 && state.drafts.size === 0) {
    return (
      <div className={styles.empty} role="alert">
        <Text weight="semibold">The mocks could not be loaded.</Text>
        <Text>{state.problem.message}</Text>
      </div>
    );
  }
  return (
    <>
      {empty ? (
        <Empty onCreate={create} onImport={() => setImporting(true)} />
      ) : (
        <Group className={styles.fill} orientation="horizontal" {...layout}>
          <Panel id="mocks-list" className={styles.panel} minSize={360} defaultSize="48%">
            <section className={styles.list} aria-label="Mock list" data-pane="mocks-mocks">
              <header className={styles.bar}>
                <FilterField
                  field={filterField}
                  className={styles.filter}
                  label="Filter mocks"
                  placeholder="Filter by name, URL or response"
                  value={filter}
                  onChange={setFilter}
                />
                <Button size="small" icon={<AddRegular />} aria-keyshortcuts="Alt+N" onClick={create}>
                  New mock
                </Button>
                <Menu>
                  <MenuTrigger disableButtonEnhancement>
                    <Button size="small" appearance="subtle">
                      More
                    </Button>
                  </MenuTrigger>
                  <MenuPopover>
                    <MenuList>
                      <MenuItem secondaryContent="Ctrl+D" disabled={chosen === null} onClick={duplicate}>
                        Duplicate
                      </MenuItem>
                      <MenuItem secondaryContent="Delete" disabled={chosen === null} onClick={remove}>
                        {marked.size > 1 ? `Delete ${marked.size}` : 'Delete'}
                      </MenuItem>
                      <MenuItem secondaryContent="Alt+Up" disabled={mock === null} onClick={() => void move(-1)}>
                        Move up
                      </MenuItem>
                      <MenuItem secondaryContent="Alt+Down" disabled={mock === null} onClick={() => void move(1)}>
                        Move down
                      </MenuItem>
                      <MenuItem onClick={() => void actions.resetHits()}>Reset the hits</MenuItem>
                      <MenuItem disabled={!sequences} onClick={() => void actions.restart(null)}>
                        Restart sequences
                      </MenuItem>
                      <MenuItem onClick={() => setImporting(true)}>Import…</MenuItem>
                      <MenuItem onClick={() => void actions.exportAll()}>Export</MenuItem>
                    </MenuList>
                  </MenuPopover>
                </Menu>
                <span className={styles.count} role="status">
                  {state.loaded ? `${total} ${total === 1 ? 'mock' : 'mocks'}` : ''}
                </span>
              </header>
              {state.loaded && rows.length === 0 ? (
                <p className={styles.hint}>
                  No mocks match.{' '}
                  <Button size="small" onClick={() => setFilter('')}>
                    Show all mocks
                  </Button>
                </p>
              ) : (
                <MockList
                  rows={rows}
                  activeKey={selected}
                  selected={marked}
                  actions={actions}
                  onChoose={choose}
                  onChooseAll={() => setAlso(new Set(rows.map(({ key }) => key)))}
                  onOpen={() => void focusPane('mock-editor')}
                  onDelete={remove}
                  onMove={(by) => void move(by)}
                />
              )}
            </section>
          </Panel>
          <Splitter label="Width of the list" />
          <Panel id="mocks-mock" className={styles.panel} minSize={380}>
            {chosen && (
              <MockWorkplace
                key={model.identity(chosen.key)}
                model={model}
                row={chosen}
                field={target?.what === chosen.key ? (target.place?.field ?? null) : null}
                actions={actions}
                active={active}
              />
            )}
          </Panel>
        </Group>
      )}
      {importing && <ImportDialog model={model} onClose={() => setImporting(false)} />}
    </>
  );
}

function Empty({ onCreate, onImport }: { onCreate: () => void; onImport: () => void }) {
  return (
    <div className={styles.empty} data-pane="mocks-mocks">
      <Text weight="semibold">There are no mocks yet.</Text>
      <Text>
        A mock responds to the API calls of scripts in place of the remote server, so that scripts run offline with
        predictable results. Write one, import an OpenAPI document, a HAR file, a collection of Postman or Bruno, or
        record live calls.
      </Text>
      <div className={styles.buttons}>
        <Button appearance="primary" icon={<AddRegular />} aria-keyshortcuts="Alt+N" onClick={onCreate}>
          New mock (Alt+N)
        </Button>
        <Button onClick={onImport}>Import…</Button>
      </div>
    </div>
  );
}

const WORKPLACE_PANELS = ['mocks-editor', 'mocks-try'];

interface WorkplaceProps {
  model: MocksModel;
  row: MockListRow;
  /** A field to show. */
  field: string | null;
  actions: MockActions;
  active: boolean;
}

/** A mock: its editor above its results. */
function MockWorkplace({ model, row, field, actions, active }: WorkplaceProps) {
  const { mock, draft } = row;
  const [shown, setShown] = useState(() => answerOfField(field ?? ''));
  const [followed, setFollowed] = useState(field);
  if (field !== followed) {
    setFollowed(field);
    if (field !== null) setShown(answerOfField(field));
  }
  const keeps = useStore(model.store, ({ keeps: kept }) => kept);
  const form = useMemo(() => draft?.form ?? (mock ? formOf(mock) : newForm()), [draft, mock]);
  const layout = useDefaultLayout({ id: 'tagwright.mocks.mock', panelIds: WORKPLACE_PANELS, storage: localStorage });
  return (
    <Group className={styles.view} orientation="vertical" {...layout}>
      <Panel id="mocks-editor" className={styles.panel} minSize={180} defaultSize="72%">
        <section className={styles.list} aria-label="Mock editor" data-pane="mock-editor">
          <MockEditor
            model={model}
            actions={actions}
            row={row}
            form={form}
            keeps={keeps}
            active={active}
            shown={shown}
            onShow={setShown}
          />
        </section>
      </Panel>
      <Splitter label="Height of the editor" />
      <Panel id="mocks-try" className={styles.panel} minSize={110}>
        <section className={styles.side} aria-label="Try" data-pane="mock-try">
          <TryPane form={form} mockId={mock?.id ?? null} response={shown + 1} active={active} />
        </section>
      </Panel>
    </Group>
  );
}
