import { useCallback, useMemo } from 'react';
import type { KeyboardEvent } from 'react';
import { VirtualGrid } from '../../../ui/lists/virtual-grid.tsx';
import type { GridColumn, RowChoice } from '../../../ui/lists/virtual-grid.tsx';
import type { MockListRow } from '../model/list-rows.ts';
import { answerText, answersHint } from '../model/list-rows.ts';
import type { MockActions } from './use-mock-actions.ts';
import { Method } from './method.tsx';
import { moment } from '../../../support/moment.ts';
import styles from '../mocks.module.css';

interface Props {
  rows: readonly MockListRow[];
  activeKey: string | null;
  selected: ReadonlySet<string>;
  actions: MockActions;
  onChoose: (index: number, choice: RowChoice) => void;
  onChooseAll: () => void;
  /** With Enter: the focus moves to the editor. */
  onOpen: () => void;
  onDelete: () => void;
  onMove: (by: -1 | 1) => void;
}

/** The mocks in matching order. E enables or disables the selected one, Alt with an arrow moves it. */
export function MockList(props: Props) {
  const { rows, activeKey, selected, actions, onChoose, onChooseAll, onOpen, onDelete, onMove } = props;
  const columns = useMemo(() => columnsOf(actions), [actions]);
  const rowAt = useCallback((index: number) => rows[index], [rows]);
  const activeIndex = rows.findIndex(({ key }) => key === activeKey);
  const onKey = (event: KeyboardEvent) => {
    const use = (work: () => void) => {
      event.preventDefault();
      work();
    };
    const mock = rows[activeIndex]?.mock;
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
    if (plain && event.key === 'Delete') use(onDelete);
    if (plain && event.key.toLowerCase() === 'e' && mock) use(() => void actions.toggle(mock));
    if (event.altKey && event.key === 'ArrowUp') use(() => onMove(-1));
    if (event.altKey && event.key === 'ArrowDown') use(() => onMove(1));
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
      onOpen={onOpen}
      onKey={onKey}
    />
  );
}

function columnsOf(actions: MockActions): GridColumn<MockListRow>[] {
  return [
    {
      name: 'On',
      width: '22px',
      cell: ({ mock }) =>
        mock && (
          <input
            type="checkbox"
            className={styles.check}
            tabIndex={-1}
            aria-label={`Enabled: ${mock.name}`}
            checked={mock.enabled}
            onClick={(event) => event.stopPropagation()}
            onChange={() => void actions.toggle(mock)}
          />
        ),
    },
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
}

function nameCell({ name, mock, draft, recorded }: MockListRow) {
  return (
    <span className={styles.name} data-off={mock?.enabled === false}>
      {recorded && <span className={styles.mark}>recorded</span>}
      <span className={styles.cut}>{name.trim() === '' ? <em>New mock</em> : name}</span>
      {draft && <span className={styles.unsaved}>{mock ? '● unsaved' : '● new'}</span>}
    </span>
  );
}
