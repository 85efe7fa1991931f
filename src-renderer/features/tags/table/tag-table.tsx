import { type KeyboardEvent, memo, useCallback, useEffect, useMemo, useState } from 'react';
import type { TagDefinition } from '#domain/tag/tag';
import type { RowChoice } from '../../../ui/lists/row-events.ts';
import { type GridColumn, VirtualGrid } from '../../../ui/lists/virtual-grid.tsx';
import { PathCell } from '../../../ui/text/path-cell.tsx';
import { pathTracks } from '../../../ui/text/path-parts.ts';
import { KIND_NAMES } from '../../../ui/text/tag-kind.tsx';
import type { KeptLook } from '../../../ui/lists/grid-look.ts';
import { useStore } from '../../../support/store.ts';
import { type ColumnName, checkedSort, liveOrderOf, sortOf } from './columns.ts';
import { type LiveValue, type LiveValues, type ViewScope, useLiveValue } from '../../../client/live-values.ts';
import type { TagSelection } from './selection.ts';
import { Spark } from './spark.tsx';
import styles from './table.module.css';
import { ageText, fullMoment } from '../../../support/moment.ts';
import { QualityMark } from '../../../ui/text/quality.tsx';
import { TableTime, TIME_WIDTH } from '../../../ui/text/table-time.tsx';
import { shownAs, wholeValue } from '../../../support/shown-value.ts';

interface Props {
  tags: readonly TagDefinition[];
  values: LiveValues;
  scope: ViewScope;
  active: boolean;
  selection: TagSelection;
  /** Paths are relative to it; `''` for whole paths. */
  group: string;
  kept: KeptLook;
  /** The time of the reading that the rows are ordered by; null for an order that stays true. */
  orderedAt: string | null;
  onSort: () => void;
  /** A tag to follow that may be outside the visible rows: the one in the details. */
  also: string | null;
  onChoose: (index: number, choice: RowChoice) => void;
  onChooseAll: () => void;
  onOpen: () => void;
  onDelete: () => void;
  onMenu: (index: number, at: { x: number; y: number }) => void;
}

/** The tags as a table; only the values of visible rows are followed. Columns without space are hidden. */
export function TagTable(props: Props) {
  const { tags, values, scope, active, selection, also, onChoose, onChooseAll, onOpen, onDelete, onMenu } = props;
  const { group, kept, orderedAt, onSort } = props;
  const ages = useStore(kept.store, (look) => look.ages);
  const sortedBy = useStore(kept.store, ({ sort }) => checkedSort(sort).name);
  const tracks = useMemo(
    () =>
      pathTracks(
        tags.map(({ path }) => path),
        { below: group },
      ),
    [tags, group],
  );
  const byPath = sortedBy === 'Path';
  const columns = useMemo(
    () => columnsFor({ values, group, byPath, ages, tags, tracks }),
    [values, group, byPath, ages, tags, tracks],
  );
  const rowAt = useCallback((index: number) => tags[index], [tags]);
  const activeIndex = useMemo(() => tags.findIndex(({ path }) => path === selection.active), [tags, selection.active]);
  const [{ first, last }, setRange] = useState({ first: 0, last: -1 });
  const onRange = useCallback((from: number, to: number) => setRange({ first: from, last: to }), []);

  useEffect(() => {
    if (!active) return values.stop();
    const paths = tags.slice(first, last + 1).map(({ path }) => path);
    if (also !== null && !paths.includes(also)) paths.push(also);
    values.watch(paths, scope);
  }, [values, tags, first, last, scope, active, also]);

  return (
    <div className={styles.table}>
      <VirtualGrid
        label="Tags"
        columns={columns}
        kept={kept}
        hintOf={(name) => hintOfHeader(name, sortedBy === name ? orderedAt : null)}
        onSort={onSort}
        count={tags.length}
        rowAt={rowAt}
        activeIndex={activeIndex}
        isSelected={(index) => selection.chosen.has(tags[index]?.path ?? '')}
        onChoose={onChoose}
        onChooseAll={onChooseAll}
        onOpen={onOpen}
        onMenu={onMenu}
        onRange={onRange}
        onKey={(event: KeyboardEvent) => event.key === 'Delete' && onDelete()}
      />
    </div>
  );
}

/** What a header of values says besides its keys; null for others. */
function hintOfHeader(name: string, orderedAt: string | null): string | null {
  if (liveOrderOf(name) === null) return null;
  if (orderedAt === null) return `${name}: Enter sorts by the values of that moment, Shift+F10 opens the menu`;
  return `Sorted at ${orderedAt}. Click to sort again in the other direction`;
}

interface TableShape {
  values: LiveValues;
  group: string;
  /** Ordered by path. */
  byPath: boolean;
  ages: boolean;
  tags: readonly TagDefinition[];
  /** Grid tracks of the Path column. */
  tracks: string;
}

function columnsFor({ values, group, byPath, ages, tags, tracks }: TableShape): GridColumn<TagDefinition>[] {
  const all: (GridColumn<TagDefinition> & { name: ColumnName })[] = [
    {
      name: 'Path',
      keep: 'shown',
      width: 'minmax(150px, 3fr)',
      hint: ({ path, description }) => `${path}\n${description}`.trim(),
      cell: ({ path, kind }, index) => {
        // In another order, a row says nothing about the next one.
        const above = byPath ? (tags[index - 1]?.path ?? '') : undefined;
        return <PathCell path={path} kind={kind} namesKind tracks={tracks} below={group} above={above} />;
      },
    },
    {
      name: 'Value',
      width: 'minmax(80px, 1.2fr)',
      cell: ({ path, format }) => <ValueCell values={values} path={path} format={format} />,
    },
    { name: 'Unit', width: 'minmax(80px, 0.5fr)', from: 440, cell: ({ unit }) => <bdi>{unit}</bdi> },
    { name: 'Quality', width: 'minmax(92px, 1.8fr)', cell: ({ path }) => <QualityCell values={values} path={path} /> },
    {
      name: 'Time',
      width: TIME_WIDTH,
      from: 780,
      hasAges: true,
      cell: ({ path }) => (ages ? <AgeCell values={values} path={path} /> : <TimeCell values={values} path={path} />),
    },
    {
      name: 'Trend',
      width: 'minmax(72px, 72px)',
      from: 840,
      cell: ({ path }) => <Spark values={values} path={path} />,
    },
    // The icon before the path shows it as well.
    { name: 'Kind', width: '74px', from: 900, cell: ({ kind }) => KIND_NAMES[kind] },
    { name: 'Type', width: '62px', from: 860, cell: ({ type }) => type },
  ];
  return all.map((column) => {
    const sort = sortOf(column.name);
    return sort ? { ...column, sort } : column;
  });
}

interface CellProps {
  values: LiveValues;
  path: string;
}

/** Cells that update themselves, so that a new value redraws only its cell, not the table. */

const ValueCell = memo(function ValueCell({ values, path, format }: CellProps & { format: string | undefined }) {
  const live = useLiveValue(values, path);
  const text = live ? shownAs(live.value, format) : '…';
  return (
    <span className={styles.value} data-number={typeof live?.value === 'number'} title={hintOf(live, text)}>
      {text}
    </span>
  );
});

const LONGEST_HINT = 2_000;

/** The full number or text, where the cell may show less. */
function hintOf(live: LiveValue | undefined, text: string): string | undefined {
  if (typeof live?.value === 'string') return live.value.slice(0, LONGEST_HINT);
  if (typeof live?.value !== 'number') return undefined;
  const whole = wholeValue(live.value);
  return whole === text ? undefined : whole;
}

const QualityCell = memo(function QualityCell({ values, path }: CellProps) {
  const live = useLiveValue(values, path);
  return live ? <QualityMark value={live} compact /> : null;
});

const AgeCell = memo(function AgeCell({ values, path }: CellProps) {
  const live = useLiveValue(values, path);
  const now = useStore(values.tick);
  if (live?.changedAt === undefined) return <TimeCell values={values} path={path} />;
  const at = new Date(live.changedAt);
  return (
    <time className={styles.time} dateTime={live.changedAt} title={`Last changed ${fullMoment(at)}`}>
      {ageText(now - at.getTime())}
    </time>
  );
});

const TimeCell = memo(function TimeCell({ values, path }: CellProps) {
  const live = useLiveValue(values, path);
  if (!live) return null;
  if (live.changedAt === undefined) return <span title="No change known">—</span>;
  return <TableTime at={new Date(live.changedAt)} what="Last changed" />;
});
