import { type KeyboardEvent, type RefObject, memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { TagDefinition, TagKind } from '#domain/tag/tag';
import { type GridColumn, type RowChoice, VirtualGrid } from '../../../ui/lists/virtual-grid.tsx';
import { KIND_NAMES, KindIcon } from '../../../ui/text/tag-kind.tsx';
import { TagPath } from '../../../ui/text/tag-path.tsx';
import type { GridHeading } from '../../../ui/lists/grid-head.tsx';
import { useStore } from '../../../support/store.ts';
import { type PathParts, namesOf, partsOfPath, sharedGroups, widthsOfParts } from './path-parts.ts';
import { type ColumnName, type TableLook, canSort, columnOf, liveOrderOf, nextSort, widthWithin } from './columns.ts';
import { type LiveValue, type LiveValues, type ViewScope, useLiveValue } from '../../../client/live-values.ts';
import type { TagSelection } from './selection.ts';
import { Spark } from './spark.tsx';
import styles from './table.module.css';
import { ageText, moment, shortMoment } from '../../../support/moment.ts';
import { QualityMark } from '../../../ui/text/quality.tsx';
import { shownAs, wholeValue } from '../../../support/shown-value.ts';

interface Props {
  tags: readonly TagDefinition[];
  values: LiveValues;
  scope: ViewScope;
  active: boolean;
  selection: TagSelection;
  /** Paths are relative to it; `''` for whole paths. */
  group: string;
  look: TableLook;
  /** The time of the reading that the rows are ordered by; null for an order that stays true. */
  orderedAt: string | null;
  onLook: (change: Partial<TableLook>) => void;
  onHeadMenu: (name: ColumnName, at: { x: number; y: number }) => void;
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
  const host = useRef<HTMLDivElement>(null);
  const width = useWidth(host);
  const { group, look, orderedAt, onLook, onHeadMenu } = props;
  const tracks = useMemo(() => pathTracks(tags, group), [tags, group]);
  const columns = useMemo(
    () => columnsFor({ values, width, group, look, tags, tracks }),
    [values, width, group, look, tags, tracks],
  );
  const heading: GridHeading = {
    sort: look.sort,
    canSort,
    onSort: (given) => {
      onLook({ sort: nextSort(columnOf(given), look.sort) });
    },
    hintOf: (given) => hintOfHeader(columnOf(given), look.sort.name === given ? orderedAt : null),
    onResize: (name, px) => onLook({ widths: { ...look.widths, [columnOf(name)]: widthWithin(px) } }),
    onMenu: (name, at) => onHeadMenu(columnOf(name), at),
  };
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
    <div ref={host} className={styles.table}>
      <VirtualGrid
        label="Tags"
        columns={columns}
        heading={heading}
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
function hintOfHeader(name: ColumnName, orderedAt: string | null): string | null {
  if (liveOrderOf(name) === null) return null;
  if (orderedAt === null) return `${name}: Enter sorts by the values of that moment, Shift+F10 opens the menu`;
  return `Order of ${orderedAt}. Click to sort again, in the other direction`;
}

interface Shape {
  values: LiveValues;
  width: number;
  group: string;
  look: TableLook;
  tags: readonly TagDefinition[];
  /** Of the column Path. */
  tracks: string;
}

function columnsFor({ values, width, group, look, tags, tracks }: Shape): GridColumn<TagDefinition>[] {
  const all: (GridColumn<TagDefinition> & { name: ColumnName; from?: number })[] = [
    {
      name: 'Path',
      width: 'minmax(150px, 6fr)',
      hint: ({ path, description }) => `${path}\n${description}`.trim(),
      cell: ({ path, kind }, index) => {
        const { groups, name } = partsOfPath(path, group);
        const above = index === 0 ? '' : partsOfPath(tags[index - 1]?.path ?? '', group).groups;
        // In another order, a row says nothing about the next one.
        const shared = look.sort.name === 'Path' ? sharedGroups(groups, above) : groups.length;
        return <PathCell path={path} groups={groups} name={name} shared={shared} kind={kind} tracks={tracks} />;
      },
    },
    {
      name: 'Value',
      width: 'minmax(80px, 1.2fr)',
      cell: ({ path, format }) => <ValueCell values={values} path={path} format={format} />,
    },
    { name: 'Unit', width: 'minmax(64px, 0.5fr)', from: 440, cell: ({ unit }) => <bdi>{unit}</bdi> },
    { name: 'Quality', width: 'minmax(92px, 1fr)', cell: ({ path }) => <QualityCell values={values} path={path} /> },
    {
      name: 'Time',
      width: '76px',
      from: 740,
      cell: ({ path }) =>
        look.ages ? <AgeCell values={values} path={path} /> : <TimeCell values={values} path={path} />,
    },
    { name: 'Trend', width: '72px', from: 640, cell: ({ path }) => <Spark values={values} path={path} /> },
    // The icon before the path shows it as well.
    { name: 'Kind', width: '74px', from: 900, cell: ({ kind }) => KIND_NAMES[kind] },
    { name: 'Type', width: '62px', from: 860, cell: ({ type }) => type },
  ];
  return all
    .filter(({ name, from = 0 }) => width >= from && !look.hidden.includes(name))
    .map((column) => {
      const chosen = look.widths[column.name];
      return chosen === undefined ? column : { ...column, width: `minmax(48px, ${chosen}px)` };
    });
}

/** The width of an element in steps of 20 px, so that dragging the splitter does not redraw all rows at each pixel. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(1_000);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(Math.floor(entry.contentRect.width / 20) * 20);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

interface CellProps {
  values: LiveValues;
  path: string;
}

interface PathProps extends PathParts {
  path: string;
  /** The number of characters of `groups` that the row above has as well. */
  shared: number;
  kind: TagKind;
  tracks: string;
}

/**
 * The tracks of a path: the icon of the kind, the groups, and the name, so that names start at the same place in all
 * rows. Where there is little space, names have it, and groups get at least a third.
 */
function pathTracks(tags: readonly TagDefinition[], group: string): string {
  const { groups, name } = widthsOfParts(tags, group);
  // One more, as a gap and because widths of letters are rounded.
  const most = groups === 0 ? 0 : groups + 1;
  return `22px minmax(0, min(${most}ch, max(33%, calc(100% - 22px - ${name}ch)))) minmax(0, 1fr)`;
}

/** The groups in one column and the names in another, both aligned in all rows. */
const PathCell = memo(function PathCell({ path, groups, name, shared, kind, tracks }: PathProps) {
  return (
    <>
      <span className={styles.unseen}>{path}</span>
      <span className={styles.unseen}>{KIND_NAMES[kind]}</span>
      <span className={styles.named} style={{ gridTemplateColumns: tracks }} aria-hidden>
        <KindIcon kind={kind} />
        <Groups groups={groups} shared={shared} />
        <span className={styles.name}>
          <TagPath path={name} />
        </span>
      </span>
    </>
  );
});

/** The groups of a path; what does not fit is left out from the start, in whole groups, with one mark. */
function Groups({ groups, shared }: Pick<PathProps, 'groups' | 'shared'>) {
  return (
    <span className={styles.groups} dir="ltr">
      {/* As wide as a letter if all of them are wider than their column, else without a width. */}
      <span className={styles.more} style={{ width: `clamp(0px, calc((${groups.length}ch - 100%) * 999), 1ch)` }}>
        …
      </span>
      <span className={styles.parts}>
        {namesOf(groups).map(({ name, start }) => (
          <span key={start} data-shared={start < shared}>
            <bdi>{name}</bdi>.
          </span>
        ))}
      </span>
    </span>
  );
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
    <time className={styles.time} dateTime={live.changedAt} title={`Last changed ${moment(at)}`}>
      {ageText(now - at.getTime())}
    </time>
  );
});

const TimeCell = memo(function TimeCell({ values, path }: CellProps) {
  const live = useLiveValue(values, path);
  if (!live) return null;
  if (live.changedAt === undefined) return <span title="The value has not changed, as far as is known">—</span>;
  const at = new Date(live.changedAt);
  return (
    <time className={styles.time} dateTime={live.changedAt} title={`Last changed ${moment(at)}`}>
      {shortMoment(at)}
    </time>
  );
});
