import { useEffect, useMemo, useRef, useState } from 'react';
import { isInFolder } from '#domain/mock/mock-folder';
import { Group, Panel, useDefaultLayout } from 'react-resizable-panels';
import { focusInPane, focusPane } from '../../../frame/panes/panes.ts';
import { SidePane } from '../../../frame/panes/side-pane.tsx';
import type { ViewTarget } from '../../../frame/view.ts';
import { useCommands, useWorkbench } from '../../../frame/workbench.ts';
import { type PlacedFile, droppedFiles } from '../../../support/files.ts';
import { useFileDrop } from '../../../ui/file-drop.ts';
import { FilterField } from '../../../ui/fields/filter-field.tsx';
import { Button, Menu, MenuItem, MenuList, MenuPopover, MenuTrigger, Text } from '../../../ui/fluent.ts';
import { AddRegular } from '../../../ui/icons.ts';
import { Splitter } from '../../../ui/split.tsx';
import { useStore } from '../../../support/store.ts';
import { useKeptLook } from '../../../ui/lists/grid-look.ts';
import { useSortedRows } from '../../../ui/lists/sorted-rows.ts';
import { type MenuEntry, RowMenu } from '../../../ui/lists/row-menu.tsx';
import { FolderPane } from '../folders/folder-pane.tsx';
import { MoveDialog } from '../folders/folder-dialogs.tsx';
import { RenameDialog } from '../folders/rename-dialog.tsx';
import {
  type FolderRow,
  type ListRow,
  folderOfKey,
  foldersIn,
  isFolderRow,
  withFolders,
} from '../model/folder-rows.ts';
import { MOCK_COLUMNS, MOCK_ORDER, MockList } from './mock-list.tsx';
import { ImportDialog, MOST_DROPPED } from './import-dialog.tsx';
import { type MockListRow, listRows } from '../model/list-rows.ts';
import type { MocksModel } from '../model/mocks-model.ts';
import { newForm } from '../model/mock-form.ts';
import { MockWorkplace } from './mock-workplace.tsx';
import { useDraggedMocks } from './use-dragged-mocks.ts';
import { useMarkedRows } from './use-marked-rows.ts';
import { useMockActions } from './use-mock-actions.ts';
import { useRevealed } from './use-revealed.ts';
import styles from '../mocks.module.css';

const PANELS = ['mocks-list', 'mocks-mock'];
const NONE: ReadonlySet<string> = new Set();

type PaneDialog =
  | { what: 'import'; dropped: Promise<readonly PlacedFile[]> | null }
  | { what: 'move'; rows: readonly MockListRow[] }
  | { what: 'rename'; path: string };

interface Props {
  model: MocksModel;
  active: boolean;
  target: ViewTarget | null;
}

/** The mocks and the selected one. */
export function MocksPane({ model, active, target }: Props) {
  const state = useStore(model.store);
  const actions = useMockActions(model);
  const { notify } = useWorkbench();
  const [filter, setFilter] = useState('');
  const [dialog, setDialog] = useState<PaneDialog | null>(null);
  const [menu, setMenu] = useState<{ x: number; y: number } | null>(null);
  const filterField = useRef<HTMLInputElement>(null);
  const layout = useDefaultLayout({ id: 'tagwright.mocks', panelIds: PANELS, storage: localStorage });
  const { selected, folded } = state;
  const all = useMemo(() => listRows(state, ''), [state]);
  const kept = useKeptLook('mocks');
  const matching = useMemo(() => listRows(state, filter), [state, filter]);
  const found = useSortedRows(matching, kept, MOCK_COLUMNS, MOCK_ORDER);
  const folders = useMemo(() => foldersIn(all), [all]);
  const filtered = filter.trim() !== '';
  // A filter also finds mocks in collapsed folders.
  const open = useMemo(() => withFolders(found, NONE), [found]);
  const rows = useMemo(() => (filtered ? open : withFolders(found, folded)), [filtered, open, found, folded]);
  const chosen = useMemo(() => all.find(({ key }) => key === selected) ?? null, [all, selected]);
  const folder = useMemo(() => {
    if (folderOfKey(selected) === null) return null;
    const isSelected = (row: ListRow): row is FolderRow => row.key === selected && isFolderRow(row);
    return open.find(isSelected) ?? withFolders(all, NONE).find(isSelected) ?? null;
  }, [open, all, selected]);
  const { marked, choose, chooseAll, unmark } = useMarkedRows(rows, selected, model);
  useRevealed(model, chosen, folder);
  /** The selected mocks, and those of selected folders that the list shows. */
  const targets = useMemo(() => {
    const inFolders = open.flatMap((row) => (isFolderRow(row) && marked.has(row.key) ? row.rows : []));
    const keys = new Set(inFolders.map(({ key }) => key));
    return all.filter(({ key }) => marked.has(key) || keys.has(key));
  }, [all, open, marked]);
  const drag = useDraggedMocks(rows, all, marked, actions);

  // A requested mock is shown even if the filter would hide it.
  const [followed, setFollowed] = useState<ViewTarget | null>(target);
  if (target !== followed) {
    setFollowed(target);
    setFilter('');
  }
  useEffect(() => {
    const first = rows.find((row) => !isFolderRow(row)) ?? rows[0];
    if (chosen === null && folder === null && state.loaded && first) model.select(first.key);
  }, [model, chosen, folder, rows, state.loaded]);

  const create = () => {
    setFilter('');
    unmark();
    model.create(newForm(folder?.path ?? chosen?.folder));
    setTimeout(() => focusPane('mock-editor'), 0);
  };
  const duplicate = () => {
    if (!chosen) return;
    model.duplicate(chosen.key);
    setTimeout(() => focusPane('mock-editor'), 0);
  };
  const remove = () => {
    for (const row of targets) if (!row.mock) actions.discard(row.key);
    const mocks = targets.flatMap((row) => (row.mock ? [row.mock] : []));
    unmark();
    if (mocks.length > 0) void actions.remove(mocks);
  };
  const moveTo = () => {
    // A folder moves with the folders in it.
    if (folder && marked.size === 1) setDialog({ what: 'rename', path: folder.path });
    else if (targets.length > 0) setDialog({ what: 'move', rows: targets });
  };
  const rename = () => {
    if (folder) setDialog({ what: 'rename', path: folder.path });
  };
  const importMocks = () => setDialog({ what: 'import', dropped: null });
  const drop = useFileDrop((transfer) => setDialog({ what: 'import', dropped: droppedFiles(transfer, MOST_DROPPED) }));
  const closeDialog = () => {
    setDialog(null);
    setTimeout(() => focusPane('mocks-mocks'), 0);
  };
  const toggle = (row: FolderRow) => {
    if (filtered) return;
    // The selection stays visible.
    const inside = chosen?.folder ?? (folder && folder.path !== row.path ? folder.path : undefined);
    if (row.expanded && isInFolder(inside, row.path)) model.select(row.key);
    model.fold([row.path], row.expanded);
  };
  const mock = chosen?.mock ?? null;
  const move = (by: -1 | 1) => {
    const { sort } = kept.store.get();
    if (mock && sort === null) return actions.move(mock, by);
    if (mock && sort !== null) {
      notify({
        intent: 'info',
        title: `The mock was not moved: the list is sorted by ${sort.name}`,
        body: 'Show the matching order, then move it.',
        action: { label: 'Matching order', run: () => kept.change({ sort: null }) },
      });
    }
    return undefined;
  };
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
      run: () => focusInPane('mocks-mocks', () => filterField.current),
    },
    {
      id: 'mocks.duplicate',
      section,
      title: 'Duplicate the mock',
      keys: 'Ctrl+D',
      enabled: active && chosen !== null,
      run: duplicate,
    },
    {
      id: 'mocks.delete',
      section,
      title: 'Delete the selected mocks',
      enabled: active && targets.length > 0,
      run: remove,
    },
    {
      id: 'mocks.enable',
      section,
      title: mock?.enabled ? 'Disable the mock' : 'Enable the mock',
      enabled: any,
      run: () => (mock ? actions.toggle(mock) : undefined),
    },
    {
      id: 'mocks.moveTo',
      section,
      title: 'Move the selected mocks to a folder',
      enabled: active && targets.length > 0,
      run: moveTo,
    },
    {
      id: 'mocks.enableFolder',
      section,
      title: 'Enable all mocks of the folder',
      enabled: active && folder !== null,
      run: () => actions.switchAll(folder?.rows ?? [], true),
    },
    {
      id: 'mocks.disableFolder',
      section,
      title: 'Disable all mocks of the folder',
      enabled: active && folder !== null,
      run: () => actions.switchAll(folder?.rows ?? [], false),
    },
    {
      id: 'mocks.renameFolder',
      section,
      title: 'Rename or move the folder of mocks',
      enabled: active && folder !== null,
      run: rename,
    },
    {
      id: 'mocks.collapse',
      section,
      title: 'Collapse all folders of mocks',
      enabled: active && folders.length > 0,
      run: () => model.fold(folders, true),
    },
    {
      id: 'mocks.expand',
      section,
      title: 'Expand all folders of mocks',
      enabled: active && folders.length > 0,
      run: () => model.fold(folders, false),
    },
    { id: 'mocks.up', section, title: 'Move the mock up', enabled: any, run: () => move(-1) },
    { id: 'mocks.down', section, title: 'Move the mock down', enabled: any, run: () => move(1) },
    { id: 'mocks.import', section, title: 'Import mocks', enabled: active, run: importMocks },
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

  const count = targets.length;
  const entries: MenuEntry[] = folder
    ? [
        { title: 'New mock in this folder', keys: 'Alt+N', run: create },
        { title: 'Enable all', apart: true, run: () => void actions.switchAll(folder.rows, true) },
        { title: 'Disable all', run: () => void actions.switchAll(folder.rows, false) },
        { title: 'Rename or move…', keys: 'F2', apart: true, run: rename },
        { title: `Delete ${count} ${count === 1 ? 'mock' : 'mocks'}`, keys: 'Delete', run: remove },
      ]
    : [
        ...(mock
          ? [{ title: mock.enabled ? 'Disable' : 'Enable', keys: 'E', run: () => void actions.toggle(mock) }]
          : []),
        { title: 'Duplicate', keys: 'Ctrl+D', run: duplicate },
        { title: 'Move to folder…', keys: 'M', apart: true, run: moveTo },
        ...(targets.some((row) => row.folder !== '')
          ? [{ title: 'Move out of the folder', run: () => void actions.moveTo(targets, '') }]
          : []),
        { title: count > 1 ? `Delete ${count}` : 'Delete', keys: 'Delete', apart: true, run: remove },
      ];
  const total = state.mocks.length;
  const empty = state.loaded && total === 0 && state.drafts.size === 0;
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
        <Empty drop={drop} onCreate={create} onImport={importMocks} />
      ) : (
        <Group className={styles.fill} orientation="horizontal" {...layout} {...drop}>
          <SidePane
            id="mocks-list"
            side="left"
            title="list of mocks"
            active={active}
            className={styles.panel}
            least={360}
            size="48%"
            keeps="fraction"
          >
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
                      <MenuItem secondaryContent="Delete" disabled={targets.length === 0} onClick={remove}>
                        {targets.length > 1 ? `Delete ${targets.length}` : 'Delete'}
                      </MenuItem>
                      <MenuItem secondaryContent="M" disabled={targets.length === 0} onClick={moveTo}>
                        Move to folder…
                      </MenuItem>
                      {folders.length > 0 && (
                        <MenuItem secondaryContent="F2" disabled={folder === null} onClick={rename}>
                          Rename or move folder…
                        </MenuItem>
                      )}
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
                      <MenuItem onClick={importMocks}>Import…</MenuItem>
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
                  kept={kept}
                  activeKey={selected}
                  selected={marked}
                  actions={actions}
                  onChoose={choose}
                  onChooseAll={chooseAll}
                  onOpen={() => void focusPane('mock-editor')}
                  onDelete={remove}
                  onMove={(by) => void move(by)}
                  onMoveTo={moveTo}
                  onToggle={toggle}
                  onRename={rename}
                  onMenu={(index, at) => {
                    const row = rows[index];
                    if (row && !marked.has(row.key)) choose(index, { extend: false, toggle: false });
                    setMenu(at);
                  }}
                  drag={drag}
                />
              )}
            </section>
          </SidePane>
          <Splitter label="Width of the list" />
          <Panel id="mocks-mock" className={styles.panel} minSize={380}>
            {chosen && (
              <MockWorkplace
                key={model.identity(chosen.key)}
                model={model}
                row={chosen}
                folders={folders}
                field={target?.what === chosen.key ? (target.place?.field ?? null) : null}
                actions={actions}
                active={active}
              />
            )}
            {folder && (
              <FolderPane
                folder={folder}
                filtered={filtered}
                onCreate={create}
                onSwitch={(enabled) => void actions.switchAll(folder.rows, enabled)}
                onRename={rename}
                onDelete={remove}
              />
            )}
          </Panel>
        </Group>
      )}
      {menu && <RowMenu at={menu} entries={entries} onClose={() => setMenu(null)} />}
      {dialog?.what === 'import' && (
        <ImportDialog model={model} folders={folders} dropped={dialog.dropped} onClose={() => setDialog(null)} />
      )}
      {dialog?.what === 'move' && (
        <MoveDialog
          rows={dialog.rows}
          folders={folders}
          onMove={(to) => actions.moveTo(dialog.rows, to)}
          onClose={closeDialog}
        />
      )}
      {dialog?.what === 'rename' && (
        <RenameDialog
          path={dialog.path}
          folders={folders}
          onRename={(to) => actions.renameFolder(dialog.path, to)}
          onClose={closeDialog}
        />
      )}
    </>
  );
}

function Empty(props: { drop: ReturnType<typeof useFileDrop>; onCreate: () => void; onImport: () => void }) {
  const { drop, onCreate, onImport } = props;
  return (
    <div {...drop} className={styles.empty} data-pane="mocks-mocks">
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
