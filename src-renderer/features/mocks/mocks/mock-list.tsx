import { useCallback, useMemo } from 'react';
import type { KeyboardEvent } from 'react';
import type { KeptLook } from '../../../ui/lists/grid-look.ts';
import type { RowOrder } from '../../../ui/lists/sorted-rows.ts';
import type { GridDrag, RowChoice } from '../../../ui/lists/row-events.ts';
import { VirtualGrid } from '../../../ui/lists/virtual-grid.tsx';
import type { GridColumn, GridTree } from '../../../ui/lists/virtual-grid.tsx';
import { FolderCell, INDENT } from '../folders/folder-cell.tsx';
import { type FolderRow, type ListRow, isFolderRow } from '../model/folder-rows.ts';
import type { MockListRow } from '../model/list-rows.ts';
import { answerText, answersHint } from '../model/list-rows.ts';
import type { MockActions } from './use-mock-actions.ts';
import { Method } from '../../../ui/text/method.tsx';
import { moment } from '../../../support/moment.ts';
import styles from '../mocks.module.css';
import { UrlCell } from '../url-cell.tsx';

interface Props {
  rows: readonly ListRow[];
  kept: KeptLook;
  activeKey: string | null;
  selected: ReadonlySet<string>;
  actions: MockActions;
  onChoose: (index: number, choice: RowChoice) => void;
  onChooseAll: () => void;
  /** With Enter: the focus moves to the editor. */
  onOpen: () => void;
  onDelete: () => void;
  onMove: (by: -1 | 1) => void;
  /** With M: another folder for the selected ones. */
  onMoveTo: () => void;
  onToggle: (folder: FolderRow) => void;
  /** With F2. */
  onRename: (folder: FolderRow) => void;
  onMenu: (index: number, at: { x: number; y: number }) => void;
  drag: GridDrag;
}

/**
 * The mocks in matching order, in their folders. E enables or disables the selected one, or everything in the selected
 * folder; Alt with an arrow moves a mock.
 */
export function MockList(props: Props) {
  const { rows, activeKey, selected, actions, onChoose, onChooseAll, onOpen, onDelete, onMove } = props;
  const { kept, onMoveTo, onToggle, onRename, onMenu, drag } = props;
  const deepest = rows.reduce((most, { level }) => Math.max(most, level), 1);
  const columns = useMemo(() => columnsOf(actions, deepest), [actions, deepest]);
  const rowAt = useCallback((index: number) => rows[index], [rows]);
  const activeIndex = rows.findIndex(({ key }) => key === activeKey);
  const switchFolder = ({ rows: inside, enabled }: FolderRow) => void actions.switchAll(inside, enabled !== true);
  const onKey = (event: KeyboardEvent) => {
    const use = (work: () => void) => {
      event.preventDefault();
      work();
    };
    const row = rows[activeIndex];
    const folder = row && isFolderRow(row) ? row : null;
    const mock = row && !isFolderRow(row) ? row.row.mock : null;
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
    if (plain && event.key === 'Delete') use(onDelete);
    if (plain && event.key.toLowerCase() === 'e' && mock) use(() => void actions.toggle(mock));
    if (plain && event.key.toLowerCase() === 'e' && folder) use(() => switchFolder(folder));
    if (plain && event.key.toLowerCase() === 'm') use(onMoveTo);
    if (plain && event.key === 'F2' && folder) use(() => onRename(folder));
    if (event.altKey && event.key === 'ArrowUp') use(() => onMove(-1));
    if (event.altKey && event.key === 'ArrowDown') use(() => onMove(1));
  };
  const tree: GridTree<ListRow> = {
    level: ({ level }) => level,
    expanded: (row) => (isFolderRow(row) ? row.expanded : undefined),
    onToggle: (index) => {
      const row = rows[index];
      if (row && isFolderRow(row)) onToggle(row);
    },
    whole: (row) => (isFolderRow(row) ? folderCell(row, onToggle, switchFolder) : undefined),
  };
  return (
    <VirtualGrid
      label="Mocks"
      columns={columns}
      kept={kept}
      unsorted="Matching order"
      count={rows.length}
      rowAt={rowAt}
      activeIndex={activeIndex}
      isSelected={(index) => selected.has(rows[index]?.key ?? '')}
      onChoose={onChoose}
      onChooseAll={onChooseAll}
      onOpen={(index) => {
        const row = rows[index];
        if (row && isFolderRow(row)) onToggle(row);
        else onOpen();
      }}
      onKey={onKey}
      onMenu={onMenu}
      tree={rows.some(isFolderRow) ? tree : undefined}
      drag={drag}
    />
  );
}

function folderCell(row: FolderRow, onToggle: (row: FolderRow) => void, onSwitch: (row: FolderRow) => void) {
  return <FolderCell folder={row} onToggle={() => onToggle(row)} onSwitch={() => onSwitch(row)} />;
}

function columnsOf(actions: MockActions, deepest: number): GridColumn<ListRow>[] {
  return [
    {
      name: 'On',
      // It has the indentation of folders.
      keep: 'fixed',
      width: `${24 + (deepest - 1) * INDENT}px`,
      cell: (row) => {
        const mock = isFolderRow(row) ? null : row.row.mock;
        return (
          mock && (
            <input
              type="checkbox"
              className={styles.check}
              style={{ marginLeft: (row.level - 1) * INDENT }}
              tabIndex={-1}
              aria-label={`Enabled: ${mock.name}`}
              checked={mock.enabled}
              onClick={(event) => event.stopPropagation()}
              onChange={() => void actions.toggle(mock)}
            />
          )
        );
      },
    },
    ...MOCK_COLUMNS.map(({ hint, sort, ...column }): GridColumn<ListRow> => ({
      ...column,
      ...(sort && { sort: { descendingFirst: sort.descendingFirst === true } }),
      cell: (row, index) => (isFolderRow(row) ? '' : column.cell(row.row, index)),
      ...(hint && { hint: (row) => (isFolderRow(row) ? '' : hint(row.row)) }),
    })),
  ];
}

/** New mocks stay on top of their folder. */
export const MOCK_ORDER: RowOrder<MockListRow> = { keyOf: ({ key }) => key, isFirst: ({ mock }) => mock === null };

export const MOCK_COLUMNS: readonly GridColumn<MockListRow>[] = [
  {
    name: 'Method',
    width: '62px',
    cell: ({ method }) => <Method name={method} />,
    look: 'code',
    sort: { by: ({ method }) => method },
  },
  {
    name: 'URL',
    width: 'minmax(80px, 2fr)',
    cell: ({ url }) => <UrlCell url={url} />,
    hint: ({ url }) => url,
    look: 'code',
    sort: { by: ({ url }) => url.replace(/^https:\/\//, '') },
  },
  {
    name: 'Mock',
    keep: 'shown',
    width: 'minmax(70px, 1.4fr)',
    cell: nameCell,
    hint: ({ name }) => name,
    sort: { by: ({ name }) => name },
  },
  {
    name: 'Response',
    width: 'minmax(56px, 0.7fr)',
    cell: ({ mock }) => (mock ? answerText(mock) : ''),
    hint: ({ mock }) => (mock ? answersHint(mock) : ''),
    // A call moves a sequence to its next response.
    sort: { by: ({ mock }) => mock && answerText(mock), changes: true },
  },
  {
    name: 'Prio',
    width: '40px',
    from: 500,
    cell: ({ mock }) => mock?.priority ?? '',
    look: 'number',
    sort: { descendingFirst: true, by: ({ mock }) => mock && mock.priority },
  },
  {
    name: 'Hits',
    width: '40px',
    from: 500,
    cell: ({ mock }) => mock?.hits ?? '',
    hint: ({ mock }) => (mock?.lastHitAt ? `Last used ${moment(new Date(mock.lastHitAt))}` : ''),
    look: 'number',
    sort: { descendingFirst: true, by: ({ mock }) => mock && mock.hits, changes: true },
  },
];

function nameCell({ name, mock, draft, recorded }: MockListRow) {
  return (
    <span className={styles.name} data-off={mock?.enabled === false}>
      {recorded && <span className={styles.mark}>recorded</span>}
      <span className={styles.cut}>{name.trim() === '' ? <em>New mock</em> : name}</span>
      {draft && <span className={styles.unsaved}>{mock ? '● unsaved' : '● new'}</span>}
    </span>
  );
}
