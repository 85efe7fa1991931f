import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useId, useMemo, useRef } from 'react';
import type { KeyboardEvent } from 'react';
import type { TagDefinition } from '#domain/tag';
import { QualityMark } from '../../ui/quality.tsx';
import { shownLive } from '../../ui/shown-value.ts';
import { KIND_NAMES } from './definition-lines.ts';
import { useLiveValue } from './live-values.ts';
import type { LiveValues, ViewScope } from './live-values.ts';
import styles from './tags.module.css';

const ROW = 26;
const OVERSCAN = 10;
const COLUMNS = ['Path', 'Value', 'Unit', 'Quality', 'Kind', 'Type'] as const;

interface Props {
  tags: readonly TagDefinition[];
  values: LiveValues;
  scope: ViewScope;
  active: boolean;
  selected: string | null;
  /** A tag to follow that may be out of sight: the one in the details. */
  also: string | null;
  onSelect: (path: string) => void;
}

/** The tags as a grid in one tab stop; only rows in sight are in the document, and only their values are followed. */
export function TagGrid({ tags, values, scope, active, selected, also, onSelect }: Props) {
  const gridId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: tags.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: OVERSCAN,
    initialRect: { width: 800, height: 800 },
  });
  const items = virtual.getVirtualItems();
  const selectedIndex = useMemo(() => tags.findIndex(({ path }) => path === selected), [tags, selected]);
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;

  useEffect(() => {
    if (!active) return values.stop();
    const paths = tags.slice(first, last + 1).map(({ path }) => path);
    if (also !== null && !paths.includes(also)) paths.push(also);
    values.watch(paths, scope);
  }, [values, tags, first, last, scope, active, also]);
  useEffect(() => {
    if (selectedIndex >= 0) virtual.scrollToIndex(selectedIndex, { align: 'auto' });
  }, [virtual, selectedIndex]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? ROW) / ROW) - 2);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: selectedIndex + 1,
      ArrowUp: selectedIndex - 1,
      PageDown: selectedIndex + page,
      PageUp: selectedIndex - page,
      Home: 0,
      End: tags.length - 1,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tag = tags[Math.min(tags.length - 1, Math.max(0, to))];
    if (tag) onSelect(tag.path);
  };

  return (
    <div
      ref={scroller}
      className={styles.grid}
      role="grid"
      aria-label="Tags"
      aria-rowcount={tags.length + 1}
      aria-colcount={COLUMNS.length}
      aria-activedescendant={selectedIndex >= 0 ? `${gridId}-${selectedIndex}` : undefined}
      tabIndex={0}
      data-pane-focus
      onKeyDown={onKeyDown}
    >
      <div role="row" aria-rowindex={1} className={styles.headRow}>
        {COLUMNS.map((column) => (
          <span key={column} role="columnheader">
            {column}
          </span>
        ))}
      </div>
      <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {items.map(({ index, start }) => {
          const tag = tags[index];
          return tag ? (
            <TagRow
              key={tag.path}
              id={`${gridId}-${index}`}
              index={index}
              start={start}
              tag={tag}
              values={values}
              selected={index === selectedIndex}
              onSelect={onSelect}
            />
          ) : null;
        })}
      </div>
    </div>
  );
}

interface RowProps {
  id: string;
  index: number;
  start: number;
  tag: TagDefinition;
  values: LiveValues;
  selected: boolean;
  onSelect: (path: string) => void;
}

const TagRow = memo(function TagRow({ id, index, start, tag, values, selected, onSelect }: RowProps) {
  const live = useLiveValue(values, tag.path);
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={styles.row}
      style={{ transform: `translateY(${start}px)` }}
      onClick={() => onSelect(tag.path)}
    >
      <span role="gridcell" className={styles.path} title={`${tag.path}\n${tag.description}`.trim()}>
        <bdi>{tag.path}</bdi>
      </span>
      <span role="gridcell" className={styles.value} data-number={typeof live?.value === 'number'}>
        {live ? shownLive(live.value) : '…'}
      </span>
      <span role="gridcell">{tag.unit}</span>
      <span role="gridcell" className={styles.quality}>
        {live && <QualityMark quality={live.quality} reason={live.reason} />}
      </span>
      <span role="gridcell">{KIND_NAMES[tag.kind]}</span>
      <span role="gridcell">{tag.type}</span>
    </div>
  );
});
