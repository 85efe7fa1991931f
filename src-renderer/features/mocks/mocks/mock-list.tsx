import { useCallback, useMemo } from 'react';
import type { KeyboardEvent } from 'react';
import { VirtualGrid } from '../../../ui/lists/virtual-grid.tsx';
import type { GridColumn, GridDrag, GridTree, RowChoice } from '../../../ui/lists/virtual-grid.tsx';
import { FolderCell, INDENT } from '../folders/folder-cell.tsx';
import { type FolderRow, type ListRow, isFolderRow } from '../model/folder-rows.ts';
import type { MockListRow } from '../model/list-rows.ts';
import { answerText, answersHint } from '../model/list-rows.ts';
import type { MockActions } from './use-mock-actions.ts';
import { Method } from '../../../ui/text/method.tsx';
import { moment } from '../../../support/moment.ts';
import styles from '../mocks.module.css';

interface Props {
  rows: readonly ListRow[];
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
  const { onMoveTo, onToggle, onRename, onMenu, drag } = props;
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
      width: `${22 + (deepest - 1) * INDENT}px`,
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
    ...MOCK_COLUMNS.map(({ hint, ...column }): GridColumn<ListRow> => ({
      ...column,
      cell: (row, index) => (isFolderRow(row) ? '' : column.cell(row.row, index)),
      ...(hint && { hint: (row) => (isFolderRow(row) ? '' : hint(row.row)) }),
    })),
  ];
}

const MOCK_COLUMNS: readonly GridColumn<MockListRow>[] = [
  { name: 'Method', width: '58px', cell: ({ method }) => <Method name={method} />, look: 'code' },
  {
    name: 'URL',
    width: 'minmax(84px, 2fr)',
    cell: ({ url }) => url.replace(/^https:\/\//, ''),
    hint: ({ url }) => url,
    look: 'code',
  },
  { name: 'Mock', width: 'minmax(70px, 1.4fr)', cell: nameCell, hint: ({ name }) => name },
  {
    name: 'Response',
    width: 'minmax(56px, 0.7fr)',
    cell: ({ mock }) => (mock ? answerText(mock) : ''),
    hint: ({ mock }) => (mock ? answersHint(mock) : ''),
  },
  { name: 'Prio', width: '34px', cell: ({ mock }) => mock?.priority ?? '', look: 'number' },
  {
    name: 'Hits',
    width: '38px',
    cell: ({ mock }) => mock?.hits ?? '',
    hint: ({ mock }) => (mock?.lastHitAt ? `Last used ${moment(new Date(mock.lastHitAt))}` : ''),
    look: 'number',
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
