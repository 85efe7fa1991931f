import { useEffect, useMemo, useRef, useState } from 'react';
import { Group, Panel, useDefaultLayout } from 'react-resizable-panels';
import type { TagDefinition } from '#domain/tag/tag';
import { focusField } from '../../frame/focus-field.ts';
import { focusPane } from '../../frame/panes/panes.ts';
import { useCopy } from '../../frame/use-copy.ts';
import { newTagOf } from '../../frame/new-tag.ts';
import { useCommands, useWorkbench } from '../../frame/workbench.ts';
import { whyEntry } from '../../frame/why/why-button.tsx';
import { useWhySubject } from '../../frame/why/use-why.ts';
import { tagSubject } from './why-subject.ts';
import type { ViewProps } from '../../frame/view.ts';
import { remember, remembered } from '../../support/local-storage.ts';
import { wholeValue } from '../../support/shown-value.ts';
import { Button, Text } from '../../ui/fluent.ts';
import { ArrowSyncRegular } from '../../ui/icons.ts';
import { SidePane } from '../../frame/panes/side-pane.tsx';
import { Splitter } from '../../ui/split.tsx';
import { useStore } from '../../support/store.ts';
import { useWidth } from '../../ui/use-width.ts';
import { useKeptLook } from '../../ui/lists/grid-look.ts';
import { useFileDrop } from '../../ui/file-drop.ts';
import { RowMenu } from '../../ui/lists/row-menu.tsx';
import { type TagDialogState, TagDialogs } from './actions/tag-dialogs.tsx';
import { useTagActions } from './actions/use-tag-actions.ts';
import { type TagEdit, TagEdits, isDirty } from './edit/tag-edits.ts';
import { LiveValues, type ViewScope } from '../../client/live-values.ts';
import { RightPane } from './right-pane.tsx';
import { machineTagsIn } from './actions/force-tags.ts';
import { TagsToolbar, UnsavedEdits } from './tags-toolbar.tsx';
import { NO_SELECTION, type TagSelection, choose, chooseAll, only } from './table/selection.ts';
import { FIRST_SORT, checkedSort, useSorted } from './table/columns.ts';
import { useLiveOrder } from './table/use-live-order.ts';
import { TagTable } from './table/tag-table.tsx';
import { GroupTree } from './tree/group-tree.tsx';
import { useShownTags, useTagList } from './use-tag-list.ts';
import styles from './tags.module.css';

const NO_SCOPE: ViewScope = { diagram: '', location: '' };
const IN_SCOPES = 'Show in all scopes';
const DETAILS = 'tags-details';
const PANELS_OF_LIST = ['tags-groups', 'tags-list'];
const PANELS = [...PANELS_OF_LIST, DETAILS];
/** In less width, there are details only if there is something to show in them. */
const NARROW = 1_000;

/** Groups, table and details of the tags, with the open editors. */
export function TagsPane({ active, target }: ViewProps) {
  const { client, explain, show } = useWorkbench();
  const [filter, setFilter] = useState('');
  const [group, setGroup] = useState('');
  const [scope, setScope] = useState(() => remembered<ViewScope>('tags.scope', NO_SCOPE));
  const [selection, setSelection] = useState<TagSelection>(NO_SELECTION);
  const [editId, setEditId] = useState<string | null>(null);
  const [dialog, setDialog] = useState<TagDialogState | null>(null);
  const [groupMenu, setGroupMenu] = useState<{ x: number; y: number } | null>(null);
  const [menu, setMenu] = useState<{ x: number; y: number } | null>(null);
  const [values] = useState(() => new LiveValues(client));
  const [edits] = useState(() => new TagEdits());
  const open = useStore(edits.all);
  const filterField = useRef<HTMLInputElement>(null);
  // Not during an import, which would have to take turns with it.
  const list = useTagList(client, active && dialog?.what !== 'import');
  const kept = useKeptLook('tags', FIRST_SORT);
  const sort = checkedSort(useStore(kept.store, ({ sort: chosen }) => chosen));
  const order = useLiveOrder(client, useSorted(useShownTags(list.tags, filter, group), sort), {
    sort,
    scope,
    ready: active && list.loaded,
  });
  const shown = order.tags;
  const copy = useCopy();
  const paths = useMemo(() => list.tags.map(({ path }) => path), [list.tags]);
  const edit = open.find(({ id }) => id === editId) ?? null;
  const panes = useRef<HTMLDivElement>(null);
  const isNarrow = useWidth(panes) < NARROW;
  const hasDetails = !isNarrow || edit !== null || selection.active !== null;
  const panelIds = hasDetails ? PANELS : PANELS_OF_LIST;
  const layout = useDefaultLayout({ id: 'tagwright.tags.3', panelIds, storage: localStorage });
  // A tag that was just saved is usable before the list has it.
  const [saved, setSaved] = useState<TagDefinition | null>(null);
  const chosen = useMemo(() => {
    const listed = list.tags.filter(({ path }) => selection.chosen.has(path));
    return listed.length === 0 && saved && selection.chosen.has(saved.path) ? [saved] : listed;
  }, [list.tags, selection.chosen, saved]);

  // A requested tag replaces the selection before the next render.
  const [followed, setFollowed] = useState<ViewProps['target']>(null);
  if (target !== followed) {
    setFollowed(target);
    if (target && newTagOf(target.what) === null) {
      setFilter('');
      setGroup('');
      setSelection(only(target.what));
      setEditId(open.find(({ base }) => base?.path === target.what)?.id ?? null);
    }
  }
  useEffect(() => {
    const path = target ? newTagOf(target.what) : null;
    // oxlint-disable-next-line react/set-state-in-effect -- the edit begins with the request, which draws nothing by itself
    if (path !== null) setEditId(edits.createAt(path));
  }, [target, edits]);
  // A match in a text of the tag: in its form.
  useEffect(() => {
    const place = target?.place;
    if (!target || !place) return undefined;
    const end = new AbortController();
    client.tags.definition({ path: target.what }, { signal: end.signal }).then(
      (definition) => setEditId(edits.change(definition)),
      // A tag that no longer exists is shown as such.
      () => undefined,
    );
    const forget = focusField('tag-details', place);
    return () => {
      end.abort();
      forget();
    };
  }, [client, target, edits]);
  useEffect(() => () => values.stop(), [values]);

  const changeScope = (next: ViewScope) => {
    remember('tags.scope', next);
    values.clear();
    setScope(next);
  };
  /** Another tag is shown: an edit without changes ends, any other is kept. */
  const select = (next: TagSelection) => {
    if (edit && !isDirty(edit)) edits.end(edit.id);
    setSelection(next);
    setEditId(edits.all.get().find(({ base }) => base !== null && base.path === next.active)?.id ?? null);
  };
  const resume = (wanted: TagEdit) => {
    edits.resume(wanted);
    setEditId(wanted.id);
    if (wanted.base) setSelection(only(wanted.base.path));
  };
  const change = (tags: readonly TagDefinition[]) => {
    const [first] = tags;
    if (tags.length > 1) setDialog({ what: 'change', tags });
    else if (first) {
      setEditId(edits.change(first));
      setTimeout(() => focusPane('tag-details'), 0);
    }
  };
  const activeTag = list.tags.find(({ path }) => path === selection.active);
  useWhySubject(
    activeTag ? tagSubject(activeTag, scope) : selection.active === null ? null : `tag:${selection.active}`,
    active,
  );
  const actions = useTagActions({
    onDialog: setDialog,
    onGone: () => select(NO_SELECTION),
  });
  const drop = useFileDrop((transfer) => void actions.dropImport(transfer));
  const create = (like: TagDefinition | null) => setEditId(edits.create(like, group));
  const alone = chosen.length === 1 ? chosen[0] : undefined;

  // Machine tags of the whole group, whatever the filter shows.
  const machines = useMemo(() => machineTagsIn(list.tags, group), [list.tags, group]);
  const groupName = group === '' ? 'all groups' : group;
  const groupEntries =
    machines.length === 0
      ? [{ title: 'No machine tags', run: () => undefined }]
      : [
          { title: 'Force the quality of its machine tags…', run: () => actions.force(machines, groupName) },
          { title: 'Clear their forced qualities', run: () => void actions.clearForced(machines) },
        ];
  const showScopes = ({ path }: TagDefinition) => show('scripts', `lens:tag:${path}`);
  const chosenMachines = machineTagsIn(chosen, '');

  const valueOf = ({ path }: TagDefinition) => wholeValue(values.get(path)?.value ?? null);

  const focusFilter = () => filterField.current?.focus();

  // Only while the view is visible: Ctrl+F belongs to the editor in the Scripts view.
  const command = (id: string, title: string, run: () => void, more: { keys?: string; enabled?: boolean } = {}) => ({
    id: `tags.${id}`,
    section: 'Tags',
    title,
    run,
    ...more,
  });
  useCommands(
    active
      ? [
          { id: 'tags.filter', section: 'Tags', title: 'Filter the tags', keys: 'Ctrl+F', run: focusFilter },
          command('new', 'New tag', () => create(null), { keys: 'Alt+N' }),
          command('edit', 'Edit the tag', () => change(chosen), { keys: 'F2', enabled: chosen.length > 0 }),
          command('duplicate', 'Duplicate the tag', () => create(alone ?? null), {
            keys: 'Ctrl+D',
            enabled: alone !== undefined,
          }),
          command('scopes', 'Show the tag in all scopes', () => alone && showScopes(alone), {
            enabled: alone !== undefined,
          }),
          command('delete', 'Delete the tags', () => actions.remove(chosen), { enabled: chosen.length > 0 }),
          command('force', 'Force the quality of the group', () => actions.force(machines, groupName), {
            enabled: machines.length > 0,
          }),
          command('clearForced', 'Clear the forced qualities of the group', () => void actions.clearForced(machines), {
            enabled: machines.length > 0,
          }),
          command('import', 'Import tags', () => void actions.pickImport()),
          command('export.csv', 'Export the tags as CSV', () => actions.save('csv')),
          command('export.json', 'Export the tags as JSON', () => actions.save('json')),
        ]
      : [],
  );

  return (
    <Group className={styles.panes} elementRef={panes} orientation="horizontal" {...layout} {...drop}>
      <SidePane
        id="tags-groups"
        side="left"
        title="groups"
        active={active}
        className={styles.pane}
        least={110}
        size="13%"
      >
        <section className={styles.groups} aria-label="Groups" data-pane="tag-groups">
          <GroupTree
            paths={paths}
            group={group}
            onChoose={setGroup}
            onMenu={(of, at) => {
              setGroup(of);
              setGroupMenu(at);
            }}
          />
          {groupMenu && <RowMenu at={groupMenu} onClose={() => setGroupMenu(null)} entries={groupEntries} />}
        </section>
      </SidePane>
      <Splitter label="Width of the groups" />
      <Panel id="tags-list" className={styles.pane} minSize={300}>
        <section className={styles.list} aria-label="Tag list" data-pane="tag-list" data-pane-main>
          <TagsToolbar
            filterField={filterField}
            filter={filter}
            scope={scope}
            chosen={chosen.length}
            onFilter={setFilter}
            onScope={changeScope}
            onNew={() => create(null)}
            onChange={() => change(chosen)}
            onDelete={() => actions.remove(chosen)}
            onImport={() => void actions.pickImport()}
            onExport={actions.save}
          />
          <UnsavedEdits edits={open} current={editId} onShow={resume} />
          {list.problem ? (
            <p className={styles.hint} role="alert">
              The tags could not be loaded: {list.problem.message}
            </p>
          ) : list.loaded && shown.length === 0 ? (
            <EmptyList
              filtered={filter.trim() !== '' || group !== ''}
              onClear={() => {
                setFilter('');
                setGroup('');
              }}
              onImport={() => void actions.pickImport()}
              onNew={() => create(null)}
            />
          ) : (
            <TagTable
              tags={shown}
              values={values}
              scope={scope}
              active={active}
              selection={selection}
              group={group}
              kept={kept}
              orderedAt={order.at}
              onSort={order.again}
              also={selection.active}
              onChoose={(index, choice) => select(choose(selection, shown, index, choice))}
              onChooseAll={() => setSelection(chooseAll(selection, shown))}
              onOpen={() => change(chosen)}
              onDelete={() => actions.remove(chosen)}
              onMenu={(index, at) => {
                const path = shown[index]?.path;
                if (path !== undefined && !selection.chosen.has(path)) select(only(path));
                setMenu(at);
              }}
            />
          )}
          <footer className={styles.foot}>
            <span role="status">
              {list.loaded || list.tags.length > 0 ? countText(shown.length, list.total, filter, group) : ''}
              {order.text !== '' && `, ${order.text}`}
            </span>
            {chosen.length > 1 && <span>, {chosen.length.toLocaleString('en')} chosen</span>}
            {order.text !== '' && (
              <Button size="small" appearance="transparent" icon={<ArrowSyncRegular />} onClick={order.again}>
                Sort again
              </Button>
            )}
          </footer>
          {menu && chosen.length > 0 && (
            <RowMenu
              at={menu}
              onClose={() => setMenu(null)}
              entries={[
                {
                  title: alone ? 'Edit' : `Edit ${chosen.length} tags`,
                  keys: 'F2',
                  run: () => change(chosen),
                },
                ...(alone ? [{ title: 'Duplicate', keys: 'Ctrl+D', run: () => create(alone) }] : []),
                {
                  title: alone ? 'Copy path' : `Copy ${chosen.length} paths`,
                  run: () => void copy(chosen.map(({ path }) => path).join('\n'), 'Copied'),
                },
                ...(alone && valueOf(alone) !== ''
                  ? [{ title: 'Copy value', run: () => void copy(valueOf(alone), 'Value copied') }]
                  : []),
                ...(chosenMachines.length > 0
                  ? [
                      {
                        title: 'Force quality…',
                        apart: true,
                        run: () => actions.force(chosenMachines, 'the selection'),
                      },
                      { title: 'Clear forced quality', run: () => void actions.clearForced(chosenMachines) },
                    ]
                  : []),
                ...(alone ? [whyEntry(tagSubject(alone, scope), explain)] : []),
                ...(alone ? [{ title: IN_SCOPES, run: () => showScopes(alone) }] : []),
                {
                  title: alone ? 'Delete' : `Delete ${chosen.length} tags`,
                  keys: 'Delete',
                  apart: true,
                  run: () => actions.remove(chosen),
                },
              ]}
            />
          )}
        </section>
      </Panel>
      {hasDetails && (
        <>
          <Splitter label="Width of the details" />
          <SidePane
            id={DETAILS}
            side="right"
            title="details"
            active={active}
            className={styles.pane}
            least={280}
            size="28%"
            shows={edit?.id ?? selection.active}
          >
            <section className={styles.details} aria-label="Tag details" data-pane="tag-details">
              <RightPane
                active={active}
                edit={edit}
                edits={edits}
                selection={selection}
                values={values}
                scope={scope}
                onEdit={(definition) => setEditId(edits.change(definition))}
                onDuplicate={create}
                onDelete={(definition) => actions.remove([definition])}
                onRecreate={(definition) => setEditId(edits.recreate(definition))}
                onEnd={(path, definition) => {
                  setEditId(null);
                  if (definition) setSaved(definition);
                  if (path !== null) setSelection(only(path));
                }}
                onResume={resume}
              />
            </section>
          </SidePane>
        </>
      )}
      {dialog && (
        <TagDialogs
          dialog={dialog}
          filter={filter}
          onRemove={actions.removeNow}
          onDialog={setDialog}
          onClose={() => setDialog(null)}
        />
      )}
    </Group>
  );
}

/** The number of tags in a list, and of all tags if it is filtered. */
function countText(shown: number, total: number, filter: string, group: string): string {
  const word = total === 1 ? 'tag' : 'tags';
  const all = `${total.toLocaleString('en')} ${word}`;
  return filter.trim() === '' && group === '' ? all : `${shown.toLocaleString('en')} of ${all}`;
}

interface EmptyListProps {
  filtered: boolean;
  onClear: () => void;
  onImport: () => void;
  onNew: () => void;
}

/** The message in place of an empty table. */
function EmptyList({ filtered, onClear, onImport, onNew }: EmptyListProps) {
  if (filtered) {
    return (
      <div className={styles.empty} data-pane-focus>
        <Text weight="semibold">No tags match.</Text>
        <Button onClick={onClear}>Show all tags</Button>
      </div>
    );
  }
  return (
    <div className={styles.empty} data-pane-focus>
      <Text weight="semibold">There are no tags yet.</Text>
      <Text>Import them from a CSV or JSON file, or create the first one here.</Text>
      <div className={styles.buttons}>
        <Button onClick={onImport}>Import tags…</Button>
        <Button appearance="primary" onClick={onNew}>
          New tag
        </Button>
      </div>
    </div>
  );
}
